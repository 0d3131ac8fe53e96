import ConsumerMap
import FleetEngine
import Geo
import JourneySharing
import TerminalMap
import TripWatchWords

/// Texts for the walk from the user's position to the pickup.
extension AppState {
    /// Distance to the pickup below which the text says that the user is there, in metres.
    private static let atPickupMeters = 20.0
    private static let directions = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]

    /// Returns `pickup is 150 m north-east`, with the straight-line distance, and the shorter form `150 m north-east`. If the user is
    /// closer than 20 m, returns only `you are at the pickup`. The result is empty if the user's position or the pickup's position is
    /// unknown, and after the pickup. It is also empty for an order, because its customer does not walk.
    func walkWords(_ page: TripPage) -> [String] {
        guard page.kind == .ride, page.status.isBeforePickup, let own = page.map.ownPosition, let pickup = page.trip?.pickupPoint,
            own.isValid, pickup.isValid
        else { return [] }
        let meters = own.distanceMeters(to: pickup)
        guard meters >= Self.atPickupMeters, let sector = HeadingSector(degrees: own.bearingDegrees(to: pickup)),
            let direction = Self.directions.dropFirst(sector.index).first
        else { return ["you are at the pickup"] }
        let way = "\(DistanceText.walk(meters: meters, system: measurementSystem)) \(direction)"
        return ["pickup is \(way)", way]
    }

    /// Returns the longest form that fits; nil if none fits.
    func walk(_ page: TripPage, columns: Int) -> String? { walkWords(page).first { $0.count <= columns } }
}
