package import FleetEngine
package import FoundationEssentials
package import Geo
import JourneySharing

/// A car as it was reported: where the base map is asked for its street.
package struct CarPlace: Hashable, Sendable {
    package var coordinate: Coordinate
    /// Clockwise from north.
    package var headingDegrees: Double
    /// When that was heard.
    package var heardAt: Date

    /// A report further off than this, metres, says nothing about a street.
    private static let largestAccuracyMeters = 30.0

    /// Nil for a car that stands, or whose direction or place is not known well enough.
    package init?(_ location: VehicleLocation, heardAt: Date) {
        guard let heading = location.headingDegrees, location.speedMetersPerSecond ?? 1 > 0,
            location.accuracyMeters ?? 0 <= Self.largestAccuracyMeters
        else { return nil }
        coordinate = location.coordinate
        headingDegrees = heading
        self.heardAt = heardAt
    }
}

/// Which streets a car has passed: those on which it was reported, and after which it was reported on another one.
///
/// Each is told once, and not many in a row: who waits wants to see that the car comes, and no list of streets.
struct StreetWatch: Sendable {
    /// Between two reports that are looked at at least, metres.
    private static let leastMoveMeters = 20.0
    /// Where a street was last seen longer ago, nobody knows what came in between, seconds.
    private static let longestGapSeconds = 60.0
    /// Between two streets that are told at least, seconds.
    private static let pauseSeconds = 30.0

    private var asked: CarPlace?
    private var last: (name: String, at: Date)?
    private var told: Set<String> = []
    private var toldAt = Date.distantPast

    /// The place to ask the map about: that of a new report of a car that is driving.
    mutating func placeToAsk(_ journey: JourneyTracker, at time: Date) -> CarPlace? {
        guard journey.isNewFix, journey.freshness == .live,
            let place = (journey.trip?.lastLocation).flatMap({ CarPlace($0, heardAt: time) })
        else { return nil }
        if let asked, asked.coordinate.distanceMeters(to: place.coordinate) < Self.leastMoveMeters { return nil }
        asked = place
        return place
    }

    /// Takes in on which street the car was at a place.
    /// - Returns: the street that it has passed, where that is news.
    mutating func observe(_ street: String, at place: CarPlace) -> String? {
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
