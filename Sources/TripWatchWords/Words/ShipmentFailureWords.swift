package import FleetEngine
package import JourneySharing
import TerminalCanvas

/// The words for a failed request for a shipment. They are the same as for trips, unless the words for trips mention a trip.
package struct ShipmentFailureWords: Hashable, Sendable {
    /// The failure and what to do, on one line.
    package let sentence: String
    /// The failure in a few words.
    package let meaning: String
    /// The one action that helps; nil if the user need not do anything.
    package let advice: String?
    /// The words of the server or the connection, as received; empty if they add nothing to the meaning.
    package let detail: String

    package init(_ failure: PollFailure, of name: TaskTrackingName) {
        self.init(failure.error, failure.errorClass, of: name, isWithinGrace: failure.isWithinGrace, words: FailureWords(failure))
    }

    /// Creates the words for a call that is not repeated.
    package init(_ error: FleetEngineError, of name: TaskTrackingName) {
        let errorClass = error.errorClass()
        self.init(error, errorClass, of: name, isWithinGrace: false, words: FailureWords(error, errorClass))
    }

    private init(
        _ error: FleetEngineError, _ errorClass: ErrorClass, of name: TaskTrackingName, isWithinGrace: Bool, words: FailureWords
    ) {
        guard error.origin == .server, let own = Self.meaning(of: error, name, isWithinGrace: isWithinGrace) else {
            meaning = words.meaning
            advice = words.advice
            detail = words.detail
            sentence = words.sentence
            return
        }
        meaning = own.meaning
        advice = own.advice
        detail = own.hasDetail ? words.detail : ""
        let end = detail.isEmpty ? "." : " (\(detail))."
        sentence = own.meaning + end + (own.advice.map { " \($0)" } ?? "")
    }

    /// Returns ``sentence`` with the server's name in front, unless the sentence already contains the name.
    package func sentence(at server: String) -> String {
        let server = sanitised(server, maximumLength: 120)
        return sentence.contains(server) ? sentence : "\(server): \(sentence)"
    }

    private static func meaning(
        of error: FleetEngineError, _ name: TaskTrackingName, isWithinGrace: Bool
    ) -> (meaning: String, advice: String?, hasDetail: Bool)? {
        let id = sanitised(name.trackingID, maximumLength: 64)
        switch error.errorClass() {
        case .actionRequired(.checkTripName) where error.code == .notFound && isWithinGrace:
            return ("The server no longer knows shipment \(id)", nil, false)
        case .actionRequired(.checkTripName) where error.code == .notFound:
            return ("No shipment \(id) at \(sanitised(name.provider, maximumLength: 64))", nil, false)
        case .actionRequired(.checkTripName):
            return ("The server does not accept the request", "Check the tracking id.", true)
        case .actionRequired(.checkAddress) where error.code == .unimplemented:
            return ("This server does not support shipments", nil, false)
        case .actionRequired(.getNewToken) where !error.lacksToken:
            return ("The sign-in is not valid or has expired", "Get a new token for this shipment.", true)
        case .actionRequired(.checkPermission) where !error.isServiceDisabled:
            return (
                "You are not allowed to see the shipment", "Check that the token is for this shipment and has the consumer role.",
                true
            )
        default: return nil
        }
    }
}
