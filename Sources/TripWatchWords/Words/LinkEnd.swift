package import FleetEngine

/// Sentences for a link that has ended.
package enum LinkEnd {
    /// The sentence for a link that has ended or never existed.
    package static let noLink = "This link has ended or never existed."
    /// The sentence for users who have followed the link.
    package static let ended = "This link has ended."

    /// Whether an error means that a link has ended.
    package static func isEnd(_ error: FleetEngineError) -> Bool { error.origin == .local && [noLink, ended].contains(error.message) }
}
