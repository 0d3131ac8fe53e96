import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

extension TaskAnswer {
    var wire: WireTask {
        var wire = task.wire
        guard let journey else { return wire }
        wire.journeySharingInfo = .with { info in
            info.remainingVehicleJourneySegments = journey.segments.map(\.wire)
            if let location = journey.lastLocation { info.lastLocation = location }
            info.lastLocationSnappable = journey.isLastLocationSnappable
        }
        return wire
    }
}

extension DeliveryVehicleAnswer {
    var wire: WireDeliveryVehicle {
        .with { wire in
            wire.name = name.description
            wire.type = type.wire
            if let lastLocation { wire.lastLocation = lastLocation }
            wire.navigationStatus = navigationStatus
            wire.currentRouteSegment = Data(currentRouteSegment.utf8)
            if let currentRouteSegmentEndPoint { wire.currentRouteSegmentEndPoint = WireLatLng(currentRouteSegmentEndPoint) }
            if let remainingDistanceMeters { wire.remainingDistanceMeters = .init(remainingDistanceMeters) }
            if let remainingDurationSeconds { wire.remainingDuration = .init(lengthSeconds: remainingDurationSeconds) }
            wire.remainingVehicleJourneySegments = segments.map(\.wire)
            wire.attributes = attributes.map { WireVehicleAttribute($0) }
        }
    }
}

extension TaskTrackingAnswer {
    var wire: WireTaskTrackingInfo {
        var wire = info.wire
        if let vehicleLocation { wire.vehicleLocation = vehicleLocation }
        return wire
    }
}
