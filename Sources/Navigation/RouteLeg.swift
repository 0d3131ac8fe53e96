public import Routing

/// The part of a route that leads to one destination (`GMSRouteLeg`).
public struct RouteLeg: Hashable, Sendable {
    /// Destination at which the leg ends.
    public let destination: NavigationWaypoint
    /// Metres along the whole route's line.
    public let startMeters: Double
    /// Metres along the whole route's line.
    public let endMeters: Double
    /// Distance by the router, metres; may differ a little from the length of the line.
    public let distanceMeters: Double
    /// Seconds from the start of the route.
    public let startSeconds: Double
    /// Seconds from the start of the route.
    public let endSeconds: Double
    /// Seconds on free roads; nil if the router knows no traffic.
    public let freeFlowSeconds: Double?
    /// The leg's manoeuvres in driving order, their offsets and lengths in metres along the whole route's line. Empty if the router gave
    /// none.
    public let steps: [RouteStep]

    /// Metres along the line.
    public var lineLengthMeters: Double { endMeters - startMeters }
    /// Seconds from the leg's start to its end.
    public var durationSeconds: Double { endSeconds - startSeconds }

    /// Index of the first step that begins beyond a place on the line; the number of steps if there is no such step.
    func firstStep(beyondMeters meters: Double) -> Int {
        var low = 0
        var high = steps.count
        while low < high {
            let middle = low + (high - low) / 2
            if steps[middle].offsetMeters > meters { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
