import FoundationEssentials
import Geo

// The JSON of the apps. Figures may be numbers or texts of digits, and what is of another kind is no figure: one field that an app changes
// must not make a phone send the same for ever.

/// A number, or a text of one; NaN for anything else.
struct Figure: Decodable {
    let value: Double?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            value = number
        } else if let text = try? container.decode(String.self) {
            value = Double(written: text)
        } else {
            value = .nan
        }
    }
}

/// A number or a text: a time in one of its forms.
struct TimeFigure: Decodable {
    let value: RawTime

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = .text(text)
        } else {
            value = .number((try? container.decode(Double.self)) ?? .nan)
        }
    }
}

/// A value of this kind; nil for one of another.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? decoder.singleValueContainer().decode(Value.self) }
}

/// The first elements of a list; one of another kind is nil.
struct Batch<Element: Decodable>: Decodable {
    /// More do not fit into the largest body that a server reads.
    private static var limit: Int { 12_000 }
    private(set) var elements: [Element?] = []

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd, elements.count < Self.limit { elements.append(try list.decode(Lenient<Element>.self).value) }
    }
}

struct OwnTracksBody: Decodable {
    let _type: Lenient<String>?
    let lat: Figure?
    let lon: Figure?
    let tst: TimeFigure?
    let vel: Figure?
    let cog: Figure?
    let acc: Figure?
    let alt: Figure?
}

struct TraccarBody: Decodable {
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
    /// The client sends one, and several at once after a time without a connection.
    struct Locations: Decodable {
        let all: [Location?]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let one = try? container.decode(Location.self) {
                all = [one]
            } else {
                all = try container.decode(Batch<Location>.self).elements
            }
        }
    }
    private enum Key: String, CodingKey {
        case location, locations, coords
        case latitude = "lat"
        case deviceID = "device_id"
    }

    let location: Locations?
    /// Whether it has what the client sends, and a place nowhere else.
    let isMessage: Bool

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        location = try fields.decodeIfPresent(Locations.self, forKey: .location)
        let hasOtherPlace = [Key.locations, .coords, .latitude].contains { fields.contains($0) }
        isMessage = fields.contains(.location) || fields.contains(.deviceID) && !hasOtherPlace
    }
}

struct OverlandBody: Decodable {
    struct Geometry: Decodable {
        /// Longitude, then latitude.
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

        /// Whether the record is about a trip, a visit or the app itself. Such a record has the time at which it was written and a place of
        /// before, however old.
        var isOfEvent: Bool { [type?.value ?? "location", action?.value ?? ""].contains { !["", "location"].contains($0) } }
    }
    struct Feature: Decodable {
        let geometry: Lenient<Geometry>?
        let properties: Lenient<Properties>?
    }
    let locations: Batch<Feature>?
    /// Where the phone is now, while records of before are sent.
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
        /// Whether the place is of before, and only `fixTime` its time.
        let outdated: Lenient<Bool>?
    }
    private enum Key: String, CodingKey { case position, device, event }

    let position: Position?
    /// Whether it has what the server sends.
    let isMessage: Bool

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        position = try fields.decodeIfPresent(Position.self, forKey: .position)
        isMessage = !fields.allKeys.isEmpty
    }
}

// A message without a position is left out and not refused: an app sends again what was refused, and everything behind it waits.

extension FixIntake {
    mutating func add(_ body: OwnTracksBody) throws(UnreadablePost) {
        guard let type = body._type?.value else { throw UnreadablePost() }
        guard type == "location" else { return post.omit(type == "encrypted" ? .encrypted : .otherMessage) }
        var raw = RawFix(latitude: body.lat?.value, longitude: body.lon?.value, time: body.tst?.value)
        raw.speed = body.vel?.value
        raw.speedUnit = .kilometersPerHour
        raw.bearing = body.cog?.value
        raw.accuracy = body.acc?.value
        raw.altitude = body.alt?.value
        add(raw)
    }

    mutating func add(_ body: TraccarBody) throws(UnreadablePost) {
        guard body.isMessage else { throw UnreadablePost() }
        let locations = body.location?.all ?? []
        if locations.isEmpty { post.omit(.heartbeat) }
        for location in locations {
            guard let location, let place = location.coords else {
                post.omit(.heartbeat)
                continue
            }
            add(RawFix(place, time: location.timestamp?.value))
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
    fileprivate init(_ place: TraccarBody.Coordinates, time: RawTime?) {
        self.init(latitude: place.latitude?.value, longitude: place.longitude?.value, time: time)
        speed = place.speed?.value
        bearing = place.heading?.value
        accuracy = place.accuracy?.value
        altitude = place.altitude?.value
    }
}
