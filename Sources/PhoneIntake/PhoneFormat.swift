import BoundedJSON
public import FoundationEssentials

/// The format in which an app, or the server of a tracker, reports positions.
///
/// Fields and units follow the apps' own documentation: OwnTracks' booklet (`json`, `http`), Traccar's OsmAnd protocol,
/// OsmAnd's online tracking, GPSLogger's custom URL, Overland's API, Traccar's position forwarding.
public enum PhoneFormat: String, CaseIterable, Hashable, Sendable {
    /// OwnTracks in HTTP mode: JSON, km/h.
    case owntracks
    /// OsmAnd's online tracking, or any other app whose URL the user writes with placeholders: a query, a form or JSON, with speeds in m/s.
    case osmand
    /// Traccar Client: a form, a query or JSON, with speeds in knots; in version 9, JSON with `coords` and speeds in m/s.
    case traccar
    /// GPSLogger's custom URL: a query, a form or JSON, m/s.
    case gpslogger
    /// Overland: JSON with many records at a time, m/s.
    case overland
    /// Positions forwarded by a Traccar server, as JSON or as a query. Speeds are in knots.
    case forward

    /// The body of the answer that tells the app that its message was delivered.
    public var answer: String {
        switch self {
        case .owntracks: "[]"
        case .overland: #"{"result":"ok"}"#
        case .osmand, .traccar, .gpslogger, .forward: ""
        }
    }

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - query: the query of the address, still percent-encoded.
    ///   - body: JSON or a form; may be empty.
    ///   - now: the time at which the request arrived; it becomes the time of a fix without a time.
    /// - Throws: `PhonePostError` if the request cannot be read. A message without a position is not an error.
    public func read(query: String = "", body: [UInt8], now: Date) throws(PhonePostError) -> PhonePost {
        var intake = FixIntake(now: now)
        do throws(UnreadablePost) {
            try read(query, body, into: &intake)
        } catch {
            throw PhonePostError(wanted: wanted)
        }
        return intake.post
    }

    private func read(_ query: String, _ body: [UInt8], into intake: inout FixIntake) throws(UnreadablePost) {
        switch self {
        case .owntracks:
            // The app sends an empty body to test the connection.
            if body.allSatisfy({ $0 <= 0x20 }) { intake.post.omit(.heartbeat) } else { try intake.add(decode(OwnTracksBody.self, body)) }
        case .overland: try intake.add(decode(OverlandBody.self, body))
        case .forward:
            // A Traccar server can also send the position in the query.
            let form = PhoneForm(query: query, body: [])
            if form.hasPlace { try intake.add(form, speedUnit: .knots) } else { try intake.add(decode(ForwardBody.self, body)) }
        case .traccar: try intake.read(query, body, speedUnit: .knots)
        case .osmand, .gpslogger: try intake.read(query, body, speedUnit: .metersPerSecond)
        }
    }

    /// A description of the contents that a request must have, for an error message.
    private var wanted: String {
        let form = "lat and lon as numbers, such as lat=48.5&lon=9.1&timestamp=1700000000, or JSON with the same names"
        return switch self {
        case .owntracks: #"a JSON object with lat and lon, such as {"_type":"location","lat":48.5,"lon":9.1,"tst":1700000000}"#
        case .osmand, .gpslogger: form
        case .traccar: #"\#(form), or JSON such as {"location":{"coords":{"latitude":48.5,"longitude":9.1}}}"#
        case .overland: "a JSON object with 'locations', a list of GeoJSON points"
        case .forward: #"a JSON object such as {"position":{"latitude":48.5,"longitude":9.1}}, or lat and lon in the URL's query"#
        }
    }
}

extension FixIntake {
    /// Reads only the body if it is JSON and the query has no position. Otherwise, reads the query. A body that is not JSON is then read
    /// too, as a form.
    fileprivate mutating func read(_ query: String, _ body: [UInt8], speedUnit: SpeedUnit) throws(UnreadablePost) {
        let first = body.first { $0 > 0x20 }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        if isJSON, !PhoneForm(query: query, body: []).hasPlace {
            try add(decode(FormBody.self, body), speedUnit: speedUnit)
        } else {
            try add(PhoneForm(query: query, body: isJSON ? [] : body), speedUnit: speedUnit)
        }
    }
}

private func decode<Body: Decodable>(_ type: Body.Type, _ body: [UInt8]) throws(UnreadablePost) -> Body {
    if let decoded = try? JSONDecoder().decodeBounded(type, from: Data(body)) { return decoded }
    let plain = LooseJSON.withoutWords(body)
    guard plain != body, let decoded = try? JSONDecoder().decodeBounded(type, from: Data(plain)) else { throw UnreadablePost() }
    return decoded
}

/// The unit of the speeds that an app sends. The raw value is the unit in metres per second.
enum SpeedUnit: Double {
    case metersPerSecond = 1
    /// 1 knot, 1,852 metres per hour.
    case knots = 0.514_444_444_444_444_4
    case kilometersPerHour = 0.277_777_777_777_777_8
}
