import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

// What comes from the wire is believed only as far as it makes sense: figures that cannot be are unknown.

extension Coordinate {
    init?(_ wire: WireLatLng) {
        self.init(latitude: wire.latitude, longitude: wire.longitude)
        guard isValid else { return nil }
    }

    var wire: WireLatLng {
        .with {
            $0.latitude = latitude
            $0.longitude = longitude
        }
    }
}

extension Google_Protobuf_Timestamp {
    /// 1970 to 9999; anything else is no time.
    var plausibleDate: Date? {
        guard (0...253_402_300_799).contains(seconds), (0..<1_000_000_000).contains(nanos) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds) + Double(nanos) * 1e-9)
    }

    var version: DataVersion { DataVersion(seconds: seconds, nanoseconds: nanos) }

    init(_ version: DataVersion) {
        self.init()
        seconds = version.seconds
        nanos = version.nanoseconds
    }

    /// To the microsecond: more is not in a `Date`.
    init(microsecondsOf date: Date) {
        self.init()
        let since = date.timeIntervalSince1970
        guard since.isFinite, abs(since) < 1e11 else { return }
        let microseconds = (since * 1e6).rounded()
        let whole = (microseconds / 1e6).rounded(.down)
        seconds = Int64(whole)
        nanos = Int32(((microseconds - whole * 1e6) * 1_000).rounded())
    }
}

extension Google_Protobuf_Duration {
    /// Finite seconds; nil beyond ± ten years.
    var plausibleSeconds: Double? {
        let value = Double(seconds) + Double(nanos) * 1e-9
        return abs(value) < 315_360_000 ? value : nil
    }
}

extension Double {
    /// Nil unless finite and inside `range`.
    func plausible(in range: ClosedRange<Double>) -> Double? { isFinite && range.contains(self) ? self : nil }

    /// Nearest whole number that an Int32 holds.
    var clampedInt32: Int32 { isFinite ? Int32(Swift.min(Swift.max(rounded(), -2e9), 2e9)) : 0 }
}

enum Plausible {
    static let meters = 0.0...20_100_000
    static let metersPerSecond = 0.0...150.0
    static let accuracyMeters = 0.0...1_000_000
    static let altitudeMeters = -12_000.0...20_000
}

extension TripType {
    init(_ wire: WireTripType) {
        self =
            switch wire {
            case .shared: .shared
            case .exclusive: .exclusive
            default: .unknown
            }
    }

    var wire: WireTripType {
        switch self {
        case .shared: .shared
        case .exclusive: .exclusive
        case .unknown: .unknownTripType
        }
    }
}

extension WaypointType {
    init(_ wire: WireWaypointType) {
        self =
            switch wire {
            case .pickupWaypointType: .pickup
            case .dropOffWaypointType: .dropoff
            case .intermediateDestinationWaypointType: .intermediate
            default: .unknown
            }
    }

    var wire: WireWaypointType {
        switch self {
        case .pickup: .pickupWaypointType
        case .dropoff: .dropOffWaypointType
        case .intermediate: .intermediateDestinationWaypointType
        case .unknown: .unknownWaypointType
        }
    }
}

extension VehicleState {
    init(_ wire: WireVehicleState) {
        self =
            switch wire {
            case .online: .online
            case .offline: .offline
            default: .unknown
            }
    }

    var wire: WireVehicleState {
        switch self {
        case .online: .online
        case .offline: .offline
        case .unknown: .unknownVehicleState
        }
    }
}

extension NavigationStatus {
    init(_ wire: WireNavigationStatus) {
        self =
            switch wire {
            case .noGuidance: .noGuidance
            case .enrouteToDestination: .enrouteToDestination
            case .offRoute: .offRoute
            case .arrivedAtDestination: .arrivedAtDestination
            default: .unknown
            }
    }

    var wire: WireNavigationStatus {
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
    init(_ wire: WireVehicle.VehicleType.Category) {
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

    var wire: WireVehicle.VehicleType.Category {
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
