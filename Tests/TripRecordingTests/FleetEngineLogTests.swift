import FleetEngine
import FoundationEssentials
import Geo
import Testing

@testable import TripRecording

@Suite("Reading logs")
struct FleetEngineLogTests {
    @Test("every form and spelling of keys gives the same trip", arguments: LogForm.allCases, LogDocument.KeyStyle.allCases)
    func forms(form: LogForm, style: LogDocument.KeyStyle) throws {
        let expected = try Entry.recordedRide
        let trip = try readLog(Entry.ride, form: form, style: style).recordedTrip(matching: nil)
        #expect(trip.moments == expected.moments)
        #expect(trip.moments.map(trip.snapshot) == expected.moments.map(expected.snapshot))
    }

    @Test("the order of the entries does not matter, only their times")
    func shuffled() throws {
        let expected = try Entry.recordedRide
        var random = SeededRandom(seed: 5)
        for _ in 0..<20 {
            let trip = try readLog(Entry.ride.shuffled(using: &random)).recordedTrip(matching: "t1")
            #expect(trip.moments == expected.moments)
            #expect(trip.moments.map(trip.snapshot) == expected.moments.map(expected.snapshot))
        }
    }

    @Test("the progress of reading a long log is reported")
    func progress() throws {
        var shares: [Double] = []
        _ = try FleetEngineLog(Data(String(repeating: "{\"timestamp\":\"2026-03-14T09:00:00Z\"}\n", count: 400).utf8)) { shares.append($0) }
        #expect(shares == [0, 0.25, 0.5, 0.75])
    }

    @Test("entries are counted by their outcome")
    func counts() throws {
        let refused = Entry.entry(
            "UpdateVehicle", at: 4,
            [("request", ["vehicleId": "CAR-1"]), ("errorResponse", ["code": "INVALID_ARGUMENT", "httpStatusCode": 400])])
        let entries =
            Entry.ride + [
                refused, Entry.entry("SearchVehicles", at: 5, []), ["timestamp": "2026-03-14T09:00:00Z"], 7, .null,
                Entry.entry("UpdateTrip", at: 6, []),
                ["jsonPayload": ["@type": "x.UpdateTripLog", "response": ["name": .text(Entry.tripName)]]],
            ]
        let log = try readLog(entries)
        #expect(log.entryCount == Entry.ride.count + 7)
        #expect(log.refusedCallCount == 1)
        #expect(log.unknownEntryCount == 2)
        #expect(log.unusableEntryCount == 4)
        #expect(try log.recordedTrip(matching: "t1").moments.count == 9)
    }

    @Test("a refused call changes nothing")
    func refusedCall() throws {
        let payload: [(String, LogDocument)] = [
            ("request", ["tripId": "t1", "trip": ["name": .text(Entry.tripName), "status": "TRIP_STATUS_CANCELED"]]),
            ("errorResponse", ["code": "PERMISSION_DENIED"]),
        ]
        let trip = try readLog(Entry.ride + [Entry.entry("UpdateTrip", at: 5, payload)]).recordedTrip(matching: "t1")
        #expect(trip.snapshot(at: trip.end)?.status == .complete)
        #expect(trip.moments.count == 9)
    }

    @Test("the call is identified by type, method name, name of the log or key")
    func wrappers() throws {
        let response: LogDocument = ["name": .text(Entry.tripName), "status": "NEW"]
        let time = LogDocument.text(Entry.time(1))
        let wrapped: [LogDocument] = [
            ["timestamp": time, "jsonPayload": ["@type": "a.b/maps.fleetengine.v1.CreateTripLog", "response": response]],
            ["timestamp": time, "protoPayload": ["methodName": "maps.fleetengine.v1.TripService.CreateTrip", "response": response]],
            [
                "timestamp": time, "logName": "projects/demo/logs/fleetengine.googleapis.com%2Fcreate_trip",
                "jsonPayload": ["response": response],
            ],
            ["serverTime": time, "createTrip": ["request": ["tripId": "t1"], "response": response]],
            ["timestamp": time, "getTripLog": ["response": response]],
        ]
        for entry in wrapped {
            #expect(try readLog([entry]).tripNames.map(\.description) == [Entry.tripName], "\(entry.rendered())")
        }
    }

    @Test("bare ids take the provider from the project that wrote the log")
    func bareIDs() throws {
        let entry: LogDocument = [
            "timestamp": .text(Entry.time(1)), "labels": ["trip_id": "t9"],
            "resource": ["labels": ["resource_container": "projects/town-cars"]],
            "jsonPayload": ["@type": "x/UpdateTripLog", "request": ["tripId": "t9", "trip": ["status": "ARRIVED_AT_PICKUP"]]],
        ]
        let trip = try readLog([entry]).recordedTrip(matching: "t9")
        #expect(trip.name.description == "providers/town-cars/trips/t9")
        #expect(trip.snapshot(at: trip.start)?.status == .arrivedAtPickup)
    }

    @Test("a bare id gets the provider of the vehicles, so that they move the trip")
    func bareIDsBesideNames() throws {
        let entry: LogDocument = [
            "timestamp": .text(Entry.time(1)), "resource": ["labels": ["resource_container": "projects/cloud"]],
            "jsonPayload": [
                "@type": "x/CreateTripLog", "request": ["tripId": "t9"], "response": ["status": "ENROUTE_TO_PICKUP", "vehicleId": "CAR-1"],
            ],
        ]
        let trip = try readLog([entry, Entry.fix(at: 2, Entry.way[1])]).recordedTrip(matching: "t9")
        #expect(trip.name.description == "providers/demo/trips/t9")
        #expect(trip.moments == [1, 2].map(Entry.date))
        #expect(trip.snapshot(at: trip.end)?.lastLocation?.coordinate == Entry.way[1])
    }

    @Test("trips are listed as they appear and found by id or name")
    func tripNames() throws {
        let log = try readLog([Entry.createTrip(at: 7, trip: "b"), Entry.createTrip(at: 3, trip: "a"), Entry.createTrip(at: 9, trip: "c")])
        #expect(log.tripNames.map(\.trip) == ["a", "b", "c"])
        #expect(try log.recordedTrip(matching: nil).name.trip == "a" && log.recordedTrip(matching: nil).tripCountInFile == 3)
        #expect(try log.recordedTrip(matching: "c").name.trip == "c")
        #expect(try log.recordedTrip(matching: "providers/demo/trips/b").name.trip == "b")
        #expect(sentence { _ = try log.recordedTrip(matching: "d\u{1b}[2J") } == "the recording has no trip \"d [2J\"; it has a, b, c")
        #expect(sentence { _ = try readLog("[]").recordedTrip(matching: nil) } == "the recording has no trip in its 0 entries")
    }

    @Test("events of the same instant keep their order, even if the newest entries come first")
    func oneInstant() throws {
        func entry(_ seconds: Int, _ status: String) -> LogDocument {
            [
                "timestamp": .text(Entry.time(Double(seconds))), "labels": ["trip_id": "t9"],
                "resource": ["labels": ["resource_container": "projects/town-cars"]],
                "jsonPayload": ["@type": "x/UpdateTripLog", "request": ["tripId": "t9", "trip": ["status": .text(status)]]],
            ]
        }
        let entries = [entry(1, "ENROUTE_TO_PICKUP"), entry(2, "ARRIVED_AT_PICKUP"), entry(2, "ENROUTE_TO_DROPOFF"), entry(2, "COMPLETE")]
        for log in [entries, entries.reversed()] {
            let trip = try readLog(log).recordedTrip(matching: "t9")
            #expect(
                trip.moments.map { trip.snapshot(at: $0)?.status } == [.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
        }
    }

    @Test("a file that is not a log is reported in a sentence with its line")
    func errors() {
        let cases: [(String, TripRecordingError)] = [
            ("", .empty), (" \n\t\n", .empty), ("hello", .notJSON(line: 1)), ("\n\n42", .notJSON(line: 3)),
            ("{\"rawLogs\":[\n{},\n{\"a\":[1,2}\n]}", .notJSON(line: 3)), ("[{}\n,{\"a\":1", .truncated(line: 2)),
            ("[{},\n", .truncated(line: 1)), ("{\"rawLogs\":", .truncated(line: 1)), ("[{\"a\":\"x\ny\"}]", .notJSON(line: 1)),
            ("{}\n{}\n{\"a\":nul}", .unreadableEntry(number: 3, line: 3)), ("[{},{\"a\" 1}]", .unreadableEntry(number: 2, line: 1)),
            (String(repeating: "[", count: 100), .tooDeep(line: 1)),
        ]
        for (text, expected) in cases {
            #expect(throws: expected, "\(text)") { try readLog(text) }
        }
        #expect("\(TripRecordingError.truncated(line: 7))" == "the recording is cut off in the entry that starts on line 7")
    }

    @Test("in a log with one entry per line, an incomplete line is left out and reported; an incomplete last line is an error")
    func halfLines() throws {
        let lines = LogForm.lines.text(Entry.ride.map { $0.rendered() }).split(separator: "\n").map(String.init)
        let whole = try readLog(lines.joined(separator: "\n"))
        // Cuts the line after every third byte, and after every byte near its ends.
        let length = lines[1].utf8.count
        for count in 1..<length where count % 3 == 0 || count < 3 || count > length - 3 {
            let half = String(decoding: lines[1].utf8.prefix(count), as: UTF8.self)
            let log = try readLog(([lines[0], half] + lines[1...]).joined(separator: "\n") + "\n")
            #expect(log.brokenLines == [2] && log.entryCount == whole.entryCount && log.tripNames == whole.tripNames, "\(half)")
            #expect(log.lack == "line 2 of the recording is incomplete and was left out")
        }
        let both = try readLog((["{\"a\":", "]"] + lines).joined(separator: "\r\n"))
        #expect(both.lack == "line 1 of the recording and 1 more line are incomplete and were left out" && whole.lack == nil)
        #expect(throws: TripRecordingError.self) { try readLog((lines + ["{\"a\":"]).joined(separator: "\n")) }
        #expect(throws: TripRecordingError.self) { try readLog("{}\nhello\nhello\n{}") }
    }

    @Test("a byte order mark and white space do no harm")
    func surroundings() throws {
        let text = "\u{FEFF}\r\n  " + LogForm.rawLogs.text(Entry.ride.map { $0.rendered() }) + "\r\n\r\n"
        #expect(try readLog(text).tripNames.count == 1)
    }

    @Test("a part of a larger buffer is read within its own bounds")
    func slicedData() throws {
        let text = LogForm.array.text(Entry.ride.map { $0.rendered() })
        let data = Data("xxxxx\(text)yy".utf8)
        #expect(try FleetEngineLog(data.dropFirst(5).dropLast(2)).tripNames.count == 1)
    }
}
