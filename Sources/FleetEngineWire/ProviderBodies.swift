package import FleetEngine
package import FleetEngineAPI
package import FoundationEssentials
package import Geo
import SwiftProtobuf

// The JSON bodies of the sample provider's backend. Both its client and its server use them. Members that a request may leave out are
// optional. Most required members of requests are optional, too, so that the server's answer can name a missing member.

package struct PlaceBody: Codable, Sendable {
    package let latitude: Double?
    package let longitude: Double?

    package init(_ coordinate: Coordinate) {
        latitude = coordinate.latitude
        longitude = coordinate.longitude
    }

    /// The coordinate; nil unless it is a valid position on earth.
    package var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        return place.isValid ? place : nil
    }
}

package struct NewTripBody: Codable, Sendable {
    package let pickup: PlaceBody?
    package let dropoff: PlaceBody?
    package let intermediateDestinations: [PlaceBody]?
    package let tripType: String?
    package let attributes: [String: String]?

    package init(pickup: Coordinate, dropoff: Coordinate, stops: [Coordinate], tripType: String, attributes: [String: String] = [:]) {
        self.pickup = PlaceBody(pickup)
        self.dropoff = PlaceBody(dropoff)
        intermediateDestinations = stops.isEmpty ? nil : stops.map(PlaceBody.init)
        self.tripType = tripType
        self.attributes = attributes.isEmpty ? nil : attributes
    }
}

/// The header with the port of the trip's Fleet Engine, in the answer to a booking. The engine's host is the same as the backend's.
/// The sample provider does not send this header.
package enum EnginePortHeader {
    package static let name = "Fleet-Engine-Port"
}

package struct TripUpdateBody: Codable, Sendable {
    package let status: String?
    package let intermediateDestinationIndex: Int?
    /// The id of the vehicle to assign to the trip; an empty id removes the assignment.
    package let vehicleId: String?

    package init(status: String, vehicleId: String? = nil) {
        self.status = status
        intermediateDestinationIndex = nil
        self.vehicleId = vehicleId
    }
}

/// The body of a refusal, with a message for the user.
package struct MessageBody: Codable {
    package let message: String?
    package let status: Int?

    package init(message: String, status: Int) {
        self.message = message
        self.status = status
    }
}

package struct WrappedTripBody: Codable {
    package let trip: TripBody

    package init(trip: TripBody) { self.trip = trip }
}

package struct TripBody: Codable {
    struct Waypoint: Codable {
        struct Location: Codable {
            let point: PlaceBody
            var heading = 0
        }
        let location: Location
        let waypointType: String
        let tripId: String
    }

    package let name: String
    package let tripStatus: String
    /// All stops of the trip, including stops that the vehicle has left.
    let waypoints: [Waypoint]
    package let vehicleId: String?
    let routeList: [PlaceBody]

    package init(_ wire: WireTrip) {
        name = wire.name
        tripStatus = wire.tripStatus.name
        vehicleId = wire.vehicleID
        routeList = wire.route.map { PlaceBody($0.coordinate) }
        let id = wire.name.split(separator: "/").last.map(String.init) ?? ""
        func stop(_ point: WireLatLng, _ type: WireWaypointType) -> Waypoint {
            Waypoint(location: .init(point: PlaceBody(point.coordinate)), waypointType: type.name, tripId: id)
        }
        var stops = [stop(wire.pickupPoint.point, .pickupWaypointType)]
        stops += wire.intermediateDestinations.map { stop($0.point, .intermediateDestinationWaypointType) }
        if wire.hasDropoffPoint { stops.append(stop(wire.dropoffPoint.point, .dropOffWaypointType)) }
        waypoints = stops
    }

    /// Reads only the members that a client uses. Other backends may send the remaining members in a different form, or not at all.
    package init(from decoder: any Swift.Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        tripStatus = try values.decode(String.self, forKey: .tripStatus)
        vehicleId = try values.decodeIfPresent(String.self, forKey: .vehicleId)
        (waypoints, routeList) = ([], [])
    }
}

/// The settings of a new vehicle, or a change to a vehicle's settings.
package struct VehicleSettingsBody: Decodable, Sendable {
    package let vehicleId: String?
    package let backToBackEnabled: Bool?
    package let supportedTripTypes: [String]?
    package let maximumCapacity: Int?
    package let attributes: [AttributeBody]?
    let plate: String?
    let color: String?
    let model: String?
    let driver: String?

    package var identity: VehicleIdentity { VehicleIdentity(plate: plate, color: color, model: model, driver: driver) }
}

package struct AttributeBody: Codable, Sendable {
    package let key: String
    package let value: String
}

package struct VehicleBody: Encodable {
    struct Location: Encodable {
        let point: PlaceBody
        let heading: Int
        /// The time of the position, in milliseconds since 1970; nil if it is unknown or not plausible.
        let updateTimestamp: Int64?
        /// The radius within which the true position lies with a probability of 68 %, in metres.
        let accuracy: Double?

        init(_ wire: WireVehicleLocation) {
            point = PlaceBody(wire.location.coordinate)
            heading = Int(wire.heading.value)
            let time = wire.updateTime
            let isKnown = wire.hasUpdateTime && time.plausibleDate != nil
            updateTimestamp = isKnown ? time.seconds * 1_000 + Int64(time.nanos / 1_000_000) : nil
            accuracy = wire.hasLatlngAccuracy ? wire.latlngAccuracy.value : nil
        }
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
    let vehicleAttributes: [AttributeBody]
    /// Seconds by which the phone's clock is ahead of the engine's; negative if it is behind. Nil unless the phone's positions are ignored
    /// because of its clock.
    let phoneClockAheadSeconds: Int?

    package init(_ wire: WireVehicle, phoneClockAheadSeconds: Int? = nil) {
        name = wire.name
        vehicleState = wire.vehicleState.name
        waypoints = wire.waypoints.map {
            Waypoint(tripId: $0.tripID, waypointType: $0.waypointType.name, location: PlaceBody($0.location.point.coordinate))
        }
        currentTripsIds = wire.currentTrips
        backToBackEnabled = wire.backToBackEnabled
        maximumCapacity = Int(wire.maximumCapacity)
        supportedTripTypes = wire.supportedTripTypes.map(\.name)
        lastLocation = wire.hasLastLocation ? Location(wire.lastLocation) : nil
        self.phoneClockAheadSeconds = phoneClockAheadSeconds
        vehicleAttributes = wire.attributes.map { AttributeBody(key: $0.key, value: $0.text) }
    }
}

/// A request to register a car for a phone.
package struct NewCarBody: Codable, Sendable {
    package let vehicleId: String?
    /// Whether the provider sets the statuses of the car's trips. If false or nil, they follow from the car's position.
    package let manual: Bool?
    /// The lifetime of the key, in seconds; nil for a key that does not expire.
    package let expiresInSeconds: Int?
    let plate: String?
    let color: String?
    let model: String?
    let driver: String?

    package var identity: VehicleIdentity { VehicleIdentity(plate: plate, color: color, model: model, driver: driver) }

    /// The allowed lifetimes of a key, in seconds. The maximum is ten years.
    package static let livesInSeconds = 1...3_650 * 86_400

    package init(vehicleId: String, expiresInSeconds: Int?, identity: VehicleIdentity = VehicleIdentity()) {
        self.vehicleId = vehicleId
        manual = nil
        self.expiresInSeconds = expiresInSeconds
        plate = identity.plate
        color = identity.color
        model = identity.model
        driver = identity.driver
    }
}

/// A request to revoke a car's phone key.
package struct RevokedCarBody: Codable, Sendable {
    package let vehicleId: String?

    package init(vehicleId: String) { self.vehicleId = vehicleId }
}

/// A list of the cars that have phone keys, or one page of it. Times are milliseconds since 1970, by the engine's clock.
package struct CarListBody: Codable {
    package struct Car: Codable {
        package let vehicleId: String
        /// The time at which the key expires; nil for a key that does not expire.
        package let keyExpirationTimestamp: Int64?
        /// The time of the phone's last report with this key; nil before the first report.
        package let lastHeardTimestamp: Int64?

        package init(vehicleId: String, keyExpirationTimestamp: Int64?, lastHeardTimestamp: Int64?) {
            self.vehicleId = vehicleId
            self.keyExpirationTimestamp = keyExpirationTimestamp
            self.lastHeardTimestamp = lastHeardTimestamp
        }
    }

    /// The maximum number of cars on a page.
    package static let carsAtOnce = 500

    /// The time of the answer.
    package let timestamp: Int64
    package let cars: [Car]
    /// The id after which the next page begins; nil on the last page.
    package let next: String?

    package init(timestamp: Int64, cars: [Car], next: String?) {
        self.timestamp = timestamp
        self.cars = cars
        self.next = next
    }

    package static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }
}

/// The key with which a phone reports the position of its car.
package struct CarKeyBody: Codable {
    package let vehicleId: String
    package let key: String
    /// The public address of the provider API; nil if the caller can use the address of its request.
    package let publicUrl: String?
    /// True if this key has replaced an older key of the car; otherwise nil.
    package let endsOlderKey: Bool?
    /// The time at which the key expires, in milliseconds since 1970; nil for a key that does not expire.
    package let keyExpirationTimestamp: Int64?

    package init(vehicleId: String, key: String, publicUrl: String?, endsOlderKey: Bool? = nil, keyExpirationTimestamp: Int64? = nil) {
        self.vehicleId = vehicleId
        self.key = key
        self.publicUrl = publicUrl
        self.endsOlderKey = endsOlderKey
        self.keyExpirationTimestamp = keyExpirationTimestamp
    }
}

/// The last position of a vehicle.
package struct CarPositionBody: Decodable {
    package struct Location: Decodable {
        package let updateTimestamp: Int64?
        package let accuracy: Double?
    }
    package let lastLocation: Location?
    package let phoneClockAheadSeconds: Int?
}
