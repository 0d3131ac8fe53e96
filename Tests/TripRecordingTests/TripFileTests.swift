import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf
import Synchronization
import Testing

@testable import TripRecording

/// Returns the lines that a tape records for an invented ride.
private func lines(_ answers: [WireTrip], failingAt failure: Int? = nil) throws -> [String] {
    let name = try TripName(provider: "made-up-cabs", trip: "ride-1")
    let written = Mutex<[String]>([])
    let start = Date(timeIntervalSinceReferenceDate: 1_000_000.123_456_7)
    let tape = TripTape(trip: name, clock: { start }) { line in written.withLock { $0.append(line) } }
    let tapes = TripTapes()
    tapes.add(tape)
    tape.begin(pollIntervalSeconds: 5)
    for (index, answer) in answers.enumerated() {
        let time = start.addingTimeInterval(Double(index + 1) * 5.000_01)
        if index == failure {
            tape.note(FleetEngineError(code: .unavailable, message: "\"cut\" \u{1}", origin: .network), retryInSeconds: 4.5, at: time)
        } else {
            tapes.hear(answer, of: name)
            tape.writeAnswer(at: time)
        }
    }
    return written.withLock { $0 }
}

private func answer(_ status: WireTripStatus, meters: Int32 = 900) -> WireTrip {
    .with {
        $0.name = "providers/made-up-cabs/trips/ride-1"
        $0.tripStatus = status
        $0.vehicleID = "car-7"
        $0.remainingDistanceMeters.value = meters
    }
}

private func data(_ lines: [String]) -> Data { Data((lines.joined(separator: "\n") + "\n").utf8) }

@Suite("A .trip file")
struct TripFileTests {
    private var ride: [String] {
        get throws { try lines([answer(.enrouteToPickup), answer(.enrouteToPickup), answer(.complete)], failingAt: 1) }
    }

    @Test("the answers are returned unchanged, at exactly their times")
    func roundTrip() async throws {
        let trip = try RecordedTrip(data(try ride))
        let start = Date(timeIntervalSinceReferenceDate: 1_000_000.123_456_7)
        #expect(trip.moments == (1...3).map { start.addingTimeInterval(Double($0) * 5.000_01) })
        #expect(trip.isAsReceived && trip.isFinished && trip.pollIntervalSeconds == 5)
        let playback = PlaybackTimeSource(trip, base: JumpingTimeSource())
        let client = RecordedTripClient(playback)
        let request = GetTripRequest(name: trip.name)
        let first = try await client.getTrip(request)
        #expect(first.status == .enrouteToPickup && first.vehicleID == "car-7" && first.remainingDistanceMeters == 900)
        await #expect(throws: FleetEngineError(code: .unavailable, message: "\"cut\" \u{1}", origin: .network)) {
            try await client.getTrip(request)
        }
        #expect(trip.retrySeconds(at: playback.now()) == 4.5)
        #expect(try await client.getTrip(request).status == .complete)
    }

    @Test("the header's other facts are returned; impossible ones are left out, and the ride is still read")
    func scene() throws {
        var scene = RecordedScene()
        scene.bookedAt = Date(timeIntervalSinceReferenceDate: 999_999.5)
        scene.isInTown = true
        scene.placeNames = [
            Coordinate(latitude: -36, longitude: -20): "Old \"Market\"", Coordinate(latitude: 1.25, longitude: 2): "Quay/\u{1b}[2J",
        ]
        let whole = try ride
        func read(_ header: String) throws -> RecordedTrip { try RecordedTrip(data([header] + whole.dropFirst())) }
        let start = Date(timeIntervalSinceReferenceDate: 1_000_000)
        let name = try TripName(provider: "made-up-cabs", trip: "ride-1")
        #expect(try read(TripLine.header(trip: name, at: start, pollIntervalSeconds: 5, scene: scene)).scene == scene)
        let plain = TripLine.header(trip: name, at: start, pollIntervalSeconds: 5)
        #expect(try read(plain).scene == RecordedScene())
        let many = (0..<300).map { "{\"at\":[\($0 % 180),1],\"name\":\"\(String(repeating: "x", count: 500))\"}" }.joined(separator: ",")
        for odd in [
            "\"booked\":7", "\"booked\":\"yesterday\"", "\"town\":\"yes\"", "\"places\":{}", "\"places\":[{\"at\":[1]}]",
            "\"places\":[{\"at\":[1,2,3],\"name\":\"a\"},{\"at\":[1,200],\"name\":\"b\"},{\"at\":[],\"name\":\"c\"}]",
        ] {
            #expect(try read(String(plain.dropLast()) + ",\(odd)}").scene == RecordedScene(), "\(odd)")
        }
        let cut = try read(String(plain.dropLast()) + ",\"places\":[\(many)]}").scene
        #expect(cut.placeNames.count == 100 && cut.placeNames.values.allSatisfy { $0.count == 200 })
    }

    @Test("an incomplete last line is skipped if a recording precedes it")
    func halfLine() throws {
        let whole = try ride
        let text = whole.joined(separator: "\n")
        let trip = try RecordedTrip(Data(text.dropLast(7).utf8))
        #expect(trip.moments == Array(try RecordedTrip(data(whole)).moments.dropLast()))
        let header = try #require(whole.first)
        #expect(throws: TripRecordingError.noAnswer) { try RecordedTrip(Data((header + "\n{\"t\":\"20").utf8)) }
        // An incomplete line is an error if it is not the last line of the file.
        #expect(throws: TripRecordingError.self) { try RecordedTrip(Data((header + "\n{\"t\":\"20\n" + text).utf8)) }
    }

    @Test("a tape that waits for an answer writes nothing before it, and then everything it has held, the header first")
    func held() throws {
        let name = try TripName(provider: "p", trip: "t")
        let written = Mutex<[String]>([])
        let tape = TripTape(trip: name, waitsForAnswer: true, clock: { Date(timeIntervalSinceReferenceDate: 5_000) }) { line in
            written.withLock { $0.append(line) }
        }
        tape.begin(pollIntervalSeconds: 1)
        for second in 0..<300 {
            let error = FleetEngineError(code: .unavailable, message: "cut \(second)", origin: .network)
            tape.note(error, retryInSeconds: 1, at: Date(timeIntervalSinceReferenceDate: 5_000 + Double(second)))
        }
        #expect(written.withLock { $0.isEmpty })
        tape.hold(answer(.complete))
        tape.writeAnswer(at: Date(timeIntervalSinceReferenceDate: 6_000))
        let lines = written.withLock { $0 }
        #expect(lines.count <= 101 && lines.first?.contains("\"tripwatch\":\"trip\"") == true && lines.last?.contains("COMPLETE") == true)
        #expect(lines.dropLast().last?.contains("cut 299") == true)
    }

    @Test("times never decrease, whatever is done to the clock")
    func clock() throws {
        let name = try TripName(provider: "p", trip: "t")
        let written = Mutex<[String]>([])
        let tape = TripTape(trip: name, clock: { Date(timeIntervalSinceReferenceDate: 5_000) }) { line in
            written.withLock { $0.append(line) }
        }
        tape.begin(pollIntervalSeconds: 1)
        tape.hold(answer(.new))
        tape.writeAnswer(at: Date(timeIntervalSinceReferenceDate: 1_000))
        tape.hold(answer(.complete))
        tape.writeAnswer(at: Date(timeIntervalSinceReferenceDate: 1_001))
        #expect(try RecordedTrip(data(written.withLock { $0 })).moments.count == 2)
    }

    @Test("another rider's stop is only called other, and no route leads to it or from it")
    func privacy() throws {
        let way = (0...10).map { Coordinate(latitude: 10 + Double($0) * 0.001, longitude: -30) }
        let told = answer(.enrouteToPickup)
        let shared = WireTrip.with {
            $0 = told
            $0.route = way.map { place in .with { ($0.latitude, $0.longitude) = (place.latitude, place.longitude) } }
            $0.currentRouteSegmentEndPoint = .with {
                $0.tripID = "secret-2"
                $0.location.point.latitude = 10.01
            }
            $0.currentRouteSegmentTraffic.speedReadingInterval = [
                .with { ($0.startPolylinePointIndex, $0.endPolylinePointIndex) = (0, 10) }
            ]
            $0.remainingWaypoints = ["secret-2", "secret-2", "ride-1"].map { id in
                .with {
                    $0.tripID = id
                    $0.waypointType = .dropOffWaypointType
                    $0.location.point.latitude = id == "ride-1" ? 10.05 : 10.01
                    $0.distanceMeters.value = 700
                    $0.pathToWaypoint = [.with { $0.latitude = 10.01 }, .with { $0.latitude = 10.05 }]
                    $0.encodedPathToWaypoint = "secret"
                }
            }
            $0.vehicleWaypoints = $0.remainingWaypoints
        }
        let line = try #require(try lines([shared]).last)
        #expect(!line.contains("secret"))
        let other = #"{"tripId":"other","waypointType":"DROP_OFF_WAYPOINT_TYPE"}"#
        #expect(line.contains(#""remainingWaypoints":[\#(other),\#(other),{"location""#))
        #expect(line.contains(#""currentRouteSegmentEndPoint":{"tripId":"other"}"#))
        let kept = shared.withoutOtherRiders(of: "ride-1")
        let end = try #require(kept.route.last)
        let distance = Coordinate(latitude: end.latitude, longitude: end.longitude).distanceMeters(to: try #require(way.last))
        #expect(abs(distance - 150) < 0.5)
        #expect(kept.currentRouteSegmentTraffic.speedReadingInterval.allSatisfy { Int($0.endPolylinePointIndex) < kept.route.count })
        #expect(kept.remainingWaypoints.last?.pathToWaypoint == [] && kept.remainingWaypoints.last?.distanceMeters.value == 1_400)
        // When the recording is played, the list of stops still contains the other riders' stops.
        let trip = try RecordedTrip(data(try lines([shared, answer(.complete)])))
        guard case .answer(let answer)? = trip.outcome(at: trip.start) else { throw TripRecordingError.empty }
        let wire = try #require(answer.decoded?.placingOthers())
        #expect(wire.remainingWaypoints.count == 3 && wire.remainingWaypoints.allSatisfy(\.location.hasPoint))
    }

    @Test("a truncated file gives an error message, or the part before the cut")
    func cut() throws {
        let whole = data(try ride)
        for count in 0..<whole.count {
            let text = sentence { _ = try RecordedTrip(whole.prefix(count)) }
            #expect(
                text.isEmpty || text.hasPrefix("the recording ") || text.contains("of the recording") || text.hasPrefix("line "), "\(text)")
        }
    }

    @Test("too many lines, too long a line and a line with too many values are refused, even the last one; blank lines count too")
    func limits() throws {
        let header = try ride[0]
        let blank = Data((header + String(repeating: "\n", count: FleetEngineLog.maximumEntryCount + 1)).utf8)
        #expect(throws: TripRecordingError.tooManyEntries) { try RecordedTrip(blank) }
        let long = "{\"x\":\"" + String(repeating: "a", count: FleetEngineLog.maximumEntryBytes) + "\"}"
        #expect(throws: TripRecordingError.entryTooLarge(line: 2)) { try RecordedTrip(data([header, long])) }
        let stops = String(repeating: "{},", count: FleetEngineLog.maximumValueCount / 2)
        let wide = "{\"t\":\"2001-01-13T00:00:00Z\",\"answer\":{\"intermediateDestinations\":[\(stops){}]}}"
        #expect(throws: TripRecordingError.tooManyValues(line: 2)) { try RecordedTrip(data([header, wide])) }
    }

    @Test("a file of another kind gives an error message")
    func hostile() throws {
        let ride = try ride
        func told(_ lines: [String]) -> String { sentence { _ = try RecordedTrip(data(lines)) } }
        #expect(told(ride.reversed()).hasPrefix("the recording has no trip") || !told(ride.reversed()).isEmpty)
        #expect(told([ride[0], ride[3], ride[1]]) == "line 3 of the recording has an earlier time than the line before it")
        #expect(told([ride[0].replacing("\"version\":1", with: "\"version\":9")]).hasPrefix("the recording has version 9"))
        #expect(told([ride[0]]).hasPrefix("the recording has no answer"))
        #expect(
            told([ride[0], "{\"t\":\"2001-01-13T00:00:00Z\",\"answer\":[]}"]) == "line 2 of the recording is not valid in a .trip file")
        #expect(told([ride[0], String(repeating: "[", count: 100_000)]) == "line 2 of the recording is not JSON")
        let deep = "{\"t\":\"2001-01-13T00:00:00Z\",\"answer\":" + String(repeating: "{\"x\":", count: 100)
        #expect(!told([ride[0], deep]).isEmpty)
        for value in ["null", "1e999", "\"9999999999\"", "{}", "[[]]", "\"2001-13-45T99:99:99Z\""] {
            #expect(!told([ride[0], "{\"t\":\(value),\"answer\":{}}"]).isEmpty, "\(value)")
        }
        // Members and enum values that a later version may add are ignored.
        let later = ride[1].replacing("\"answer\":{", with: "\"new\":[1],\"answer\":{\"later\":{\"a\":[1]},\"view\":\"NEW_WORD\",")
        #expect(told([ride[0], later, ride[3]]).isEmpty)
    }
}
