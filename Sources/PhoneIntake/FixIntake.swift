import FleetEngine
import FoundationEssentials
import Geo

/// The figures of a fix as an app sends them, absent ones nil.
struct RawFix {
    var latitude: Double?
    var longitude: Double?
    var time: RawTime?
    /// Negative ones say that it is not known.
    var speed: Double?
    var speedUnit = SpeedUnit.metersPerSecond
    /// Negative ones say that it is not known.
    var bearing: Double?
    var accuracy: Double?
    var altitude: Double?
    var navigation: PhoneNavigation?
}

/// A request that is not a message of the app.
struct UnreadablePost: Error {}

/// Turns what an app sends into fixes, and counts what it leaves out. A figure that cannot be is no figure; a place or a time that cannot
/// be is no fix.
struct FixIntake {
    /// No car is faster.
    static let fastestMetersPerSecond = 200.0
    private static let earliest = Date(timeIntervalSince1970: 946_684_800)
    private static let clockErrorSeconds = 60.0
    private static let rolloverRounds = [1.0, 2]
    private static let rolloverSeconds = 1_024 * 7 * 86_400.0
    /// A fix of a round before that is sent later than this is one of that time.
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

    /// The weeks of GPS are counted to 1,024, and old receivers take a later round for one before.
    private func sinceRollover(_ time: Date) -> Date {
        let rounds = Self.rolloverRounds.map { time.addingTimeInterval($0 * Self.rolloverSeconds) }
        return rounds.first { (-Self.rolloverLateSeconds...Self.clockErrorSeconds).contains($0.timeIntervalSince(now)) } ?? time
    }
}

/// A time as an app sends it.
enum RawTime {
    case number(Double)
    case text(String)

    /// Whole seconds up to the year 2038 are seconds, as for Traccar; what is larger is milliseconds. Nil for what is no time.
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
    /// Without white space at its ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[first...last])
    }
}

extension Double? {
    /// The figure where it is within the range; NaN never is.
    func within(_ range: ClosedRange<Double>) -> Double? { flatMap { range.contains($0) ? $0 : nil } }
}
