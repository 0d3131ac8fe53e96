import Glibc

/// Converts degrees to metres on the tangent plane of the WGS84 ellipsoid at one latitude.
///
/// For the distance between two locations, use the latitude halfway between them. The relative error is then below 4e-6, for up to
/// 20 km at latitudes up to 70°.
@frozen
public struct LocalFrame: Sendable {
    /// Metres per degree of latitude.
    public let metersPerDegreeLatitude: Double
    /// Metres per degree of longitude; 0 at the poles.
    public let metersPerDegreeLongitude: Double

    /// - Parameter latitude: degrees; clamped to -90...90.
    public init(latitude: Double) {
        let radians = Coordinate.clampedLatitude(latitude) * Ellipsoid.radiansPerDegree
        let (meridian, parallel) = Ellipsoid.radiiMeters(sine: sin(radians), cosine: cos(radians))
        metersPerDegreeLatitude = meridian * Ellipsoid.radiansPerDegree
        metersPerDegreeLongitude = max(0, parallel) * Ellipsoid.radiansPerDegree
    }

    /// Returns the offset of `to` from `from` to the east and north, in metres. The shorter longitude difference is used.
    @inlinable
    public func offsetMeters(from: Coordinate, to: Coordinate) -> (east: Double, north: Double) {
        let east = Coordinate.wrappedLongitude(to.longitude - from.longitude)
        return (east * metersPerDegreeLongitude, (to.latitude - from.latitude) * metersPerDegreeLatitude)
    }
}

/// The WGS84 ellipsoid (NIMA TR8350.2).
enum Ellipsoid {
    static let semiMajorMeters = 6_378_137.0
    static let flattening = 1 / 298.257223563
    static let semiMinorMeters = semiMajorMeters * (1 - flattening)
    static let eccentricitySquared = flattening * (2 - flattening)
    static let meanRadiusMeters = (2 * semiMajorMeters + semiMinorMeters) / 3
    static let radiansPerDegree = Double.pi / 180

    /// Returns the radius of curvature of the meridian, and the radius of the parallel, in metres. The arguments are the sine and cosine of a
    /// geodetic latitude.
    static func radiiMeters(sine: Double, cosine: Double) -> (meridian: Double, parallel: Double) {
        let inverse = 1 / (1 - eccentricitySquared * sine * sine)
        let primeVertical = semiMajorMeters * inverse.squareRoot()
        return (primeVertical * (1 - eccentricitySquared) * inverse, primeVertical * cosine)
    }
}
