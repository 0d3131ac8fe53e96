import FoundationEssentials
import Geo
import Navigation
import Testing

/// Test data that is stored outside the project. It may be missing.
enum SharedData {
    static let directory = root + "/../shared/data/navigation"

    private static var root: String {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/")
    }

    static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: directory + "/" + path) }

    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: directory + "/" + path)), as: UTF8.self)
    }
}

/// A recorded drive of one hour through Seattle, with about one fix a second.
enum RecordedDrive {
    private static let path = "traces/seattle_first_hour.txt"

    static var isThere: Bool { SharedData.has(path) }

    static func seattle() throws -> [LocationFix] {
        var fixes: [LocationFix] = []
        for line in try SharedData.text(path).split(whereSeparator: \.isNewline).dropFirst() {
            let fields = line.split(separator: "\t")
            guard fields.count >= 4, let latitude = Double(fields[2]), let longitude = Double(fields[3]) else { continue }
            let clock = fields[1].split(separator: ":").compactMap { Double($0) }
            guard clock.count == 3 else { continue }
            let time = Fixture.start + (clock[0] * 3_600 + clock[1] * 60 + clock[2])
            fixes.append(
                LocationFix(coordinate: Coordinate(latitude: latitude, longitude: longitude), time: time, accuracyMeters: 8))
        }
        return fixes
    }
}

@Suite("Recorded drives and routers' answers")
struct RecordedDrivesTests {
    private static let routes = [
        "ferrostar-standard_osrm_polyline6_response.json", "ferrostar-valhalla_osrm_response.json",
        "ferrostar-valhalla_osrm_response_via_ways.json", "ferrostar-valhalla_self_intersecting_osrm_response.json",
        "ferrostar-valhalla_osrm_response_with_exit_info.json", "ferrostar-valhalla_osrm_with_roundabouts.json",
        "own-osrm-monaco.json", "own-valhalla-liechtenstein-osrmfmt-annotations.json",
    ]

    /// Returns the longest encoded line in a router's answer, which is the line of the whole route.
    static func line(in text: String) throws -> Polyline {
        var longest = Substring()
        for part in text.split(separator: "\"geometry\"").dropFirst() {
            let value = part.drop { $0 == ":" || $0 == " " || $0 == "\n" }
            guard value.first == "\"" else { continue }
            let body = value.dropFirst()
            guard let end = body.firstIndex(of: "\""), body[..<end].count > longest.count else { continue }
            longest = body[..<end]
        }
        let plain = String(longest).split(separator: "\\\\", omittingEmptySubsequences: false).joined(separator: "\\")
        return Polyline(try EncodedPolyline.decode(plain, precision: .six))
    }

    @Test("Routes of real routers are driven without alarm to one arrival", .enabled(if: SharedData.has("routes")), arguments: routes)
    func realRoutes(name: String) throws {
        let line = try Self.line(in: try SharedData.text("routes/\(name)"))
        #expect(line.lengthMeters > 200)
        let route = try NavigationRoute(line: line, durationSeconds: line.lengthMeters / 12)
        for noise in [nil, SimulatedNoise(accuracyMeters: 6)] {
            var configuration = SimulationConfiguration()
            configuration.straightSpeedMetersPerSecond = 16
            configuration.noise = noise
            var drive = Drive(route, configuration: configuration, seed: 11)
            drive.run(and: 30)
            #expect(drive.arrivals == 1)
            #expect(drive.alarms == 0)
            #expect(!drive.progressFalls)
            #expect(drive.simulator.activity == .arrived)
        }
    }

    @Test(
        "A real drive through Seattle along its own route: progress to the end, one arrival",
        .enabled(if: RecordedDrive.isThere))
    func seattleDrive() throws {
        let fixes = try RecordedDrive.seattle()
        #expect(fixes.count > 3_000)
        var way: [Coordinate] = []
        for fix in fixes where way.last.map({ $0.distanceMeters(to: fix.coordinate) >= 40 }) ?? true { way.append(fix.coordinate) }
        if let last = fixes.last { way.append(last.coordinate) }
        let route = try NavigationRoute(line: Polyline(way), durationSeconds: 3_600)
        var navigator = NavigatorState()
        navigator.reset(to: route)
        var events: [NavigatorEvent] = []
        var before = 0.0
        for fix in fixes {
            events += navigator.apply(fix, at: fix.time).milestones
            #expect(navigator.progressMeters >= before)
            before = navigator.progressMeters
        }
        #expect(events == [.didArrive(route.legs[0].destination)], "\(events)")
        #expect(navigator.progressMeters > route.line.lengthMeters - 25)
    }
}
