import FleetEngine
import FoundationEssentials
import Geo

/// The names and values in a URL query, a form body, or both. If a name occurs several times, its first value is used.
struct PhoneForm {
    /// Maximum number of pairs that are read. Apps send about twenty.
    private static let pairLimit = 100

    private var values: [String: String] = [:]

    init(query: String, body: [UInt8]) {
        read(query)
        if body.isEmpty { return }
        // A body that is not UTF-8 text is not a form.
        if let text = String(validating: body, as: UTF8.self) { read(text) }
    }

    private mutating func read(_ text: String) {
        // An address that a user has typed may have a question mark between two pairs, or an ampersand escaped as in HTML.
        for pair in text.split(maxSplits: Self.pairLimit, whereSeparator: { $0 == "&" || $0 == "?" }).prefix(Self.pairLimit) {
            let plain = pair.hasPrefix("amp;") ? pair.dropFirst(4) : pair
            let parts = plain.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Self.text(parts[0])?.trimmed, let value = Self.text(parts[1]) else { continue }
            if values[name] == nil { values[name] = value }
        }
    }

    private static func text(_ escaped: Substring) -> String? {
        let spaced = escaped.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.text(String(decoding: spaced, as: UTF8.self))
    }

    /// Returns the value of the first of these names that has a non-empty value.
    func text(_ names: String...) -> String? {
        for name in names {
            if let value = values[name], !value.isEmpty { return value }
        }
        return nil
    }

    func number(_ name: String) -> Double? { text(name).flatMap { Double(written: $0) } }

    /// Returns the value of the first of these names that has a numeric value.
    func firstNumber(_ names: String...) -> Double? {
        for name in names {
            if let number = number(name) { return number }
        }
        return nil
    }

    /// Latitude and longitude; nil if one of them is missing or not a number.
    var place: (latitude: Double, longitude: Double)? {
        if let latitude = firstNumber("lat", "latitude"), let longitude = firstNumber("lon", "lng", "long", "longitude") {
            return (latitude, longitude)
        }
        return text("location").flatMap(Self.pair)
    }

    private static func pair(_ text: String) -> (latitude: Double, longitude: Double)? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        // The text is split at commas. Two numbers with decimal commas give four parts, and five or six with an altitude. Two numbers with
        // decimal points give two parts, or three with an altitude.
        if (4...6).contains(parts.count), let latitude = Double(written: parts[0] + "," + parts[1]),
            let longitude = Double(written: parts[2] + "," + parts[3])
        {
            return (latitude, longitude)
        }
        guard parts.count >= 2, let latitude = Double(written: parts[0]), let longitude = Double(written: parts[1]) else { return nil }
        return (latitude, longitude)
    }

    /// Whether the form has a value for a position, even one that cannot be read.
    var hasPlace: Bool { text("lat", "lon", "lng", "long", "location", "latitude", "longitude") != nil }

    /// Whether the form only reports that the app is running: it has no position, but another known value.
    var isHeartbeat: Bool {
        !hasPlace && text("id", "deviceid", "device_id", "timestamp", "time", "batt", "charge", "event", "alarm") != nil
    }
}

extension PhoneForm: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads those members of a JSON object that are numbers, strings or booleans.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Name.self)
        for name in fields.allKeys {
            if let text = try? fields.decode(String.self, forKey: name) {
                values[name.stringValue] = text
            } else if let number = try? fields.decode(Double.self, forKey: name) {
                values[name.stringValue] = "\(number)"
            } else if let truth = try? fields.decode(Bool.self, forKey: name) {
                values[name.stringValue] = "\(truth)"
            }
        }
    }
}

extension FixIntake {
    /// Adds the fix in a form.
    /// - Throws: `UnreadablePost` for a form that has no latitude and longitude and is not a heartbeat.
    mutating func add(_ form: PhoneForm, speedUnit: SpeedUnit) throws(UnreadablePost) {
        if form.text("valid")?.lowercased() == "false" || form.number("valid") == 0 { return post.omit(.invalid) }
        if form.isHeartbeat { return post.omit(.heartbeat) }
        guard let place = form.place else { throw UnreadablePost() }
        var raw = RawFix(latitude: place.latitude, longitude: place.longitude)
        raw.time = form.text("timestamp", "time", "tst", "requestTimestamp", "fixTime").map { .text($0) }
        raw.speed = form.firstNumber("speed", "spd")
        raw.speedUnit = speedUnit
        raw.bearing = form.firstNumber("bearing", "heading", "dir", "course")
        raw.accuracy = form.firstNumber("accuracy", "acc")
        raw.altitude = form.firstNumber("altitude", "alt")
        raw.navigation = navigation(form)
        add(raw)
    }

    /// Returns OsmAnd's arrival time and distance for the next stop, or else for the destination. OsmAnd sends 0 while it is not
    /// navigating.
    private func navigation(_ form: PhoneForm) -> PhoneNavigation? {
        func figure(_ names: String...) -> Double? {
            for name in names {
                if let number = form.number(name), number > 0, number.isFinite { return number }
            }
            return nil
        }
        // Only an arrival less than a week before or after now is plausible.
        let arrival = figure("eta_next", "eta").map { Date(timeIntervalSince1970: $0 / 1_000) }
            .flatMap { abs($0.timeIntervalSince(now)) < 7 * 86_400 ? $0 : nil }
        let meters = figure("left_next_m", "left_m").within(0...10_000_000)
        return arrival == nil && meters == nil ? nil : PhoneNavigation(arrival: arrival, remainingMeters: meters)
    }
}
