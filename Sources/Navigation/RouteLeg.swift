public import Routing

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
