import FleetEngine
import FoundationEssentials
import Geo

/// The values of a fix as an app sent them; nil for a value that the app did not send.
struct RawFix {
    var latitude: Double?
    var longitude: Double?
    var time: RawTime?
    /// Speed, in `speedUnit`; negative if it is unknown.
    var speed: Double?
    var speedUnit = SpeedUnit.metersPerSecond
    /// Course, in degrees; negative if it is unknown.
    var bearing: Double?
    var accuracy: Double?
    var altitude: Double?
    var navigation: PhoneNavigation?
}

/// An error: the request is not a message of the app.
struct UnreadablePost: Error {}

/// Converts an app's message into fixes, and counts the parts that are left out. An impossible value becomes nil. A fix whose
/// position or time is impossible is left out.
struct FixIntake {
    /// Speed that no car exceeds, in metres per second.
    static let fastestMetersPerSecond = 200.0
    private static let earliest = Date(timeIntervalSince1970: 946_684_800)
    private static let clockErrorSeconds = 60.0
    private static let rolloverRounds = [1.0, 2]
    private static let rolloverSeconds = 1_024 * 7 * 86_400.0
    /// Maximum age of a fix whose time has been corrected for a rollover, in seconds. A fix that would be older is not corrected.
    private static let rolloverLateSeconds = 30 * 86_400.0

    let now: Date
    var post = PhonePost()

    init(now: Date) { self.now = now }

    mutating func add(_ raw: RawFix) {
        guard let latitude = raw.latitude, let longitude = raw.longitude else { return post.omit(.noPlace) }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        guard coordinate.isValid else { return post.omit(.place) }
        guard coordinate.isBelievablePosition else { return post.omit(.zeroPlace) }
        guard let time = (raw.time.map(\.date) ?? now).map(sinceRollover) else { return post.omit(.time) }
        let ahead = time.timeIntervalSince(now)
        guard time >= Self.earliest, ahead <= Self.clockErrorSeconds else {
            post.clockAheadSeconds = Int(ahead.rounded())
            return post.omit(ahead < 0 ? .time : .future)
        }
        var fix = PhoneFix(coordinate: coordinate, time: time)
        fix.speedMetersPerSecond = raw.speed.map { $0 * raw.speedUnit.rawValue }.within(0...Self.fastestMetersPerSecond)
        fix.bearingDegrees = raw.bearing.within(0...360).map { $0 < 360 ? $0 : 0 }
        fix.accuracyMeters = raw.accuracy.within(0...100_000).flatMap { $0 > 0 ? $0 : nil }
        fix.altitudeMeters = raw.altitude.within(-1_000...20_000)
        fix.navigation = raw.navigation
        post.fixes.append(fix)
    }

    /// Corrects a time that is 1,024 or 2,048 weeks too early. Old receivers report such times, because GPS counts weeks modulo
    /// 1,024.
    private func sinceRollover(_ time: Date) -> Date {
        let rounds = Self.rolloverRounds.map { time.addingTimeInterval($0 * Self.rolloverSeconds) }
        return rounds.first { (-Self.rolloverLateSeconds...Self.clockErrorSeconds).contains($0.timeIntervalSince(now)) } ?? time
    }
}

/// A time as an app has sent it.
enum RawTime {
    case number(Double)
    case text(String)

    /// The date; nil for an invalid time. As in Traccar, numbers below 2^31 are seconds (times until January 2038), and larger ones are
    /// milliseconds.
    var date: Date? {
        switch self {
        case .number(let number):
            guard number.isFinite, abs(number) < 1e15 else { return nil }
            return Date(timeIntervalSince1970: number < 2_147_483_648 ? number : number / 1_000)
        case .text(let text):
            if let number = Double(written: text) { return RawTime.number(number).date }
            guard let moment = MomentText(text.trimmed, .phone) else { return nil }
            return Date(timeIntervalSince1970: Double(moment.seconds) + Double(moment.nanoseconds) * 1e-9)
        }
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[first...last])
    }
}

extension Double? {
    /// Returns this number if it is within the range; otherwise nil, also for NaN.
    func within(_ range: ClosedRange<Double>) -> Double? { flatMap { range.contains($0) ? $0 : nil } }
}
