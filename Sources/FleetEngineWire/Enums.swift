package import FleetEngine
package import FleetEngineAPI

extension TripStatus {
    /// Converts a trip status from the wire; a number from a later API version becomes `.unknown`. The cases are written out for speed,
    /// because every answer needs the status.
    package init(_ wire: WireTripStatus) {
        switch wire {
        case .new: self = .new
        case .enrouteToPickup: self = .enrouteToPickup
        case .arrivedAtPickup: self = .arrivedAtPickup
        case .enrouteToDropoff: self = .enrouteToDropoff
        case .complete: self = .complete
        case .canceled: self = .canceled
        case .arrivedAtIntermediateDestination: self = .arrivedAtIntermediateDestination
        case .enrouteToIntermediateDestination: self = .enrouteToIntermediateDestination
        case .unknownTripStatus, .UNRECOGNIZED: self = .unknown
        }
    }

    package var wire: WireTripStatus { WireTripStatus(rawValue: wireNumber) ?? .unknownTripStatus }
}

extension TripType {
    package init(_ wire: WireTripType) {
        self =
            switch wire {
            case .shared: .shared
            case .exclusive: .exclusive
            default: .unknown
            }
    }

    package var wire: WireTripType {
        switch self {
        case .shared: .shared
        case .exclusive: .exclusive
        case .unknown: .unknownTripType
        }
    }
}

extension WaypointType {
    package init(_ wire: WireWaypointType) {
        self =
            switch wire {
            case .pickupWaypointType: .pickup
            case .dropOffWaypointType: .dropoff
            case .intermediateDestinationWaypointType: .intermediate
            default: .unknown
            }
    }

    package var wire: WireWaypointType {
        switch self {
        case .pickup: .pickupWaypointType
        case .dropoff: .dropOffWaypointType
        case .intermediate: .intermediateDestinationWaypointType
        case .unknown: .unknownWaypointType
        }
    }
}

extension VehicleState {
    package init(_ wire: WireVehicleState) {
        self =
            switch wire {
            case .online: .online
            case .offline: .offline
            default: .unknown
            }
    }

    package var wire: WireVehicleState {
        switch self {
        case .online: .online
        case .offline: .offline
        case .unknown: .unknownVehicleState
        }
    }
}

extension NavigationStatus {
    package init(_ wire: WireNavigationStatus) {
        self =
            switch wire {
            case .noGuidance: .noGuidance
            case .enrouteToDestination: .enrouteToDestination
            case .offRoute: .offRoute
            case .arrivedAtDestination: .arrivedAtDestination
            default: .unknown
            }
    }

    package var wire: WireNavigationStatus {
        switch self {
        case .noGuidance: .noGuidance
        case .enrouteToDestination: .enrouteToDestination
        case .offRoute: .offRoute
        case .arrivedAtDestination: .arrivedAtDestination
        case .unknown: .unknownNavigationStatus
        }
    }
}

extension VehicleCategory {
    package init(_ wire: WireVehicle.VehicleType.Category) {
        self =
            switch wire {
            case .auto: .auto
            case .taxi: .taxi
            case .truck: .truck
            case .twoWheeler: .twoWheeler
            case .bicycle: .bicycle
            case .pedestrian: .pedestrian
            default: .unknown
            }
    }

    package var wire: WireVehicle.VehicleType.Category {
        switch self {
        case .auto: .auto
        case .taxi: .taxi
        case .truck: .truck
        case .twoWheeler: .twoWheeler
        case .bicycle: .bicycle
        case .pedestrian: .pedestrian
        case .unknown: .unknown
        }
    }
}
