import FleetEngine
import SwiftProtobuf

/// A field that an update mask may name. The raw value is its path in snake case.
package protocol MaskField: RawRepresentable, CaseIterable, Hashable where RawValue == String {
    /// Paths of fields that the server maintains itself. They are accepted but ignored.
    static var serverMaintained: [String] { get }
}

/// Reads update masks. A path may be in snake case, as on gRPC, or in camel case, as in JSON.
package enum UpdateMask {
    /// - Throws: INVALID_ARGUMENT for an unknown path, too many paths, or an empty mask. Apps compare the error's text for an empty
    ///   mask, so this text must not change.
    static func fields<Field: MaskField>(
        _ mask: Google_Protobuf_FieldMask, of type: Field.Type, limits: EngineLimits
    ) throws(FleetEngineError) -> Set<Field> {
        guard !mask.paths.isEmpty else { throw .invalid("update_mask", "update_mask cannot be empty") }
        guard mask.paths.count <= limits.maskPaths else {
            throw .invalid("update_mask", "update_mask has more than \(limits.maskPaths) paths")
        }
        var fields: Set<Field> = []
        for path in mask.paths {
            if let field = Field(rawValue: path) {
                fields.insert(field)
                continue
            }
            let snake = snakeCase(path)
            if let field = Field(rawValue: snake) {
                fields.insert(field)
            } else if !Field.serverMaintained.contains(snake) {
                throw .invalid("update_mask", "update_mask names \(FleetEngineError.shown(path)), which cannot be updated")
            }
        }
        return fields
    }

    /// Converts camel case to snake case, such as `lastLocation` to `last_location`. A text that is longer than all known paths is returned
    /// unchanged.
    package static func snakeCase(_ path: String) -> String {
        guard path.utf8.count <= 80 else { return path }
        return String(
            decoding: path.utf8.flatMap { byte -> [UInt8] in
                (0x41...0x5A).contains(byte) ? [0x5F, byte | 0x20] : [byte]
            }, as: UTF8.self)
    }
}

/// The fields that `UpdateTrip` can change.
package enum TripField: String, MaskField {
    case vehicleID = "vehicle_id"
    case tripStatus = "trip_status"
    case tripType = "trip_type"
    case pickupPoint = "pickup_point"
    case dropoffPoint = "dropoff_point"
    case numberOfPassengers = "number_of_passengers"
    case intermediateDestinations = "intermediate_destinations"
    case intermediateDestinationIndex = "intermediate_destination_index"
    case vehicleWaypoints = "vehicle_waypoints"
    case actualPickupPoint = "actual_pickup_point"
    case actualDropoffPoint = "actual_dropoff_point"
    case actualPickupArrivalPoint = "actual_pickup_arrival_point"
    case actualIntermediateDestinationArrivalPoints = "actual_intermediate_destination_arrival_points"
    case actualIntermediateDestinations = "actual_intermediate_destinations"
    case attributes

    package static let serverMaintained = [
        "name", "pickup_time", "dropoff_time", "route", "last_location", "remaining_distance_meters", "eta_to_first_waypoint",
        "remaining_waypoints", "current_route_segment_version", "remaining_waypoints_version", "current_route_segment",
        "current_route_segment_end_point", "intermediate_destinations_version", "last_location_snappable",
        "remaining_time_to_first_waypoint", "current_route_segment_traffic", "remaining_waypoints_route_version",
        "current_route_segment_traffic_version", "view",
    ]
}

/// The fields that `UpdateVehicle` can change.
enum VehicleField: String, MaskField {
    case vehicleState = "vehicle_state"
    case supportedTripTypes = "supported_trip_types"
    case lastLocation = "last_location"
    case maximumCapacity = "maximum_capacity"
    case attributes
    case vehicleType = "vehicle_type"
    case licensePlate = "license_plate"
    case route
    case remainingDistanceMeters = "remaining_distance_meters"
    case etaToFirstWaypoint = "eta_to_first_waypoint"
    case currentRouteSegment = "current_route_segment"
    case waypoints
    case backToBackEnabled = "back_to_back_enabled"
    case currentRouteSegmentEndPoint = "current_route_segment_end_point"
    case remainingTimeSeconds = "remaining_time_seconds"
    case navigationStatus = "navigation_status"
    case deviceSettings = "device_settings"
    case currentRouteSegmentTraffic = "current_route_segment_traffic"
    case pastLocations = "past_locations"

    static let serverMaintained = ["name", "current_trips", "current_route_segment_version", "waypoints_version", "available_capacity"]
}
