package import FleetEngine

/// The sentences of a link that is no more.
package enum LinkEnd {
    /// The sentence of a link that has ended or never was.
    package static let noLink = "This link has ended, or there never was one."
    /// To those who have watched.
    package static let ended = "This link has ended."

    /// Whether an error says that a link is no more.
    package static func isEnd(_ error: FleetEngineError) -> Bool { error.origin == .local && [noLink, ended].contains(error.message) }
}
