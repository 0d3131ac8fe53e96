package import FleetEngine
package import FoundationEssentials

extension Finding {
    /// The smallest difference between this machine's clock and the server's that causes a warning, in seconds. Some servers refuse
    /// tokens at this difference, but Google's services accept up to ten minutes.
    private static let worryingOffsetSeconds = 60.0

    /// - Parameters:
    ///   - offset: time by which this machine's clock is ahead of the server's, in seconds; nil if the server did not report its time.
    ///   - wasHeard: whether the server has answered.
    ///   - hasTrip: whether the user named a trip. If not, the request was for a trip that does not exist.
    package static func clock(offset: Double?, wasHeard: Bool, hasTrip: Bool = false) -> Finding {
        guard let offset, offset.isFinite else {
            let call = hasTrip ? "this command again" : "'tripwatch doctor TRIP'"
            return .notChecked(
                "clock",
                wasHeard
                    ? "this server reports its time only while a trip is under way; run \(call) during a trip" : "the server did not answer"
            )
        }
        let apart = TokenInspection.span(abs(offset))
        guard abs(offset) >= worryingOffsetSeconds else {
            return Finding(.ok, "clock", "within \(max(1, Int(abs(offset).rounded(.up)))) s of the server's clock.")
        }
        let isTooFar = abs(offset) >= TokenInspection.clockToleranceSeconds
        return Finding(
            isTooFar ? .fail : .warn, "clock", "\(apart) \(offset > 0 ? "ahead of" : "behind") the server's clock.",
            advice: "Set this machine's clock: servers may refuse tokens created while the clock is wrong.")
    }

    /// Returns the findings about a token. They do not contain the token itself.
    /// - Parameter isOnThisMachine: whether the token is for a server on this machine.
    package static func token(_ inspection: TokenInspection, isOnThisMachine: Bool) -> [Finding] {
        // A local engine often does not check tokens. On this machine, a missing signature, another algorithm or too long a lifetime is
        // therefore only a warning. An expired token is still a failure.
        let tolerated: [TokenInspection.Warning] = isOnThisMachine ? [.unsigned, .otherAlgorithm, .lifetimeTooLong] : []
        let fatal = inspection.warnings.filter { $0.isFatal && !tolerated.contains($0) }
        let worries = inspection.warnings.filter { !$0.isFatal || tolerated.contains($0) }
        guard !inspection.warnings.isEmpty else {
            let left = inspection.remainingSeconds.map { ", valid for \(TokenInspection.span($0))" } ?? ""
            return [Finding(.ok, "token", "\(subject(inspection))\(left).")]
        }
        return fatal.map { warning in
            // The advice says how to get a new token, so the message says only that the old one has expired.
            let words = warning == .expired ? "it has expired" : inspection.words(warning)
            return Finding(.fail, "token", "\(words).", advice: advice(for: warning))
        }
            + worries.map { Finding(.warn, "token", "\(inspection.words($0)).", advice: advice(for: $0)) }
    }

    private static func subject(_ inspection: TokenInspection) -> String {
        if let trip = inspection.claims?.tripID { return trip == "*" ? "for any trip" : "for trip \(trip)" }
        if let vehicle = inspection.claims?.vehicleID { return vehicle == "*" ? "for any vehicle" : "for vehicle \(vehicle)" }
        return "a token was found"
    }

    private static func advice(for warning: TokenInspection.Warning) -> String? {
        switch warning {
        case .expired: "Get a new token; 'tripwatch token inspect' shows when the old one expired."
        case .notYetValid: "Check the time on both machines."
        case .otherTrip, .otherVehicle, .wrongAudience: "Ask your provider for a token for this trip or vehicle on this server."
        case .notAJSONWebToken: "Check the token source: its token must be a JSON Web Token."
        case .lifetimeTooLong: "Ask your provider for tokens that expire sooner."
        case .unsigned, .otherAlgorithm: "Ask your provider for a token that is signed with RS256."
        default: nil
        }
    }

    /// Returns the findings about the server, TLS and the trip, from one request for a trip. Any answer shows that the server can be
    /// reached.
    ///
    /// - Parameters:
    ///   - failure: nil if the server returned the trip.
    ///   - trip: the requested trip; nil if the request was deliberately for a trip that does not exist.
    ///   - isOnThisMachine: whether the server's address is one of this machine's.
    ///   - certificate: the server's certificate; nil if unknown.
    package static func server(
        _ endpoint: String, isOnThisMachine: Bool = false, isTLS: Bool, certificate: Certificate? = nil,
        failure: FleetEngineError?, trip: TripName?, milliseconds: Int
    ) -> [Finding] {
        var findings: [Finding] = []
        let words = failure.map { FailureWords($0, $0.errorClass()) }
        if let failure, failure.origin == .network || failure.origin == .local {
            let advice =
                isOnThisMachine && failure.origin == .network
                ? "Start 'tripwatch serve', or check --endpoint." : "Check --endpoint and your network."
            return [Finding(.fail, "server", "\(endpoint): \(words?.statement ?? "")", advice: advice)]
        }
        if failure?.origin == .tls {
            return [
                Finding(.ok, "server", "\(endpoint) can be reached."),
                Finding(.fail, "tls", words?.statement ?? "the server's certificate was rejected.", advice: words?.advice),
            ]
        }
        if failure?.origin != .tokenSource { findings.append(Finding(.ok, "server", "\(endpoint) answered in \(milliseconds) ms.")) }
        findings.append(
            isTLS ? trusted(certificate, isOnThisMachine: isOnThisMachine) : Finding(.ok, "tls", "not used, because plaintext is set."))
        guard let trip else { return findings }
        if let words {
            findings.append(Finding(.fail, "trip", words.statement, advice: words.advice))
        } else {
            findings.append(Finding(.ok, "trip", "the server knows \(trip)."))
        }
        return findings
    }

    /// The dates of a server's certificate, and the present time.
    package struct Certificate: Sendable {
        let from: Date
        let to: Date
        let now: Date

        /// - Parameters:
        ///   - from: the time before which the certificate is not valid, in seconds since 1970.
        ///   - to: the time at which the certificate expires, in seconds since 1970.
        package init(from: Int, to: Int, now: Date) {
            self.from = Date(timeIntervalSince1970: Double(from))
            self.to = Date(timeIntervalSince1970: Double(to))
            self.now = now
        }

        /// Whether the certificate should have been renewed by now. Certificates are usually renewed at least 14 days before they expire.
        /// Short-lived certificates are renewed when a third of their lifetime is left.
        var isLate: Bool { to.timeIntervalSince(now) < min(14 * 86_400, to.timeIntervalSince(from) / 3) }
    }

    /// Returns the finding about a certificate that was accepted.
    private static func trusted(_ certificate: Certificate?, isOnThisMachine: Bool) -> Finding {
        guard let certificate else { return Finding(.ok, "tls", "the server's certificate is trusted.") }
        let day = Timestamps.rfc3339(certificate.to).prefix(10)
        guard certificate.isLate else {
            return Finding(.ok, "tls", "the server's certificate is trusted, and expires on \(day).")
        }
        return Finding(
            .warn, "tls", "the server's certificate is trusted, but expires on \(day).",
            advice: isOnThisMachine ? "Renew it." : "Ask the server's operator to renew it.")
    }
}
