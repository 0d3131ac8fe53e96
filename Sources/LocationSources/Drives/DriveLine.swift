import BoundedJSON
import FoundationEssentials
import Geo
import Navigation
import Routing

/// The first line of a recording.
struct DriveHeader: Codable {
    var tripwatch = "drive"
    var version = 1
    let vehicle: String
    /// Seconds since 1970.
    let t: Double

    init(vehicle: String, t: Double) { (self.vehicle, self.t) = (vehicle, t) }

    var isKnown: Bool { tripwatch == "drive" && version == 1 }
}

/// A line after the first line. It contains one fix or one command.
struct DriveLine: Codable {
    struct Fix: Codable {
        let lat: Double
        let lng: Double
        /// Seconds since 1970, by the sensor's clock.
        let time: Double
        var accuracyMeters: Double?
        var courseDegrees: Double?
        var speedMetersPerSecond: Double?
        var altitudeMeters: Double?
        /// The nearest point on a road. `roadLat` and `roadLng` are set together.
        var roadLat: Double?
        var roadLng: Double?
    }

    struct Limits: Codable {
        var timeSeconds: Double
        var distanceMeters: Double
    }

    /// Seconds since 1970, by the driver's clock.
    let t: Double
    var fix: Fix?
    /// Whether the line is a tick of the clock.
    var tick: Bool?
    /// The new route; `change` has the reason for it. A line with `change` but without `route` clears the route.
    var route: DriveRoute?
    /// The current route with new traffic.
    var traffic: DriveRoute?
    var change: String?
    var guidance: Bool?
    var reroute: String?
    var nextDestination: Bool?
    /// The smallest changes in the remaining time and distance that are reported.
    var thresholds: Limits?

    /// Largest number of JSON values in a line. A route of 200,000 points has fewer.
    static let maximumValueCount = 1_000_000

    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Returns the entry of a line; nil for an invalid line.
    static func entry(_ line: [UInt8]) throws(TooManyJSONValues) -> DriveRecording.Entry? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            let read = try decoder.decodeBounded(Self.self, from: Data(line), maximumValues: maximumValueCount)
            return read.input.map { DriveRecording.Entry($0, at: Date(timeIntervalSince1970: read.t)) }
        } catch let error as TooManyJSONValues {
            throw error
        } catch {
            return nil
        }
    }

    init(_ entry: DriveRecording.Entry) {
        t = entry.time.timeIntervalSince1970
        switch entry.input {
        case .fix(let fix, _):
            self.fix = Fix(
                lat: fix.coordinate.latitude, lng: fix.coordinate.longitude, time: fix.time.timeIntervalSince1970,
                accuracyMeters: fix.accuracyMeters, courseDegrees: fix.courseDegrees, speedMetersPerSecond: fix.speedMetersPerSecond,
                altitudeMeters: fix.altitudeMeters, roadLat: fix.nearestRoad?.latitude, roadLng: fix.nearestRoad?.longitude)
        case .command(.setRoute(let route, let change)):
            self.route = route.map { DriveRoute($0) }
            self.change = Self.words.first { $0.value == change }?.key
        case .command(.setGuidanceActive(let isActive)): guidance = isActive
        case .command(.reroute(let reason)): reroute = Self.reasons.first { $0.value == reason }?.key
        case .command(.continueToNextDestination): nextDestination = true
        case .command(.tick): tick = true
        case .command(.updateTraffic(let route)): traffic = DriveRoute(route)
        case .command(.configure(let configuration)):
            thresholds = Limits(timeSeconds: configuration.timeUpdateThreshold, distanceMeters: configuration.distanceUpdateThreshold)
        }
    }

    private static let words: [String: RouteChange] = [
        "new_destinations": .newDestinations, "reroute": .reroute, "next_destination": .nextDestination, "cleared": .cleared,
    ]

    private static let reasons: [String: RerouteReason] = ["off_route": .offRoute, "wrong_way": .wrongWay, "requested": .requested]

    /// The navigator's input in this line; nil for an unknown kind of line, and for impossible values.
    private var input: NavigatorInput? {
        guard t.isFinite, abs(t) < 1e12 else { return nil }
        if let fix { return fix.location.map { .fix($0, at: Date(timeIntervalSince1970: t)) } }
        if let change {
            guard let known = Self.words[change] else { return nil }
            guard let route else { return .command(.setRoute(nil, known)) }
            return route.route.map { .command(.setRoute($0, known)) }
        }
        if tick == true { return .command(.tick(Date(timeIntervalSince1970: t))) }
        if let traffic { return traffic.route.map { .command(.updateTraffic($0)) } }
        if let reroute { return Self.reasons[reroute].map { .command(.reroute($0)) } }
        if let guidance { return .command(.setGuidanceActive(guidance)) }
        if let thresholds {
            var configuration = NavigatorConfiguration()
            configuration.timeUpdateThreshold = thresholds.timeSeconds
            configuration.distanceUpdateThreshold = thresholds.distanceMeters
            return .command(.configure(configuration))
        }
        return nextDestination == true ? .command(.continueToNextDestination) : nil
    }
}

extension DriveLine.Fix {
    /// The fix as a `LocationFix`; nil for an impossible position or time.
    fileprivate var location: LocationFix? {
        let coordinate = Coordinate(latitude: lat, longitude: lng)
        guard coordinate.isValid, abs(time) < 1e12 else { return nil }
        var fix = LocationFix(
            coordinate: coordinate, time: Date(timeIntervalSince1970: time), accuracyMeters: accuracyMeters, courseDegrees: courseDegrees,
            speedMetersPerSecond: speedMetersPerSecond, altitudeMeters: altitudeMeters)
        if let roadLat, let roadLng { fix.nearestRoad = Coordinate(latitude: roadLat, longitude: roadLng) }
        return fix
    }
}
