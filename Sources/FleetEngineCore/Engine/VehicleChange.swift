import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

/// The contents of one `UpdateVehicle` call. All fields are checked and decoded before the first is applied, so the call cannot fail
/// half-way.
struct VehicleChange {
    let fields: Set<VehicleField>
    let values: WireVehicle
    private(set) var location: WireVehicleLocation?
    private(set) var attributes: [WireVehicleAttribute] = []
    /// The route in the call; nil if the call has none, and empty if the call removes the route.
    private(set) var route: [Coordinate]?
    private(set) var stretches: [TrafficStretch] = []
    /// The vehicle's stops in the order that the call sets; nil if the call sets no order.
    private(set) var stops: [Stop]?

    /// - Throws: INVALID_ARGUMENT.
    init(
        _ fields: Set<VehicleField>, _ values: WireVehicle, of record: VehicleRecord, limits: EngineLimits, now: Date
    ) throws(FleetEngineError) {
        self.fields = fields
        self.values = values
        try checkSettings(limits)
        try checkReport()
        if fields.contains(.attributes) { attributes = try AttributeRules.checked(values.attributes, limits: limits) }
        if fields.contains(.lastLocation) {
            guard values.hasLastLocation else {
                throw .invalid("vehicle.last_location", "last_location is named in update_mask but not set")
            }
            location = try LocationIntake.accepted(values.lastLocation, at: now, limits: limits)
        }
        if fields.contains(.currentRouteSegment) { route = try decodedRoute(limits) }
        if fields.contains(.currentRouteSegmentTraffic) { stretches = try checkedStretches(limits) }
        if fields.contains(.currentRouteSegmentEndPoint) { try checkEndPoint(limits) }
        if fields.contains(.waypoints) {
            stops = try StopOrder.arranged(values.waypoints, of: record.stops, ownTrip: "", field: "vehicle.waypoints")
        }
    }

    private func checkSettings(_ limits: EngineLimits) throws(FleetEngineError) {
        if fields.contains(.vehicleState) { try Self.checkState(values.vehicleState) }
        if fields.contains(.supportedTripTypes) { try Self.checkTypes(values.supportedTripTypes) }
        if fields.contains(.maximumCapacity) { try Self.checkCapacity(values.maximumCapacity) }
        if fields.contains(.vehicleType) { try Self.checkCategory(values) }
        if fields.contains(.licensePlate) {
            try Check.size(values.licensePlate, "vehicle.license_plate", limits: limits)
            try Self.checkPlate(values)
        }
        if fields.contains(.route) {
            try Check.count(values.route.count, atMost: limits.waypointsPerVehicle, "vehicle.route")
            for (index, stop) in values.route.enumerated() { try Check.terminal(stop, "vehicle.route[\(index)]") }
        }
    }

    private func checkReport() throws(FleetEngineError) {
        if fields.contains(.remainingDistanceMeters) {
            try Check.notNegative(values.remainingDistanceMeters.value, "vehicle.remaining_distance_meters")
        }
        if fields.contains(.remainingTimeSeconds) {
            try Check.notNegative(values.remainingTimeSeconds.value, "vehicle.remaining_time_seconds")
        }
        if fields.contains(.etaToFirstWaypoint), values.hasEtaToFirstWaypoint {
            try Check.time(values.etaToFirstWaypoint, "vehicle.eta_to_first_waypoint")
        }
    }

    static func checkState(_ state: WireVehicleState) throws(FleetEngineError) {
        guard state == .online || state == .offline else {
            throw .invalid("vehicle.vehicle_state", "vehicle_state must be ONLINE or OFFLINE")
        }
    }

    static func checkTypes(_ types: [WireTripType]) throws(FleetEngineError) {
        guard !types.isEmpty else { throw .invalid("vehicle.supported_trip_types", "supported_trip_types is required") }
        try Check.count(types.count, atMost: 10, "vehicle.supported_trip_types")
        for type in types where type != .shared && type != .exclusive {
            throw .invalid("vehicle.supported_trip_types", "supported_trip_types can contain only SHARED and EXCLUSIVE")
        }
    }

    static func checkCapacity(_ seats: Int32) throws(FleetEngineError) {
        guard seats >= 1 else { throw .invalid("vehicle.maximum_capacity", "maximum_capacity must be at least 1") }
    }

    /// Checks the plate, which is optional. A plate must name its country.
    static func checkPlate(_ vehicle: WireVehicle) throws(FleetEngineError) {
        guard !vehicle.hasLicensePlate || !vehicle.licensePlate.countryCode.isEmpty else {
            throw .invalid("vehicle.license_plate.country_code", "license_plate.country_code is required")
        }
    }

    static func checkCategory(_ vehicle: WireVehicle) throws(FleetEngineError) {
        guard vehicle.hasVehicleType, vehicle.vehicleType.category != .unknown else {
            throw .invalid("vehicle.vehicle_type", "vehicle_type.category is required")
        }
    }

    private func decodedRoute(_ limits: EngineLimits) throws(FleetEngineError) -> [Coordinate] {
        let field = "vehicle.current_route_segment"
        guard !values.currentRouteSegment.isEmpty else { return [] }
        // A lossless point takes at most 24 bytes, or 32 characters of base64. Text that is clearly too long is not decoded.
        guard values.currentRouteSegment.utf8.count <= 40 * limits.pointsPerRoute else {
            throw .invalid(field, "current_route_segment has more than \(limits.pointsPerRoute) points")
        }
        let points: [Coordinate]
        do { points = try S2Polyline.decode(values.currentRouteSegment) } catch {
            throw .invalid(field, "current_route_segment is not URL-safe base64 of an S2 polyline: \(error.description)")
        }
        guard points.count <= limits.pointsPerRoute else {
            throw .invalid(field, "current_route_segment has more than \(limits.pointsPerRoute) points")
        }
        return points
    }

    private func checkedStretches(_ limits: EngineLimits) throws(FleetEngineError) -> [TrafficStretch] {
        let field = "vehicle.current_route_segment_traffic.traffic_rendering.road_stretch"
        let stretches = values.currentRouteSegmentTraffic.trafficRendering.roadStretch
        try Check.count(stretches.count, atMost: limits.trafficStretches, field)
        for (index, stretch) in stretches.enumerated() where stretch.offsetMeters < 0 || stretch.lengthMeters < 0 {
            throw .invalid("\(field)[\(index)]", "offset_meters and length_meters of a road stretch must not be negative")
        }
        return stretches.stretches
    }

    private func checkEndPoint(_ limits: EngineLimits) throws(FleetEngineError) {
        let field = "vehicle.current_route_segment_end_point"
        try Check.size(values.currentRouteSegmentEndPoint, field, limits: limits)
        let point = values.currentRouteSegmentEndPoint
        if point.hasLocation { try Check.terminal(point.location, "\(field).location") }
    }
}
