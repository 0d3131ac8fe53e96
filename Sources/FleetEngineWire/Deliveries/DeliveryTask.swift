package import FleetEngine
package import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

extension TaskJourneySharing {
    package init(_ wire: WireTask.JourneySharingInfo) {
        var paths = PathReader()
        self.init(
            remainingSegments: wire.remainingVehicleJourneySegments.compactMap { VehicleJourneySegment($0, paths: &paths) },
            lastLocation: wire.hasLastLocation ? VehicleLocation(wire.lastLocation) : nil,
            isLastLocationSnappable: wire.lastLocationSnappable)
    }

    package var wire: WireTask.JourneySharingInfo {
        .with { wire in
            wire.remainingVehicleJourneySegments = remainingSegments.map(\.wire)
            if let lastLocation { wire.lastLocation = lastLocation.wireAnswer }
            wire.lastLocationSnappable = isLastLocationSnappable
        }
    }
}

extension DeliveryTask {
    /// - Parameter name: the name in the request, because an answer cannot rename a task.
    package init(_ wire: WireTask, name: TaskName) {
        self.init(
            name: name, type: DeliveryTaskType(wire.type), state: DeliveryTaskState(wire.state),
            trackingID: wire.trackingID.isEmpty ? nil : wire.trackingID,
            vehicleID: wire.deliveryVehicleID.isEmpty ? nil : wire.deliveryVehicleID, plannedLocation: wire.plannedLocation.coordinate,
            durationSeconds: wire.hasTaskDuration ? wire.taskDuration.plausibleLengthSeconds : nil,
            journeySharing: wire.hasJourneySharingInfo ? TaskJourneySharing(wire.journeySharingInfo) : nil,
            outcome: DeliveryTaskOutcome(wire.taskOutcome),
            outcomeTime: wire.hasTaskOutcomeTime ? wire.taskOutcomeTime.plausibleDate : nil,
            outcomeLocation: wire.taskOutcomeLocation.coordinate,
            outcomeLocationSource: TaskOutcomeLocationSource(wire.taskOutcomeLocationSource),
            trackingViewConfig: wire.hasTaskTrackingViewConfig ? TaskTrackingViewConfig(wire.taskTrackingViewConfig) : nil,
            targetTimeWindow: wire.hasTargetTimeWindow ? TimeWindow(wire.targetTimeWindow) : nil,
            attributes: [DeliveryAttribute](wire.attributes))
    }

    package var wire: WireTask {
        var wire = plannedWire
        wire.deliveryVehicleID = vehicleID ?? ""
        if let journeySharing { wire.journeySharingInfo = journeySharing.wire }
        if let outcome { wire.taskOutcome = outcome.wire }
        if let outcomeTime { wire.taskOutcomeTime = .init(moment: outcomeTime) }
        if let outcomeLocation { wire.taskOutcomeLocation = WireLocationInfo(outcomeLocation) }
        if let outcomeLocationSource { wire.taskOutcomeLocationSource = outcomeLocationSource.wire }
        return wire
    }

    /// The members that the provider sets when it creates the task.
    private var plannedWire: WireTask {
        .with { wire in
            wire.name = name.description
            wire.type = type.wire
            wire.state = state.wire
            wire.trackingID = trackingID ?? ""
            if let plannedLocation { wire.plannedLocation = WireLocationInfo(plannedLocation) }
            if let durationSeconds { wire.taskDuration = .init(lengthSeconds: durationSeconds) }
            if let trackingViewConfig { wire.taskTrackingViewConfig = trackingViewConfig.wire }
            if let targetTimeWindow { wire.targetTimeWindow = targetTimeWindow.wire }
            wire.attributes = attributes.map { WireTaskAttribute($0) }
        }
    }
}
