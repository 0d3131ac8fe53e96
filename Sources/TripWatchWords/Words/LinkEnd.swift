package import FleetEngine
package import JourneySharing

/// Sentences for a link that has ended.
package enum LinkEnd {
    /// The sentence for a link that has ended or never existed.
    package static let noLink = "This link no longer works, or it never existed."
    /// The sentence for users who were following a trip or shipment through the link.
    package static let ended = "This link no longer works."
    /// The word for what the user can do, in JSON and among the details.
    fileprivate static let action = "get_new_link"

    /// Whether an error means that a link has ended.
    package static func isEnd(_ error: FleetEngineError) -> Bool { error.origin == .local && [noLink, ended].contains(error.message) }
}

extension PollFailure {
    /// The word for what the user must do, in JSON and among the details; nil for a retryable error.
    package var actionWord: String? {
        guard case .actionRequired(let action) = errorClass else { return nil }
        return LinkEnd.isEnd(error) ? LinkEnd.action : action.rawValue
    }
}
