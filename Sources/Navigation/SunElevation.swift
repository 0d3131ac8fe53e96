import FoundationEssentials
import Geo
import Glibc

/// Computes the elevation of the sun without refraction, with the equations of the National Oceanic and Atmospheric Administration's solar
/// calculator (Meeus, Astronomical Algorithms). From 1900 to 2100 they are accurate to a few hundredths of a degree.
enum SunElevation {
    private static let degree = Double.pi / 180

    private static func sine(_ degrees: Double) -> Double { sin(degrees * degree) }

    private static func cosine(_ degrees: Double) -> Double { cos(degrees * degree) }

    /// Returns the sun's elevation in degrees above the horizon, -90...90; NaN for an invalid coordinate or date.
    static func degrees(at place: Coordinate, on date: Date) -> Double {
        let seconds = date.timeIntervalSince1970
        let sun = sun(centuries: (seconds / 86_400 + 2_440_587.5 - 2_451_545) / 36_525)
        let minutes = seconds.truncatingRemainder(dividingBy: 86_400) / 60 + sun.equationOfTimeMinutes + 4 * place.longitude
        let hourAngle = minutes / 4 - 180
        let height =
            sine(place.latitude) * sine(sun.declination) + cosine(place.latitude) * cosine(sun.declination) * cosine(hourAngle)
        return asin(min(1, max(-1, height))) / degree
    }

    /// - Parameter centuries: centuries of 36,525 days since 2000-01-01 12:00.
    private static func sun(centuries t: Double) -> (declination: Double, equationOfTimeMinutes: Double) {
        let longitude = 280.46646 + t * (36_000.76983 + t * 0.0003032)
        let anomaly = 357.52911 + t * (35_999.05029 - 0.0001537 * t)
        let eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t)
        let centre =
            sine(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t)) + sine(2 * anomaly) * (0.019993 - 0.000101 * t)
            + sine(3 * anomaly) * 0.000289
        let node = 125.04 - 1_934.136 * t
        let apparent = longitude + centre - 0.00569 - 0.00478 * sine(node)
        let obliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60 + 0.00256 * cosine(node)
        let declination = asin(sine(obliquity) * sine(apparent)) / degree
        let y = pow(tan(obliquity * degree / 2), 2)
        let equation =
            y * sine(2 * longitude) - 2 * eccentricity * sine(anomaly) + 4 * eccentricity * y * sine(anomaly) * cosine(2 * longitude)
            - 0.5 * y * y * sine(4 * longitude) - 1.25 * eccentricity * eccentricity * sine(2 * anomaly)
        return (declination, 4 * equation / degree)
    }
}

/// The set of colours of a map (`GMSNavigationLightingMode`).
public enum LightingMode: Hashable, Sendable {
    /// The colours for the day.
    case normal
    /// The colours for the night.
    case lowLight
}

/// Suggests the lighting of the map from the sun's elevation at the vehicle.
///
/// The elevation is that of the sun's centre, without refraction. Low light begins below -0.833°: with refraction, the sun's upper edge has
/// then set. Normal light begins above 0.5°. The two limits differ so that the suggestion does not flicker.
struct LightingAdvisor: Hashable, Sendable {
    static let lowLightDegrees = -0.833
    static let normalDegrees = 0.5
    /// Seconds between two computations of the elevation.
    static let intervalSeconds = 60.0

    private(set) var mode = LightingMode.normal
    private var lookedAt: Date?

    /// - Returns: the new mode, or nil if it has not changed.
    mutating func look(from place: Coordinate, at now: Date) -> LightingMode? {
        if let lookedAt, abs(now.timeIntervalSince(lookedAt)) < Self.intervalSeconds { return nil }
        lookedAt = now
        let elevation = SunElevation.degrees(at: place, on: now)
        let before = mode
        if elevation < Self.lowLightDegrees { mode = .lowLight }
        if elevation > Self.normalDegrees { mode = .normal }
        return mode == before ? nil : mode
    }
}
