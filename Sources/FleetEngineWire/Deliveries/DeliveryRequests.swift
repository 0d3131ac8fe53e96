package import FleetEngine
package import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

extension WireCreateDeliveryVehicleRequest {
    /// Sets only the members that a server accepts for a new vehicle.
    package init(_ vehicle: DeliveryVehicle, header: WireRequestHeader) {
        self.init()
        self.header = header
        parent = "providers/\(vehicle.name.provider)"
        deliveryVehicleID = vehicle.name.vehicle
        deliveryVehicle.type = vehicle.type.wire
        if let location = vehicle.lastLocation { deliveryVehicle.lastLocation = location.wire }
        deliveryVehicle.attributes = vehicle.attributes.map { WireVehicleAttribute($0) }
    }
}

extension WireUpdateDeliveryVehicleRequest {
    package init(name: DeliveryVehicleName, _ update: DeliveryVehicleUpdate, header: WireRequestHeader) {
        self.init()
        self.header = header
        deliveryVehicle.name = name.description
        updateMask.paths = update.fields.paths
        if update.fields.contains(.location), let location = update.location { deliveryVehicle.lastLocation = location.wire }
        if update.fields.contains(.navigationStatus) { deliveryVehicle.navigationStatus = update.navigationStatus.wire }
        if update.fields.contains(.route), !update.route.isEmpty {
            deliveryVehicle.currentRouteSegment = Data(EncodedPolyline.encode(update.route.coordinates).utf8)
        }
        if update.fields.contains(.routeEndPoint), let end = update.routeEndPoint {
            deliveryVehicle.currentRouteSegmentEndPoint = WireLatLng(end)
        }
        if update.fields.contains(.remainingDuration), let seconds = update.remainingDurationSeconds {
            deliveryVehicle.remainingDuration = .init(lengthSeconds: seconds)
        }
        if update.fields.contains(.remainingDistance), let meters = update.remainingDistanceMeters {
            deliveryVehicle.remainingDistanceMeters = .init(rounding: meters)
        }
        guard update.fields.contains(.stops) else { return }
        deliveryVehicle.remainingVehicleJourneySegments = update.stops.map { stop in
            WireVehicleJourneySegment.with { $0.stop = stop.wireRequest }
        }
    }
}

extension VehicleStop {
    /// The stop without the values that only a server sets.
    fileprivate var wireRequest: WireVehicleStop {
        .with {
            $0.plannedLocation = WireLocationInfo(plannedLocation)
            $0.tasks = tasks.map { task in WireVehicleStop.TaskInfo.with { $0.taskID = task.taskID } }
            $0.state = state.wire
        }
    }
}

extension DeliveryVehicleUpdate.Fields {
    /// The paths of the mask, in the order in which the real SDK sends them.
    package var paths: [String] {
        let names: [(DeliveryVehicleUpdate.Fields, String)] = [
            (.location, "last_location"), (.navigationStatus, "navigation_status"), (.route, "current_route_segment"),
            (.routeEndPoint, "current_route_segment_end_point"), (.remainingDuration, "remaining_duration"),
            (.remainingDistance, "remaining_distance_meters"), (.stops, "remaining_vehicle_journey_segments"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}

extension WireUpdateTaskRequest {
    package init(_ request: TaskOutcomeRequest, header: WireRequestHeader) {
        self.init()
        self.header = header
        task.name = request.name.description
        task.taskOutcome = request.outcome.wire
        updateMask.paths = ["task_outcome"]
        guard let time = request.time else { return }
        task.taskOutcomeTime = .init(moment: time)
        updateMask.paths.append("task_outcome_time")
    }
}

extension WireBatchCreateTasksRequest {
    package init(_ tasks: [DeliveryTask], provider: String, header: WireRequestHeader) {
        self.init()
        self.header = header
        parent = "providers/\(provider)"
        requests = tasks.map { task in
            WireCreateTaskRequest.with {
                $0.task = task.wire
                $0.taskID = task.name.task
            }
        }
    }
}
