package import FleetEngine
package import JourneySharing
import TerminalCanvas

/// The words for a failure, for lines, banners and JSON messages. Plain lines and banners leave out the server's code and text, which few
/// users understand.
package struct FailureWords: Hashable, Sendable {
    /// The failure in a few words, without a full stop.
    package private(set) var meaning: String
    /// The one action that helps; nil if the user need not do anything.
    package private(set) var advice: String?
    /// The server's code and text, or the text of a local failure; empty if there is nothing to add to the meaning.
    package let detail: String
    /// ``detail`` without the server's own code and text, which few users understand.
    package let cause: String

    package init(_ failure: PollFailure) {
        self.init(
            failure.error, failure.errorClass, isServerFault: failure.isServerFault, isWithinGrace: failure.isWithinGrace,
            serverWasHeard: failure.serverWasHeard, isPolled: true)
    }

    /// - Parameters:
    ///   - serverWasHeard: whether the server answered before. If so, a failed connection counts as lost.
    ///   - isPolled: whether the server is polled at an interval that the user can set.
    package init(
        _ error: FleetEngineError, _ errorClass: ErrorClass, isServerFault: Bool = false, isWithinGrace: Bool = false,
        serverWasHeard: Bool = false, isPolled: Bool = false
    ) {
        if LinkEnd.isEnd(error) {
            // A link that has ended says nothing about the trip.
            meaning = String(error.message.dropLast())
            advice = "Ask for a new link."
            detail = ""
            cause = ""
            return
        }
        detail = Self.detail(of: error, isServerFault: isServerFault)
        cause = error.httpStatus != nil ? sanitised(error.message, maximumLength: 300) : error.origin == .server ? "" : detail
        switch errorClass {
        case .retryable:
            meaning = isServerFault ? "The server keeps failing" : Self.meaning(ofRetryable: error, serverWasHeard: serverWasHeard)
            advice = isServerFault ? nil : Self.advice(forRetryable: error, isPolled: isPolled)
        case .actionRequired(let action):
            meaning = isWithinGrace ? Self.meaningWithinGrace(action) : Self.meaning(of: action, error)
            advice = isWithinGrace ? nil : Self.advice(for: action, error, isPolled: isPolled)
        }
    }

    /// Returns the words for a driver's report. The token has a different role from a rider's token, and a report names no trip.
    package static func forDriver(_ error: FleetEngineError) -> Self {
        var words = Self(error, error.errorClass())
        switch error.errorClass() {
        case .actionRequired(.checkPermission):
            words.meaning = "This token is not allowed to drive this vehicle"
            words.advice = "Check that the token is for this vehicle and has the role 'driver'."
        case .actionRequired(.checkTripName) where error.code == .notFound:
            words.meaning = "The server does not know this vehicle"
            words.advice = "Create the vehicle on the server, or start with --create."
        case .actionRequired(.checkTripName): words.advice = "Ask the provider."
        default: break
        }
        return words
    }

    /// Whether the connection, a certificate or the token caused the failure. `doctor` checks these one by one.
    package static func isForDoctor(_ error: FleetEngineError) -> Bool {
        switch (error.origin, error.code) {
        case (.network, _), (.tls, _), (.tokenSource, _), (_, .unauthenticated), (_, .permissionDenied): !LinkEnd.isEnd(error)
        default: false
        }
    }

    /// Whether the server, or a proxy before it, has answered, but with an error.
    package static func isAnswer(_ error: FleetEngineError) -> Bool {
        error.origin == .server || error.origin == .network && error.httpStatus != nil
    }

    /// Returns `not found` or `server error` if the server has answered with an error; nil otherwise.
    package static func answeredWord(_ error: FleetEngineError) -> String? {
        guard isAnswer(error) else { return nil }
        return error.code == .notFound ? "not found" : "server error"
    }

    /// Returns the word for the freshness. `offline` is used only if the server does not answer.
    package static func freshness(_ state: Freshness, after failure: PollFailure?) -> String {
        (state == .offline ? failure.flatMap { answeredWord($0.error) } : nil) ?? TripWords.freshness(state)
    }

    /// The detail, or the meaning if there is no detail; for places with room for only one of them.
    package var reason: String { detail.isEmpty ? meaning : detail }

    /// The meaning and the detail.
    package var statement: String { detail.isEmpty ? "\(meaning)." : "\(meaning) (\(detail))." }

    /// The meaning, the detail and the advice on one line.
    package var sentence: String { advice.map { "\(statement) \($0)" } ?? statement }

    /// The meaning, the cause and the advice on one line.
    package var line: String { (cause.isEmpty ? "\(meaning)." : "\(meaning) (\(cause)).") + (advice.map { " \($0)" } ?? "") }

    /// The meaning and the advice, without the error message of the server or the connection.
    package var spoken: String { advice.map { "\(meaning). \($0)" } ?? "\(meaning)." }

    /// Returns ``sentence`` with the server's name in front, unless the sentence already contains the name.
    package func sentence(at server: String) -> String {
        let server = sanitised(server, maximumLength: 120)
        return sentence.contains(server) ? sentence : "\(server): \(sentence)"
    }

    /// Returns the detail of an error. Codes are shown only for the server's errors, because local failures have their own words.
    private static func detail(of error: FleetEngineError, isServerFault: Bool) -> String {
        let text = sanitised(error.message, maximumLength: 300)
        guard error.origin == .server else { return error.isUnreadableAnswer ? "" : text }
        let id = isServerFault ? error.requestID.map { ", request \(sanitised($0, maximumLength: 80))" } ?? "" : ""
        return (text.isEmpty ? error.code.name : "\(error.code.name): \(text)") + id
    }

    /// Returns the words for a missing trip that is expected to appear, or to appear again.
    private static func meaningWithinGrace(_ action: RequiredAction) -> String {
        action == .checkTripExists ? "The server no longer knows the trip" : "The server does not know the trip yet"
    }

    private static func meaning(ofRetryable error: FleetEngineError, serverWasHeard: Bool) -> String {
        switch (error.origin, error.code) {
        case (.tokenSource, _): "The token source gave no token"
        case (.network, _) where error.httpStatus == 429: "Too many requests"
        case (.network, _) where (error.httpStatus ?? 0) >= 500: "The server is not available"
        case (.network, _) where error.httpStatus != nil: "The server refuses the request"
        case (.network, _): serverWasHeard ? "Connection lost" : "The server cannot be reached"
        case (_, .deadlineExceeded): "The server is slow"
        // An answer with an HTTP status but no gRPC status gets the words of the corresponding gRPC status.
        case (.server, _) where error.httpStatus == 504: "The server is slow"
        case (.server, _) where error.httpStatus == 429: "Too many requests"
        case (.local, .internal): capitalised(sanitised(error.message, maximumLength: 300))
        case (.local, .cancelled): "tripwatch cancelled the request"
        case (_, .cancelled), (_, .aborted): "The server cut its answer short"
        case (_, .unknown), (_, .internal): "The server reported an internal error"
        default: "The server is not available"
        }
    }

    private static func advice(forRetryable error: FleetEngineError, isPolled: Bool) -> String? {
        guard error.origin == .server else { return nil }
        if error.httpStatus == 429 { return isPolled ? "Choose a longer --interval." : nil }
        // This program's time limit equals Fleet Engine's, so only a proxy between them can have a shorter limit.
        let isCutShort = error.code == .deadlineExceeded || error.httpStatus == 504
        return isCutShort ? "A proxy's time limit may be shorter than tripwatch's, which is 15 s." : nil
    }

    private static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private static func meaning(of action: RequiredAction, _ error: FleetEngineError) -> String {
        switch action {
        case .checkTripName: error.code == .notFound ? "There is no such trip" : "The server does not accept the request"
        case .checkTripExists: "The trip no longer exists"
        case .getNewToken where error.lacksToken: "No access token is set"
        case .getNewToken: "The token is not valid or has expired"
        case .checkTokenSource: "The token source did not return a usable token"
        case .checkPermission: "You are not allowed to see the trip"
        case .waitForQuota where error.isRateExceeded: "Too many requests"
        case .waitForQuota: "The server's quota is used up"
        case .checkAddress where error.origin == .network: "The server speaks a different protocol"
        case .checkAddress: "This server does not support Fleet Engine calls"
        case .checkCertificate: "The connection to the server is not trusted"
        case .checkClock: "This computer's clock differs from the server's by more than a minute"
        case .updateTripwatch: "The server does not understand requests from this version of tripwatch"
        case .contactProvider where error.isServiceDisabled: "Fleet Engine is not enabled for the provider's project"
        case .contactProvider where error.isQuotaZero: "The provider has no quota for this request"
        case .contactProvider: "The server cannot do what was asked"
        }
    }

    private static func advice(for action: RequiredAction, _ error: FleetEngineError, isPolled: Bool) -> String {
        switch action {
        case .checkTripName where error.code == .notFound: return "Check the name; see 'tripwatch list'."
        case .checkTripName: return "Check the name; its form is providers/PROVIDER/trips/TRIP."
        case .checkTripExists: return "Ask the provider; the trip may have ended."
        case .getNewToken where error.lacksToken:
            return "Set TRIPWATCH_TOKEN, --token-file, --token-command or --token-url."
        case .getNewToken: return "Get a new token."
        case .checkTokenSource: return "Check the token file, variable, command or address."
        case .checkPermission: return "Check that the token is for this trip and has the consumer role."
        case .waitForQuota where isPolled: return "Choose a longer --interval if this happens often; the program tries again by itself."
        case .waitForQuota: return "Wait a while before you try again."
        case .checkAddress where error.origin == .network: return "Check --endpoint and --plaintext."
        case .checkAddress: return "Check --endpoint."
        case .checkCertificate: return "Check --endpoint and --ca."
        case .checkClock: return "Set the clock, then get a new token."
        case .updateTripwatch: return "Update tripwatch."
        case .contactProvider where error.isServiceDisabled:
            for case .errorInfo("SERVICE_DISABLED", _, let metadata) in error.details {
                guard let link = metadata["activationUrl"] else { continue }
                return "Ask the provider to enable Fleet Engine: \(sanitised(link, maximumLength: 300))"
            }
            return "Ask the provider to enable Fleet Engine."
        case .contactProvider where error.isQuotaZero: return "Ask the provider for more quota; waiting does not help."
        case .contactProvider: return "Ask the provider."
        }
    }
}

extension FleetEngineError {
    /// Whether the answer was unreadable. The error's message is then used as the meaning, without a detail.
    fileprivate var isUnreadableAnswer: Bool { origin == .local && code == .internal }
}

extension ErrorClass {
    /// Returns the exit code for an error of this class; nil if the command does not end, but waits.
    package func exitCode(for error: FleetEngineError) -> Int32? {
        guard case .actionRequired(let action) = self else { return nil }
        if action == .waitForQuota { return nil }
        switch error.code {
        case .notFound: return ExitCodes.noSuchTrip
        case .unauthenticated, .permissionDenied: return ExitCodes.notAllowed
        default: return ExitCodes.failed
        }
    }
}

/// The program's exit codes.
package enum ExitCodes {
    package static let success: Int32 = 0
    package static let failed: Int32 = 1
    package static let tripCanceled: Int32 = 2
    package static let noSuchTrip: Int32 = 3
    package static let notAllowed: Int32 = 4
    package static let usage: Int32 = 64
}
