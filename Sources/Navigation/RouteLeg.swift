public import Routing

/// The part of a route that leads to one destination (`GMSRouteLeg`).
public struct RouteLeg: Hashable, Sendable {
    /// Destination at which the leg ends.
    public let destination: NavigationWaypoint
    /// Start of the leg, in metres along the whole route's line.
    public let startMeters: Double
    /// End of the leg, in metres along the whole route's line.
    public let endMeters: Double
    /// Distance according to the router, in metres. It may differ a little from the length of the line.
    public let distanceMeters: Double
    /// Time of the leg's start, in seconds after the start of the route.
    public let startSeconds: Double
    /// Time of the leg's end, in seconds after the start of the route.
    public let endSeconds: Double
    /// Duration of the leg without traffic, in seconds; nil if the router does not know the traffic.
    public let freeFlowSeconds: Double?
    /// The leg's manoeuvres in driving order. Their offsets and lengths are in metres along the whole route's line. Empty if the router
    /// gave no manoeuvres.
    public let steps: [RouteStep]

    /// Length of the leg's line, in metres.
    public var lineLengthMeters: Double { endMeters - startMeters }
    /// Seconds from the leg's start to its end.
    public var durationSeconds: Double { endSeconds - startSeconds }

    /// Returns the index of the first step that begins after a point on the line; the number of steps if there is no such step.
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
