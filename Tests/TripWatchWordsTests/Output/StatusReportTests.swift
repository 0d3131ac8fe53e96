import FleetEngine
import Foundation
import Geo
import JourneySharing
import Testing
import TripWatchWords

/// A journey for which one answer has been received.
struct Sighting {
    static let start = Date(timeIntervalSince1970: 1_935_756_120)
    var journey: JourneyTracker
    var now = Sighting.start

    init(progress: JourneySharing.Progress.Mark? = nil, _ change: (inout Trip) -> Void) throws {
        let name = try TripName("providers/demo/trips/made-up-ride")
        journey = JourneyTracker(tripName: name, progress: progress)
        var trip = Trip(name: name, status: .enrouteToPickup)
        trip.vehicleID = "demo-7"
        trip.pickupTime = Self.start.addingTimeInterval(360)
        trip.remainingDistanceMeters = 1_804
        trip.lastLocation = VehicleLocation(
            coordinate: Coordinate(latitude: 48.5, longitude: 9.1), updateTime: Self.start.addingTimeInterval(-3),
            serverTime: Self.start.addingTimeInterval(-3))
        change(&trip)
        let changed = TripPropertyFields(from: nil, to: trip)
        journey.observe(TripUpdate(name: name, time: Self.start, kind: .trip(trip, changed: changed)))
    }

    mutating func fail(_ code: StatusCode, afterSeconds: Double) {
        let error = FleetEngineError(code: code, message: "connection refused", origin: .network)
        now = Self.start.addingTimeInterval(afterSeconds)
        let failure = PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 5, attempt: 1)
        journey.observe(TripUpdate(name: journey.tripName, time: now, kind: .failure(failure)))
    }

    func report(isASCII: Bool = false, title: String? = nil) -> StatusReport {
        StatusReport(journey, now: now, options: StatusReport.Options(isASCII: isASCII, title: title))
    }
}

@Suite("A trip in one line")
struct StatusReportTests {
    @Test("on the way: countdown, clock, distance")
    func enroute() throws {
        let sighting = try Sighting { _ in }
        #expect(sighting.report().line == "▾ 6 min  14:08  1.8 km")
        #expect(sighting.report(isASCII: true).line.utf8.allSatisfy { $0 < 0x7F })
    }

    @Test("after the trip, waybar's tooltip names the car by its plate, or not at all", arguments: [TripStatus.complete, .canceled])
    func carAfterTrip(status: TripStatus) throws {
        let unknown = try Sighting { $0.status = status }
        #expect(!unknown.report().waybarLine.contains("demo-7"), "\(unknown.report().waybarLine)")
        let known = try Sighting { ($0.status, $0.attributes) = (status, ["license_plate": "KVX 204"]) }
        #expect(known.report().waybarLine.contains(", KVX 204"), "\(known.report().waybarLine)")
    }

    @Test("without a connection, the number is marked as old")
    func offline() throws {
        var sighting = try Sighting { _ in }
        sighting.fail(.unavailable, afterSeconds: 42)
        #expect(sighting.report().line == "⚠ about 6 min (offline 45 s)")
        #expect(sighting.report().tmuxLine.hasPrefix("#[fg=yellow]⚠ #[bold]"))
    }

    @Test(
        "every other phase has its words",
        arguments: [
            (TripStatus.arrivedAtPickup, "▸ here  DEMO 7"), (.arrivedAtIntermediateDestination, "▸ at stop 1  DEMO 7"),
            (.complete, "✓ arrived"), (.canceled, "✗ cancelled"),
        ] as [(TripStatus, String)])
    func phases(status: TripStatus, line: String) throws {
        let sighting = try Sighting {
            $0.status = status
            $0.attributes = ["plate": "DEMO 7\u{1b}[2J"]
        }
        #expect(sighting.report().line.hasPrefix(line), "\(sighting.report().line)")
        #expect(!sighting.report().line.contains("\u{1b}"))
    }

    @Test("no car yet")
    func looking() throws {
        let sighting = try Sighting {
            $0.status = .new
            $0.vehicleID = nil
            $0.lastLocation = nil
        }
        #expect(sighting.report().line == "◦ looking for a car")
        #expect(sighting.report().jsonLine.contains(#""freshness":null,"age_s":null"#))
    }

    @Test("the JSON object has every key, and its numbers are never negative")
    func json() throws {
        var sighting = try Sighting { $0.pickupTime = Sighting.start.addingTimeInterval(-600) }
        sighting.now = Sighting.start.addingTimeInterval(5)
        let line = sighting.report().jsonLine
        let keys = ["trip", "status", "eta", "remaining_s", "remaining_m", "stops_before", "freshness", "age_s"]
        var rest = line[...]
        for key in keys {
            let found = try #require(rest.range(of: "\"\(key)\":"), "\(key) in \(line)")
            rest = rest[found.upperBound...]
        }
        #expect(line.contains(#""remaining_s":0,"remaining_m":1804"#))
    }

    @Test("the object of an order has its kind and the arrival at the shop, until that is passed; a ride's has neither")
    func orderObject() throws {
        func line(_ status: TripStatus) throws -> String {
            try Sighting {
                $0.attributes = ["kind": "order"]
                $0.status = status
            }.report().jsonLine
        }
        #expect(try line(.enrouteToPickup).contains(#"/made-up-ride","kind":"order","status":"ENROUTE_TO_PICKUP""#))
        #expect(try line(.enrouteToPickup).contains(#""shop_eta":"2031-05-05T14:08:00.000Z""#))
        for status in [TripStatus.arrivedAtPickup, .enrouteToDropoff] { #expect(try line(status).contains(#""shop_eta":null"#)) }
        let ride = try Sighting { _ in }.report().jsonLine
        #expect(!ride.contains("kind") && !ride.contains("shop_eta"))
    }

    @Test("while the car waits, the arrival in JSON does not run with the server's clock")
    func waiting() throws {
        let here = try Sighting {
            ($0.status, $0.pickupTime) = (.arrivedAtPickup, Sighting.start)
            $0.remainingWaypoints = [
                TripWaypoint(coordinate: .init(latitude: 0, longitude: 0), tripID: "made-up-ride", type: .pickup, eta: Sighting.start)
            ]
        }
        #expect(here.report().jsonLine.contains(#""eta":null,"remaining_s":null"#), "\(here.report().jsonLine)")
        #expect(
            here.report().linkLine(freshnessText: "", pickedUpAt: nil, droppedOffAt: nil, endsAt: nil).contains(#""eta":null,"distance_m""#)
        )
    }

    @Test("a car that came early does not count down to the promised time while it waits")
    func early() throws {
        var sighting = try Sighting { _ in }
        #expect(!sighting.report().jsonLine.contains(#""remaining_s":null"#), "\(sighting.report().jsonLine)")
        var trip = try #require(sighting.journey.trip)
        trip.status = .arrivedAtPickup
        let update = TripUpdate(name: trip.name, time: Sighting.start, kind: .trip(trip, changed: [.tripStatus]))
        sighting.journey.observe(update)
        let line = sighting.report().jsonLine
        #expect(line.contains(#""remaining_s":null"#) && !line.contains(#""eta":null"#), "\(line)")
    }

    @Test("waybar gets escaped markup, and tmux gets no command from the data")
    func bars() throws {
        let sighting = try Sighting { $0.attributes = ["plate": "<b>#(rm)&"] }
        let here = try Sighting {
            $0.status = .arrivedAtPickup
            $0.attributes = ["plate": "<b>#(rm)&"]
        }
        #expect(sighting.report(title: "A & <B>").waybarLine.contains("A &amp; &lt;B&gt;: "))
        #expect(sighting.report().waybarLine.contains(#""class":"enroute","percentage":0"#))
        let named = try Sighting { $0.attributes = ["dropoff_name": "Northgate"] }
        #expect(named.report().waybarLine.contains(#""tooltip":"Ride to Northgate: On the way to you"#), "\(named.report().waybarLine)")
        var silent = sighting
        let failure = PollFailure(
            error: FleetEngineError(code: .unavailable, message: ""), errorClass: .retryable, retryInSeconds: 5, attempt: 1)
        let moment = silent.now.addingTimeInterval(60)
        silent.journey.observe(TripUpdate(name: silent.journey.tripName, time: moment, kind: .failure(failure)))
        #expect(silent.report().waybarLine.contains(#""class":"offline","#))
        #expect(silent.report().line.contains("(server error "), "\(silent.report().line)")
        #expect(here.report().tmuxLine.contains("<b>##(rm)&"))
        #expect(!here.report().tmuxLine.replacing("##", with: "").contains("#("))
    }

    @Test("after an error of the server a bar says so, and never shows a number", arguments: StatusCode.allCases.filter { $0 != .ok })
    func failures(code: StatusCode) {
        let error = FleetEngineError(code: code, message: "a <b> & \u{1b}[31m", origin: .server)
        let failure = StatusFailure(error)
        let name = error.errorClass() == .retryable ? "offline" : "stopped"
        let word = name == "offline" ? "server error" : name
        #expect(failure.waybarLine.contains(#""text":"⚠ \#(word)","alt":"\#(name)","#))
        #expect(failure.waybarLine.contains(#""class":"\#(name)","percentage":null}"#))
        #expect(!failure.waybarLine.contains("<b>") && !failure.waybarLine.contains("\u{1b}"))
        #expect(failure.tmuxLine == "#[fg=yellow]⚠ #[bold]\(word)#[nobold]#[default]")
    }

    @Test("the bar continues from an earlier run, and starts again on another leg")
    func progress() throws {
        let mark = try #require(
            JourneySharing.Progress.Mark(waypoint: .pickup, intermediateIndex: nil, drivenMeters: 1_000, remainingMeters: 2_608))
        let sighting = try Sighting(progress: mark) { _ in }
        #expect(sighting.report().percentage == 50)
        #expect(sighting.report().bar(width: 10) == "⠶⠶⠶⠶⠶⠄⠄⠄⠄⠄")
        let next = try Sighting(progress: mark) { $0.status = .enrouteToDropoff }
        #expect(next.report().percentage == 0)
        let unknown = try Sighting { $0.remainingDistanceMeters = nil }
        #expect(unknown.report().percentage == nil)
    }
}

@Suite("The user's own line format")
struct StatusTemplateTests {
    @Test("fields, widths and braces")
    func fields() throws {
        let report = try Sighting { _ in }.report(title: "Ride")
        #expect(
            try StatusTemplate("{{{eta}}} {bar:4}|{bar}|{trip} {vehicle} {freshness}").line(report)
                == "{6 min} ⠄⠄⠄⠄|⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄|Ride demo-7 live")
        #expect(try StatusTemplate("").line(report).isEmpty)
        #expect(try StatusTemplate("}").line(report) == "}")
    }

    @Test(
        "an invalid template is refused in a sentence",
        arguments: ["{", "{eta", "{}", "{etaa}", "{bar:0}", "{bar:999}", "{bar:x}", "{eta:3}", "{ETA}"])
    func refused(text: String) {
        #expect(throws: StatusTemplate.FormatError.self) { try StatusTemplate(text) }
    }

    @Test("the message about a misspelled field suggests the right one")
    func hint() {
        do {
            _ = try StatusTemplate("{distanc}")
            Issue.record("accepted")
        } catch { #expect(error.description.contains("(did you mean {distance}?)")) }
    }
}

@Suite("The stored progress of a leg")
struct ProgressBookTests {
    private let mark = JourneySharing.Progress.Mark(
        waypoint: .intermediate, intermediateIndex: 2, vehicleID: "car-1", drivenMeters: 12.5, remainingMeters: 99)

    @Test("a progress book can be read back from its own text")
    func roundTrip() throws {
        var book = ProgressBook()
        let trip = try TripName("providers/demo/trips/t1")
        book.note(mark, for: trip, now: Sighting.start)
        #expect(ProgressBook(book.data) == book)
        #expect(ProgressBook(book.data)[trip] == mark)
        book.note(nil, for: trip, now: Sighting.start)
        #expect(book == ProgressBook())
    }

    @Test("an entry without a vehicle is read")
    func withoutVehicle() throws {
        let book = ProgressBook(Data(#"{"providers/p/trips/t":{"waypoint":"PICKUP","driven":1,"remaining":2,"seen":3}}"#.utf8))
        let known = JourneySharing.Progress.Mark(waypoint: .pickup, intermediateIndex: nil, drivenMeters: 1, remainingMeters: 2)
        #expect(book[try TripName("providers/p/trips/t")] == known)
    }

    @Test(
        "any other text is an empty book",
        arguments: ["", "[]", "{", #"{"a":1}"#, #"{"providers/p/trips/t":{"waypoint":"NO","driven":1e999}}"#])
    func hostile(text: String) throws {
        let book = ProgressBook(Data(text.utf8))
        #expect(book[try TripName("providers/p/trips/t")] == nil)
    }

    @Test("negative and infinite distances are refused")
    func impossible() {
        #expect(JourneySharing.Progress.Mark(waypoint: .pickup, intermediateIndex: nil, drivenMeters: -1, remainingMeters: 1) == nil)
        #expect(JourneySharing.Progress.Mark(waypoint: .pickup, intermediateIndex: nil, drivenMeters: 1, remainingMeters: .infinity) == nil)
    }

    @Test("the number of stored trips is limited, and the latest stay")
    func bounded() throws {
        var book = ProgressBook()
        for number in 0..<(ProgressBook.maximumTrips + 3) {
            book.note(mark, for: try TripName("providers/p/trips/t\(number)"), now: Sighting.start.addingTimeInterval(Double(number)))
        }
        #expect(book[try TripName("providers/p/trips/t2")] == nil)
        #expect(book[try TripName("providers/p/trips/t3")] == mark)
        #expect(book.data.count < ProgressBook.maximumBytes)
    }
}
