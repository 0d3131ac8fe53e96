import FleetEngine
import FoundationEssentials
import Geo

extension VehicleLocation {
    /// Whether this report is a later one than `other`, by the times that both have; without such times, whether it is another place.
    func isNewer(than other: VehicleLocation?) -> Bool {
        guard let other else { return true }
        if let time = serverTime, let otherTime = other.serverTime { return time > otherTime }
        if let time = fixTime, let otherTime = other.fixTime { return time > otherTime }
        return coordinate != other.coordinate
    }

    /// Whether both are the same report: an entry of the trip can show it before the vehicle's own entry does.
    func isSameFix(as other: VehicleLocation?) -> Bool {
        guard let time = serverTime else { return false }
        return time == other?.serverTime && coordinate == other?.coordinate
    }
}

extension TripReport {
    /// Whether the location shows that this answer was made before the trip got `known`.
    func isOlder(than known: VehicleLocation?) -> Bool {
        guard let time = location?.serverTime, let knownTime = known?.serverTime else { return false }
        return time < knownTime
    }
}

extension Vehicle {
    /// Takes over what a log entry says.
    mutating func take(_ report: VehicleReport) {
        state = report.state ?? state
        supportedTripTypes = report.supportedTripTypes ?? supportedTripTypes
        maximumCapacity = report.maximumCapacity ?? maximumCapacity
        category = report.category ?? category
        currentTrips = report.currentTrips ?? currentTrips
        attributes = report.attributes ?? attributes
        backToBackEnabled = report.backToBackEnabled ?? backToBackEnabled
        navigationStatus = report.navigationStatus ?? navigationStatus
        licensePlateLastCharacter = report.licensePlateLastCharacter ?? licensePlateLastCharacter
        remainingDistanceMeters = report.remainingDistanceMeters ?? remainingDistanceMeters
        etaToFirstWaypoint = report.eta ?? etaToFirstWaypoint
        if let location = report.location, report.isLocationNew || location.isNewer(than: lastLocation) { lastLocation = location }
    }
}
