import FleetEngine
import FleetEngineAPI
public import FleetEngineSnapshot
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

extension FleetEngineState {
    /// Returns the settings, reports and past events of this engine, without computed values. An engine that loads this snapshot exports
    /// the same snapshot again.
    public func export() -> FleetSnapshot {
        FleetSnapshot(
            trips: trips.values.sorted { $0.serial < $1.serial }.map(\.exported),
            vehicles: vehicles.values.sorted { $0.serial < $1.serial }.map(\.exported),
            tasks: deliveries.tasks.values.sorted { $0.serial < $1.serial }.map(\.exported),
            deliveryVehicles: deliveries.vehicles.values.sorted { $0.serial < $1.serial }.map(\.exported))
    }

    /// Number of trips, vehicles or tasks that are encoded before other calls get a turn.
    private static var membersAtOnce: Int { 50 }

    /// Returns the text form of `export`. Other Swift tasks can run while the text is made.
    package func exportedText() async -> [UInt8] {
        // Sorting names is faster than sorting records.
        let tripNames = trips.map { (name: $0, serial: $1.serial) }.sorted { $0.serial < $1.serial }
        let vehicleNames = vehicles.map { (name: $0, serial: $1.serial) }.sorted { $0.serial < $1.serial }
        var text = SnapshotJSON()
        text.begin("trips")
        for (index, trip) in tripNames.enumerated() {
            if index.isMultiple(of: Self.membersAtOnce) { await Task.yield() }
            if let record = trips[trip.name] { text.append(record.exported) }
        }
        text.begin("vehicles")
        for (index, vehicle) in vehicleNames.enumerated() {
            if index.isMultiple(of: Self.membersAtOnce) { await Task.yield() }
            if let record = vehicles[vehicle.name] { text.append(record.exported) }
        }
        await appendDeliveries(to: &text)
        return text.finished
    }

    private func appendDeliveries(to text: inout SnapshotJSON) async {
        let taskNames = deliveries.tasks.map { (name: $0, serial: $1.serial) }.sorted { $0.serial < $1.serial }
        if !taskNames.isEmpty { text.begin("tasks") }
        for (index, task) in taskNames.enumerated() {
            if index.isMultiple(of: Self.membersAtOnce) { await Task.yield() }
            if let record = deliveries.tasks[task.name] { text.append(record.exported) }
        }
        let vehicleNames = deliveries.vehicles.map { (name: $0, serial: $1.serial) }.sorted { $0.serial < $1.serial }
        if !vehicleNames.isEmpty { text.begin("deliveryVehicles") }
        for (index, vehicle) in vehicleNames.enumerated() {
            if index.isMultiple(of: Self.membersAtOnce) { await Task.yield() }
            if let record = deliveries.vehicles[vehicle.name] { text.append(record.exported) }
        }
    }
}

extension TripRecord {
    /// The trip for a snapshot. It has no versions, because they are valid only for this run of the program.
    fileprivate var exported: WireTrip {
        var trip = trip
        trip.name = name.description
        trip.clearIntermediateDestinationsVersion()
        if trip.hasLastLocation { trip.lastLocation.clearServerTime() }
        return trip
    }
}

extension VehicleRecord {
    fileprivate var exported: WireVehicle {
        var vehicle = vehicle
        vehicle.name = name.description
        vehicle.currentTrips = currentTrips
        if vehicle.hasLastLocation { vehicle.lastLocation.clearServerTime() }
        vehicle.clearRemainingDistanceMeters()
        vehicle.clearEtaToFirstWaypoint()
        if let meters = report.remainingMeters { vehicle.remainingDistanceMeters = .init(meters) }
        if let arrival = report.arrival { vehicle.etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: arrival) }
        if let upload {
            vehicle.currentRouteSegment = upload.leg.encoded
            vehicle.currentRouteSegmentTraffic.trafficRendering.roadStretch = upload.leg.route.traffic.compactMap { .init(whole: $0) }
            if vehicle.currentRouteSegmentTraffic.trafficRendering.roadStretch.isEmpty { vehicle.clearCurrentRouteSegmentTraffic() }
            if let point = upload.endPoint { vehicle.currentRouteSegmentEndPoint = point }
        }
        vehicle.waypoints = stops.map { stop in
            .with {
                $0.tripID = stop.tripID
                $0.waypointType = stop.waypointType
                $0.location = stop.location
            }
        }
        return vehicle
    }
}

extension TaskRecord {
    fileprivate var exported: WireTask { task.wire }
}

extension DeliveryVehicleRecord {
    fileprivate var exported: WireDeliveryVehicle {
        .with { wire in
            wire.name = name.description
            wire.type = type.wire
            wire.attributes = attributes.map { WireVehicleAttribute($0) }
            if let location {
                wire.lastLocation = location
                wire.lastLocation.clearServerTime()
            }
            wire.navigationStatus = navigationStatus
            if let upload {
                wire.currentRouteSegment = Data(upload.text.utf8)
                if let point = upload.endPoint { wire.currentRouteSegmentEndPoint = WireLatLng(point) }
                if let meters = upload.remainingMeters { wire.remainingDistanceMeters = .init(meters) }
            }
            wire.remainingVehicleJourneySegments = run.stops.map { stop in
                let tasks = stop.tasks.map { StopTask(taskID: $0.id) }
                return .with { $0.stop = VehicleStop(plannedLocation: stop.place, tasks: tasks, state: stop.state).wire }
            }
        }
    }
}
