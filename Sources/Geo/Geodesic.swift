import Glibc

/// Lengths and directions of the shortest line between two locations on the ellipsoid.
enum Geodesic {
    /// A line that is short enough for the mid-latitude formula. Its components to the east and north are computed at its middle.
    private struct ShortLine {
        var eastMeters: Double
        var northMeters: Double
        var lengthMeters: Double
        /// Convergence of the meridians at both ends, in radians.
        var convergence: Double
    }

    /// Largest difference in latitude for the mid-latitude formula, about 30 km. Together with the next limit, it covers all pairs up to 20
    /// km apart at latitudes up to 85°.
    private static let shortLatitudeDegrees = 0.27
    private static let shortLongitudeDegrees = 2.1

    static func distanceMeters(from: Coordinate, to: Coordinate) -> Double {
        if let line = shortLine(from: from, to: to) { return line.lengthMeters }
        return vincenty(from: from, to: to)?.lengthMeters ?? greatCircleMeters(from: from, to: to)
    }

    static func bearingDegrees(from: Coordinate, to: Coordinate) -> Double {
        guard from != to else { return 0 }
        let radians: Double
        if let line = shortLine(from: from, to: to) {
            radians = atan2(line.eastMeters, line.northMeters) - line.convergence / 2
        } else {
            radians = vincenty(from: from, to: to)?.azimuth ?? greatCircleAzimuth(from: from, to: to)
        }
        return normalizedBearing(radians / Ellipsoid.radiansPerDegree)
    }

    /// Wraps degrees into [0, 360).
    static func normalizedBearing(_ degrees: Double) -> Double {
        let remainder = degrees.truncatingRemainder(dividingBy: 360)
        let positive = remainder < 0 ? remainder + 360 : remainder
        return positive < 360 ? positive : 0
    }

    /// Returns the line on the tangent plane at the middle latitude; nil if it is too long for the mid-latitude formula. The length has the
    /// second-order terms of a sphere: sin²(σ/2) = sin²(Δφ/2)·cos²(Δλ/2) + cos²φm·sin²(Δλ/2), both sides expanded to fourth order.
    private static func shortLine(from: Coordinate, to: Coordinate) -> ShortLine? {
        let latitudeDegrees = to.latitude - from.latitude
        let longitudeDegrees = Coordinate.wrappedLongitude(to.longitude - from.longitude)
        guard abs(latitudeDegrees) < shortLatitudeDegrees, abs(longitudeDegrees) < shortLongitudeDegrees else { return nil }
        let middle = (from.latitude + to.latitude) / 2 * Ellipsoid.radiansPerDegree
        let sine = sin(middle)
        let cosine = cos(middle)
        let (meridian, parallel) = Ellipsoid.radiiMeters(sine: sine, cosine: cosine)
        let longitude = longitudeDegrees * Ellipsoid.radiansPerDegree
        let north = meridian * latitudeDegrees * Ellipsoid.radiansPerDegree
        let east = parallel * longitude
        let bend = longitude * longitude / 12
        let squared = north * north * (1 - bend * (3 - 2 * cosine * cosine)) + east * east * (1 - bend * sine * sine)
        return ShortLine(
            eastMeters: east, northMeters: north, lengthMeters: max(0, squared).squareRoot(), convergence: longitude * sine)
    }
}

// MARK: - Long lines

extension Geodesic {
    /// Computes the length and the azimuth of the line. Nil if the iteration does not converge, as happens for nearly antipodal locations.
    /// Source: T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid with application of nested equations", Survey
    /// Review XXIII/176, 1975.
    private static func vincenty(from: Coordinate, to: Coordinate) -> (lengthMeters: Double, azimuth: Double)? {
        let flattening = Ellipsoid.flattening
        let longitude = Coordinate.wrappedLongitude(to.longitude - from.longitude) * Ellipsoid.radiansPerDegree
        let (sine1, cosine1) = reducedLatitude(from.latitude)
        let (sine2, cosine2) = reducedLatitude(to.latitude)
        var lambda = longitude
        for _ in 0..<40 {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            let across = cosine2 * sinLambda
            let ahead = cosine1 * sine2 - sine1 * cosine2 * cosLambda
            let sinSigma = (across * across + ahead * ahead).squareRoot()
            let cosSigma = sine1 * sine2 + cosine1 * cosine2 * cosLambda
            guard sinSigma > 0 else { return cosSigma > 0 ? (0, 0) : nil }
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cosine1 * across / sinSigma
            let cosSquaredAlpha = 1 - sinAlpha * sinAlpha
            let cosTwoMiddle = cosSquaredAlpha > 1e-16 ? cosSigma - 2 * sine1 * sine2 / cosSquaredAlpha : 0
            let c = flattening / 16 * cosSquaredAlpha * (4 + flattening * (4 - 3 * cosSquaredAlpha))
            let correction = cosTwoMiddle + c * cosSigma * (2 * cosTwoMiddle * cosTwoMiddle - 1)
            let next = longitude + (1 - c) * flattening * sinAlpha * (sigma + c * sinSigma * correction)
            guard abs(next) <= Double.pi else { return nil }
            if abs(next - lambda) < 1e-12 {
                let length = arcMeters(
                    sigma: sigma, sinSigma: sinSigma, cosSigma: cosSigma, cosTwoMiddle: cosTwoMiddle, cosSquaredAlpha: cosSquaredAlpha)
                return (length, atan2(across, ahead))
            }
            lambda = next
        }
        return nil
    }

    /// Returns the length on the ellipsoid, metres, of the arc `sigma` on Vincenty's auxiliary sphere.
    private static func arcMeters(
        sigma: Double, sinSigma: Double, cosSigma: Double, cosTwoMiddle: Double, cosSquaredAlpha: Double
    ) -> Double {
        let (a, b) = (Ellipsoid.semiMajorMeters, Ellipsoid.semiMinorMeters)
        let uSquared = cosSquaredAlpha * (a * a - b * b) / (b * b)
        let bigA = 1 + uSquared / 16384 * (4096 + uSquared * (-768 + uSquared * (320 - 175 * uSquared)))
        let bigB = uSquared / 1024 * (256 + uSquared * (-128 + uSquared * (74 - 47 * uSquared)))
        let middleSquared = cosTwoMiddle * cosTwoMiddle
        let outer = cosSigma * (2 * middleSquared - 1)
        let inner = bigB / 6 * cosTwoMiddle * (4 * sinSigma * sinSigma - 3) * (4 * middleSquared - 3)
        let deltaSigma = bigB * sinSigma * (cosTwoMiddle + bigB / 4 * (outer - inner))
        return b * bigA * (sigma - deltaSigma)
    }

    private static func reducedLatitude(_ degrees: Double) -> (sine: Double, cosine: Double) {
        let reduced = atan((1 - Ellipsoid.flattening) * tan(degrees * Ellipsoid.radiansPerDegree))
        return (sin(reduced), cos(reduced))
    }

    private static func greatCircleMeters(from: Coordinate, to: Coordinate) -> Double {
        let radians = Ellipsoid.radiansPerDegree
        let sinLatitude = sin((to.latitude - from.latitude) / 2 * radians)
        let sinLongitude = sin((to.longitude - from.longitude) / 2 * radians)
        let cosines = cos(from.latitude * radians) * cos(to.latitude * radians)
        let haversine = sinLatitude * sinLatitude + cosines * sinLongitude * sinLongitude
        return 2 * Ellipsoid.meanRadiusMeters * atan2(haversine.squareRoot(), max(0, 1 - haversine).squareRoot())
    }

    private static func greatCircleAzimuth(from: Coordinate, to: Coordinate) -> Double {
        let radians = Ellipsoid.radiansPerDegree
        let (latitude1, latitude2) = (from.latitude * radians, to.latitude * radians)
        let longitude = (to.longitude - from.longitude) * radians
        return atan2(
            sin(longitude) * cos(latitude2),
            cos(latitude1) * sin(latitude2) - sin(latitude1) * cos(latitude2) * cos(longitude))
    }
}
