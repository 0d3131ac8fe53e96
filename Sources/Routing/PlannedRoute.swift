public import Geo

/// A destination.
public struct NavigationWaypoint: Hashable, Sendable {
    /// For people; may be empty.
    public var title: String
    /// Where the destination is.
    public var coordinate: Coordinate

    /// A destination at `coordinate`, without a title unless one is given.
    public init(title: String = "", coordinate: Coordinate) {
        self.title = title
        self.coordinate = coordinate
    }
}

/// One leg of a router's answer, with the router's own figures.
public struct RouterLeg: Hashable, Sendable {
    /// Where the leg leads, in driving order, from the destination before (or the origin) on.
    public var path: [Coordinate]
    /// Where the leg ends.
    public var destination: NavigationWaypoint
    /// The router's length, metres; nil takes the line's.
    public var distanceMeters: Double?
    /// The router's time for the leg, seconds.
    public var durationSeconds: Double
    /// Seconds for each segment of `path`; empty when unknown.
    public var segmentSeconds: [Double]
    /// The router's time for the leg on free roads, seconds; nil when it knows no traffic. Then `durationSeconds` may leave traffic out.
    public var freeFlowSeconds: Double?
    /// How fast one may drive where, in driving order and without overlaps; what no stretch covers is unknown.
    public var speedLimits: [SpeedLimitStretch]
    /// The leg's manoeuvres in driving order; empty when the router gave none.
    public var steps: [RouteStep]

    /// A leg with these figures, unchecked: `PlannedRoute` refuses what does not fit together.
    public init(
        path: [Coordinate], destination: NavigationWaypoint, distanceMeters: Double? = nil, durationSeconds: Double,
        segmentSeconds: [Double] = [], freeFlowSeconds: Double? = nil, speedLimits: [SpeedLimitStretch] = [], steps: [RouteStep] = []
    ) {
        self.path = path
        self.destination = destination
        self.distanceMeters = distanceMeters
        self.durationSeconds = durationSeconds
        self.segmentSeconds = segmentSeconds
        self.freeFlowSeconds = freeFlowSeconds
        self.speedLimits = speedLimits
        self.steps = steps
    }

    /// The router's length, else the path's, metres.
    public var lengthMeters: Double { distanceMeters ?? Polyline(path).lengthMeters }

    /// A path that is driven at one speed.
    init(path: [Coordinate], destination: NavigationWaypoint, metersPerSecond speed: Double) {
        let meters = Polyline(path).cumulativeMeters
        let seconds = zip(meters, meters.dropFirst()).map { ($1 - $0) / speed }
        // Where places are left out of the line the figures would not fit the path.
        let fits = meters.count == path.count
        self.init(
            path: path, destination: destination, durationSeconds: seconds.reduce(0, +), segmentSeconds: fits ? seconds : [])
    }
}

/// A way that can be driven, as a router found it.
public struct PlannedRoute: Hashable, Sendable {
    /// More than this is no route, 500,000.
    public static let maximumCoordinates = 500_000
    /// Metres or seconds; beyond any drive, and small enough that sums stay exact.
    private static let largestFigure = 1e9

    /// The name of the router that planned it.
    public let planner: String
    /// At least one, each with at least one valid place and figures that fit it.
    public let legs: [RouterLeg]

    /// - Throws: `RouteError` for what cannot be driven: no coordinates, figures that are negative or not numbers, lists that do not fit.
    public init(planner: String, legs: [RouterLeg]) throws(RouteError) {
        guard !legs.isEmpty else { throw .noLegs }
        var count = 0
        for (index, leg) in legs.enumerated() {
            try Self.check(leg, index: index, before: count)
            count += leg.path.count
        }
        self.planner = planner
        self.legs = legs
    }

    private static func check(_ leg: RouterLeg, index: Int, before count: Int) throws(RouteError) {
        guard !leg.path.isEmpty else { throw .emptyPath(leg: index) }
        guard count + leg.path.count <= maximumCoordinates else { throw .tooManyCoordinates(limit: maximumCoordinates) }
        if let bad = leg.path.firstIndex(where: { !$0.isValid }) { throw .invalidCoordinate(leg: index, index: bad) }
        let segments = leg.path.count - 1
        guard leg.segmentSeconds.isEmpty || leg.segmentSeconds.count == segments else { throw .segmentCountMismatch(leg: index) }
        let offsets =
            leg.steps.flatMap { [$0.offsetMeters, $0.lengthMeters] } + leg.speedLimits.flatMap { [$0.offsetMeters, $0.lengthMeters] }
        let figures = [leg.durationSeconds, leg.distanceMeters ?? 0, leg.freeFlowSeconds ?? 0] + leg.segmentSeconds + offsets
        guard figures.allSatisfy({ $0 >= 0 && $0 <= largestFigure }) else { throw .invalidFigure(leg: index) }
    }
}
