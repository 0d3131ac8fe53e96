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

    /// Whether this report shows that the answer with it was made before the one with `known`.
    func isOlder(than known: VehicleLocation?) -> Bool {
        guard let time = serverTime, let knownTime = known?.serverTime else { return false }
        return time < knownTime
    }

    /// Whether both are the same report: an entry of the trip can show it before the vehicle's own entry does.
    func isSameFix(as other: VehicleLocation?) -> Bool {
        guard let time = serverTime else { return false }
        return time == other?.serverTime && coordinate == other?.coordinate
    }
}

extension Vehicle {
    /// Takes over what a log entry says.
    /// - Parameter said: the vehicle of `report`.
    mutating func merge(_ said: Vehicle, _ report: VehicleReport) {
        if said.state != .unknown { state = said.state }
        if !said.supportedTripTypes.isEmpty { supportedTripTypes = said.supportedTripTypes }
        if said.maximumCapacity > 0 { maximumCapacity = said.maximumCapacity }
        if said.category != .unknown { category = said.category }
        currentTrips = report.currentTrips ?? currentTrips
        if !said.attributes.isEmpty { attributes = said.attributes }
        if report.saysBackToBack { backToBackEnabled = said.backToBackEnabled }
        if said.navigationStatus != .unknown { navigationStatus = said.navigationStatus }
        licensePlateLastCharacter = said.licensePlateLastCharacter ?? licensePlateLastCharacter
        remainingDistanceMeters = said.remainingDistanceMeters ?? remainingDistanceMeters
        etaToFirstWaypoint = report.eta ?? etaToFirstWaypoint
        if let location = said.lastLocation, report.isLocationNew || location.isNewer(than: lastLocation) { lastLocation = location }
    }
}
