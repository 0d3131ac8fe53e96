import FoundationEssentials

/// An answer of OSRM's `route` service, version 5. Valhalla answers in the same form (`format: osrm`). Error answers of both routers can
/// also be read.
package struct RouteAnswer: Decodable {
    /// `Ok` or an error code.
    var code: String?
    var message: String?
    /// The error message of Valhalla.
    var error: String?
    var routes: [Route]?
    var waypoints: [Waypoint]?

    struct Route: Decodable {
        /// The whole line, encoded with six decimal places, as requested.
        var geometry: String?
        var legs: [Leg]
    }

    struct Leg: Decodable {
        /// Distance in metres.
        var distance: Double?
        /// Duration in seconds.
        var duration: Double
        /// Duration without the current traffic, in seconds; nil if the router does not know the traffic.
        var typicalDuration: Double?
        var annotation: Annotation?
        var steps: [Step]?

        enum CodingKeys: String, CodingKey { case distance, duration, annotation, steps, typicalDuration = "duration_typical" }
    }

    /// Values of the leg's segments. Each list has one entry for each segment.
    struct Annotation: Decodable {
        /// Distances in metres.
        var distance: [Double?]?
        /// Durations in seconds.
        var duration: [Double?]?
        var maxspeed: [MaximumSpeed?]?
    }

    struct MaximumSpeed: Decodable {
        var speed: Double?
        /// Unit of the speed: `km/h` or `mph`.
        var unit: String?
        /// Whether the road has no speed limit.
        var none: Bool?
    }

    struct Step: Decodable {
        var name: String?
        /// The number of the road.
        var ref: String?
        /// Distance in metres.
        var distance: Double?
        var geometry: String?
        var maneuver: Maneuver?
    }

    struct Maneuver: Decodable {
        var type: String?
        var modifier: String?
    }

    struct Waypoint: Decodable {
        /// Longitude and latitude of the nearest point on a road.
        var location: [Double]?
    }

    /// The router's message, or its code if there is no message.
    var said: String { message ?? error ?? code ?? "" }
}
