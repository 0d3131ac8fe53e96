import Foundation
import Geo
import Navigation
import Routing
import Testing

@testable import LocationSources

@Suite("Recorded drives")
struct DriveRecordingTests {
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    private func read(_ text: String) throws(LocationFileError) -> DriveRecording {
        try DriveRecording(pieces(Array(text.utf8), of: 100))
    }

    private static let header = DriveRecording.header(vehicle: "providers/p/vehicles/v", at: start)

    private static func text(_ entries: [DriveRecording.Entry]) -> String {
        ([header] + entries.map { DriveRecording.line($0) }).map { $0 + "\n" }.joined()
    }

    private static func route() throws -> NavigationRoute {
        let corner = Coordinate(latitude: -36, longitude: -20)
        let ends = [corner.offset(eastMeters: 0, northMeters: 400), corner.offset(eastMeters: 300, northMeters: 400)]
        return try NavigationRoute(
            legs: [
                RouterLeg(
                    path: [corner, corner.offset(eastMeters: 0, northMeters: 100), ends[0]],
                    destination: NavigationWaypoint(title: "a \"stop\"\u{1B}[2J", coordinate: ends[0]), distanceMeters: 402,
                    durationSeconds: 50,
                    segmentSeconds: [20, 30]),
                RouterLeg(path: ends, destination: NavigationWaypoint(coordinate: ends[1]), durationSeconds: 31.25),
            ], traffic: [TrafficStretch(startMeters: 10, endMeters: 90, speed: .slow)])
    }

    /// Returns the entries of a drive along a route, with a missed turn.
    private static func entries() throws -> [DriveRecording.Entry] {
        let route = try route()
        var entries = [NavigatorInput.command(.setRoute(route, .newDestinations)), .command(.setGuidanceActive(true))]
        for second in 0..<60 {
            let place = Coordinate(latitude: -36, longitude: -20).offset(
                eastMeters: second > 20 ? 8 * Double(second - 20) : 0.25, northMeters: 8 * Double(second))
            let time = start.addingTimeInterval(Double(second) + 0.125)
            var fix = LocationFix(
                coordinate: place, time: time, accuracyMeters: second % 3 == 0 ? nil : 4.5, courseDegrees: second % 2 == 0 ? nil : 1.5,
                speedMetersPerSecond: second % 5 == 0 ? nil : 8)
            if second % 7 == 0 { fix.nearestRoad = place.offset(eastMeters: 3, northMeters: 0) }
            entries += [.fix(fix, at: time.addingTimeInterval(0.0625)), .command(.tick(time.addingTimeInterval(0.125)))]
        }
        entries += [.command(.continueToNextDestination), .command(.setRoute(route, .reroute)), .command(.setRoute(nil, .cleared))]
        return entries.map { DriveRecording.Entry($0, at: start) }
    }

    @Test("a written drive can be read again, input by input, and produces the same events")
    func roundTrip() throws {
        let entries = try Self.entries()
        let recording = try read(Self.text(entries))
        #expect(recording.entries.count == entries.count)
        for (read, written) in zip(recording.entries, entries) {
            switch (read.input, written.input) {
            case (.command(.setRoute(let one?, _)), .command(.setRoute(let two?, _))):
                #expect(one.line == two.line && one.traffic == two.traffic && one.legs.count == two.legs.count)
                #expect(one.legs.map(\.destination) == two.legs.map(\.destination))
                #expect(zip(one.cumulativeSeconds, two.cumulativeSeconds).allSatisfy { abs($0 - $1) < 1e-6 })
            default: #expect(read == written)
            }
        }
        var state = NavigatorState()
        let live = entries.flatMap { state.apply($0.input) }.map(Self.words)
        #expect(recording.events.map(Self.words) == live)
        #expect(live.contains { $0.hasPrefix("left") })
        #expect(recording.track.count == 60 && recording.routes.count == 2)
    }

    @Test("a truncated file is read up to its last whole line")
    func halfLine() throws {
        let text = Self.text(Array(try Self.entries().prefix(5)))
        let bytes = Array(text.utf8)
        for count in stride(from: Self.header.utf8.count + 1, to: bytes.count, by: 7) {
            let whole = bytes[..<count].count { $0 == 0x0A } - 1
            #expect(try DriveRecording(pieces(Array(bytes[..<count]), of: 50)).entries.count == whole)
        }
    }

    @Test("a file that is not a recording, or has an impossible line, is refused with the line")
    func refused() {
        for text in [
            "", "hello\n", "{}\n", "{\"tripwatch\":\"trip\",\"version\":1,\"vehicle\":\"v\",\"t\":1}\n",
            Self.header.replacing("1", with: "2") + "\n",
        ] {
            #expect(throws: LocationFileError.isNot("recording of a drive"), "\(text)") { try read(text) }
        }
        for line in [
            "{}", "{\"t\":1}", "hello", "{\"t\":1e300,\"guidance\":true}", "{\"t\":1,\"fix\":{\"lat\":91,\"lng\":1,\"time\":1}}",
            "{\"t\":1,\"change\":\"sideways\"}", "{\"t\":1,\"change\":\"reroute\",\"route\":{\"legs\":[],\"traffic\":[]}}",
            "{\"t\":1,\"change\":\"reroute\",\"route\":{\"legs\":[{\"path\":[1],\"lat\":1,\"lng\":1,\"title\":\"\",\"distance_meters\":1,\"duration_seconds\":1,\"segment_seconds\":[1]}],\"traffic\":[]}}",
            "{\"t\":1,\"change\":\"reroute\",\"route\":{\"legs\":[{\"path\":[1,1,2,2],\"lat\":1,\"lng\":1,\"title\":\"\",\"distance_meters\":-1,\"duration_seconds\":1,\"segment_seconds\":[]}],\"traffic\":[]}}",
        ] {
            #expect(throws: LocationFileError.isNot("recording of a drive: line 2 is invalid"), "\(line)") {
                try read(Self.header + "\n" + line + "\n")
            }
        }
    }

    @Test("a line with too many values is refused with the limit")
    func values() {
        let line = "{\"t\":1,\"tick\":true,\"x\":[" + String(repeating: "1,", count: 1_000_000) + "1]}"
        let bytes = Array((Self.header + "\n" + line + "\n").utf8)
        let error = LocationFileError.tooLarge(line: 2, limit: "1000000 JSON values")
        #expect(throws: error) { try DriveRecording(pieces(bytes, of: 100_000)) }
        #expect("\(error)" == "line 2 has more than 1000000 JSON values")
    }

    @Test("recorded routes are given again for their destinations, each once; another router finds the others")
    func router() async throws {
        let router = RecordedRouter(try read(Self.text(try Self.entries())), other: StraightLineRouter())
        let route = try Self.route()
        let request = RouteRequest(origin: Coordinate(latitude: -36, longitude: -20), destinations: route.legs.map(\.destination))
        for _ in 0..<2 { #expect(try await router.route(request).planner == "recorded drive") }
        #expect(try await router.route(request).planner != "recorded drive")
    }

    /// The trips were recorded by `drive --record`. In each, the car drives to the pickup, waits there and drives to the drop-off.
    @Test("a whole recorded trip produces every event that it produced before", arguments: ["simulated", "track"])
    func golden(name: String) throws {
        let bytes = Array(try Data(contentsOf: Self.fixtures.appending(path: "\(name).drive.jsonl")))
        let events = try DriveRecording(pieces(bytes, of: 4_096)).events.map(Self.words)
        let golden = Self.fixtures.appending(path: "\(name).events.txt")
        if ProcessInfo.processInfo.environment["TRIPWATCH_WRITE_GOLDEN"] != nil {
            try (events.joined(separator: "\n") + "\n").write(to: golden, atomically: true, encoding: .utf8)
        }
        let known = try String(contentsOf: golden, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(events.count == known.count)
        for (index, (now, then)) in zip(events, known).enumerated() { #expect(now == then, "event \(index + 1)") }
        #expect(events.count { $0.hasPrefix("arrived") } == 2)
    }

    /// Returns a line of text about an event. Numbers have three decimals, and coordinates have seven.
    private static func words(_ event: NavigatorEvent) -> String {
        func figure(_ value: Double?, _ digits: Int = 3) -> String { value.map { String(format: "%.\(digits)f", $0) } ?? "unknown" }
        switch event {
        case .didUpdateLocation(let location):
            return "at \(figure(location.coordinate.latitude, 7)) \(figure(location.coordinate.longitude, 7)) snapped \(location.isSnapped)"
                + " time \(figure(location.timestamp.timeIntervalSince1970)) accuracy \(figure(location.accuracyMeters))"
                + " course \(figure(location.courseDegrees)) speed \(figure(location.speedMetersPerSecond))"
        case .didChangeRoute(let change): return "route \(change)"
        case .didArrive(let waypoint): return "arrived at \(waypoint.title)"
        case .didUpdateRemainingTime(let seconds): return "left \(figure(seconds)) s"
        case .didUpdateRemainingDistance(let meters): return "left \(figure(meters)) m"
        case .didLeaveRoute(let reason): return "off route: \(reason)"
        case .didReturnToRoute: return "on route again"
        case .didBeginRerouting(let reason): return "another way is asked for: \(reason)"
        case .didUpdateDelayCategory(let category, let seconds): return "delay \(category) \(figure(seconds)) s"
        case .didUpdateSpeedingPercentage(let percent): return "speeding \(figure(percent))"
        case .didUpdateSpeedAlertSeverity(let severity, let percent): return "alert \(severity) \(figure(percent))"
        case .didUpdateNavInfo(let info): return "step \(info.state) \(figure(info.distanceToNextStepMeters))"
        case .didLoseLocation(let seconds): return "lost after \(figure(seconds)) s"
        case .didRegainLocation(let seconds): return "found after \(figure(seconds)) s"
        case .didUpdateTraffic, .didChangeSuggestedLightingMode: return "\(event)"
        }
    }
}
