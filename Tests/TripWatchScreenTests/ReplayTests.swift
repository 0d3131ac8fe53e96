import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchWords

@Suite("A recording on the screen")
struct ReplayTests {
    private static let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
    private static let size = Size(columns: 80, rows: 24)

    /// Returns updates of a ride to the pickup: an answer every five seconds, and an outage.
    private static func updates(_ name: TripName, count: Int = 60) -> [TripUpdate] {
        let start = MadeUpTrip.time("14:02:00")
        var known: Trip?
        return (0..<count).flatMap { index -> [TripUpdate] in
            let time = start.addingTimeInterval(Double(index) * 5 + 0.25)
            if (20..<24).contains(index) {
                let error = FleetEngineError(code: .unavailable, message: "made up", origin: .network)
                let failure = PollFailure(
                    error: error, errorClass: .retryable, retryInSeconds: 5, attempt: index - 19, serverWasHeard: true)
                return [TripUpdate(name: name, time: time, kind: .failure(failure))]
            }
            let trip = MadeUpTrip.approaching(name, metersToGo: max(0, 3_000 - 45 * Double(index)), arrival: "14:07:30", at: time)
            defer { known = trip }
            return [TripUpdate(name: name, time: time, kind: .trip(trip, changed: TripPropertyFields(from: known, to: trip)))]
        }
    }

    private func course(size: Size = size) throws -> ReplayCourse {
        let name = try #require(MadeUpTrip.name())
        var options = AppOptions()
        (options.mode, options.keyMap, options.recordingName) = (.replay, .replaying, "northgate-1431.trip")
        let updates = Self.updates(name)
        return try #require(
            ReplayCourse(name, updates: updates, pollIntervalSeconds: 5, options: options, size: size) { _, _ in nil })
    }

    private func screen(_ course: inout ReplayCourse, at seconds: Double, paused: Bool = true, columns: Int = 80) -> String {
        let frame = frame(&course, at: seconds, paused: paused)
        var state = frame.state
        _ = state.update(.replay(frame))
        return AppView().canvas(state, theme: Self.theme).text()
    }

    private func frame(_ course: inout ReplayCourse, at seconds: Double, paused: Bool) -> ReplayFrame {
        let now = course.start.addingTimeInterval(seconds)
        let status = ReplayStatus(start: course.start, end: course.end, now: now, speed: 4, isPaused: paused)
        return ReplayFrame(state: course.state(at: now), status: status)
    }

    @Test("streets that the car has passed are reported as during the ride, by the map that is used now")
    func streets() throws {
        let name = try #require(MadeUpTrip.name())
        var options = AppOptions()
        options.mode = .replay
        let border = MadeUpTrip.place(0, 1_500).latitude
        let made = ReplayCourse(
            name, updates: Self.updates(name), pollIntervalSeconds: 5, options: options, size: Self.size, vehicle: { _, _ in nil },
            street: { $0.coordinate.latitude > border ? "Elm St" : "Mill Lane" })
        var course = try #require(made)
        let end = course.state(at: course.end)
        let lines = end.loggedEvents.map { end.line($0, columns: 80) }
        #expect(lines.filter { $0.contains("passed") }.map { $0.dropFirst(10) } == ["Car passed Elm St"], "\(lines)")
    }

    @Test("a moment looks the same whichever way it is reached, computed ahead or not")
    func sameFrames() throws {
        let moments = [0, 0.1, 12.3, 60, 99.99, 100.25, 101, 118, 200.5, 295]
        var played = try course()
        for step in 0...2_950 { _ = played.state(at: played.start.addingTimeInterval(Double(step) / 10)) }
        var ahead = try course()
        ahead.compute(steps: 10_000)
        #expect(ahead.isComplete && ahead.computedUntil == ahead.end)
        for moment in moments + moments.reversed() {
            var direct = try course()
            let text = screen(&direct, at: moment)
            #expect(screen(&played, at: moment) == text, "\(moment)")
            #expect(screen(&ahead, at: moment) == text, "\(moment)")
        }
    }

    @Test("a screen that gets its first size back looks as before, and a size that is reported twice restarts nothing")
    func resized() throws {
        let wide = Size(columns: 120, rows: 40)
        var course = try course()
        let before = screen(&course, at: 150)
        course.resize(to: wide)
        course.compute(steps: 100)
        let end = course.state(at: course.end)
        #expect(end.size == wide)
        let computed = course.computedUntil
        course.resize(to: wide)
        #expect(course.computedUntil == computed && computed > course.start)
        course.resize(to: Self.size)
        #expect(screen(&course, at: 150) == before)
    }

    @Test("the screen shows what is played, the position in it, and the speed")
    func words() throws {
        var course = try course()
        let rows = screen(&course, at: 150).split(separator: "\n").map(String.init)
        #expect(
            rows[0].contains("Ride to Northgate Station") && rows[0].contains("paused 4x") && rows[0].contains("14:04:30"), "\(rows[0])")
        let bar = rows[rows.count - 2]
        #expect(bar.contains("◦  14:02 ") && bar.contains(" 14:06   2:30 of 4:55"), "\(bar)")
        #expect(rows[rows.count - 1].contains("Space resume   < > speed   arrows 10 s   e next event"), "\(rows[rows.count - 1])")
        #expect(screen(&course, at: 150, paused: false).contains("▸  14:02 "))
        #expect(screen(&course, at: 295).contains("replay ended"))
        let details = DetailList(frame(&course, at: 150, paused: true).state).all
        #expect(details.contains { $0 == ("file", "northgate-1431.trip") } && !details.contains { $0.0 == "server" }, "\(details)")
    }

    @Test("the playback position is shown at every size", arguments: [(20, 3), (40, 15), (80, 24), (120, 40), (200, 60)])
    func sizes(columns: Int, rows: Int) throws {
        var course = try course(size: Size(columns: columns, rows: rows))
        let row = screen(&course, at: 150).split(separator: "\n").first { $0.contains("2:30 of 4:55") }
        // If there is room, a progress bar also shows the playback position.
        #expect(row?.contains("⠶") == (columns > 20), "\(row ?? "")")
    }

    @Test("the key that pauses says what it does next at every size", arguments: [(40, 15), (60, 16), (80, 24)])
    func pause(columns: Int, rows: Int) throws {
        var course = try course(size: Size(columns: columns, rows: rows))
        #expect(screen(&course, at: 150).contains("Space resume"))
        #expect(screen(&course, at: 150, paused: false).contains("Space pause"))
        #expect(screen(&course, at: 295).contains("Space restart"))
    }

    @Test("events are stops for e, each moment once, and the outage is one of them")
    func events() throws {
        var course = try course()
        course.compute(steps: 10_000)
        #expect(course.events == Array(Set(course.events)).sorted() && course.events.count >= 2, "\(course.events)")
        let outage = course.start.addingTimeInterval(100)
        #expect(course.events.contains { abs($0.timeIntervalSince(outage)) < 1 })
    }

    @Test("arrows scrub, with Shift further, x is off, and w shows the log")
    func keys() throws {
        var course = try course()
        var state = frame(&course, at: 100, paused: true).state
        let start = frame(&course, at: 100, paused: true)
        _ = state.update(.replay(start))
        #expect(state.update(.key(Key(.right))).contains(.replay(.scrub(seconds: 10))))
        #expect(state.update(.key(Key(.left, modifiers: .shift))).contains(.replay(.scrub(seconds: -60))))
        for (key, command) in [(" ", ReplayCommand.pause), ("<", .slower), (">", .faster), ("e", .nextEvent), ("E", .previousEvent)] {
            #expect(state.update(.key(try #require(Key(key == " " ? "space" : key)))).contains(.replay(command)), "\(key)")
        }
        _ = state.update(.key(Key(.character("w"))))
        #expect(state.overlay == .events)
    }

    @Test("a map that was moved by hand stays where it is, until it follows again")
    func map() throws {
        var course = try course()
        let first = frame(&course, at: 50, paused: true)
        var state = first.state
        _ = state.update(.replay(first))
        _ = state.update(.key(Key(.character("+"))))
        let camera = state.map.camera
        let later = frame(&course, at: 250, paused: true)
        _ = state.update(.replay(later))
        #expect(state.map.camera == camera)
        _ = state.update(.key(Key(.escape))) { _ in .replay(later) }
        #expect(state.map.camera == later.state.map.camera)
    }

    @Test("a recording of an hour is computed ahead, and then every moment is reached quickly", .timeLimit(.minutes(2)))
    func long() throws {
        let name = try #require(MadeUpTrip.name())
        var options = AppOptions()
        options.mode = .replay
        let long = Self.updates(name, count: 720)
        var course = try #require(
            ReplayCourse(name, updates: long, pollIntervalSeconds: 5, options: options, size: Self.size) { _, _ in nil })
        #expect(course.share(of: course.end) == 0)
        while !course.isComplete { course.compute(steps: 500) }
        #expect(course.share(of: course.end) == 1)
        for share in [1, 0.1, 0.7, 0] {
            let moment = course.start.addingTimeInterval(share * course.end.timeIntervalSince(course.start))
            #expect(course.state(at: moment).now == moment)
        }
    }
}

@Suite("Exporting a ride for other programs")
struct RideExportTests {
    @Test("GPX has a track and the stops, and so does GeoJSON; names are escaped")
    func formats() throws {
        let name = try #require(MadeUpTrip.name())
        let updates = (0..<5).map { index in
            let time = MadeUpTrip.time("14:02:00").addingTimeInterval(Double(index) * 5)
            var trip = MadeUpTrip.approaching(name, metersToGo: 3_000 - 40 * Double(index), arrival: "14:12:00", at: time)
            trip.attributes["dropoff_name"] = "<A> & \"B\"\u{7}"
            return TripUpdate(name: name, time: time, kind: .trip(trip, changed: []))
        }
        var nameless = MadeUpTrip.approaching(name, metersToGo: 3_000, arrival: "14:12:00", at: MadeUpTrip.time("14:02:00"))
        nameless.attributes = [:]
        let update = TripUpdate(name: name, time: MadeUpTrip.time("14:02:00"), kind: .trip(nameless, changed: []))
        var named = RideExport(name, places: [MadeUpTrip.pickup: "Elm\u{1b} Street"])
        named.observe(update)
        #expect(named.text(.gpx).contains("<name>Pickup: Elm Street</name>"), "\(named.text(.gpx))")
        var ride = RideExport(name)
        for update in updates { ride.observe(update) }
        let gpx = ride.text(.gpx)
        #expect(gpx.split(separator: "<trkpt ").count == 6 && gpx.split(separator: "<wpt ").count == 4)
        #expect(gpx.contains("Drop-off: &lt;A&gt; &amp; ") && !gpx.contains("\u{7}"))
        let geoJSON = ride.text(.geoJSON)
        #expect(
            geoJSON.hasPrefix("{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\""))
    }
}
