package import FleetEngine
package import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

extension PathReader {
    /// Decodes a route that a driver sent. It is encoded as in the trips API, or as Google's encoded polyline, which the deliveries API
    /// also allows. A text that is invalid or too long gives an empty route.
    mutating func line(characters: Data) -> Polyline {
        guard !characters.isEmpty, characters.count <= Self.maximumTextLength else { return Polyline([]) }
        let text = String(decoding: characters, as: UTF8.self)
        let line = line(encoded: text, list: [])
        guard line.isEmpty, let points = try? EncodedPolyline.decode(text, maximumCount: Self.maximumPointCount) else { return line }
        return Polyline(points)
    }
}

extension StopTask {
    package init(_ wire: WireVehicleStop.TaskInfo) {
        self.init(
            taskID: wire.taskID, durationSeconds: wire.hasTaskDuration ? wire.taskDuration.plausibleLengthSeconds : nil,
            targetTimeWindow: wire.hasTargetTimeWindow ? TimeWindow(wire.targetTimeWindow) : nil)
    }

    package var wire: WireVehicleStop.TaskInfo {
        .with { wire in
            wire.taskID = taskID
            if let durationSeconds { wire.taskDuration = .init(lengthSeconds: durationSeconds) }
            if let targetTimeWindow { wire.targetTimeWindow = targetTimeWindow.wire }
        }
    }
}

extension VehicleStop {
    /// Creates the stop; nil without a valid position.
    package init?(_ wire: WireVehicleStop) {
        guard let place = wire.plannedLocation.coordinate else { return nil }
        self.init(plannedLocation: place, tasks: wire.tasks.map { StopTask($0) }, state: VehicleStopState(wire.state))
    }

    package var wire: WireVehicleStop {
        .with {
            $0.plannedLocation = WireLocationInfo(plannedLocation)
            $0.tasks = tasks.map(\.wire)
            $0.state = state.wire
        }
    }
}

extension VehicleJourneySegment {
    /// Creates the segment; nil if its stop has no valid position.
    package init?(_ wire: WireVehicleJourneySegment, paths: inout PathReader) {
        guard let stop = VehicleStop(wire.stop) else { return nil }
        self.init(
            stop: stop, drivingDistanceMeters: wire.hasDrivingDistanceMeters ? wire.drivingDistanceMeters.plausibleMeters : nil,
            drivingDurationSeconds: wire.hasDrivingDuration ? wire.drivingDuration.plausibleLengthSeconds : nil,
            path: paths.line(encoded: "", list: wire.path))
    }

    package var wire: WireVehicleJourneySegment {
        .with { wire in
            wire.stop = stop.wire
            if let drivingDistanceMeters { wire.drivingDistanceMeters = .init(rounding: drivingDistanceMeters) }
            if let drivingDurationSeconds { wire.drivingDuration = .init(lengthSeconds: drivingDurationSeconds) }
            wire.path = path.coordinates.map { WireLatLng($0) }
        }
    }
}

extension DeliveryVehicle {
    /// - Parameter name: the name in the request, because an answer cannot rename a vehicle.
    package init(_ wire: WireDeliveryVehicle, name: DeliveryVehicleName) {
        var paths = PathReader()
        self.init(
            name: name, type: DeliveryVehicleType(wire.type),
            lastLocation: wire.hasLastLocation ? VehicleLocation(wire.lastLocation) : nil,
            navigationStatus: NavigationStatus(wire.navigationStatus), currentRoute: paths.line(characters: wire.currentRouteSegment),
            currentRouteEndPoint: wire.hasCurrentRouteSegmentEndPoint ? Coordinate(wire.currentRouteSegmentEndPoint) : nil,
            remainingDistanceMeters: wire.hasRemainingDistanceMeters ? wire.remainingDistanceMeters.plausibleMeters : nil,
            remainingDurationSeconds: wire.hasRemainingDuration ? wire.remainingDuration.plausibleLengthSeconds : nil,
            remainingSegments: wire.remainingVehicleJourneySegments.compactMap { VehicleJourneySegment($0, paths: &paths) },
            attributes: [DeliveryAttribute](wire.attributes))
    }

    package var wire: WireDeliveryVehicle {
        .with { wire in
            wire.name = name.description
            wire.type = type.wire
            if let lastLocation { wire.lastLocation = lastLocation.wireAnswer }
            wire.navigationStatus = navigationStatus.wire
            if !currentRoute.isEmpty { wire.currentRouteSegment = Data(S2Polyline.encode(currentRoute.coordinates).utf8) }
            if let currentRouteEndPoint { wire.currentRouteSegmentEndPoint = WireLatLng(currentRouteEndPoint) }
            if let remainingDistanceMeters { wire.remainingDistanceMeters = .init(rounding: remainingDistanceMeters) }
            if let remainingDurationSeconds { wire.remainingDuration = .init(lengthSeconds: remainingDurationSeconds) }
            wire.remainingVehicleJourneySegments = remainingSegments.map(\.wire)
            wire.attributes = attributes.map { WireVehicleAttribute($0) }
        }
    }
}
