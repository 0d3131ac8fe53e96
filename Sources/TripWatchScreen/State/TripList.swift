import TripWatchWords

/// The list of all trips, while it is open. The selected trip is the one in front.
package struct TripList: Hashable, Sendable {
    /// The page that was in front when the list was opened.
    var origin: FollowedName?
    /// Index of the first visible row.
    var first = 0
    /// The typed part of the name to add; nil if the prompt is closed.
    var typed: String?

    /// Maximum length of a typed name, in characters.
    static let longestName = 200
}
