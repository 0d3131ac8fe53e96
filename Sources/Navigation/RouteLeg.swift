public import Geo

/// A destination.
public struct NavigationWaypoint: Hashable, Sendable {
    /// For people; may be empty.
    public var title: String
    public var coordinate: Coordinate

    public init(title: String = "", coordinate: Coordinate) {
        self.title = title
        self.coordinate = coordinate
    }
}

/// How fast one may drive on a segment.
public enum SpeedLimit: Hashable, Sendable {
    case unknown
    /// A road without a limit.
    case unlimited
    case metersPerSecond(Double)

    public static func kilometersPerHour(_ speed: Double) -> SpeedLimit { .metersPerSecond(speed / 3.6) }
    /// One international mile is 1,609.344 m.
    public static func milesPerHour(_ speed: Double) -> SpeedLimit { .metersPerSecond(speed * 1_609.344 / 3_600) }
}

/// Traffic on a part of a line that is slower than normal, in metres along it: `offsetMeters ..< offsetMeters + lengthMeters`.
public struct TrafficStretch: Hashable, Sendable {
    public enum Style: Int, Hashable, Sendable, Comparable, CaseIterable {
        case slower
        case jam

        public static func < (left: Style, right: Style) -> Bool { left.rawValue < right.rawValue }
    }

    public var style: Style
    public var offsetMeters: Double
    public var lengthMeters: Double

    public init(style: Style, offsetMeters: Double, lengthMeters: Double) {
        self.style = style
        self.offsetMeters = offsetMeters
        self.lengthMeters = lengthMeters
    }

    var endMeters: Double { offsetMeters + lengthMeters }
}

/// One manoeuvre and the road after it, as a router gives it.
public struct RouterStep: Hashable, Sendable {
    public var streetName: String
    public var instruction: String
    public var distanceMeters: Double
    public var durationSeconds: Double

    public init(streetName: String, instruction: String = "", distanceMeters: Double, durationSeconds: Double) {
        self.streetName = streetName
        self.instruction = instruction
        self.distanceMeters = distanceMeters
        self.durationSeconds = durationSeconds
    }
}

/// One leg of a router's answer. The figures are the router's own; `NavigationRoute` fits them to the line.
public struct RouterLeg: Hashable, Sendable {
    public var path: [Coordinate]
    public var destination: NavigationWaypoint
    /// The router's length, metres; nil takes the line's.
    public var distanceMeters: Double?
    public var durationSeconds: Double
    /// Seconds for each segment of `path`; empty when unknown.
    public var segmentSeconds: [Double]
    /// For each segment of `path`; empty when unknown.
    public var speedLimits: [SpeedLimit]
    public var steps: [RouterStep]
    /// In metres along `path`.
    public var traffic: [TrafficStretch]

    public init(
        path: [Coordinate], destination: NavigationWaypoint, distanceMeters: Double? = nil, durationSeconds: Double,
        segmentSeconds: [Double] = [], speedLimits: [SpeedLimit] = [], steps: [RouterStep] = [], traffic: [TrafficStretch] = []
    ) {
        self.path = path
        self.destination = destination
        self.distanceMeters = distanceMeters
        self.durationSeconds = durationSeconds
        self.segmentSeconds = segmentSeconds
        self.speedLimits = speedLimits
        self.steps = steps
        self.traffic = traffic
    }
}

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
