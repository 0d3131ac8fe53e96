public import Routing

/// A manoeuvre's place on the route.
public struct RouteStep: Hashable, Sendable {
    public let streetName: String
    public let instruction: String
    /// Metres along the whole route.
    public let startMeters: Double
    public let endMeters: Double
    public let durationSeconds: Double
}

/// The part of a route that leads to one destination (`GMSRouteLeg`).
public struct RouteLeg: Hashable, Sendable {
    public let destination: NavigationWaypoint
    /// Metres along the whole route's line.
    public let startMeters: Double
    public let endMeters: Double
    /// The router's figure; may differ a little from the line's length.
    public let distanceMeters: Double
    /// Seconds from the start of the route.
    public let startSeconds: Double
    public let endSeconds: Double
    public let steps: [RouteStep]

    /// Metres along the line.
    public var lineLengthMeters: Double { endMeters - startMeters }
    public var durationSeconds: Double { endSeconds - startSeconds }
}
