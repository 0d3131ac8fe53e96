import FoundationEssentials

/// An answer of OSRM's `route` service, version 5, also given by Valhalla (`format: osrm`), and the errors of both.
package struct RouteAnswer: Decodable {
    /// `Ok` or an error code.
    var code: String?
    var message: String?
    /// Valhalla's own error message.
    var error: String?
    var routes: [Route]?
    var waypoints: [Waypoint]?

    struct Route: Decodable {
        /// Encoded line with six decimal places, as requested.
        var geometry: String?
        var legs: [Leg]
    }

    struct Leg: Decodable {
        /// Metres.
        var distance: Double?
        /// Seconds.
        var duration: Double
        /// Duration without present traffic, seconds, if the router knows traffic.
        var typicalDuration: Double?
        var annotation: Annotation?
        var steps: [Step]?

        enum CodingKeys: String, CodingKey { case distance, duration, annotation, steps, typicalDuration = "duration_typical" }
    }

    /// Each list has an entry for each segment of the leg.
    struct Annotation: Decodable {
        /// Metres.
        var distance: [Double?]?
        /// Seconds.
        var duration: [Double?]?
        var maxspeed: [MaximumSpeed?]?
    }

    struct MaximumSpeed: Decodable {
        var speed: Double?
        /// `km/h` or `mph`.
        var unit: String?
        /// Whether the road has no limit.
        var none: Bool?
    }

    struct Step: Decodable {
        var name: String?
        /// The road's number.
        var ref: String?
        /// Metres.
        var distance: Double?
        var geometry: String?
        var maneuver: Maneuver?
    }

    struct Maneuver: Decodable {
        var type: String?
        var modifier: String?
    }

    struct Waypoint: Decodable {
        /// Longitude and latitude of the nearest place on a road.
        var location: [Double]?
    }

    /// The router's message in words; its code if it sent no message.
    var said: String { message ?? error ?? code ?? "" }
}
