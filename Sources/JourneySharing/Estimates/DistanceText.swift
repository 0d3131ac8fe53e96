/// Units of a distance: the three systems of CLDR.
public enum MeasurementSystem: String, CaseIterable, Hashable, Sendable {
    /// Metres and kilometres.
    case metric
    /// Feet and miles.
    case us
    /// Yards and miles.
    case uk

    /// Chooses the system by the region of a POSIX locale such as `en_US.UTF-8`: US units for US, LR and MM; UK units for GB; metric units
    /// for all other regions.
    public init(posixLocale: String) {
        let base = posixLocale.prefix { $0 != "." && $0 != "@" }
        switch base.split(separator: "_").dropFirst().first {
        case "US", "LR", "MM": self = .us
        case "GB": self = .uk
        default: self = .metric
        }
    }
}

/// Text of a distance, rounded to the precision that a rider needs. All views use this rule.
public enum DistanceText {
    private static let metersPerMile = 1_609.344
    private static let metersPerYard = 0.9144
    private static let metersPerFoot = 0.3048

    /// - Parameter meters: negative numbers count as 0, non-finite numbers as unknown.
    public static func text(meters: Double, system: MeasurementSystem = .metric) -> String {
        guard meters.isFinite else { return "?" }
        let meters = max(0, meters)
        switch system {
        case .metric: return metric(meters)
        case .us: return us(meters)
        case .uk: return uk(meters)
        }
    }

    /// Returns the text for a walking distance. Metres below 1 km, and yards below 0.1 mi, are rounded to tens, because small distances
    /// matter more on foot than in a car.
    ///
    /// - Parameter meters: negative numbers count as 0, non-finite numbers as unknown.
    package static func walk(meters: Double, system: MeasurementSystem = .metric) -> String {
        switch system {
        case .metric where meters >= 0 && meters < 995: "\(stepped(meters, 10)) m"
        case .uk where meters >= 0 && meters / metersPerMile < 0.1: "\(stepped(meters / metersPerYard, 10)) yd"
        case .metric, .us, .uk: text(meters: meters, system: system)
        }
    }

    /// Returns the text of the distance to a car, for waiting riders. Below 100 m the text has no number, because riders then look for the
    /// car.
    ///
    /// - Parameter meters: negative numbers count as 0, non-finite numbers as unknown.
    public static func left(meters: Double, system: MeasurementSystem = .metric) -> String {
        isVeryNear(meters: meters) ? "very near" : text(meters: meters, system: system)
    }

    /// Whether ``left(meters:system:)`` describes the car as very near.
    public static func isVeryNear(meters: Double) -> Bool { meters.isFinite && meters < veryNearMeters }

    /// Distance below which a car is very near, in metres.
    private static let veryNearMeters = 100.0

    private static func metric(_ meters: Double) -> String {
        if meters < 25 { return "\(stepped(meters, 5)) m" }
        if meters < 100 { return "\(stepped(meters, 25)) m" }
        if meters < 975 { return "\(stepped(meters, 50)) m" }
        return "\(large(max(1, meters / 1_000))) km"
    }

    private static func us(_ meters: Double) -> String {
        let miles = meters / metersPerMile
        if miles < 0.1 { return "\(stepped(meters / metersPerFoot, 50)) ft" }
        return "\(large(miles)) mi"
    }

    private static func uk(_ meters: Double) -> String {
        let yards = meters / metersPerYard
        if yards < 20 { return "\(stepped(yards, 10)) yd" }
        if yards < 100 { return "\(stepped(yards, 25)) yd" }
        if meters / metersPerMile < 0.1 { return "\(stepped(yards, 50)) yd" }
        return "\(large(meters / metersPerMile)) mi"
    }

    private static func stepped(_ value: Double, _ step: Double) -> Int { Int((value / step).rounded() * step) }

    /// Formats a number with one decimal if it is below 3, and as a whole number otherwise.
    private static func large(_ value: Double) -> String {
        if value >= 2.95 { return "\(Int(min(value, 1e9).rounded()))" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
