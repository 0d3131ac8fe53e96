package import FleetEngine
package import FleetEngineAPI

extension DeliveryTaskType {
    /// The same type; numbers of a later version are `.unknown`.
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
    /// The same state; numbers of a later version are `.unknown`.
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
    /// Nil without an outcome, and for numbers of a later version.
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
    /// Nil without a source, and for numbers of a later version.
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
    /// The same state; numbers of a later version are `.unknown`.
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
    /// The same type; numbers of a later version are `.unknown`.
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
