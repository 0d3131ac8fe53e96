import FleetEngine
import Foundation
import Geo
import JourneySharing
import TerminalCanvas
import Testing

@testable import TripWatchScreen
@testable import TripWatchSharing
@testable import TripWatchWords

/// A link to an invented shipment, for which the server has already answered several times.
struct MadeUpShipmentLink {
    static let start = MadeUpLink.start
    static let place = Coordinate(latitude: 48.52, longitude: 9.12)
    /// The time at which summer time ends in Berlin: 26 October 2031, 01:00 UTC.
    static let winterTime = Date(timeIntervalSince1970: 1_950_742_800)
    let name: TaskTrackingName
    var link: SharedShipment
    private var last: TaskTrackingInfo?

    init(
        _ privacy: LinkPrivacy = LinkPrivacy(), until: Date? = nil, title: String? = nil, isInBerlin: Bool = false,
        _ change: (inout TaskTrackingInfo) -> Void = { _ in }
    ) throws {
        name = try TaskTrackingName("providers/secret-provider/taskTrackingInfo/P-1")
        var settings = SharedLink.Settings()
        settings.privacy = privacy
        settings.until = until
        settings.options.title = title
        settings.options.zoneName = { _ in "CET" }
        if isInBerlin {
            settings.options.secondsFromGMT = { $0 < Self.winterTime ? 7_200 : 3_600 }
            settings.options.zoneName = { $0 < Self.winterTime ? "CEST" : "CET" }
        }
        link = try SharedShipment(secret: LinkSecret(), source: name, settings: settings, now: Self.start)
        answer(change)
    }

    mutating func answer(afterSeconds: Double = 0, _ change: (inout TaskTrackingInfo) -> Void) {
        var shipment = TaskTrackingInfo(name: name, state: .open)
        shipment.attributes = [DeliveryAttribute(key: "gate_code", text: "4711")]
        change(&shipment)
        tell(.shipment(shipment, changed: ShipmentFields(from: last, to: shipment)), afterSeconds: afterSeconds)
        last = shipment
    }

    mutating func tell(_ kind: ShipmentUpdate.Kind, afterSeconds: Double = 0) {
        let time = Self.start.addingTimeInterval(afterSeconds)
        link.observe(ShipmentUpdate(name: name, time: time, kind: kind), pollIntervalSeconds: 5)
    }

    /// Fills in all data that a shipment can share while its van is on the way.
    static func everythingShared(_ shipment: inout TaskTrackingInfo) {
        shipment.plannedLocation = place
        shipment.vehicleLocation = VehicleLocation(
            coordinate: MadeUpLink.way[0], headingDegrees: 10, speedMetersPerSecond: 8, updateTime: start.addingTimeInterval(-3),
            serverTime: start.addingTimeInterval(-3))
        shipment.route = Polyline(MadeUpLink.way)
        shipment.remainingStopCount = 3
        shipment.remainingDistanceMeters = 2_961.4
        shipment.estimatedArrivalTime = start.addingTimeInterval(725)
        shipment.estimatedCompletionTime = start.addingTimeInterval(905)
        shipment.targetTimeWindow = TimeWindow(start: start.addingTimeInterval(-3_600), end: start.addingTimeInterval(3_600))
    }

    func page(afterSeconds: Double = 0) -> String {
        link.html(at: Self.start.addingTimeInterval(afterSeconds), nonce: "n")
    }

    func json(afterSeconds: Double = 0) -> String { link.json(at: Self.start.addingTimeInterval(afterSeconds)) }

    func event(_ kind: String) -> String? { link.events.standing.map(\.line).last { $0.contains("\"event\":\"\(kind)\"") } }

    /// All data of the link except the pictures.
    var everything: String { ([json(), page()] + link.events.standing.map(\.line)).joined(separator: "\n") }
}

@Suite("The contents of a link to a shipment")
struct SharedShipmentTests {
    @Test("the current state begins with the shipment's bare id; nothing names the provider or its own values")
    func standing() throws {
        let made = try MadeUpShipmentLink(LinkPrivacy(), MadeUpShipmentLink.everythingShared)
        let lines = made.link.events.standing.map(\.line)
        #expect(lines.first?.contains(#""event":"shipment","title":"Shipment P-1","ends_at":null"#) == true)
        #expect(lines.allSatisfy { $0.contains(#""tracking":"P-1""#) })
        for kind in ["state", "window", "shared", "freshness", "location", "eta", "stops", "route"] { #expect(made.event(kind) != nil) }
        #expect(made.json().hasPrefix(#"{"tracking":"P-1","state":"OPEN""#))
        for hidden in ["secret-provider", "4711", "gate_code"] { #expect(!made.everything.contains(hidden)) }
    }

    @Test("the planned place is left out and the route ends 150 m before it, unless the address is shown", arguments: [false, true])
    func address(isShown: Bool) throws {
        let made = try MadeUpShipmentLink(LinkPrivacy(showsAddress: isShown), MadeUpShipmentLink.everythingShared)
        #expect(made.json().contains(#""place":{"latitude":48.52"#) == isShown)
        #expect(made.everything.contains("\"place\"") == isShown)
        let route = try #require(made.link.tracker.shipment?.route)
        let whole = Polyline(MadeUpLink.way).lengthMeters
        #expect(abs(route.lengthMeters - (isShown ? whole : whole - 150)) < 1)
        #expect(made.event("route")?.contains("\"polyline\":\"\(EncodedPolyline.encode(route.coordinates))\"") == true)
        let end = try #require(route.coordinates.last)
        #expect((end.distanceMeters(to: MadeUpShipmentLink.place) < 1) == isShown)
    }

    @Test("a route that is shorter than 150 m is left out, and so is every route with --no-route")
    func noRoute() throws {
        let near = try MadeUpShipmentLink {
            $0.route = Polyline([MadeUpShipmentLink.place, Coordinate(latitude: 48.521, longitude: 9.12)])
        }
        #expect(near.event("route") == nil && near.event("shared")?.contains(#""route":false"#) == true)
        let none = try MadeUpShipmentLink(LinkPrivacy(showsRoute: false, showsAddress: true), MadeUpShipmentLink.everythingShared)
        #expect(none.event("route") == nil && none.event("location") != nil)
    }

    @Test("two vans within one blur have the same data, arrivals included")
    func blurred() throws {
        func link(_ blur: Double?, _ place: Coordinate, arrivesIn seconds: Double, meters: Double) throws -> String {
            let made = try MadeUpShipmentLink(LinkPrivacy(blurMeters: blur)) {
                $0.vehicleLocation = VehicleLocation(coordinate: place, headingDegrees: seconds, serverTime: MadeUpLink.start)
                $0.estimatedArrivalTime = MadeUpLink.start.addingTimeInterval(seconds)
                $0.estimatedCompletionTime = MadeUpLink.start.addingTimeInterval(seconds + 60)
                $0.remainingDistanceMeters = meters
            }
            return made.everything.replacing(made.link.secret.text, with: "SECRET")
        }
        let place = MadeUpLink.way[0]
        for blur in [200.0, nil] {
            let one = try link(blur, place, arrivesIn: 341.7, meters: 1_812)
            let other = try link(blur, place.onGrid(ofMeters: 200), arrivesIn: 358.3, meters: 1_989)
            #expect((one == other) == (blur != nil))
        }
    }

    @Test("the page has the large figure, the line, the short word and the arrival as a time for the viewer's zone")
    func page() throws {
        let made = try MadeUpShipmentLink(LinkPrivacy(), MadeUpShipmentLink.everythingShared)
        let page = made.page()
        #expect(page.contains("<p class=\"what\">Arrives in</p><strong class=\"big\">12<small> min</small></strong>"))
        let arrival = Timestamps.rfc3339(MadeUpLink.start.addingTimeInterval(725))
        #expect(page.contains("at <time datetime=\"\(arrival)\">"))
        #expect(page.contains("<p class=\"at\">2 stops before yours</p>"))
        #expect(page.contains("<title>12 min ∙ Shipment P-1</title>"))
        #expect(page.contains("<b>live</b>") && page.contains("/map.svg?"))
        #expect(page.contains("<p>Planned <time datetime="))
        #expect(page.contains("This link ends ten minutes after the shipment ends."))
    }

    @Test("the arrival has the word about while the position is old, on the page and in a terminal")
    func approximate() throws {
        var made = try MadeUpShipmentLink(LinkPrivacy(), MadeUpShipmentLink.everythingShared)
        made.link.tick(MadeUpLink.start.addingTimeInterval(120))
        let page = made.page(afterSeconds: 120)
        #expect(page.contains("<p class=\"what\">Arrives in about</p><strong class=\"big\">10<small> min</small></strong>"))
        #expect(page.contains("<title>about 10 min ∙ Shipment P-1</title>") && page.contains("Arrives in about 10 min. "))
        let frame = made.link.frame(Size(columns: 80, rows: 24), at: MadeUpLink.start.addingTimeInterval(120))
        #expect(frame.lines.dropFirst().first?.hasPrefix("ARRIVES IN ABOUT 10 min, at ") == true, "\(frame.lines)")
    }

    @Test("times on another day have their day, which the page's script converts together with the time")
    func anotherDay() throws {
        let start = MadeUpLink.start.addingTimeInterval(86_400)
        let made = try MadeUpShipmentLink(until: start.addingTimeInterval(86_400)) {
            $0.targetTimeWindow = TimeWindow(start: start, end: start.addingTimeInterval(3_600))
        }
        let page = made.page()
        #expect(page.contains("<time data-day datetime=\"\(Timestamps.rfc3339(start))\">6 May 14:02</time> – <time datetime="), "\(page)")
        #expect(page.contains(">15:02 CET</time>"), "\(page)")
        #expect(page.contains("This link ends at <time data-day datetime=") && page.contains(">7 May 14:02 CET</time>"), "\(page)")
    }

    @Test("the end of a window has its own time, even if both ends have the same clock time", arguments: [3_600.0, 86_400, 90_000])
    func equalClocks(seconds: Double) throws {
        let start = MadeUpShipmentLink.winterTime.addingTimeInterval(-1_800)
        let end = start.addingTimeInterval(seconds)
        let page = try MadeUpShipmentLink(isInBerlin: true) { $0.targetTimeWindow = TimeWindow(start: start, end: end) }.page()
        let times = page.matches(of: /datetime="([^"]+)"/).map { String($0.1) }
        #expect(times == [start, end].map(Timestamps.rfc3339), "\(page)")
        #expect(page.contains("02:30 CEST</time> – ") && page.contains(" CET</time>"), "\(page)")
    }

    @Test("the name of the zone is that of the shown time, and follows windows and outcomes in a terminal too")
    func zones() throws {
        func lines(_ change: (inout TaskTrackingInfo) -> Void) throws -> [String] {
            try MadeUpShipmentLink(isInBerlin: true, change).link.frame(Size(columns: 80, rows: 24), at: MadeUpLink.start).lines
        }
        let summer = MadeUpLink.start.addingTimeInterval(3_600)
        let planned = try lines { $0.targetTimeWindow = TimeWindow(start: summer, end: summer.addingTimeInterval(7_200)) }
        #expect(planned.contains("PLANNED 17:02 – 19:02 CEST"), "\(planned)")
        let winter = MadeUpShipmentLink.winterTime.addingTimeInterval(86_400)
        let later = try lines { $0.targetTimeWindow = TimeWindow(start: winter, end: winter.addingTimeInterval(7_200)) }
        #expect(later.contains { $0.hasSuffix("02:00 – 04:00 CET") }, "\(later)")
        let done = try lines { ($0.outcome, $0.outcomeTime) = (.succeeded, MadeUpLink.start) }
        #expect(done.contains("DONE 16:02 CEST"), "\(done)")
        let failed = try lines { ($0.outcome, $0.outcomeTime) = (.failed, MadeUpLink.start) }
        #expect(failed.contains("The attempt at 16:02 CEST failed"), "\(failed)")
    }

    @Test("after the outcome, neither the page nor the picture has a map, because the van is on its way to others")
    func noMapAfterOutcome() throws {
        var made = try MadeUpShipmentLink(LinkPrivacy(), MadeUpShipmentLink.everythingShared)
        #expect(made.link.hasMap)
        made.answer(afterSeconds: 30) {
            MadeUpShipmentLink.everythingShared(&$0)
            $0.state = .unknown
        }
        #expect(made.link.hasMap)
        made.answer(afterSeconds: 60) {
            MadeUpShipmentLink.everythingShared(&$0)
            $0.outcome = .failed
        }
        #expect(!made.link.hasMap && made.page(afterSeconds: 60).contains("<div id=\"map\"></div>"))
        #expect(made.link.frame(Size(columns: 80, rows: 24), at: MadeUpLink.start.addingTimeInterval(60)).screen == nil)
        let map = made.link.map(Size(columns: 80, rows: 24))
        #expect(map.page?.trip?.lastLocation == nil && map.page?.trip?.activeRoute.isEmpty == true)
    }

    @Test("a terminal is told when the link ends, before and after the outcome")
    func footer() throws {
        var made = try MadeUpShipmentLink(until: MadeUpLink.start.addingTimeInterval(7_200))
        func footer() -> String? { made.link.frame(Size(columns: 60, rows: 24), at: MadeUpLink.start.addingTimeInterval(60)).footer }
        #expect(footer() == "Link ends 10 min after the shipment (by 16:02 CET).")
        made.tell(.ended(TaskTrackingInfo(name: made.name, state: .closed, outcome: .succeeded)), afterSeconds: 60)
        #expect(footer() == "This link ends at 14:13 CET.")
    }

    @Test("lines and spoken sentences begin with capital letters, on the page and in a terminal")
    func capitals() throws {
        let made = try MadeUpShipmentLink(LinkPrivacy(), MadeUpShipmentLink.everythingShared)
        let spoken = made.page().split(separator: "\n").first { $0.contains("id=\"say\"") } ?? ""
        #expect(spoken.contains(". Planned ") && !spoken.contains(". planned "), "\(spoken)")
        let lines = made.link.frame(Size(columns: 80, rows: 24), at: MadeUpLink.start).lines
        #expect(lines.contains { $0.hasPrefix("Planned ") } && !lines.contains { $0.hasPrefix("planned ") }, "\(lines)")
        let failed = try MadeUpShipmentLink { $0.outcome = .failed }
        #expect(failed.page().contains("Not completed. The attempt failed."))
        #expect(failed.link.frame(Size(columns: 80, rows: 24), at: MadeUpLink.start).lines.contains("The attempt failed"))
    }

    @Test("a remaining distance in words begins with a capital letter")
    func veryNear() throws {
        let made = try MadeUpShipmentLink {
            MadeUpShipmentLink.everythingShared(&$0)
            $0.remainingDistanceMeters = 50
        }
        #expect(made.page().contains("<p>Very near</p>"))
    }

    @Test("without a position the page says when the server was last checked, never live, and has no map")
    func noPosition() throws {
        let made = try MadeUpShipmentLink { _ in }
        let page = made.page(afterSeconds: 4)
        #expect(page.contains("<b>last checked</b> <span data-age=\"4\" data-tail=\" ago\">4 s ago</span>"))
        #expect(!page.contains("live</b>") && page.contains("<div id=\"map\"></div>"))
        #expect(page.contains("<p class=\"what\">Planned</p>"))
        #expect(page.contains("<p class=\"at\">Position and arrival are not shared yet</p>"))
        #expect(made.json(afterSeconds: 4).contains(#""freshness":null,"age_s":null,"freshness_text":"last checked 4 s ago""#))
    }

    @Test("the outcome moves the link's end to ten minutes later, and the shipment's event says so")
    func outcome() throws {
        var made = try MadeUpShipmentLink(LinkPrivacy(), MadeUpShipmentLink.everythingShared)
        made.answer(afterSeconds: 60) {
            $0.state = .closed
            $0.outcome = .succeeded
            $0.outcomeTime = MadeUpLink.start.addingTimeInterval(50)
        }
        made.tell(.ended(TaskTrackingInfo(name: made.name, state: .closed, outcome: .succeeded)), afterSeconds: 60)
        let end = MadeUpLink.start.addingTimeInterval(660)
        #expect(made.link.endsAt == end && !made.link.isOver(at: end.addingTimeInterval(-1)) && made.link.isOver(at: end))
        #expect(made.event("shipment")?.contains("\"ends_at\":\"\(Timestamps.rfc3339(end))\"") == true)
        #expect(made.event("end")?.contains(#""outcome":"SUCCEEDED""#) == true)
        #expect(made.page(afterSeconds: 61).contains("<p class=\"what\">Done</p><strong class=\"big long\"><time datetime="))
    }

    @Test(
        "after the outcome there is neither arrival nor stops, even if the server keeps them",
        arguments: [DeliveryTaskOutcome.failed, .succeeded])
    func noArrivalAfterOutcome(outcome: DeliveryTaskOutcome) throws {
        var made = try MadeUpShipmentLink(LinkPrivacy(), MadeUpShipmentLink.everythingShared)
        #expect(made.json(afterSeconds: 5).contains(#""remaining_s":7"#))
        made.answer(afterSeconds: 60) {
            MadeUpShipmentLink.everythingShared(&$0)
            $0.outcome = outcome
        }
        #expect(made.json(afterSeconds: 65).contains(#""stops_before":null,\#(Self.noArrival)"#), "\(made.json(afterSeconds: 65))")
        #expect(made.event("eta")?.contains(Self.noArrival) == true)
        #expect(made.event("stops")?.contains(#""stops_before":null"#) == true)
    }

    private static let noArrival = #""eta":null,"remaining_s":null,"remaining_m":null,"completion":null"#

    @Test("a shipment that has been closed for a minute does not count down, even if the server keeps its estimates")
    func noArrivalWhenGone() throws {
        let made = try MadeUpShipmentLink {
            MadeUpShipmentLink.everythingShared(&$0)
            $0.state = .closed
        }
        #expect(!made.json(afterSeconds: 59).contains(Self.noArrival))
        #expect(made.json(afterSeconds: 60).contains(#""stops_before":null,\#(Self.noArrival)"#), "\(made.json(afterSeconds: 60))")
    }

    @Test("after another shipment under the same number, new readers get nothing of the previous one")
    func replaced() throws {
        var made = try MadeUpShipmentLink(LinkPrivacy(), MadeUpShipmentLink.everythingShared)
        made.tell(.replaced, afterSeconds: 5)
        made.answer(afterSeconds: 5) { $0.remainingStopCount = 9 }
        #expect(made.event("eta") == nil && made.event("location") == nil && made.event("replaced") == nil)
        #expect(made.event("stops")?.contains(#""stops_before":8"#) == true)
        #expect(made.link.events.after(0)?.contains { $0.line.contains(#""event":"replaced""#) } == true)
    }

    @Test("a failure of the server is reported without its cause")
    func failure() throws {
        var made = try MadeUpShipmentLink { _ in }
        let error = FleetEngineError(code: .permissionDenied, message: "key 17 of secret-provider", origin: .server)
        made.tell(
            .failure(PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 5, attempt: 1, serverWasHeard: true)),
            afterSeconds: 5)
        #expect(made.event("error") != nil && !made.everything.contains("key 17") && !made.everything.contains("secret-provider"))
        #expect(made.page(afterSeconds: 6).contains("class=\"banner\">") && made.json(afterSeconds: 6).contains("server error"))
        let silence = FleetEngineError(code: .unavailable, message: "connection refused", origin: .network)
        made.tell(.failure(PollFailure(error: silence, errorClass: .retryable, retryInSeconds: 5, attempt: 2)), afterSeconds: 10)
        #expect(made.json(afterSeconds: 11).contains(#""freshness_text":"offline"#) && !made.everything.contains("connection refused"))
    }

    @Test("the picture has the words over the map, and fits into every size", arguments: [(80, 24), (40, 14), (20, 3)])
    func picture(columns: Int, rows: Int) throws {
        let made = try MadeUpShipmentLink(LinkPrivacy(), MadeUpShipmentLink.everythingShared)
        let frame = made.link.frame(Size(columns: columns, rows: rows), at: MadeUpLink.start)
        #expect(Array(frame.lines.prefix(2).map { $0.prefix(17) }) == ["Shipment P-1", "ARRIVES IN 12 min"])
        #expect(frame.lines.count + (frame.screen?.size.rows ?? 0) + (frame.footer == nil ? 0 : 1) == rows)
        // No sentence may be cut off, because a part of it could have a different meaning.
        #expect((frame.footer ?? "").count <= columns && frame.lines[1].count <= columns, "\(frame.lines) \(frame.footer ?? "")")
    }
}

@Suite("A shipment at the other end of a link")
struct LinkedShipmentTests {
    private static func read(_ link: SharedShipment) -> LinkedShipment {
        var linked = LinkedShipment()
        for line in link.events.standingText.split(separator: "\n", omittingEmptySubsequences: false) {
            _ = linked.apply(String(line), at: MadeUpLink.start)
        }
        return linked
    }

    @Test("shared parts appear, and parts that are no longer shared disappear")
    func parts() throws {
        var made = try MadeUpShipmentLink(LinkPrivacy(), MadeUpShipmentLink.everythingShared)
        let linked = Self.read(made.link)
        #expect(linked.knownName?.trackingID == "P-1" && linked.title == "Shipment P-1")
        let titled = try MadeUpShipmentLink(title: "Grandma's lamp")
        #expect(Self.read(titled.link).title == "Grandma's lamp")
        let told = try linked.current
        #expect(told.state == .open && told.remainingStopCount == 3 && told.vehicleLocation?.coordinate == MadeUpLink.way[0])
        #expect(told.estimatedArrivalTime == MadeUpLink.start.addingTimeInterval(725) && told.targetTimeWindow != nil)
        #expect(told.route?.coordinates.count == made.link.tracker.shipment?.route?.coordinates.count)
        #expect(told.plannedLocation == nil)
        made.answer(afterSeconds: 5) { _ in }
        #expect(try Self.read(made.link).current == TaskTrackingInfo(name: told.name, state: .open))
        made.answer(afterSeconds: 10) { $0.outcome = .failed }
        #expect(try Self.read(made.link).current.outcome == .failed)
    }

    @Test("a time that is years away from the time of its event is unknown")
    func farTimes() throws {
        var linked = LinkedShipment()
        for event in [
            #""event":"eta","eta":"9999-12-31T23:59:59Z","completion":"2026-11-28T10:05:00Z""#,
            #""event":"window","start":"2026-11-28T09:00:00Z","end":"9999-12-31T23:59:59Z""#,
        ] {
            for line in [#"data: {\#(event),"t":"2026-11-28T10:00:00Z","tracking":"P-1"}"#, ""] {
                _ = linked.apply(line, at: MadeUpLink.start)
            }
        }
        let told = try linked.current
        #expect(told.estimatedArrivalTime == nil && told.targetTimeWindow == nil)
        #expect(told.estimatedCompletionTime == Date.read("2026-11-28T10:05:00Z"))
    }

    @Test("before the last event of the current state there is no shipment to show, and after the link's end it is gone")
    func ends() throws {
        var made = try MadeUpShipmentLink(LinkPrivacy(), MadeUpShipmentLink.everythingShared)
        var linked = LinkedShipment()
        let lines = made.link.events.standingText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let last = try #require(lines.firstIndex { $0.hasPrefix("id: ") })
        for line in lines[..<last] { _ = linked.apply(line, at: MadeUpLink.start) }
        #expect(linked.knownName == nil)
        for line in lines[last...] { _ = linked.apply(line, at: MadeUpLink.start) }
        #expect(linked.knownName != nil)
        made.link.end(at: MadeUpLink.start)
        let ended = Self.read(made.link)
        #expect(throws: FleetEngineError.self) { try ended.current }
    }
}
