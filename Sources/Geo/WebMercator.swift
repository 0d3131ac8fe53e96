import Glibc

/// A point on the Web Mercator square. `x` increases to the east and `y` to the south; both are 0...1 within the world.
@frozen
public struct MercatorPoint: Hashable, Sendable {
    /// Distance from the western edge: 0 at 180° west, 1 at 180° east.
    public var x: Double
    /// Distance from the northern edge: 0 at that edge, 1 at the southern edge.
    public var y: Double

    /// Creates a point with given values, without checks. They may be outside the square.
    @inlinable
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The projection of web maps (EPSG:3857), on a square of side 1.
public enum WebMercator {
    /// Latitude of the square's edges, in degrees north and south: atan(sinh(π)).
    public static let maximumLatitude = 85.0511287798066

    /// Returns the point for `coordinate`. Latitudes beyond `maximumLatitude` are clamped to it. Longitudes are not wrapped, so 190° is to
    /// the right of the square.
    public static func project(_ coordinate: Coordinate) -> MercatorPoint {
        let latitude = min(maximumLatitude, max(-maximumLatitude, coordinate.latitude))
        let sine = sin(latitude * Ellipsoid.radiansPerDegree)
        let y = 0.5 - log((1 + sine) / (1 - sine)) / (4 * Double.pi)
        return MercatorPoint(x: coordinate.longitude / 360 + 0.5, y: min(1, max(0, y)))
    }

    /// Returns the coordinate for `point`. `x` is wrapped, and `y` is clamped to the square.
    public static func unproject(_ point: MercatorPoint) -> Coordinate {
        let y = min(1, max(0, point.y))
        let latitude = atan(sinh((0.5 - y) * 2 * Double.pi)) / Ellipsoid.radiansPerDegree
        return Coordinate(latitude: latitude, longitude: Coordinate.wrappedLongitude((point.x - 0.5) * 360))
    }

    /// Returns the side length of the square at a latitude, in metres on the ground. It is computed on the projection's own sphere (within
    /// 0.7 % of the ellipsoid).
    public static func metersPerUnit(atLatitude latitude: Double) -> Double {
        2 * Double.pi * Ellipsoid.semiMajorMeters * cos(Coordinate.clampedLatitude(latitude) * Ellipsoid.radiansPerDegree)
    }
}
