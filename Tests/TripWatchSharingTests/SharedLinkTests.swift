import ConsumerMap
import FleetEngine
import Foundation
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchSharing
@testable import TripWatchWords

/// A link to an invented trip, for which the server has already answered several times.
struct MadeUpLink {
    static let start = Date(timeIntervalSince1970: 1_935_756_120)
    static let way = [
        Coordinate(latitude: 48.5, longitude: 9.1), Coordinate(latitude: 48.51, longitude: 9.1),
        Coordinate(latitude: 48.52, longitude: 9.12),
    ]
    let name: TripName
    var link: SharedLink
    var trip: Trip

    init(
        _ privacy: LinkPrivacy = LinkPrivacy(), until: Date? = nil, afterTripSeconds: Double = SharedLink.afterTripSeconds,
        _ change: (inout Trip) -> Void = { _ in }
    ) throws {
        name = try TripName("providers/secret-provider/trips/ride-7")
        var settings = SharedLink.Settings()
        (settings.privacy, settings.until) = (privacy, until)
        settings.afterTripSeconds = afterTripSeconds
        settings.options.zoneName = { _ in "CET" }
        link = try SharedLink(secret: LinkSecret(), source: name, settings: settings, now: Self.start)
        trip = Trip(name: name, vehicleID: "car-7", status: .enrouteToPickup)
        trip.pickupPoint = Self.way.last
        trip.dropoffPoint = Coordinate(latitude: 48.55, longitude: 9.2)
        trip.pickupTime = Self.start.addingTimeInterval(360)
        trip.remainingDistanceMeters = 1_804
        trip.activeRoute = RouteLine(Self.way)
        trip.lastLocation = VehicleLocation(
            coordinate: Self.way[0], headingDegrees: 10, speedMetersPerSecond: 8, updateTime: Self.start.addingTimeInterval(-3),
            serverTime: Self.start.addingTimeInterval(-3))
        trip.remainingWaypoints = [TripWaypoint(coordinate: Self.way[2], tripID: "ride-7", type: .pickup)]
        trip.attributes = ["license_plate": "KVX 204", "dropoff_name": "Northgate"]
        change(&trip)
        tell(.trip(trip, changed: []))
    }

    mutating func tell(_ kind: TripUpdate.Kind, afterSeconds: Double = 0) {
        _ = link.observe(TripUpdate(name: name, time: Self.start.addingTimeInterval(afterSeconds), kind: kind))
    }

    var everything: String {
        let pictures = [link.map(LinkPicture.standardChart), link.frame(LinkPicture.standard)]
        let theme = ThemeCatalog().load(nil, background: .light, depth: .none).theme
        let words = [link.json(at: Self.start), LinkPage(link, now: Self.start).html(nonce: "n")]
        let frames = pictures.map { AppView().canvas($0, theme: theme).text() }
        return (words + link.events.standing.map(\.text) + frames).joined(separator: "\n")
    }

    func event(_ kind: String) -> String? { link.events.standing.map(\.line).last { $0.contains("\"event\":\"\(kind)\"") } }
}

@Suite("The contents of a link")
struct SharedLinkTests {
    @Test("the current state begins with the trip's bare id, and nothing names the provider")
    func standing() throws {
        let made = try MadeUpLink()
        let lines = made.link.events.standing.map(\.line)
        #expect(lines.first?.contains("\"event\":\"trip\"") == true)
        #expect(lines.first?.contains("\"title\":\"Ride to Northgate\"") == true)
        #expect(lines.first?.contains("\"plate\":\"KVX 204\"") == true)
        #expect(lines.allSatisfy { $0.contains("\"trip\":\"ride-7\"") })
        #expect(made.event("route")?.contains("\"polyline\":\"\(EncodedPolyline.encode(MadeUpLink.way))\"") == true)
        #expect(!made.everything.contains("secret-provider"))
    }

    @Test("viewers see that the car has arrived, but not that the rider's bell was rung")
    func noBell() throws {
        var made = try MadeUpLink()
        var trip = made.trip
        trip.status = .arrivedAtPickup
        made.tell(.trip(trip, changed: []), afterSeconds: 5)
        let frame = try #require(made.link.frame(Size(columns: 120, rows: 40), at: MadeUpLink.start.addingTimeInterval(5)).screen)
        let words = frame.loggedEvents.map { frame.words($0) }
        #expect(words.contains("Arrived at pickup"), "\(words)")
    }

    @Test("small pictures have no keys, and say when the link ends if there is room", arguments: [(20, 3), (30, 24), (40, 6), (60, 9)])
    func smallPicture(columns: Int, rows: Int) throws {
        let made = try MadeUpLink()
        let theme = ThemeCatalog().load(nil, background: .light, depth: .none).theme
        let text = AppView().canvas(made.link.frame(Size(columns: columns, rows: rows)), theme: theme).text()
        #expect(!text.contains("?") && !text.contains("quit") && !text.contains(" q"), "\(text)")
        #expect(text.contains("live"), "\(text)")
        #expect(text.contains("This link ends ten minutes after the trip ends.") == (columns == 60), "\(text)")
    }

    @Test("if the vehicle is left out, nothing names it, and its position stays")
    func noVehicle() throws {
        let made = try MadeUpLink(LinkPrivacy(showsVehicle: false))
        let text = made.everything
        #expect(!text.contains("car-7") && !text.contains("KVX"))
        #expect(made.event("vehicle") == nil)
        #expect(made.event("location")?.contains("\"latitude\":48.5,") == true)
        #expect(text.contains("On the way to the pickup") && !text.contains("to you") && text.contains("Ride to Northgate"))
        #expect(text.contains("Car assigned") && !text.contains("Car assigned:"))
        #expect(!text.split(separator: "\n").contains { $0.trimmingCharacters(in: .whitespaces).hasSuffix("Car") })
    }

    @Test("if the route is left out, there is no path and no traffic")
    func noRoute() throws {
        let made = try MadeUpLink(LinkPrivacy(showsRoute: false))
        #expect(made.event("route") == nil && made.event("traffic") == nil)
        #expect(made.event("location") != nil)
        for drawn in [made.link.map(LinkPicture.standardChart), made.link.frame(LinkPicture.standard)] {
            let page = try #require(drawn.page)
            #expect(page.map.overlays(for: [page.journey]).polylines.isEmpty)
        }
    }

    @Test("the driven path is drawn if the route is shared, unless it leads past another rider's stop")
    func drivenWay() throws {
        for (privacy, isPooled, isDrawn) in [
            (LinkPrivacy(), false, true), (LinkPrivacy(), true, false), (LinkPrivacy(showsRoute: false), false, false),
        ] {
            var made = try MadeUpLink(privacy)
            made.link.tick(MadeUpLink.start.addingTimeInterval(1))
            if isPooled {
                made.trip.remainingWaypoints.insert(
                    TripWaypoint(coordinate: MadeUpLink.way[1], tripID: "someone-else", type: .pickup), at: 0)
            }
            for second in 1...20 {
                let place = Coordinate(latitude: 48.5 + Double(second) * 0.000_1, longitude: 9.1)
                let time = MadeUpLink.start.addingTimeInterval(Double(second) * 5)
                made.trip.lastLocation = VehicleLocation(coordinate: place, updateTime: time, serverTime: time)
                made.tell(.trip(made.trip, changed: []), afterSeconds: Double(second) * 5)
                made.link.tick(time.addingTimeInterval(2))
            }
            let driven = made.link.journey.taken.pieces.map(\.lengthMeters).reduce(0, +)
            #expect((driven > 100) == isDrawn, "\(privacy) \(isPooled): \(driven)")
        }
    }

    @Test("in the object about the current state, age and words are of the same moment")
    func oneMoment() throws {
        let made = try MadeUpLink()
        let text = made.link.json(at: MadeUpLink.start.addingTimeInterval(4.4))
        #expect(text.contains("\"age_s\":7.4") && text.contains("live ∙ 7 s ago"), "\(text)")
    }

    @Test("if blurred, positions are on a fixed grid, speed and direction are left out, and the route begins later")
    func blur() throws {
        let made = try MadeUpLink(LinkPrivacy(blurMeters: 200))
        let line = try #require(made.event("location"))
        #expect(line.contains("\"heading\":null,\"speed_mps\":null"))
        #expect(!line.contains("\"latitude\":48.5,"))
        let (near, far) = (MadeUpLink.way[0].onGrid(ofMeters: 200), MadeUpLink.way[1].onGrid(ofMeters: 200))
        #expect(near.distanceMeters(to: MadeUpLink.way[0]) <= 142)
        #expect(near != far && near.onGrid(ofMeters: 200) == near)
        let whole = RouteLine(MadeUpLink.way).lengthMeters
        let route = try #require(made.event("route"))
        let told = ((whole - 200) / 200).rounded(.down) * 200
        #expect(route.contains("\"length_m\":\(Int(told))"))
        #expect(made.link.json(at: MadeUpLink.start).contains("\"remaining_m\":2000"))
    }

    @Test("if blurred, the shared route begins at points that do not reveal the car's own, and so does the route to the next stop")
    func blurredWay() throws {
        let whole = RouteLine(MadeUpLink.way)
        let privacy = LinkPrivacy(blurMeters: 200)
        let name = try TripName("providers/p/trips/ride-7")
        let beginnings = stride(from: 0.0, to: 1_000, by: 10).map { driven in
            let rest = whole.slice(fromMeters: driven, toMeters: whole.lengthMeters)
            var trip = Trip(name: name, vehicleID: "car-7", status: .enrouteToPickup)
            trip.activeRoute = rest
            trip.remainingWaypoints = [TripWaypoint(coordinate: MadeUpLink.way[2], tripID: name.trip, type: .pickup, path: rest)]
            let told = privacy.told(trip, as: trip.name)
            #expect(told.activeRoute.lengthMeters <= rest.lengthMeters - 200)
            #expect(told.remainingWaypoints.first?.path == told.activeRoute)
            return told.activeRoute.line.coordinates.first
        }
        // The car has 100 positions, but the shown routes have only about six different starts.
        let distinct = beginnings.compactMap(\.self).reduce(into: [Coordinate]()) { known, place in
            if known.last.map({ $0.distanceMeters(to: place) > 1 }) ?? true { known.append(place) }
        }
        #expect((5...7).contains(distinct.count), "\(distinct.count)")
    }

    @Test("other riders' stops are only counted; a route to one ends before it, and a route from one begins after it")
    func foreignStops() throws {
        let foreign = Coordinate(latitude: 48.512_345, longitude: 9.101_234)
        let made = try MadeUpLink {
            $0.remainingWaypoints.insert(TripWaypoint(coordinate: foreign, tripID: "someone-else", type: .dropoff), at: 0)
            $0.activeRoute = RouteLine([MadeUpLink.way[0], foreign])
        }
        let text = made.everything
        #expect(!text.contains("someone-else") && !text.contains("48.51234"))
        #expect(made.event("waypoints")?.contains("\"stops_before\":1") == true)
        let whole = RouteLine([MadeUpLink.way[0], foreign]).lengthMeters
        #expect(made.event("route")?.contains("\"length_m\":\(Int((whole - 300).rounded()))") == true)
    }

    @Test("a failure says only that no news arrives, and nothing of the server, the token or the reason")
    func failure() throws {
        var made = try MadeUpLink()
        let error = FleetEngineError(code: .unauthenticated, message: "token of 10.0.0.7 expired")
        made.tell(
            .failure(PollFailure(error: error, errorClass: error.errorClass(), retryInSeconds: 5, attempt: 1, serverWasHeard: true)),
            afterSeconds: 10)
        let text = made.everything
        #expect(!text.contains("10.0.0.7") && !text.contains("UNAUTHENTICATED") && !text.contains("not valid"))
        #expect(made.event("error")?.contains("\"class\":\"retryable\"") == true)
        #expect(text.contains("The server is not available."))
        made.tell(.recovered(afterSeconds: 3), afterSeconds: 13)
        #expect(made.event("error") == nil)
    }

    @Test("a link ends at the earlier of its own time and ten minutes after the trip, and says when")
    func ends() throws {
        var made = try MadeUpLink(until: MadeUpLink.start.addingTimeInterval(7_200))
        #expect(made.link.endsAt == MadeUpLink.start.addingTimeInterval(7_200))
        made.trip.status = .complete
        made.tell(.trip(made.trip, changed: []), afterSeconds: 60)
        made.tell(.ended(.complete), afterSeconds: 60)
        let end = MadeUpLink.start.addingTimeInterval(660)
        #expect(made.link.endsAt == end)
        #expect(!made.link.isOver(at: end.addingTimeInterval(-1)) && made.link.isOver(at: end))
        #expect(made.event("trip")?.contains("\"ends_at\":\"\(Timestamps.rfc3339(end))\"") == true)
        made.link.end(at: end)
        #expect(made.link.events.standing.last?.line.contains("\"event\":\"link_ended\"") == true)
    }

    @Test("a link that ends with its trip says so, on the page and below the picture")
    func endsWithTheTrip() throws {
        var made = try MadeUpLink(afterTripSeconds: 5)
        #expect(made.everything.components(separatedBy: "This link ends with the trip.").count >= 3, "\(made.everything)")
        made.trip.status = .canceled
        made.tell(.trip(made.trip, changed: []), afterSeconds: 60)
        made.tell(.ended(.canceled), afterSeconds: 60)
        #expect(made.link.endsAt == MadeUpLink.start.addingTimeInterval(65))
        #expect(try MadeUpLink().everything.contains("This link ends ten minutes after the trip ends."))
    }

    @Test("below the picture, a link with an end of its own names both ends in 58 columns, and after the trip only the time")
    func footer() throws {
        var made = try MadeUpLink(until: MadeUpLink.start.addingTimeInterval(7_200))
        func footer() -> String { made.link.frame(Size(columns: 60, rows: 24)).options.footer ?? "" }
        #expect(footer() == "Link ends 10 min after the trip (by 16:02 CET).")
        #expect(try MadeUpLink(until: MadeUpLink.start.addingTimeInterval(172_800)).link.screen.options.footer?.count ?? 0 <= 58)
        made.trip.status = .complete
        made.tell(.trip(made.trip, changed: []), afterSeconds: 60)
        made.tell(.ended(.complete), afterSeconds: 60)
        #expect(footer() == "This link ends at 14:13 CET.")
    }

    @Test("the arrival has its zone in small pictures too", arguments: [(60, 10), (40, 10), (80, 24)])
    func zone(columns: Int, rows: Int) throws {
        let made = try MadeUpLink()
        let theme = ThemeCatalog().load(nil, background: .light, depth: .none).theme
        let text = AppView().canvas(made.link.frame(Size(columns: columns, rows: rows)), theme: theme).text()
        #expect(text.contains("14:08 CET"), "\(text)")
    }

    @Test("LINK.json has the keys of status --json and its own")
    func json() throws {
        let made = try MadeUpLink()
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(made.link.json(at: MadeUpLink.start).utf8)) as? [String: Any])
        #expect(
            Set(object.keys) == [
                "trip", "status", "eta", "remaining_s", "remaining_m", "stops_before", "freshness", "age_s", "freshness_text", "stops",
                "picked_up_at", "dropped_off_at", "ends_at",
            ])
        #expect(object["trip"] as? String == "ride-7")
        #expect(object["freshness_text"] as? String == "live ∙ 3 s ago")
        #expect((object["stops"] as? [[String: Any]])?.first?["type"] as? String == "PICKUP")
    }

    @Test("hostile names are text on the page, in the picture of the map and in events")
    func hostile() throws {
        let made = try MadeUpLink { $0.attributes["dropoff_name"] = "<script>alert('x')</script>\u{1b}]0;x\u{7}\" onload=\"x" }
        let page = LinkPage(made.link, now: MadeUpLink.start).html(nonce: "n")
        #expect(!page.contains("<script>alert") && !page.contains("\" onload=\"") && page.contains("&lt;script&gt;"))
        #expect(!made.everything.contains("\u{1b}"))
    }

    @Test("the page shows the arrival with its zone, works without its script, and loads nothing from elsewhere")
    func page() throws {
        let made = try MadeUpLink()
        let page = LinkPage(made.link, now: MadeUpLink.start).html(nonce: "abc")
        #expect(page.contains("<strong class=\"big\">6<small> min</small></strong>"))
        #expect(page.contains(">14:08 CET</time>") && page.contains("<noscript><meta http-equiv=\"refresh\""))
        #expect(page.contains("KVX 204") && page.contains("On the way to the pickup") && page.contains("aria-current=\"step\""))
        #expect(!page.contains("http://") && !page.contains("https://"))
        let preview = page.split(separator: "\n").filter { $0.contains("og:") || $0.contains("name=\"description\"") }
        #expect(preview.contains { $0.contains("og:title") } && preview.contains { $0.contains("og:description") })
        #expect(preview.allSatisfy { line in !line.contains { $0.isNumber } })
        #expect(LinkPage.policy(nonce: "abc").contains("default-src 'none'"))
    }

    private static func page(_ made: MadeUpLink) -> String { LinkPage(made.link, now: MadeUpLink.start).html(nonce: "n") }

    @Test("a trip that is cancelled before the pickup has neither a pickup nor expected times on the page")
    func cancelled() throws {
        var made = try MadeUpLink { $0.dropoffTime = MadeUpLink.start.addingTimeInterval(900) }
        #expect(Self.page(made).contains("14:17"))
        made.trip.status = .canceled
        made.tell(.trip(made.trip, changed: [.tripStatus]), afterSeconds: 5)
        let page = Self.page(made)
        #expect(!page.contains("Picked up") && !page.contains("14:17") && !page.contains("14:08"), "\(page)")
    }

    @Test("the page keeps the plate during the ride, and names the traffic and other riders' stops")
    func duringTheRide() throws {
        var made = try MadeUpLink {
            $0.activeRoute = RouteLine(
                MadeUpLink.way, traffic: [TrafficStretch(startMeters: 500, endMeters: 1_100, speed: .trafficJam)])
            $0.remainingWaypoints.insert(TripWaypoint(coordinate: MadeUpLink.way[1], tripID: "x", type: .pickup), at: 0)
        }
        let before = Self.page(made)
        #expect(before.contains("<h2>Look for</h2>") && before.contains("<p>1 stop first</p>"), "\(before)")
        made.trip.status = .enrouteToDropoff
        made.trip.remainingWaypoints = [TripWaypoint(coordinate: MadeUpLink.way[2], tripID: "ride-7", type: .dropoff)]
        made.trip.remainingDistanceMeters = nil
        made.tell(.trip(made.trip, changed: [.tripStatus]), afterSeconds: 5)
        let riding = Self.page(made)
        #expect(riding.contains("<h2>Car</h2><p class=\"plate\">KVX 204</p>"), "\(riding)")
        #expect(riding.contains("<p>600 m of heavy traffic</p>"), "\(riding)")
        made.trip.status = .complete
        made.tell(.trip(made.trip, changed: [.tripStatus]), afterSeconds: 10)
        #expect(!Self.page(made).contains("KVX 204") && !Self.page(made).contains("raffic ahead"))
    }

    @Test("the preview and the map of an order have its words, and the map of a finished trip leads nowhere")
    func words() throws {
        var order = try MadeUpLink { $0.attributes["kind"] = "order" }
        #expect(Self.page(order).contains("content=\"An order to track\"") && !Self.page(order).contains("A ride to track"))
        #expect(Self.page(order).contains("alt=\"Map of the courier&#39;s route\""))
        order.trip.status = .complete
        order.tell(.trip(order.trip, changed: [.tripStatus]), afterSeconds: 5)
        #expect(Self.page(order).contains("alt=\"Map of the order\""))
        let ride = try MadeUpLink()
        #expect(Self.page(ride).contains("alt=\"Map of the route to Northgate\""))
    }

    @Test("if a link ends on another day, its footer and its page name the day")
    func endOnAnotherDay() throws {
        let made = try MadeUpLink(until: MadeUpLink.start.addingTimeInterval(2 * 86_400))
        #expect(made.link.screen.options.footer?.contains("after the trip (by 7 May 14:02 CET)") == true)
        let page = LinkPage(made.link, now: MadeUpLink.start).html(nonce: "n")
        #expect(page.contains("This link ends at <time data-day datetime=") && page.contains(">7 May 14:02 CET</time>"))
    }

    @Test("the page says where to stand, on the way and at the pickup, and names the stops even without the vehicle")
    func whereToStand() throws {
        let coming = try MadeUpLink(LinkPrivacy(showsVehicle: false)) {
            $0.attributes["pickup_name"] = "Platform 2"
            $0.attributes["stop_names"] = #"["Mill Lane"]"#
            $0.intermediateDestinations = [MadeUpLink.way[1]]
        }
        let page = LinkPage(coming.link, now: MadeUpLink.start).html(nonce: "n")
        #expect(page.contains("Pickup  Platform 2") && page.contains("Mill Lane") && !page.contains("KVX 204"), "\(page)")
        let waiting = try MadeUpLink {
            $0.attributes["pickup_name"] = "Platform 2"
            $0.status = .arrivedAtPickup
        }
        #expect(LinkPage(waiting.link, now: MadeUpLink.start).html(nonce: "n").contains("Waiting at Platform 2"))
    }
}

@Suite("Events, secrets and requests of links")
struct LinkPartsTests {
    @Test("a reader gets the events after its last one; after an older or unknown one, it gets the current state")
    func replay() {
        var events = LinkEvents()
        for number in 1...1_200 { events.append("{\"n\":\(number)}", number % 2 == 0 ? .location : .eta) }
        #expect(events.lastID == 1_200)
        #expect(events.after(1_198)?.map(\.id) == [1_199, 1_200])
        #expect(events.after(1_200)?.isEmpty == true)
        #expect(events.after(200)?.count == 1_000)
        #expect(events.after(199) == nil && events.after(1_201) == nil && events.after(-1) == nil)
        #expect(events.standing.map(\.id) == [1_199, 1_200])
        #expect(events.standing.first?.text == "id: 1199\ndata: {\"n\":1199}\n\n")
        // In the text of the whole state, only the last event has an id. A reader that misses this event requests the whole state again.
        #expect(events.standingText == "data: {\"n\":1199}\n\nid: 1200\ndata: {\"n\":1200}\n\n")
    }

    @Test("secrets have 22 letters, differ, and are found only by their whole text")
    func secrets() {
        let secrets = (0..<100).map { _ in LinkSecret() }
        #expect(Set(secrets.map(\.text)).count == 100)
        #expect(secrets.allSatisfy { $0.text.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil })
        for (index, secret) in secrets.enumerated() { #expect(LinkSecret.place(of: secret.text[...], among: secrets) == index) }
        let text = secrets[0].text
        for other in ["", String(text.dropLast()), text + "A", text + "\0", String(repeating: "A", count: 100_000)] {
            #expect(LinkSecret.place(of: other[...], among: secrets) == nil)
        }
    }

    private func read(
        _ path: String, prefix: String = "", query: String? = nil, accept: String? = "*/*", agent: String? = "curl/8.5.0",
        last: String? = nil
    ) -> LinkRequest {
        LinkRequest(path: path, prefix: prefix, query: query, accept: accept, userAgent: agent, lastEventID: last)
    }

    @Test("each address of a link works with and without a proxy's path")
    func doors() {
        for (prefix, path) in [("", "/s/abc"), ("/rides", "/rides/s/abc"), ("/rides", "/s/abc")] {
            #expect(read(path, prefix: prefix, accept: "text/html,*/*;q=0.8").door == .page)
            #expect(read(path + ".json", prefix: prefix).door == .json)
            #expect(read(path + "/events", prefix: prefix, last: "17").door == .events(after: 17))
            #expect(read(path + "/events", prefix: prefix, last: "x").door == .events(after: nil))
            #expect(read(path, prefix: prefix).secret == "abc")
        }
        for path in ["/", "/s", "/s/abc/other", "/s/abc%2Fx", "/x/s/abc", "/s/abc.json/x"] { #expect(read(path).secret.isEmpty) }
    }

    @Test("terminals get the picture; browsers, previews and programs that state no accepted type get the page")
    func forms() {
        for agent in ["curl/8.5.0", "Wget/1.21.4", "HTTPie/3.2.2"] {
            guard case .picture = read("/s/abc", agent: agent).door else {
                Issue.record("\(agent)")
                continue
            }
            #expect(read("/s/abc", agent: agent).form == .text)
        }
        for agent in [nil, "WhatsApp/2.23.20.0", "TelegramBot (like TwitterBot)", "Slackbot-LinkExpanding 1.0", "Mozilla/5.0 curl"] {
            #expect(read("/s/abc", agent: agent).door == .page && read("/s/abc", accept: nil, agent: agent).door == .page, "\(agent ?? "")")
            for query in ["plain", "cols=40", "rows=10&dark", "follow"] {
                guard case .picture = read("/s/abc", query: query, agent: agent).door else {
                    Issue.record("\(query)")
                    continue
                }
            }
            #expect(read("/s/abc", query: "fbclid=plain&utm_source=x", agent: agent).door == .page)
        }
        #expect(read("/s/abc", query: "cols=40", accept: "text/html").door == .page)
    }

    @Test("a slash or punctuation after an address is not part of it; the page moves to its own address")
    func marks() {
        for (tail, moved) in [
            ("/", "../abc"), (")", "abc"), (".", "abc"), (">", "abc"), ("%29", "abc"), ("/).", "../abc"), ("%5D,", "abc"),
        ] {
            let request = read("/rides/s/abc" + tail, prefix: "/rides", accept: "text/html")
            #expect(request.door == .page && request.secret == "abc" && request.movedTo == moved, "\(tail)")
            let picture = read("/s/abc" + tail)
            #expect(picture.secret == "abc" && picture.movedTo == nil && picture.door != .page)
        }
        #expect(read("/s/abc.json)").door == .json && read("/s/abc/events/").door == .events(after: nil))
        #expect(read("/s/abc", accept: "text/html").movedTo == nil && read("/s/abc/map.svg", accept: "text/html").movedTo == nil)
    }

    @Test("a picture's size is within its limits, or there is none")
    func sizes() {
        guard case .picture(let picture) = read("/s/a", query: "cols=120&rows=40&plain&follow").door else {
            Issue.record("no picture")
            return
        }
        #expect(picture.size.columns == 120 && picture.size.rows == 40 && picture.isPlain && picture.isFollowing)
        for query in ["cols=19", "cols=401", "rows=2", "rows=201", "cols=x", "rows=", "cols=99999999999999999999"] {
            #expect(read("/s/a", query: query).door == .badSize)
        }
        #expect(read("/s/a/map.svg", query: "cols=5").door == .badSize)
    }
}
