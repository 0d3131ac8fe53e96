import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import SwiftProtobuf

/// The trips, vehicles and deliveries of a log, as they are after the entries applied so far. An import puts them on a server as its
/// initial state, and a replay derives its answers from them.
struct LoggedFleet {
    /// The trips, except deleted ones.
    private(set) var trips: [TripName: WireTrip] = [:]
    /// The vehicles, except deleted ones.
    private(set) var vehicles: [VehicleName: WireVehicle] = [:]
    /// The names of all trips, in the order of their first entries.
    private(set) var tripOrder: [TripName] = []
    /// The names of all vehicles, in the order of their first entries.
    private(set) var vehicleOrder: [VehicleName] = []
    private(set) var deliveries = LoggedDeliveries()
    private var seenTrips: Set<TripName> = []
    private var seenVehicles: Set<VehicleName> = []

    mutating func apply(_ entry: LogEntry) {
        switch entry.content {
        case .trip(let name, let report):
            if seenTrips.insert(name).inserted { tripOrder.append(name) }
            trips[name, default: .with { $0.name = name.description }].merge(report)
        case .vehicle(let name, let report):
            if seenVehicles.insert(name).inserted { vehicleOrder.append(name) }
            vehicles[name, default: .with { $0.name = name.description }].merge(report)
        case .attributes(let name, let attributes):
            if seenVehicles.insert(name).inserted { vehicleOrder.append(name) }
            vehicles[name, default: .with { $0.name = name.description }].attributes = attributes
        case .tripDeleted(let name): trips[name] = nil
        case .vehicleDeleted(let name): vehicles[name] = nil
        case .tasks(let reports): for report in reports { deliveries.apply(report, at: entry.time) }
        case .taskDeleted(let name): deliveries.remove(name)
        case .deliveryVehicle(let name, let report): deliveries.apply(report, of: name)
        case .deliveryVehicleDeleted(let name): deliveries.remove(name)
        }
    }
}

extension WireTrip {
    /// Merges the data of an entry. A field that is neither in the entry nor in its mask keeps its value.
    fileprivate mutating func merge(_ report: TripReport) {
        let said = report.wire
        if TripStatus(said.tripStatus) != .unknown { tripStatus = said.tripStatus }
        if TripType(said.tripType) != .unknown { tripType = said.tripType }
        if report.saysVehicle { vehicleID = said.vehicleID }
        if said.numberOfPassengers > 0 { numberOfPassengers = said.numberOfPassengers }
        if said.hasPickupPoint { pickupPoint = said.pickupPoint }
        if report.saidFields.contains(.dropoffPoint) { clearDropoffPoint() }
        if said.hasDropoffPoint { dropoffPoint = said.dropoffPoint }
        if report.saidFields.contains(.intermediateDestinations) || !said.intermediateDestinations.isEmpty {
            intermediateDestinations = said.intermediateDestinations
        }
        if report.saidFields.contains(.intermediateDestinationIndex) || said.intermediateDestinationIndex > 0 {
            intermediateDestinationIndex = said.intermediateDestinationIndex
        }
        if said.hasActualPickupPoint { actualPickupPoint = said.actualPickupPoint }
        if said.hasActualDropoffPoint { actualDropoffPoint = said.actualDropoffPoint }
        if report.saidFields.contains(.attributes) || !said.attributes.isEmpty { attributes = said.attributes }
        if said.hasPickupTime { pickupTime = said.pickupTime }
        if said.hasDropoffTime { dropoffTime = said.dropoffTime }
        if said.hasLastLocation { lastLocation = said.lastLocation }
    }
}

extension WireVehicle {
    /// Merges the data of an entry. A field that is neither in the entry nor in its mask keeps its value.
    fileprivate mutating func merge(_ report: VehicleReport) {
        let said = report.wire
        if VehicleState(said.vehicleState) != .unknown { vehicleState = said.vehicleState }
        if !said.supportedTripTypes.isEmpty { supportedTripTypes = said.supportedTripTypes }
        if said.maximumCapacity > 0 { maximumCapacity = said.maximumCapacity }
        if said.vehicleType.category != .unknown { vehicleType.category = said.vehicleType.category }
        if report.saidFields.contains(.attributes) || !said.attributes.isEmpty { attributes = said.attributes }
        if report.saidFields.contains(.backToBackEnabled) { backToBackEnabled = said.backToBackEnabled }
        if NavigationStatus(said.navigationStatus) != .unknown { navigationStatus = said.navigationStatus }
        if report.saidFields.contains(.licensePlate) { clearLicensePlate() }
        if said.hasLicensePlate { licensePlate = said.licensePlate }
        if let trips = report.currentTrips { currentTrips = trips }
        if report.saysStops { waypoints = said.waypoints }
        if said.hasRemainingDistanceMeters { remainingDistanceMeters = said.remainingDistanceMeters }
        if let eta = report.eta { etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: eta) }
        mergeLocation(report)
        mergeRoute(report)
    }

    /// Merges the position. A position from an answer is ignored unless it is newer than the last known position.
    private mutating func mergeLocation(_ report: VehicleReport) {
        guard let said = VehicleLocation(report.wire.lastLocation) else { return }
        if report.isLocationNew || said.isNewer(than: VehicleLocation(lastLocation)) { lastLocation = report.wire.lastLocation }
    }

    private mutating func mergeRoute(_ report: VehicleReport) {
        if report.saysRoute {
            currentRouteSegment = report.wire.currentRouteSegment
            clearCurrentRouteSegmentEndPoint()
            clearCurrentRouteSegmentTraffic()
            if report.wire.hasCurrentRouteSegmentEndPoint { currentRouteSegmentEndPoint = report.wire.currentRouteSegmentEndPoint }
        }
        if report.stretches != nil { currentRouteSegmentTraffic = report.wire.currentRouteSegmentTraffic }
    }
}
