package import FleetEngine
package import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

extension TaskTrackingInfo {
    /// - Parameter name: the name in the request, because an answer cannot rename a shipment.
    package init(_ wire: WireTaskTrackingInfo, name: TaskTrackingName) {
        var paths = PathReader()
        let route = paths.line(encoded: "", list: wire.routePolylinePoints)
        self.init(
            name: name, state: DeliveryTaskState(wire.state), outcome: DeliveryTaskOutcome(wire.taskOutcome),
            outcomeTime: wire.hasTaskOutcomeTime ? wire.taskOutcomeTime.plausibleDate : nil,
            plannedLocation: wire.plannedLocation.coordinate,
            targetTimeWindow: wire.hasTargetTimeWindow ? TimeWindow(wire.targetTimeWindow) : nil,
            attributes: [DeliveryAttribute](wire.attributes),
            vehicleLocation: wire.hasVehicleLocation ? VehicleLocation(wire.vehicleLocation) : nil, route: route.isEmpty ? nil : route,
            remainingStopCount: wire.hasRemainingStopCount && wire.remainingStopCount.value >= 0 ? Int(wire.remainingStopCount.value) : nil,
            remainingDistanceMeters: wire.hasRemainingDrivingDistanceMeters ? wire.remainingDrivingDistanceMeters.plausibleMeters : nil,
            estimatedArrivalTime: wire.hasEstimatedArrivalTime ? wire.estimatedArrivalTime.plausibleDate : nil,
            estimatedCompletionTime: wire.hasEstimatedTaskCompletionTime ? wire.estimatedTaskCompletionTime.plausibleDate : nil)
    }

    package var wire: WireTaskTrackingInfo {
        .with { wire in
            wire.name = name.description
            wire.trackingID = name.trackingID
            wire.state = state.wire
            if let outcome { wire.taskOutcome = outcome.wire }
            if let outcomeTime { wire.taskOutcomeTime = .init(moment: outcomeTime) }
            if let plannedLocation { wire.plannedLocation = WireLocationInfo(plannedLocation) }
            if let targetTimeWindow { wire.targetTimeWindow = targetTimeWindow.wire }
            wire.attributes = attributes.map { WireTaskAttribute($0) }
            if let vehicleLocation { wire.vehicleLocation = vehicleLocation.wireAnswer }
            if let route { wire.routePolylinePoints = route.coordinates.map { WireLatLng($0) } }
            if let remainingStopCount { wire.remainingStopCount = .init(Int32(clamping: remainingStopCount)) }
            if let remainingDistanceMeters { wire.remainingDrivingDistanceMeters = .init(rounding: remainingDistanceMeters) }
            if let estimatedArrivalTime { wire.estimatedArrivalTime = .init(moment: estimatedArrivalTime) }
            if let estimatedCompletionTime { wire.estimatedTaskCompletionTime = .init(moment: estimatedCompletionTime) }
        }
    }
}

extension WireGetTaskTrackingInfoRequest {
    package init(_ name: TaskTrackingName, header: WireRequestHeader) {
        self.init()
        self.header = header
        self.name = name.description
    }
}
