package import FleetEngine

/// Sentences for a link that has ended.
package enum LinkEnd {
    /// The sentence for a link that has ended or never existed.
    package static let noLink = "This link no longer works, or it never existed."
    /// The sentence for users who were following a trip or shipment through the link.
    package static let ended = "This link no longer works."
    /// The word in JSON for what the user can do.
    static let action = "get_new_link"

    /// Whether an error means that a link has ended.
    package static func isEnd(_ error: FleetEngineError) -> Bool { error.origin == .local && [noLink, ended].contains(error.message) }
}
