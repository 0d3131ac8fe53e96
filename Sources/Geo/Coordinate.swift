/// A location on the WGS84 ellipsoid, in degrees.
@frozen
public struct Coordinate: Hashable, Sendable, Codable {
    /// Degrees north of the equator, -90...90.
    public var latitude: Double
    /// Degrees east of Greenwich, -180...180.
    public var longitude: Double

    /// Creates a coordinate without checks. `isValid` says whether the degrees are in range.
    @inlinable
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether both numbers are finite and in range: |latitude| ≤ 90, |longitude| ≤ 180.
    @inlinable
    public var isValid: Bool {
        abs(latitude) <= 90 && abs(longitude) <= 180
    }

    /// Whether this can be the true position of a device: the coordinate is valid, and not exactly 0,0. Some devices report 0,0 if they
    /// have no fix.
    @inlinable
    public var isBelievablePosition: Bool {
        isValid && (latitude != 0 || longitude != 0)
    }
}

extension Coordinate {
    /// Returns the distance along the ellipsoid to `other`, in metres. NaN if a coordinate is not finite.
    ///
    /// If the latitudes differ by less than 0.27° and the longitudes by less than 2.1°, a mid-latitude formula with local radii of
    /// curvature is used. Otherwise, Vincenty's inverse solution is used. The relative error of both is at most 1e-7. For nearly
    /// antipodal pairs, Vincenty's iteration does not converge. The result is then the great-circle distance on the mean sphere
    /// (within 0.6 %).
    public func distanceMeters(to other: Coordinate) -> Double {
        Geodesic.distanceMeters(from: self, to: other)
    }

    /// Returns the initial direction of the shortest line to `other`, degrees clockwise from north, in [0, 360). The direction is 0 if
    /// `other` is the same location. The result is within 0.004° of the geodesic's azimuth, except for nearly antipodal locations.
    public func bearingDegrees(to other: Coordinate) -> Double {
        Geodesic.bearingDegrees(from: self, to: other)
    }

    /// Returns the location `eastMeters` east and `northMeters` north of this one, on the tangent plane. Use it for up to a few
    /// tens of kilometres. The latitude is clamped at the poles, and the longitude is wrapped. An offset that is not finite is
    /// ignored.
    public func offset(eastMeters: Double, northMeters: Double) -> Coordinate {
        guard eastMeters.isFinite, northMeters.isFinite else { return self }
        let northDegrees = northMeters / LocalFrame(latitude: latitude).metersPerDegreeLatitude
        let roughMiddle = Self.clampedLatitude(latitude + northDegrees / 2)
        let newLatitude = Self.clampedLatitude(latitude + northMeters / LocalFrame(latitude: roughMiddle).metersPerDegreeLatitude)
        let scale = LocalFrame(latitude: (latitude + newLatitude) / 2).metersPerDegreeLongitude
        let eastDegrees = scale > 0 ? eastMeters / scale : 0
        return Coordinate(latitude: newLatitude, longitude: Self.wrappedLongitude(longitude + eastDegrees))
    }

    /// Wraps a longitude, or a difference of two longitudes, into -180...180. Both 180 and -180 are kept.
    @inlinable
    public static func wrappedLongitude(_ degrees: Double) -> Double {
        abs(degrees) <= 180 ? degrees : degrees.remainder(dividingBy: 360)
    }

    @inlinable
    static func clampedLatitude(_ degrees: Double) -> Double {
        min(90, max(-90, degrees))
    }

    /// Returns the location at a fraction of the line to `other`. Latitude and longitude are interpolated linearly, the short way round, as
    /// along a segment of a `Polyline`. `fraction` is clamped to 0...1.
    @inlinable
    public func interpolated(to other: Coordinate, fraction: Double) -> Coordinate {
        guard fraction > 0 else { return self }
        guard fraction < 1 else { return other }
        let east = Self.wrappedLongitude(other.longitude - longitude)
        return Coordinate(
            latitude: latitude + (other.latitude - latitude) * fraction,
            longitude: Self.wrappedLongitude(longitude + east * fraction))
    }
}
