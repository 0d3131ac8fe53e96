package import FleetEngine
package import FleetEngineAPI

extension DeliveryTaskType {
    /// Converts a task type from the wire; an unspecified type, or a number from a later API version, becomes `.unknown`.
    package init(_ wire: WireTask.TypeEnum) {
        self =
            switch wire {
            case .pickup: .pickup
            case .delivery: .delivery
            case .scheduledStop: .scheduledStop
            case .unavailable: .unavailable
            case .unspecified, .UNRECOGNIZED: .unknown
            }
    }

    package var wire: WireTask.TypeEnum {
        switch self {
        case .pickup: .pickup
        case .delivery: .delivery
        case .scheduledStop: .scheduledStop
        case .unavailable: .unavailable
        case .unknown: .unspecified
        }
    }
}

extension DeliveryTaskState {
    /// Converts a task state from the wire; an unspecified state, or a number from a later API version, becomes `.unknown`.
    package init(_ wire: WireTask.State) {
        self =
            switch wire {
            case .open: .open
            case .closed: .closed
            case .unspecified, .UNRECOGNIZED: .unknown
            }
    }

    package var wire: WireTask.State {
        switch self {
        case .open: .open
        case .closed: .closed
        case .unknown: .unspecified
        }
    }
}

extension DeliveryTaskOutcome {
    /// Converts a task outcome from the wire; an unspecified outcome, or a number from a later API version, becomes nil.
    package init?(_ wire: WireTask.TaskOutcome) {
        switch wire {
        case .succeeded: self = .succeeded
        case .failed: self = .failed
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }

    package var wire: WireTask.TaskOutcome {
        switch self {
        case .succeeded: .succeeded
        case .failed: .failed
        }
    }
}

extension TaskOutcomeLocationSource {
    /// Converts a location source from the wire; an unspecified source, or a number from a later API version, becomes nil.
    package init?(_ wire: WireTask.TaskOutcomeLocationSource) {
        switch wire {
        case .provider: self = .provider
        case .lastVehicleLocation: self = .lastVehicleLocation
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }

    package var wire: WireTask.TaskOutcomeLocationSource {
        switch self {
        case .provider: .provider
        case .lastVehicleLocation: .lastVehicleLocation
        }
    }
}

extension VehicleStopState {
    /// Converts a stop's state from the wire; an unspecified state, or a number from a later API version, becomes `.unknown`.
    package init(_ wire: WireVehicleStop.State) {
        self =
            switch wire {
            case .new: .new
            case .enroute: .enroute
            case .arrived: .arrived
            case .unspecified, .UNRECOGNIZED: .unknown
            }
    }

    package var wire: WireVehicleStop.State {
        switch self {
        case .new: .new
        case .enroute: .enroute
        case .arrived: .arrived
        case .unknown: .unspecified
        }
    }
}

extension DeliveryVehicleType {
    /// Converts a vehicle type from the wire; an unspecified type, or a number from a later API version, becomes `.unknown`.
    package init(_ wire: WireDeliveryVehicle.DeliveryVehicleType) {
        self =
            switch wire {
            case .auto: .auto
            case .twoWheeler: .twoWheeler
            case .bicycle: .bicycle
            case .pedestrian: .pedestrian
            case .unspecified, .UNRECOGNIZED: .unknown
            }
    }

    package var wire: WireDeliveryVehicle.DeliveryVehicleType {
        switch self {
        case .auto: .auto
        case .twoWheeler: .twoWheeler
        case .bicycle: .bicycle
        case .pedestrian: .pedestrian
        case .unknown: .unspecified
        }
    }
}
