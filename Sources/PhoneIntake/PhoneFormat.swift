public import FoundationEssentials

/// The way in which an app, or a tracker's server, reports positions.
///
/// Fields and units are those of the apps' own documents: OwnTracks' booklet (`json`, `http`), Traccar's OsmAnd protocol, OsmAnd's online
/// tracking, GPSLogger's custom URL, Overland's API, Traccar's position forwarding.
public enum PhoneFormat: String, CaseIterable, Hashable, Sendable {
    /// OwnTracks in HTTP mode: JSON, km/h.
    case owntracks
    /// OsmAnd's online tracking, or anything else with a URL: a query or a form, m/s.
    case osmand
    /// Traccar Client: JSON with m/s, or, before version 9, a query with knots.
    case traccar
    /// GPSLogger's custom URL: a query or a form, m/s.
    case gpslogger
    /// Overland: JSON, many at a time, m/s.
    case overland
    /// What a Traccar server forwards: JSON, knots.
    case forward

    /// What the app takes for "delivered".
    public var answer: String {
        switch self {
        case .owntracks: "[]"
        case .overland: #"{"result":"ok"}"#
        case .osmand, .traccar, .gpslogger, .forward: ""
        }
    }

    /// What is in a request.
    ///
    /// - Parameters:
    ///   - query: what stands behind the `?` of the address, still escaped.
    ///   - body: JSON or a form; empty for none.
    ///   - now: when it came: the time of a fix that has none.
    /// - Throws: `PhonePostError` for what cannot be read, and for what has no place at all.
    public func read(query: String = "", body: [UInt8], now: Date) throws(PhonePostError) -> PhonePost {
        var intake = FixIntake(now: now)
        switch self {
        case .owntracks:
            // The app sends an empty body to see whether somebody is there.
            if body.allSatisfy({ $0 <= 0x20 }) { intake.post.omit(.heartbeat) } else { try intake.add(decode(OwnTracksBody.self, body)) }
        case .overland: try intake.add(decode(OverlandBody.self, body))
        case .forward: try intake.add(decode(ForwardBody.self, body))
        case .traccar where Self.isJSON(body): try intake.add(decode(TraccarBody.self, body))
        case .traccar: try intake.add(PhoneForm(query: query, body: body), speedUnit: .knots)
        case .osmand, .gpslogger: try intake.add(PhoneForm(query: query, body: body), speedUnit: .metersPerSecond)
        }
        return intake.post
    }

    private static func isJSON(_ body: [UInt8]) -> Bool {
        let first = body.first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    private func decode<Body: Decodable>(_ type: Body.Type, _ body: [UInt8]) throws(PhonePostError) -> Body {
        guard let decoded = try? JSONDecoder().decode(type, from: Data(body)) else { throw .notJSON }
        return decoded
    }
}

/// What an app counts speed in.
enum SpeedUnit: Double {
    case metersPerSecond = 1
    /// 1,852 metres an hour.
    case knots = 0.514_444_444_444_444_4
    case kilometersPerHour = 0.277_777_777_777_777_8
}
