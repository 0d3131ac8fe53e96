public import Routing

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
    /// Seconds on free roads; nil when the router knows no traffic.
    public let freeFlowSeconds: Double?
    /// The leg's manoeuvres in driving order, their offsets and lengths in metres along the whole route's line; empty when the router gave
    /// none.
    public let steps: [RouteStep]

    /// Metres along the line.
    public var lineLengthMeters: Double { endMeters - startMeters }
    /// Seconds from the leg's start to its end.
    public var durationSeconds: Double { endSeconds - startSeconds }

    /// Which step begins first behind a place on the line; the count of steps if none does.
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
