package import FleetEngine
package import FoundationEssentials
package import Geo
package import JourneySharing

/// A reported position of a car, whose street can be looked up on the base map.
package struct CarPlace: Hashable, Sendable {
    package var coordinate: Coordinate
    /// The heading, in degrees clockwise from north.
    package var headingDegrees: Double
    /// The time at which the position was received.
    package var heardAt: Date

    /// The largest accuracy radius of a position that still identifies a street, in metres.
    private static let largestAccuracyMeters = 30.0

    /// Creates the position; nil if the car is stationary, its heading is unknown, or its position is too inaccurate.
    package init?(_ location: VehicleLocation, heardAt: Date) {
        guard let heading = location.headingDegrees, location.speedMetersPerSecond ?? 1 > 0,
            location.accuracyMeters ?? 0 <= Self.largestAccuracyMeters
        else { return nil }
        coordinate = location.coordinate
        headingDegrees = heading
        self.heardAt = heardAt
    }
}

/// Finds the streets that a car has passed. The car has passed a street when its next position is on another street.
///
/// Each street is shown once, with a pause between two streets. The rider wants to see that the car is coming, not a list of
/// streets.
package struct StreetWatch: Sendable {
    /// The minimum distance between two reports whose streets are looked up, in metres.
    private static let leastMoveMeters = 20.0
    /// The maximum age of the previous street, in seconds. After a longer gap, the streets in between are unknown.
    private static let longestGapSeconds = 60.0
    /// The minimum time between two shown streets, in seconds.
    private static let pauseSeconds = 30.0

    private var asked: CarPlace?
    private var last: (name: String, at: Date)?
    private var told: Set<String> = []
    private var toldAt = Date.distantPast

    package init() {}

    /// Returns the car's new position if the street there is to be looked up; otherwise nil.
    package mutating func placeToAsk(_ journey: JourneyTracker, at time: Date) -> CarPlace? {
        guard journey.isNewFix, journey.freshness == .live,
            let place = (journey.trip?.lastLocation).flatMap({ CarPlace($0, heardAt: time) })
        else { return nil }
        if let asked, asked.coordinate.distanceMeters(to: place.coordinate) < Self.leastMoveMeters { return nil }
        asked = place
        return place
    }

    /// Records the street of a car at a position.
    /// - Returns: the street that the car has passed, if the screen should show it.
    package mutating func observe(_ street: String, at place: CarPlace) -> String? {
        let before = last
        guard place.heardAt >= before?.at ?? .distantPast else { return nil }
        last = (street, place.heardAt)
        guard let before, before.name != street, place.heardAt.timeIntervalSince(before.at) <= Self.longestGapSeconds,
            place.heardAt.timeIntervalSince(toldAt) >= Self.pauseSeconds, told.insert(before.name).inserted
        else { return nil }
        toldAt = place.heardAt
        return before.name
    }
}
