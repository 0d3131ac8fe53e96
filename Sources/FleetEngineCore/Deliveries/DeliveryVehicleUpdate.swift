public import FleetEngine
public import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
public import Geo

/// The values of a delivery vehicle in a call. Values outside the call's mask are ignored.
public struct DeliveryVehicleValues: Equatable, Sendable {
    /// A stop in the vehicle's list.
    public struct Stop: Equatable, Sendable {
        /// The place of the stop. It is required.
        public var place: Coordinate?
        /// The bare ids of the tasks at the stop. At least one is required.
        public var taskIDs: [String]
        /// The state of the stop. Only the first stop may be ENROUTE or ARRIVED.
        public var state: VehicleStopState

        /// Creates a stop, by default in the state NEW.
        public init(place: Coordinate?, taskIDs: [String], state: VehicleStopState = .new) {
            self.place = place
            self.taskIDs = taskIDs
            self.state = state
        }
    }

    /// The value of the field `type`; `unknown` means a car.
    public var type = DeliveryVehicleType.unknown
    /// The value of the field `last_location`.
    public var lastLocation: WireVehicleLocation?
    /// The value of the field `past_locations`. These positions are checked and then dropped, so that they do not move the vehicle back.
    public var pastLocations: [WireVehicleLocation] = []
    /// The value of the field `navigation_status`.
    public var navigationStatus = WireNavigationStatus.unknownNavigationStatus
    /// The value of the field `current_route_segment`, an encoded polyline; empty for none.
    public var currentRouteSegment = ""
    /// The value of the field `current_route_segment_end_point`.
    public var currentRouteSegmentEndPoint: Coordinate?
    /// The value of the field `remaining_distance_meters`.
    public var remainingDistanceMeters: Int32?
    /// The value of the field `remaining_duration`, in seconds.
    public var remainingDurationSeconds: Double?
    /// All remaining stops, from `remaining_vehicle_journey_segments`, in driving order.
    public var stops: [Stop] = []
    /// The value of the field `attributes`.
    public var attributes: [DeliveryAttribute] = []

    /// Creates values that are all unset.
    public init() {}

    /// The name of the first field that is set, but must be unset in a new vehicle; nil without such a field.
    var fieldOfOldVehicle: String? {
        let members = [
            (navigationStatus != .unknownNavigationStatus, "navigation_status"), (!currentRouteSegment.isEmpty, "current_route_segment"),
            (currentRouteSegmentEndPoint != nil, "current_route_segment_end_point"),
            (remainingDistanceMeters != nil, "remaining_distance_meters"), (remainingDurationSeconds != nil, "remaining_duration"),
            (!stops.isEmpty, "remaining_vehicle_journey_segments"), (!pastLocations.isEmpty, "past_locations"),
        ]
        return members.first { $0.0 }?.1
    }
}

/// The fields that `UpdateDeliveryVehicle` can change.
package enum DeliveryVehicleField: String, MaskField {
    case type
    case lastLocation = "last_location"
    case pastLocations = "past_locations"
    case navigationStatus = "navigation_status"
    case currentRouteSegment = "current_route_segment"
    case currentRouteSegmentEndPoint = "current_route_segment_end_point"
    case remainingDistanceMeters = "remaining_distance_meters"
    case remainingDuration = "remaining_duration"
    case stops = "remaining_vehicle_journey_segments"
    case attributes

    package static let serverMaintained: [String] = []

    /// Whether the field belongs to the report of a position, which every driver may send: the positions, the navigation status, the
    /// route, and the remaining distance and time.
    package var isOfReport: Bool {
        switch self {
        case .type, .stops, .attributes: false
        case .lastLocation, .pastLocations, .navigationStatus, .currentRouteSegment, .currentRouteSegmentEndPoint,
            .remainingDistanceMeters, .remainingDuration:
            true
        }
    }
}

/// The contents of one `UpdateDeliveryVehicle` call, except its stops. All fields are checked before the first is applied, so the
/// call cannot fail half-way.
struct DeliveryVehicleUpdate {
    let fields: Set<DeliveryVehicleField>
    let values: DeliveryVehicleValues
    private(set) var location: WireVehicleLocation?
    private(set) var route: [Coordinate] = []

    /// - Throws: INVALID_ARGUMENT.
    init(
        _ fields: Set<DeliveryVehicleField>, _ values: DeliveryVehicleValues, limits: EngineLimits, now: Date
    ) throws(FleetEngineError) {
        self.fields = fields
        self.values = values
        if fields.contains(.attributes) { try Check.attributes(values.attributes, limits: limits) }
        if fields.contains(.lastLocation) {
            guard let report = values.lastLocation else {
                throw .invalid("delivery_vehicle.last_location", "last_location is named in update_mask but not set")
            }
            location = try LocationIntake.accepted(report, at: now, limits: limits)
        }
        if fields.contains(.pastLocations) {
            try Check.count(values.pastLocations.count, atMost: limits.waypointsPerVehicle, "delivery_vehicle.past_locations")
            for report in values.pastLocations { _ = try LocationIntake.accepted(report, at: now, limits: limits) }
        }
        if case .UNRECOGNIZED(let number) = values.navigationStatus, fields.contains(.navigationStatus) {
            throw .invalid("delivery_vehicle.navigation_status", "\(number) is not a navigation status")
        }
        if fields.contains(.currentRouteSegment) { route = try decodedRoute(limits) }
        try checkFigures()
    }

    private func decodedRoute(_ limits: EngineLimits) throws(FleetEngineError) -> [Coordinate] {
        let field = "delivery_vehicle.current_route_segment"
        guard values.currentRouteSegment.utf8.count / 16 <= limits.pointsPerRoute else {
            throw .invalid(field, "current_route_segment has more than \(limits.pointsPerRoute) points")
        }
        let points: [Coordinate]
        do {
            points = try EncodedPolyline.decode(values.currentRouteSegment)
        } catch { throw .invalid(field, "current_route_segment is not an encoded polyline: \(error)") }
        try Check.count(points.count, atMost: limits.pointsPerRoute, field)
        return points
    }

    private func checkFigures() throws(FleetEngineError) {
        if fields.contains(.remainingDistanceMeters) {
            try Check.notNegative(values.remainingDistanceMeters ?? 0, "delivery_vehicle.remaining_distance_meters")
        }
        if fields.contains(.remainingDuration), let seconds = values.remainingDurationSeconds {
            try Check.duration(seconds, "delivery_vehicle.remaining_duration")
        }
        if fields.contains(.currentRouteSegmentEndPoint), let place = values.currentRouteSegmentEndPoint {
            try Check.place(place, "delivery_vehicle.current_route_segment_end_point")
        }
    }

    /// Applies all fields except the position and the stops. If the vehicle has no route, the end point, the remaining distance and the
    /// remaining time are ignored.
    func apply(to record: inout DeliveryVehicleRecord, now: Date) {
        if fields.contains(.type) { record.type = values.type == .unknown ? .auto : values.type }
        if fields.contains(.attributes) { record.attributes = values.attributes }
        if fields.contains(.navigationStatus) { record.navigationStatus = values.navigationStatus }
        if fields.contains(.currentRouteSegment) {
            let old = record.upload
            record.upload = route.isEmpty ? nil : DeliveryUpload(text: values.currentRouteSegment, line: Polyline(route))
            record.upload?.endPoint = old?.endPoint
            record.upload?.remainingMeters = old?.remainingMeters
            record.upload?.arrival = old?.arrival
        }
        guard record.upload != nil else { return }
        if fields.contains(.currentRouteSegmentEndPoint) { record.upload?.endPoint = values.currentRouteSegmentEndPoint }
        if fields.contains(.remainingDistanceMeters) { record.upload?.remainingMeters = values.remainingDistanceMeters }
        if fields.contains(.remainingDuration) {
            record.upload?.arrival = values.remainingDurationSeconds.map { now.addingTimeInterval($0) }
        }
    }
}
