public import Routing

/// A manoeuvre's place on the route.
public struct RouteStep: Hashable, Sendable {
    /// The road after the manoeuvre; empty when it has no name.
    public let streetName: String
    /// What to do, as a sentence for people; empty when the router gave none.
    public let instruction: String
    /// Metres along the whole route.
    public let startMeters: Double
    /// Metres along the whole route, where the next step begins or the leg ends.
    public let endMeters: Double
    /// The router's time for the step, seconds.
    public let durationSeconds: Double
}

/// The part of a route that leads to one destination (`GMSRouteLeg`).
public struct RouteLeg: Hashable, Sendable {
    /// Where the leg ends.
    public let destination: NavigationWaypoint
    /// Metres along the whole route's line.
    public let startMeters: Double
    /// Metres along the whole route's line.
    public let endMeters: Double
    /// The router's figure; may differ a little from the line's length.
    public let distanceMeters: Double
    /// Seconds from the start of the route.
    public let startSeconds: Double
    /// Seconds from the start of the route.
    public let endSeconds: Double
    /// The leg's manoeuvres in driving order; empty when the router gave none.
    public let steps: [RouteStep]

    /// Metres along the line.
    public var lineLengthMeters: Double { endMeters - startMeters }
    /// Seconds from the leg's start to its end.
    public var durationSeconds: Double { endSeconds - startSeconds }
}
