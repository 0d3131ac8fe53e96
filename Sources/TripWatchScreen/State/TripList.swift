import FleetEngine

/// The list of all trips, while it is open. The trip that it points at is the one in front.
package struct TripList: Hashable, Sendable {
    /// The trip that was in front when the list was opened.
    var origin: TripName?
    /// The first row that is seen.
    var first = 0
    /// What has been typed of the name of a trip to add; nil while nothing is asked.
    var typed: String?

    /// A name is no longer than this, in characters.
    static let longestName = 200
}
