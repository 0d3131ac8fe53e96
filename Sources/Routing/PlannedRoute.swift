public import Geo

/// A destination of a route.
public struct NavigationWaypoint: Hashable, Sendable {
    /// Title to show to users; may be empty.
    public var title: String
    /// Location of the destination.
    public var coordinate: Coordinate

    /// Creates a destination at `coordinate`, without a title unless one is given.
    public init(title: String = "", coordinate: Coordinate) {
        self.title = title
        self.coordinate = coordinate
    }
}

/// One leg of a router's answer, with the length and times that the router reports.
public struct RouterLeg: Hashable, Sendable {
    /// Path of the leg in driving order, from the previous destination or the origin.
    public var path: [Coordinate]
    /// Destination at which the leg ends.
    public var destination: NavigationWaypoint
    /// Length that the router reports, in metres; nil means the length of the path.
    public var distanceMeters: Double?
    /// Duration that the router reports, in seconds.
    public var durationSeconds: Double
    /// Duration of each segment of `path`, in seconds; empty if unknown.
    public var segmentSeconds: [Double]
    /// Duration without traffic, in seconds. Nil if the router has no traffic data; `durationSeconds` may then ignore traffic.
    public var freeFlowSeconds: Double?
    /// Stretches with speed limits in driving order, without overlaps. Outside these stretches, the limit is unknown.
    public var speedLimits: [SpeedLimitStretch]
    /// The manoeuvres of the leg in driving order; empty if the router gave none.
    public var steps: [RouteStep]

    /// Creates a leg without checks. `PlannedRoute` refuses values that contradict each other.
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

    /// Length that the router reports, or else the length of the path, in metres.
    public var lengthMeters: Double { distanceMeters ?? Polyline(path).lengthMeters }

    /// Creates a leg along a path with the same speed everywhere.
    init(path: [Coordinate], destination: NavigationWaypoint, metersPerSecond speed: Double) {
        let meters = Polyline(path).cumulativeMeters
        let seconds = zip(meters, meters.dropFirst()).map { ($1 - $0) / speed }
        // If the polyline leaves out coordinates, its distances do not match the path.
        let fits = meters.count == path.count
        self.init(
            path: path, destination: destination, durationSeconds: seconds.reduce(0, +), segmentSeconds: fits ? seconds : [])
    }
}

/// A drivable route from a router.
public struct PlannedRoute: Hashable, Sendable {
    /// Maximum number of coordinates.
    public static let maximumCoordinates = 500_000
    /// Largest distance or duration, in metres or seconds: longer than any drive, and small enough that sums stay exact.
    private static let largestFigure = 1e9

    /// Name of the router that planned the route.
    public let planner: String
    /// The legs of the route: at least one. Each leg has at least one coordinate, and all its values are valid.
    public let legs: [RouterLeg]

    /// - Throws: `RouteError` for a route without legs or coordinates, with more than `maximumCoordinates`, with invalid values, or with a
    ///   wrong number of segment durations.
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
