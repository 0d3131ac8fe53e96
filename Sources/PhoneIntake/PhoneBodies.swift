import FoundationEssentials

// The bodies of the apps' messages.

struct OwnTracksBody: Decodable {
    let _type: Lenient<String>?
    let lat: Figure?
    let lon: Figure?
    let tst: TimeFigure?
    let vel: Figure?
    let cog: Figure?
    /// The course under Colota's name for it. No other app sends this field, so `vel` beside it is in metres per second, as Colota sends
    /// it.
    let bear: Figure?
    let acc: Figure?
    let alt: Figure?
}

/// The JSON body of apps that can also send forms. It contains Traccar Client's records, or objects with the same names and values
/// as a form.
struct FormBody: Decodable {
    struct Coordinates: Decodable {
        let latitude: Figure?
        let longitude: Figure?
        let accuracy: Figure?
        let speed: Figure?
        let heading: Figure?
        let altitude: Figure?
    }
    struct Location: Decodable {
        let timestamp: TimeFigure?
        let coords: Coordinates?
    }
    enum Record: Decodable {
        case location(Location)
        case form(PhoneForm)

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            if fields.contains(.coords) {
                self = .location(try Location(from: decoder))
            } else if let wrapped = try? fields.decode(Location.self, forKey: .location) {
                self = .location(wrapped)
            } else {
                self = .form(try PhoneForm(from: decoder))
            }
        }
    }
    private enum Key: String, CodingKey {
        case location, locations, coords
    }

    /// The records of the body. After a time without a connection, there are several. An unreadable record is nil.
    let records: [Record?]
    /// Whether the body is a list of records. An invalid record in a list is left out; a single invalid record is an error.
    let isBatch: Bool

    init(from decoder: any Decoder) throws {
        if let records = try Self.batch(decoder) {
            self.records = records
            isBatch = true
        } else {
            records = [try Record(from: decoder)]
            isBatch = false
        }
    }

    private static func batch(_ decoder: any Decoder) throws -> [Record?]? {
        if let list = try? Batch<Record>(from: decoder) { return list.elements }
        let fields = try decoder.container(keyedBy: Key.self)
        for key in [Key.location, .locations] where fields.contains(key) {
            if try fields.decodeNil(forKey: key) { return [] }
            if let list = try? fields.decode(Batch<Record>.self, forKey: key) { return list.elements }
        }
        return nil
    }
}

struct OverlandBody: Decodable {
    struct Geometry: Decodable {
        /// The longitude, then the latitude.
        let coordinates: [Figure]?
    }
    struct Properties: Decodable {
        let timestamp: TimeFigure?
        let speed: Figure?
        let course: Figure?
        let horizontalAccuracy: Figure?
        let altitude: Figure?
        let type: Lenient<String>?
        let action: Lenient<String>?

        enum CodingKeys: String, CodingKey {
            case timestamp, speed, course, altitude, type, action
            case horizontalAccuracy = "horizontal_accuracy"
        }

        /// Whether the record is about a trip, a visit or the app itself. The time of such a record is the time at which it was written,
        /// but its position may be an old one.
        var isOfEvent: Bool { [type?.value ?? "location", action?.value ?? ""].contains { !["", "location"].contains($0) } }
    }
    struct Feature: Decodable {
        let geometry: Lenient<Geometry>?
        let properties: Lenient<Properties>?
    }
    let locations: Batch<Feature>?
    /// The phone's current position, which the app sends together with earlier records.
    let current: Lenient<Feature>?
}

struct ForwardBody: Decodable {
    struct Position: Decodable {
        let latitude: Figure?
        let longitude: Figure?
        let speed: Figure?
        let course: Figure?
        let accuracy: Figure?
        let altitude: Figure?
        let fixTime: TimeFigure?
        let deviceTime: TimeFigure?
        let valid: Lenient<Bool>?
        /// Whether the position is an old one, measured at `fixTime`.
        let outdated: Lenient<Bool>?
    }
    private enum Key: String, CodingKey { case position, device, event }

    let position: Position?
    /// Whether the body has any of the members of a Traccar server's message.
    let isMessage: Bool

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        position = try fields.decodeIfPresent(Position.self, forKey: .position)
        isMessage = !fields.allKeys.isEmpty
    }
}

// A message without a position is left out instead of refused. An app sends a refused message again and again, and holds back
// its later messages.

extension FixIntake {
    mutating func add(_ body: OwnTracksBody) throws(UnreadablePost) {
        // Apps other than OwnTracks leave out the type.
        guard let type = body._type?.value ?? (body.lat != nil && body.lon != nil ? "location" : nil) else { throw UnreadablePost() }
        guard type == "location" else { return post.omit(type == "encrypted" ? .encrypted : .otherMessage) }
        var raw = RawFix(latitude: body.lat?.value, longitude: body.lon?.value, time: body.tst?.value)
        raw.speed = body.vel?.value
        raw.speedUnit = body.bear == nil ? .kilometersPerHour : .metersPerSecond
        raw.bearing = body.cog?.value ?? body.bear?.value
        raw.accuracy = body.acc?.value
        raw.altitude = body.alt?.value
        add(raw)
    }

    mutating func add(_ body: FormBody, speedUnit: SpeedUnit) throws(UnreadablePost) {
        if body.records.isEmpty { post.omit(.heartbeat) }
        for record in body.records {
            do throws(UnreadablePost) {
                try add(record, speedUnit)
            } catch {
                guard body.isBatch else { throw error }
                post.omit(.noPlace)
            }
        }
    }

    private mutating func add(_ record: FormBody.Record?, _ speedUnit: SpeedUnit) throws(UnreadablePost) {
        switch record {
        case .location(let location):
            guard let place = location.coords else { return post.omit(.heartbeat) }
            add(RawFix(place, time: location.timestamp?.value))
        case .form(let form): try add(form, speedUnit: speedUnit)
        case nil: throw UnreadablePost()
        }
    }

    mutating func add(_ body: OverlandBody) throws(UnreadablePost) {
        let current = body.current?.value
        guard let features = body.locations?.elements ?? current.map({ _ in [] }) else { throw UnreadablePost() }
        if features.isEmpty, current == nil { post.omit(.heartbeat) }
        for feature in features { add(feature) }
        if let current { add(current) }
    }

    private mutating func add(_ feature: OverlandBody.Feature?) {
        let properties = feature?.properties?.value
        guard properties?.isOfEvent != true else { return post.omit(.otherMessage) }
        guard let place = feature?.geometry?.value?.coordinates, place.count >= 2 else { return post.omit(.noPlace) }
        var raw = RawFix(latitude: place[1].value, longitude: place[0].value, time: properties?.timestamp?.value)
        raw.speed = properties?.speed?.value
        raw.bearing = properties?.course?.value
        raw.accuracy = properties?.horizontalAccuracy?.value
        raw.altitude = properties?.altitude?.value
        add(raw)
    }

    mutating func add(_ body: ForwardBody) throws(UnreadablePost) {
        guard body.isMessage else { throw UnreadablePost() }
        guard let position = body.position else { return post.omit(.otherMessage) }
        if position.valid?.value == false { return post.omit(.invalid) }
        if position.outdated?.value == true, position.fixTime == nil { return post.omit(.invalid) }
        var raw = RawFix(latitude: position.latitude?.value, longitude: position.longitude?.value)
        raw.time = position.fixTime?.value ?? position.deviceTime?.value
        raw.speed = position.speed?.value
        raw.speedUnit = .knots
        raw.bearing = position.course?.value
        raw.accuracy = position.accuracy?.value
        raw.altitude = position.altitude?.value
        add(raw)
    }
}

extension RawFix {
    fileprivate init(_ place: FormBody.Coordinates, time: RawTime?) {
        self.init(latitude: place.latitude?.value, longitude: place.longitude?.value, time: time)
        speed = place.speed?.value
        bearing = place.heading?.value
        accuracy = place.accuracy?.value
        altitude = place.altitude?.value
    }
}
