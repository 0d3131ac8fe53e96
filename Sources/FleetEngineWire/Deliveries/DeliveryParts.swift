package import FleetEngine
package import FleetEngineAPI
import FoundationEssentials
package import Geo
import SwiftProtobuf

// Values inside tasks, delivery vehicles and tracking information. As in the whole module, an impossible number is read as unknown.

extension Google_Protobuf_Duration {
    /// The duration, in seconds; nil unless it is between 0 and ten years.
    var plausibleLengthSeconds: Double? { plausibleSeconds.flatMap { $0 >= 0 ? $0 : nil } }
}

extension Google_Protobuf_Int32Value {
    /// The distance, in metres; nil unless it is between 0 and half the earth's circumference.
    var plausibleMeters: Double? { Double(value).plausible(in: Plausible.meters) }
}

extension WireLocationInfo {
    package init(_ coordinate: Coordinate) {
        self.init()
        point = WireLatLng(coordinate)
    }

    /// The coordinate; nil unless it is a valid position on earth.
    package var coordinate: Coordinate? { hasPoint ? Coordinate(point) : nil }
}

extension TimeWindow {
    /// Creates the window; nil unless its start and end are valid times and in order.
    package init?(_ wire: WireTimeWindow) {
        guard wire.hasStartTime, wire.hasEndTime, let start = wire.startTime.plausibleDate, let end = wire.endTime.plausibleDate,
            start <= end
        else { return nil }
        self.init(start: start, end: end)
    }

    package var wire: WireTimeWindow {
        .with {
            $0.startTime = .init(moment: start)
            $0.endTime = .init(moment: end)
        }
    }
}

extension TrackingVisibility {
    /// Creates the rule. Nil for no option, for `always` or `never` with the value false, and for an impossible duration.
    package init?(_ wire: WireTaskTrackingViewConfig.VisibilityOption) {
        switch wire.visibilityOption {
        case .remainingStopCountThreshold(let count): self = .remainingStops(atMost: Int(count))
        case .durationUntilEstimatedArrivalTimeThreshold(let duration):
            guard let seconds = duration.plausibleLengthSeconds else { return nil }
            self = .secondsToArrival(atMost: seconds)
        case .remainingDrivingDistanceMetersThreshold(let meters): self = .remainingMeters(atMost: Int(meters))
        case .always(true): self = .always
        case .never(true): self = .never
        case .always, .never, nil: return nil
        }
    }

    package var wire: WireTaskTrackingViewConfig.VisibilityOption {
        .with { wire in
            switch self {
            case .remainingStops(let count): wire.remainingStopCountThreshold = Int32(clamping: count)
            case .secondsToArrival(let seconds): wire.durationUntilEstimatedArrivalTimeThreshold = .init(lengthSeconds: seconds)
            case .remainingMeters(let meters): wire.remainingDrivingDistanceMetersThreshold = Int32(clamping: meters)
            case .always: wire.always = true
            case .never: wire.never = true
            }
        }
    }
}

extension TaskTrackingViewConfig {
    package init(_ wire: WireTaskTrackingViewConfig) {
        self.init(
            route: TrackingVisibility(wire.routePolylinePointsVisibility),
            arrivalTime: TrackingVisibility(wire.estimatedArrivalTimeVisibility),
            completionTime: TrackingVisibility(wire.estimatedTaskCompletionTimeVisibility),
            remainingDistance: TrackingVisibility(wire.remainingDrivingDistanceVisibility),
            remainingStopCount: TrackingVisibility(wire.remainingStopCountVisibility),
            vehicleLocation: TrackingVisibility(wire.vehicleLocationVisibility))
    }

    package var wire: WireTaskTrackingViewConfig {
        .with { wire in
            if let route { wire.routePolylinePointsVisibility = route.wire }
            if let arrivalTime { wire.estimatedArrivalTimeVisibility = arrivalTime.wire }
            if let completionTime { wire.estimatedTaskCompletionTimeVisibility = completionTime.wire }
            if let remainingDistance { wire.remainingDrivingDistanceVisibility = remainingDistance.wire }
            if let remainingStopCount { wire.remainingStopCountVisibility = remainingStopCount.wire }
            if let vehicleLocation { wire.vehicleLocationVisibility = vehicleLocation.wire }
        }
    }
}

extension VehicleLocation {
    /// The location as a server sends it: the driver's report with the server's time added.
    package var wireAnswer: WireVehicleLocation {
        var wire = wire
        if let serverTime, serverTime.isPlausible { wire.serverTime = .init(moment: serverTime) }
        return wire
    }
}

extension [DeliveryAttribute] {
    package init(_ wire: [WireTaskAttribute]) {
        self.init(
            unique: wire.map { attribute in
                switch attribute.taskAttributeValue {
                case .stringValue(let text): DeliveryAttribute(key: attribute.key, text: text)
                case .boolValue(let flag): DeliveryAttribute(key: attribute.key, value: .truth(flag))
                case .numberValue(let number): DeliveryAttribute(key: attribute.key, value: .number(number))
                case nil: DeliveryAttribute(key: attribute.key, text: "")
                }
            })
    }

    package init(_ wire: [WireVehicleAttribute]) {
        self.init(
            unique: wire.map { attribute in
                switch attribute.vehicleAttributeValue {
                case .stringValue(let text): DeliveryAttribute(key: attribute.key, text: text)
                case .boolValue(let flag): DeliveryAttribute(key: attribute.key, value: .truth(flag))
                case .numberValue(let number): DeliveryAttribute(key: attribute.key, value: .number(number))
                case nil: DeliveryAttribute(key: attribute.key, text: attribute.value)
                }
            })
    }

    /// Keeps the first attribute of each key. Numbers that are not finite are left out, because NaN would make an answer
    /// unequal to itself.
    private init(unique attributes: [DeliveryAttribute]) {
        var keys: Set<String> = []
        self = attributes.filter { attribute in
            if case .number(let number) = attribute.value, !number.isFinite { return false }
            return keys.insert(attribute.key).inserted
        }
    }
}

extension WireTaskAttribute {
    package init(_ attribute: DeliveryAttribute) {
        self.init()
        key = attribute.key
        switch attribute.value {
        case .text(let text): stringValue = text
        case .truth(let flag): boolValue = flag
        case .number(let number): numberValue = number
        }
    }
}

extension WireVehicleAttribute {
    /// Creates the attribute. A text is set both as `value` and as `string_value`.
    package init(_ attribute: DeliveryAttribute) {
        self.init()
        key = attribute.key
        switch attribute.value {
        case .text(let text):
            value = text
            stringValue = text
        case .truth(let flag): boolValue = flag
        case .number(let number): numberValue = number
        }
    }
}
