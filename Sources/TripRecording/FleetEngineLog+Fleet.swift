import FleetEngine
package import FleetEngineAPI
import FleetEngineWire
import SwiftProtobuf

extension FleetEngineLog {
    /// The trips and vehicles that the log describes, as its last entries leave them, in the order in which they first appear. Those that the
    /// log only updates are there with what it says of them, and so is the vehicle of a trip that is not over.
    package var fleet: (trips: [WireTrip], vehicles: [WireVehicle]) {
        var fleet = LoggedFleet(provider: vehicleProvider)
        for entry in entries { fleet.apply(entry) }
        return fleet.members
    }

    /// The provider of all vehicles that say their full name; nil where they are of several, or none does.
    private var vehicleProvider: String? {
        let providers = Set(
            entries.compactMap { entry in
                if case .vehicle(let name, _) = entry.content, entry.saysName { name.provider } else { nil }
            })
        return providers.count == 1 ? providers.first : nil
    }
}

/// What a log has said so far of trips and vehicles.
private struct LoggedFleet {
    /// For names of which the log says the bare id only.
    let provider: String?
    private var trips: [TripName: WireTrip] = [:]
    private var vehicles: [VehicleName: WireVehicle] = [:]
    private var tripOrder: [TripName] = []
    private var vehicleOrder: [VehicleName] = []
    private var seenTrips: Set<TripName> = []
    private var seenVehicles: Set<VehicleName> = []

    init(provider: String?) { self.provider = provider }

    mutating func apply(_ entry: LogEntry) {
        switch entry.content {
        case .trip(let said, let report):
            let name = full(said, entry)
            if seenTrips.insert(name).inserted { tripOrder.append(name) }
            trips[name, default: .with { $0.name = name.description }].merge(report)
        case .vehicle(let said, let report):
            let name = full(said, entry)
            if seenVehicles.insert(name).inserted { vehicleOrder.append(name) }
            vehicles[name, default: .with { $0.name = name.description }].merge(report)
        case .attributes(let said, let attributes):
            let name = full(said, entry)
            if seenVehicles.insert(name).inserted { vehicleOrder.append(name) }
            vehicles[name, default: .with { $0.name = name.description }].attributes = attributes
        case .tripDeleted(let said):
            trips[full(said, entry)] = nil
        case .vehicleDeleted(let said):
            vehicles[full(said, entry)] = nil
        }
    }

    private func full(_ said: TripName, _ entry: LogEntry) -> TripName {
        guard !entry.saysName, let provider else { return said }
        return (try? TripName(provider: provider, trip: said.trip)) ?? said
    }

    private func full(_ said: VehicleName, _ entry: LogEntry) -> VehicleName {
        guard !entry.saysName, let provider else { return said }
        return (try? VehicleName(provider: provider, vehicle: said.vehicle)) ?? said
    }

    var members: (trips: [WireTrip], vehicles: [WireVehicle]) {
        let busy = Set(
            trips.compactMap { name, trip in
                TripStatus(trip.tripStatus).isFinal ? nil : try? VehicleName(provider: name.provider, vehicle: trip.vehicleID)
            })
        var all = vehicleOrder.compactMap { name in busy.contains(name) ? vehicles[name] : vehicles[name]?.withoutWay }
        var known = Set(vehicleOrder)
        for (name, trip) in tripOrder.compactMap({ name in trips[name].map { (name, $0) } }) {
            guard !TripStatus(trip.tripStatus).isFinal,
                let vehicle = try? VehicleName(provider: name.provider, vehicle: trip.vehicleID), known.insert(vehicle).inserted
            else { continue }
            all.append(.with { $0.name = vehicle.description })
        }
        return (tripOrder.compactMap { trips[$0]?.completed }, all)
    }
}

extension WireTrip {
    /// Takes over what an entry says; what it leaves out stays.
    fileprivate mutating func merge(_ report: TripReport) {
        let said = report.wire
        if said.tripStatus != .unknownTripStatus { tripStatus = said.tripStatus }
        if said.tripType != .unknownTripType { tripType = said.tripType }
        if report.saysVehicle { vehicleID = said.vehicleID }
        if said.numberOfPassengers > 0 { numberOfPassengers = said.numberOfPassengers }
        if said.hasPickupPoint { pickupPoint = said.pickupPoint }
        if said.hasDropoffPoint { dropoffPoint = said.dropoffPoint }
        if !said.intermediateDestinations.isEmpty { intermediateDestinations = said.intermediateDestinations }
        intermediateDestinationIndex = max(intermediateDestinationIndex, said.intermediateDestinationIndex)
        if said.hasActualPickupPoint { actualPickupPoint = said.actualPickupPoint }
        if said.hasActualDropoffPoint { actualDropoffPoint = said.actualDropoffPoint }
        if !said.attributes.isEmpty { attributes = said.attributes }
        if said.hasPickupTime { pickupTime = said.pickupTime }
        if said.hasDropoffTime { dropoffTime = said.dropoffTime }
        if said.hasLastLocation { lastLocation = said.lastLocation }
    }

    /// Without what no engine takes.
    fileprivate var completed: WireTrip {
        var trip = self
        if trip.tripType == .unknownTripType { trip.tripType = .exclusive }
        if !trip.intermediateDestinations.indices.contains(Int(trip.intermediateDestinationIndex)) { trip.intermediateDestinationIndex = 0 }
        return trip
    }
}

extension WireVehicle {
    /// Takes over what an entry says; what it leaves out stays.
    fileprivate mutating func merge(_ report: VehicleReport) {
        let said = report.wire
        if said.vehicleState != .unknownVehicleState { vehicleState = said.vehicleState }
        if !said.supportedTripTypes.isEmpty { supportedTripTypes = said.supportedTripTypes }
        if said.maximumCapacity > 0 { maximumCapacity = said.maximumCapacity }
        if said.vehicleType.category != .unknown { vehicleType.category = said.vehicleType.category }
        if !said.attributes.isEmpty { attributes = said.attributes }
        if report.saysBackToBack { backToBackEnabled = said.backToBackEnabled }
        if said.navigationStatus != .unknownNavigationStatus { navigationStatus = said.navigationStatus }
        if said.hasLicensePlate { licensePlate = said.licensePlate }
        if let trips = report.currentTrips { currentTrips = trips }
        if report.saysStops { waypoints = said.waypoints }
        if said.hasLastLocation, report.isLocationNew || !hasLastLocation { lastLocation = said.lastLocation }
        if said.hasRemainingDistanceMeters { remainingDistanceMeters = said.remainingDistanceMeters }
        if let eta = report.eta { etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: eta) }
        mergeRoute(report)
    }

    /// A vehicle without a trip has no way before it, whatever its driver said last.
    fileprivate var withoutWay: WireVehicle {
        var vehicle = self
        vehicle.currentRouteSegment = ""
        vehicle.clearCurrentRouteSegmentEndPoint()
        vehicle.clearCurrentRouteSegmentTraffic()
        vehicle.clearRemainingDistanceMeters()
        vehicle.clearEtaToFirstWaypoint()
        return vehicle
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
