import FleetEngineAPI
import Geo
import SwiftProtobuf

// The sample provider's JSON shapes.

struct PlaceBody: Codable {
    let latitude: Double?
    let longitude: Double?

    init(_ wire: WireLatLng) {
        latitude = wire.latitude
        longitude = wire.longitude
    }

    /// Nil unless it is a place on earth.
    var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        return place.isValid ? place : nil
    }
}

struct NewTripBody: Decodable {
    let pickup: PlaceBody?
    let dropoff: PlaceBody?
    let intermediateDestinations: [PlaceBody]?
    let tripType: String?
}

struct TripUpdateBody: Decodable {
    let status: String?
    let intermediateDestinationIndex: Int?
}

/// Of a new vehicle, and of a change to one.
struct VehicleSettingsBody: Decodable {
    static let complaint = "supportedTripTypes holds EXCLUSIVE and SHARED, maximumCapacity is a number, attributes have key and value"

    struct Attribute: Codable {
        let key: String
        let value: String
    }

    let vehicleId: String?
    let backToBackEnabled: Bool?
    let supportedTripTypes: [String]?
    let maximumCapacity: Int?
    let attributes: [Attribute]?

    /// Nil when a type of trip is none.
    var settings: VehicleSettings? {
        let types = supportedTripTypes?.compactMap(ProviderServer.tripType)
        guard types?.count == supportedTripTypes?.count else { return nil }
        return VehicleSettings(
            tripTypes: types, capacity: maximumCapacity, backToBack: backToBackEnabled,
            attributes: attributes?.map { ($0.key, $0.value) })
    }
}

struct MessageBody: Encodable {
    let message: String
    let status: Int
}

struct WrappedTrip: Encodable {
    let trip: TripBody
}

struct TripBody: Encodable {
    struct Waypoint: Encodable {
        struct Location: Encodable {
            let point: PlaceBody
            let heading = 0
        }
        let location: Location
        let waypointType: String
        let tripId: String
    }

    let name: String
    let tripStatus: String
    /// All stops, not only those ahead.
    let waypoints: [Waypoint]
    let vehicleId: String
    let routeList: [PlaceBody]

    init(_ wire: WireTrip) {
        name = wire.name
        tripStatus = wire.tripStatus.name
        vehicleId = wire.vehicleID
        routeList = wire.route.map(PlaceBody.init)
        let id = wire.name.split(separator: "/").last.map(String.init) ?? ""
        func stop(_ point: WireLatLng, _ type: WireWaypointType) -> Waypoint {
            Waypoint(location: .init(point: PlaceBody(point)), waypointType: type.name, tripId: id)
        }
        var stops = [stop(wire.pickupPoint.point, .pickupWaypointType)]
        stops += wire.intermediateDestinations.map { stop($0.point, .intermediateDestinationWaypointType) }
        if wire.hasDropoffPoint { stops.append(stop(wire.dropoffPoint.point, .dropOffWaypointType)) }
        waypoints = stops
    }
}

struct VehicleBody: Encodable {
    struct Location: Encodable {
        let point: PlaceBody
        let heading: Int
    }
    struct Waypoint: Encodable {
        let tripId: String
        let waypointType: String
        let location: PlaceBody
    }

    let name: String
    let vehicleState: String
    let waypoints: [Waypoint]
    let currentTripsIds: [String]
    let backToBackEnabled: Bool
    let maximumCapacity: Int
    let supportedTripTypes: [String]
    let lastLocation: Location?
    let vehicleAttributes: [VehicleSettingsBody.Attribute]

    init(_ wire: WireVehicle) {
        name = wire.name
        vehicleState = wire.vehicleState.name
        waypoints = wire.waypoints.map {
            Waypoint(tripId: $0.tripID, waypointType: $0.waypointType.name, location: PlaceBody($0.location.point))
        }
        currentTripsIds = wire.currentTrips
        backToBackEnabled = wire.backToBackEnabled
        maximumCapacity = Int(wire.maximumCapacity)
        supportedTripTypes = wire.supportedTripTypes.map(\.name)
        lastLocation =
            wire.hasLastLocation
            ? Location(point: PlaceBody(wire.lastLocation.location), heading: Int(wire.lastLocation.heading.value)) : nil
        vehicleAttributes = wire.attributes.map { .init(key: $0.key, value: $0.comparableValue) }
    }
}

extension WireTripStatus {
    var name: String { Self.nameMap[rawValue] ?? "UNKNOWN_TRIP_STATUS" }
    private static let nameMap: [Int: String] = [
        0: "UNKNOWN_TRIP_STATUS", 1: "NEW", 2: "ENROUTE_TO_PICKUP", 3: "ARRIVED_AT_PICKUP", 4: "ENROUTE_TO_DROPOFF", 5: "COMPLETE",
        6: "CANCELED", 7: "ARRIVED_AT_INTERMEDIATE_DESTINATION", 8: "ENROUTE_TO_INTERMEDIATE_DESTINATION",
    ]
}

extension WireWaypointType {
    var name: String {
        switch self {
        case .pickupWaypointType: "PICKUP_WAYPOINT_TYPE"
        case .dropOffWaypointType: "DROP_OFF_WAYPOINT_TYPE"
        case .intermediateDestinationWaypointType: "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE"
        default: "UNKNOWN_WAYPOINT_TYPE"
        }
    }
}

extension WireVehicleState {
    var name: String {
        switch self {
        case .online: "ONLINE"
        case .offline: "OFFLINE"
        default: "UNKNOWN_VEHICLE_STATE"
        }
    }
}

extension WireTripType {
    var name: String {
        switch self {
        case .shared: "SHARED"
        case .exclusive: "EXCLUSIVE"
        default: "UNKNOWN_TRIP_TYPE"
        }
    }
}
