import FleetEngine
import FoundationEssentials
import Geo
import TripWatchWords

/// Parses server-sent events line by line (HTML, section 9.2.6).
struct EventTextReader: Sendable {
    /// Maximum length of an event, and maximum length of its id, in bytes.
    static let largestEvent = 4 << 20
    static let longestID = 64

    private var id: String?
    private var data: [String] = []
    private var byteCount = 0
    private var isTooLong: Bool { byteCount > Self.largestEvent }

    /// Adds a line of the stream.
    /// - Returns: the event, if the line ends an event; otherwise nil.
    mutating func add(_ line: String) -> (id: String?, data: String)? {
        guard !line.isEmpty else {
            defer { (data, byteCount) = ([], 0) }
            return data.isEmpty || isTooLong ? nil : (id, data.joined(separator: "\n"))
        }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let field = parts.first, let rest = parts.last else { return nil }
        let value = String(rest.hasPrefix(" ") ? rest.dropFirst() : rest)
        if field == "id", value.utf8.count <= Self.longestID { id = value }
        guard field == "data" else { return nil }
        byteCount += value.utf8.count + 1
        if isTooLong { data = [] } else { data.append(value) }
        return nil
    }
}

/// The JSON object of an event. It comes from another program, so the number of its elements and the lengths of its strings are limited.
struct LinkEventBody: Decodable {
    struct Stop: Decodable {
        var type: String
        var latitude, longitude: Double
        var eta: String?
        var distanceM: Double?
        var deliveriesBefore: Int?

        /// - Parameter moment: the time of the event.
        func stop(at moment: Date) -> OwnStop? {
            let place = Coordinate(latitude: latitude, longitude: longitude)
            guard place.isValid else { return nil }
            return OwnStop(
                type: WaypointType(rawValue: type) ?? .unknown, coordinate: place, eta: Date.read(eta, near: moment),
                distanceMeters: distanceM, deliveriesBefore: deliveriesBefore.map { min(max($0, 0), 1_000) })
        }
    }

    struct Interval: Decodable {
        var startM, endM: Double
        var speed: String
    }

    var event: String
    var t, trip, kind, title, pickup, dropoff, plate, vehicleWords, driver, status, vehicle, fixTime, eta, waypoint, polyline: String?
    var nextType, pickedUpAt, droppedOffAt, origin: String?
    var latitude, longitude, heading, speedMps, ageS, timeStepS, remainingM: Double?
    var stopsBefore, stopIndex: Int?
    var stopNames: [String]?
    var remaining, places: [Stop]?
    var intervals: [Interval]?
    // Members that only shipments have.
    var tracking, state, start, end, completion, outcome, time: String?

    /// Maximum number of points of a route. A longer route is left out.
    static let maximumPointCount = 200_000

    var line: Polyline {
        Polyline((polyline.flatMap { try? EncodedPolyline.decode($0, maximumCount: Self.maximumPointCount) }) ?? [])
    }

    var traffic: [TrafficStretch] {
        (intervals ?? []).prefix(10_000).compactMap { interval in
            TrafficSpeed(rawValue: interval.speed).map {
                TrafficStretch(startMeters: interval.startM, endMeters: interval.endM, speed: $0)
            }
        }
    }

    /// - Parameter moment: the time of the event.
    func location(at moment: Date) -> VehicleLocation? {
        guard let latitude, let longitude else { return nil }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        guard place.isValid else { return nil }
        var location = VehicleLocation(
            coordinate: place, headingDegrees: heading, speedMetersPerSecond: speedMps, updateTime: Date.read(fixTime, near: moment),
            serverTime: ageS.map { moment.addingTimeInterval(-min(max($0, 0), 1e7)) })
        location.timeStepSeconds = min(max(timeStepS ?? 0, 0), 3_600)
        return location
    }
}

extension Date {
    /// The largest plausible difference between the time of an event and any time in the event's data, in seconds: 400 days.
    private static let farthestSeconds = 34_560_000.0

    /// Parses a time in the format of events; nil for other text, and for a time that is too far from `moment`, the time of the event.
    static func read(_ text: String?, near moment: Date) -> Date? {
        guard let time = text.flatMap(read), abs(time.timeIntervalSince(moment)) <= farthestSeconds else { return nil }
        return time
    }

    /// Parses a time in the format of events; nil for other text.
    static func read(_ text: String) -> Date? {
        MomentText(text).map { Date(timeIntervalSince1970: Double($0.seconds) + Double($0.nanoseconds) / 1e9) }
    }
}
