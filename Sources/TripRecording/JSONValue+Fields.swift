import FleetEngine
import FoundationEssentials
import Geo

extension JSONValue {
    /// A timestamp: RFC 3339, or an object of `seconds` and `nanos`.
    var instant: LogInstant? {
        switch self {
        case .string(let text): return LogInstant(text)
        case .object:
            guard let seconds = self["seconds"]?.integer else { return nil }
            guard let nanoseconds = Int32(exactly: self["nanos"]?.integer ?? 0) else { return nil }
            return LogInstant(seconds: Int64(seconds), nanoseconds: nanoseconds)
        default: return nil
        }
    }

    var date: Date? { instant?.date }

    /// Seconds of a duration: `"53.07s"`, a number, or an object of `seconds` and `nanos`. Nothing beyond 30 years.
    var durationSeconds: Double? {
        let seconds: Double?
        switch self {
        case .string(let text): seconds = text.last == "s" ? Double(text.dropLast()) : Double(text)
        case .number(let number): seconds = number
        case .object: seconds = self["seconds"]?.number.map { $0 + (self["nanos"]?.number ?? 0) * 1e-9 }
        default: seconds = nil
        }
        return seconds.flatMap { abs($0) < 1e9 ? $0 : nil }
    }

    /// A distance that can be one: 0 to 100,000 km.
    var meters: Double? { number.flatMap { (0...1e8).contains($0) ? $0 : nil } }

    /// A number of people, seats or stops: 0 to 10,000.
    var count: Int? { integer.flatMap { (0...10_000).contains($0) ? $0 : nil } }

    /// `{latitude, longitude}`. A number that is missing is 0, as everywhere in JSON made from protocol buffers, but one must be there.
    var coordinate: Coordinate? {
        let latitude = self["latitude"], longitude = self["longitude"]
        guard latitude != nil || longitude != nil else { return nil }
        guard let north = latitude.map({ $0.number }) ?? 0, let east = longitude.map({ $0.number }) ?? 0 else { return nil }
        let coordinate = Coordinate(latitude: north, longitude: east)
        return coordinate.isValid ? coordinate : nil
    }

    /// The place of a TerminalLocation, or of a waypoint's `location`.
    var terminalCoordinate: Coordinate? { self["point"]?.coordinate ?? coordinate }

    /// The places of a list of TerminalLocations.
    var terminalCoordinates: [Coordinate]? { array?.prefix(Self.maximumListCount).compactMap(\.terminalCoordinate) }

    /// `{point, timestamp}`.
    var stopLocation: StopLocation? {
        terminalCoordinate.map { StopLocation(coordinate: $0, time: self["timestamp"]?.date) }
    }

    /// The most stops, and the most stretches of traffic, that are taken from one list. Real vehicles have a tenth of it.
    static let maximumListCount = 200

    /// A path as points or as encoded text.
    var path: RecordedPath? {
        if let text = nonEmptyString { return .encoded(text) }
        let points = array?.compactMap(\.coordinate) ?? []
        return points.isEmpty ? nil : .points(points)
    }

    /// Attributes of a trip or vehicle: a list of keys with a value of one of three kinds.
    var attributes: [String: String]? {
        guard let list = array else { return nil }
        var attributes: [String: String] = [:]
        for element in list.prefix(100) {
            guard let key = element["key"]?.nonEmptyString else { continue }
            attributes[key] = element.first("stringvalue", "value", "boolvalue", "numbervalue")?.plainText
        }
        return attributes
    }

    private var plainText: String? {
        switch self {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .null, .array, .object: nil
        }
    }

    /// The position report of a vehicle or trip; nil without any place in it.
    var vehicleLocation: VehicleLocation? {
        let raw = self["rawlocation"]?.coordinate
        guard let coordinate = self["location"]?.coordinate ?? raw ?? self["supplementallocation"]?.coordinate else { return nil }
        let accuracy = first("latlngaccuracy", "horizontalaccuracy", "rawlocationaccuracy")?.meters
        return VehicleLocation(
            coordinate: coordinate, headingDegrees: self["heading"]?.number.flatMap(Self.heading),
            // Real reports of a standing vehicle have speeds slightly below zero.
            speedMetersPerSecond: (number("speed", within: 1000) ?? number("speedkmph", within: 3600).map { $0 / 3.6 }).map { max(0, $0) },
            accuracyMeters: accuracy, altitudeMeters: number("altitude", within: 100_000),
            updateTime: first("updatetime", "supplementallocationtime")?.date, rawCoordinate: raw,
            rawLocationTime: self["rawlocationtime"]?.date, serverTime: self["servertime"]?.date,
            isRoadSnapped: first("isroadsnapped", "roadsnapped")?.bool)
    }

    private func number(_ key: String, within limit: Double) -> Double? {
        self[key]?.number.flatMap { abs($0) <= limit ? $0 : nil }
    }

    private static func heading(_ degrees: Double) -> Double? {
        guard abs(degrees) <= 720 else { return nil }
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        let turned = rest < 0 ? rest + 360 : rest
        return turned < 360 ? turned : 0
    }
}
