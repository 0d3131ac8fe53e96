import FoundationEssentials

/// The answer of OSRM's `route` service, version 5, which Valhalla gives as well (`format: osrm`); and the errors of both.
struct RouteAnswer: Decodable {
    /// `Ok`, or what went wrong.
    var code: String?
    var message: String?
    /// Valhalla's own words for what went wrong.
    var error: String?
    var routes: [Route]?
    var waypoints: [Waypoint]?

    struct Route: Decodable {
        /// With six decimal places, as it was asked for.
        var geometry: String?
        var legs: [Leg]
    }

    struct Leg: Decodable {
        /// Metres.
        var distance: Double?
        /// Seconds.
        var duration: Double
        /// Without the traffic of now, where the router knows of any, seconds.
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
        /// A road without a limit.
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
        /// Longitude and latitude of the place on the road.
        var location: [Double]?
    }

    /// What the router says for people.
    var said: String { message ?? error ?? code ?? "" }
}
