package import FleetEngine
package import FleetEngineAPI
package import FoundationEssentials
package import Geo
package import SwiftProtobuf

// Numbers from the wire are accepted only within plausible ranges. An impossible number is read as unknown.

/// The plausible ranges. They are the same for messages from the wire and from logs.
enum Plausible {
    static let meters = 0.0...20_100_000
    static let metersPerSecond = 0.0...150.0
    static let accuracyMeters = 0.0...1_000_000
    static let altitudeMeters = -12_000.0...20_000
    /// The years 1970 to 9999, in seconds since 1970.
    static let seconds: ClosedRange<Int64> = 0...253_402_300_799
    /// Ten years, in seconds.
    static let durationSeconds = 315_360_000.0
}

extension Coordinate {
    /// Creates the coordinate; nil unless it is a valid position on earth.
    package init?(_ wire: WireLatLng) {
        self = wire.coordinate
        guard isValid else { return nil }
    }
}

extension WireLatLng {
    package init(_ coordinate: Coordinate) {
        self.init()
        latitude = coordinate.latitude
        longitude = coordinate.longitude
    }

    /// The coordinate as received. It may be invalid.
    package var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

extension Google_Protobuf_Timestamp {
    /// The values of `seconds` that a timestamp may have: years 1 to 9999.
    fileprivate static let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Creates a timestamp from a moment, rounded to microseconds, which is the precision of a `Date`. A moment outside the years 1 to 9999
    /// becomes the nearest moment in this range. A moment that is not finite becomes 1970.
    package init(moment: Date) {
        self.init(microsecondsSince1970: moment.microsecondsSince1970)
    }

    package init(microsecondsSince1970 microseconds: Int64) {
        self.init()
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        seconds = remainder < 0 ? quotient - 1 : quotient
        nanos = Int32(truncatingIfNeeded: (remainder < 0 ? remainder + 1_000_000 : remainder) * 1_000)
    }

    package init(_ version: DataVersion) {
        self.init()
        seconds = version.seconds
        nanos = version.nanoseconds
    }

    package var isInRange: Bool { Self.secondsRange.contains(seconds) && (0..<1_000_000_000).contains(nanos) }

    /// The moment as received. It may be outside the valid range.
    package var moment: Date {
        // The sum is relative to 2001, as in a `Date`, so that no precision is lost.
        Date(timeIntervalSinceReferenceDate: Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate + Double(nanos) * 1e-9)
    }

    /// The moment if it is in the years 1970 to 9999; otherwise nil.
    package var plausibleDate: Date? { Plausible.seconds.contains(seconds) && isInRange ? moment : nil }

    package var version: DataVersion { DataVersion(seconds: seconds, nanoseconds: nanos) }
}

extension Date {
    /// The number of microseconds since 1970, clamped to the years 1 to 9999; 0 if the date is not finite.
    package var microsecondsSince1970: Int64 {
        let seconds = timeIntervalSince1970, range = Google_Protobuf_Timestamp.secondsRange
        guard seconds.isFinite else { return 0 }
        return Int64((min(max(seconds, Double(range.lowerBound)), Double(range.upperBound)) * 1e6).rounded())
    }

    /// Whether the time would be accepted when it is read from a message.
    var isPlausible: Bool {
        let range = Plausible.seconds
        return Double(range.lowerBound) <= timeIntervalSince1970 && timeIntervalSince1970 <= Double(range.upperBound)
    }
}

extension Google_Protobuf_Duration {
    /// Creates a duration from seconds, rounded to microseconds and limited to ±10,000 years. Not-a-number becomes 0.
    package init(lengthSeconds: Double) {
        self.init()
        let limited = lengthSeconds.isNaN ? 0 : min(max(lengthSeconds, -315_576_000_000), 315_576_000_000)
        let (quotient, remainder) = Int64((limited * 1e6).rounded()).quotientAndRemainder(dividingBy: 1_000_000)
        seconds = quotient
        nanos = Int32(truncatingIfNeeded: remainder * 1_000)
    }

    package var lengthSeconds: Double { Double(seconds) + Double(nanos) * 1e-9 }

    /// The duration, in seconds; nil unless it is between −10 and +10 years.
    var plausibleSeconds: Double? { abs(lengthSeconds) < Plausible.durationSeconds ? lengthSeconds : nil }
}

extension Google_Protobuf_Int32Value {
    /// Creates the nearest whole number, clamped to the type's range; not-a-number becomes 0.
    package init(rounding number: Double) { self.init(Int32(rounding: number)) }
}

extension Int32 {
    /// Creates the nearest whole number, clamped to the type's range; not-a-number becomes 0.
    package init(rounding number: Double) {
        self.init(clamping: Int64(Swift.min(Swift.max(number.isNaN ? 0 : number, -1e10), 1e10).rounded()))
    }
}

extension Double {
    /// Returns the number; nil unless it is finite and inside `range`.
    func plausible(in range: ClosedRange<Double>) -> Double? { isFinite && range.contains(self) ? self : nil }
}
