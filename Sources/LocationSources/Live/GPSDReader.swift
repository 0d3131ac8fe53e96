import BoundedJSON
import FleetEngine
package import FoundationEssentials
import Geo
package import Navigation

/// Reads gpsd's messages, one per line, in its JSON protocol 3.
package struct GPSDReader: Sendable {
    package enum Message: Hashable, Sendable {
        case version(major: Int)
        case fix(LocationFix)
        /// Number of receivers.
        case devices(Int)
        /// A message without a position.
        case other
    }

    /// Largest difference between a fix's time and the driver's clock at which the fix's time is still used, in seconds.
    static let believedSeconds = 3_600.0
    /// Factor that converts gpsd's error estimates (95 % confidence) to the accuracy of a fix (68 % confidence).
    private static let certainty = 0.5
    /// Time without a fix after which another receiver replaces the receiver in use, in seconds.
    private static let silentSeconds = 10.0

    /// The receiver in use, and the time of its last fix.
    private var device: (path: String, at: Date)?
    /// Time of the last fix, as text from gpsd. gpsd may send a fix twice.
    private var lastTime: String?
    /// Number of unreadable lines since the last readable line.
    package private(set) var unreadableCount = 0

    package init() {}

    /// - Returns: the message; nil for a line that gpsd cannot have sent.
    package mutating func read(_ line: [UInt8], at now: Date) -> Message? {
        guard let body = try? JSONDecoder().decodeBounded(GPSDBody.self, from: Data(line)) else {
            unreadableCount += 1
            return nil
        }
        unreadableCount = 0
        switch body.kind {
        case "VERSION": return .version(major: Int(body.major.map { min(max($0, 0), 1_000) } ?? 0))
        case "TPV": return fix(body, at: now).map { .fix($0) } ?? .other
        case "DEVICES": return .devices(body.deviceCount ?? 0)
        case "DEVICE":
            if body.isGone, body.path == device?.path { device = nil }
            return .other
        default: return .other
        }
    }

    private mutating func fix(_ body: GPSDBody, at now: Date) -> LocationFix? {
        guard let mode = body.mode, mode >= 2, let latitude = body.latitude, let longitude = body.longitude else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        let path = body.device ?? ""
        if let device, device.path != path, now.timeIntervalSince(device.at) < Self.silentSeconds { return nil }
        guard coordinate.isBelievablePosition else { return nil }
        if let time = body.time, time == lastTime, device?.path == path { return nil }
        (lastTime, device) = (body.time, (path, now))
        let moment = body.time.flatMap { MomentText($0) }.map {
            Date(timeIntervalSince1970: Double($0.seconds) + Double($0.nanoseconds) * 1e-9)
        }
        let isBelieved = moment.map { abs($0.timeIntervalSince(now)) <= Self.believedSeconds } ?? false
        var point = TrackPoint()
        (point.latitude, point.longitude) = (latitude, longitude)
        point.course = body.track.within(0...360) ?? .nan
        point.speed = body.speed.within(0...200) ?? .nan
        point.altitude = body.altitude ?? .nan
        point.accuracy = body.errorMeters.map { $0 * Self.certainty } ?? .nan
        return point.fix(at: isBelieved ? moment ?? now : now)
    }
}

extension Double? {
    /// Returns the number if it is within the range, otherwise nil. NaN gives nil.
    func within(_ range: ClosedRange<Double>) -> Double? { flatMap { range.contains($0) ? $0 : nil } }
}

/// Fields of gpsd's messages. A field of the wrong type counts as missing.
private struct GPSDBody: Decodable {
    enum Key: String, CodingKey {
        case kind = "class"
        case major = "proto_major"
        case latitude = "lat"
        case longitude = "lon"
        case altitude = "altHAE"
        case device, mode, time, track, speed, eph, epx, epy, path, activated, devices
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    let kind: String
    var major: Double?
    var device: String?
    var mode: Double?
    var time: String?
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var track: Double?
    var speed: Double?
    /// Horizontal error, in metres.
    var errorMeters: Double?
    var path: String?
    var isGone = false
    var deviceCount: Int?

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        kind = try values.decode(String.self, forKey: .kind)
        func figure(_ key: Key) -> Double? { try? values.decode(Double.self, forKey: key) }
        func text(_ key: Key) -> String? { try? values.decode(String.self, forKey: key) }
        major = figure(.major)
        mode = figure(.mode)
        device = text(.device)
        time = text(.time)
        path = text(.path)
        latitude = figure(.latitude)
        longitude = figure(.longitude)
        altitude = figure(.altitude)
        track = figure(.track)
        speed = figure(.speed)
        let sides = figure(.epx).flatMap { x in figure(.epy).map { (x * x + $0 * $0).squareRoot() } }
        errorMeters = (figure(.eph) ?? sides).within(0...100_000).flatMap { $0 > 0 ? $0 : nil }
        isGone = figure(.activated) == 0
        deviceCount = (try? values.decode([Anything].self, forKey: .devices))?.count
    }
}
