import Glibc

/// A place on the Web Mercator square: `x` runs east and `y` south; the whole world is 0...1.
@frozen
public struct MercatorPoint: Hashable, Sendable {
    /// 0 at 180° west, 1 at 180° east.
    public var x: Double
    /// 0 at the northern edge, 1 at the southern one.
    public var y: Double

    /// A place with given values, unchecked; they may lie outside the square.
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

    /// The place of `coordinate` on the square. Latitudes beyond `maximumLatitude` are clamped to it. Longitudes are not wrapped, so 190°
    /// lies to the right of the square.
    public static func project(_ coordinate: Coordinate) -> MercatorPoint {
        let latitude = min(maximumLatitude, max(-maximumLatitude, coordinate.latitude))
        let sine = sin(latitude * Ellipsoid.radiansPerDegree)
        let y = 0.5 - log((1 + sine) / (1 - sine)) / (4 * Double.pi)
        return MercatorPoint(x: coordinate.longitude / 360 + 0.5, y: min(1, max(0, y)))
    }

    /// The coordinate of `point`; `x` is wrapped and `y` clamped to the square.
    public static func unproject(_ point: MercatorPoint) -> Coordinate {
        let y = min(1, max(0, point.y))
        let latitude = atan(sinh((0.5 - y) * 2 * Double.pi)) / Ellipsoid.radiansPerDegree
        return Coordinate(latitude: latitude, longitude: Coordinate.wrappedLongitude((point.x - 0.5) * 360))
    }

    /// Side length of the square in metres on the ground at a latitude, on the projection's own sphere (within 0.7 % of the ellipsoid).
    public static func metersPerUnit(atLatitude latitude: Double) -> Double {
        2 * Double.pi * Ellipsoid.semiMajorMeters * cos(Coordinate.clampedLatitude(latitude) * Ellipsoid.radiansPerDegree)
    }
}
