import BoundedJSON
package import FoundationEssentials
package import Navigation
import PhoneIntake

/// Reads positions from the lines of a stream.
package struct PositionLines: Sendable {
    /// Number of consecutive unreadable lines that show that the stream does not have the expected format. Fewer unreadable lines may be
    /// noise.
    private static let mostUnreadable = 100

    let format: StreamFormat
    private var nmea = NMEAReader()
    private var unreadable = 0
    /// Whether any line could be read.
    private(set) var hasRead = false
    /// Whether the unreadable lines show that the stream does not have the format `format`.
    var isBroken: Bool { unreadable >= Self.mostUnreadable }

    package init(_ format: StreamFormat) { self.format = format }

    /// - Parameter now: the time for a phone's fix that has no time of its own.
    package mutating func add(_ line: [UInt8], at now: Date) -> [LocationFix] {
        let before = nmea.sentenceCount
        let fixes: [LocationFix]?
        switch format {
        case .nmea:
            let points = nmea.add(line)
            fixes = nmea.sentenceCount > before ? points.map { $0.fix(at: Date(timeIntervalSince1970: $0.time)) } : nil
        case .phone(let phone): fixes = Self.read(line, phone, now)
        }
        hasRead = hasRead || fixes != nil
        unreadable = fixes == nil ? unreadable + 1 : 0
        return fixes ?? []
    }

    /// - Parameter rest: a last line without a line break. It is read only if it has a checksum or contains JSON, because
    ///   other text may be cut off.
    package mutating func finish(_ rest: [UInt8]?, at now: Date) -> [LocationFix] {
        var fixes: [LocationFix] = []
        if let rest, format == .nmea ? NMEASentence.hasChecksum(rest) : rest.contains(UInt8(ascii: "{")) { fixes = add(rest, at: now) }
        return fixes + nmea.finish().map { $0.fix(at: Date(timeIntervalSince1970: $0.time)) }
    }

    /// - Returns: the fixes of the line; nil for an unreadable line.
    private static func read(_ line: [UInt8], _ format: PhoneFormat, _ now: Date, unwraps: Bool = true) -> [LocationFix]? {
        let body = json(in: line) ?? line[...]
        let isForm = [.osmand, .gpslogger, .traccar].contains(format) && json(in: line) == nil
        let text = isForm ? query(line) : ""
        let post: PhonePost
        do throws(PhonePostError) {
            post = try format.read(query: text, body: isForm ? [] : Array(body), now: now)
        } catch {
            guard unwraps, !isForm, let inner = MQTTMessage.payload(in: Array(body)) else { return nil }
            return read(inner, format, now, unwraps: false)
        }
        return post.fixes.map { fix in
            // The altitude is left out: a phone reports the height above sea level, but a fix has the height above the ellipsoid.
            LocationFix(
                coordinate: fix.coordinate, time: fix.time, accuracyMeters: fix.accuracyMeters, courseDegrees: fix.bearingDegrees,
                speedMetersPerSecond: fix.speedMetersPerSecond)
        }
    }

    /// Returns the JSON of a line, without the topic that MQTT clients may write before it; nil for a line without a brace. The JSON begins
    /// at the first brace. If an opening bracket comes before that brace, with nothing but spaces between them, the JSON begins at the
    /// bracket.
    private static func json(in line: [UInt8]) -> ArraySlice<UInt8>? {
        guard let brace = line.firstIndex(of: UInt8(ascii: "{")) else { return nil }
        let before = line[..<brace].lastIndex { $0 > 0x20 }
        return line[(before.flatMap { line[$0] == UInt8(ascii: "[") ? $0 : nil } ?? brace)...]
    }

    /// Returns the query of a URL: the text after its `?`, up to a space. Without a `?`, returns the whole line.
    private static func query(_ line: [UInt8]) -> String {
        let start = line.firstIndex(of: UInt8(ascii: "?")).map { $0 + 1 } ?? 0
        return String(decoding: line[start...].prefix { $0 != 0x20 || start == 0 }, as: UTF8.self)
    }
}

/// A message in the format of `mosquitto_sub -F %j` and `-F %J`, with the payload as text or as an object.
private struct MQTTMessage: Decodable {
    let payload: String

    static func payload(in bytes: [UInt8]) -> [UInt8]? {
        if let message = try? JSONDecoder().decodeBounded(Self.self, from: Data(bytes)) { return Array(message.payload.utf8) }
        let key = Array(#""payload":"#.utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: key) }), bytes.last == UInt8(ascii: "}") else {
            return nil
        }
        return Array(bytes[(start + key.count)...].dropLast())
    }
}
