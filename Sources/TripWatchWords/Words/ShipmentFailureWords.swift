package import FleetEngine
package import JourneySharing
import TerminalCanvas

/// The words for a failed request for a shipment. They are those of ``FailureWords``, except for some errors from the server, such as
/// NOT_FOUND. The words for these errors are about shipments instead of trips.
package struct ShipmentFailureWords: Hashable, Sendable {
    /// The failure and what to do, on one line.
    package let sentence: String
    /// ``sentence`` without the server's code and text.
    package let line: String
    /// The failure in a few words.
    package let meaning: String
    /// The one action that helps; nil if the user need not do anything.
    package let advice: String?
    /// The detail without the server's own code and text.
    package let cause: String

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
            cause = words.cause
            sentence = words.sentence
            line = words.line
            return
        }
        meaning = own.meaning
        advice = own.advice
        cause = own.hasDetail ? words.cause : ""
        let end = !own.hasDetail || words.detail.isEmpty ? "." : " (\(words.detail))."
        let then = own.advice.map { " \($0)" } ?? ""
        sentence = own.meaning + end + then
        line = own.meaning + (cause.isEmpty ? "." : " (\(cause)).") + then
    }

    /// The meaning and the advice, without the error message of the server or the connection.
    package var spoken: String { advice.map { "\(meaning). \($0)" } ?? "\(meaning)." }

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
            return ("The token is not valid or has expired", "Get a new token for this shipment.", true)
        case .actionRequired(.checkPermission):
            return (
                "You are not allowed to see the shipment", "Check that the token is for this shipment and has the consumer role.",
                true
            )
        default: return nil
        }
    }
}
