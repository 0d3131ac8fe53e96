import FleetEngine
import Foundation
import Geo
import JourneySharing
import TerminalCanvas
import Testing

@testable import TripWatchWords

@Suite("Trips known on this machine")
struct KnownTripsTests {
    private let now = Sighting.start
    private let server = KnownTrip.Server(endpoint: "127.0.0.1:50051", isPlaintext: true, caFile: nil)

    private func trip(_ id: String, openedBefore seconds: Double = 0, _ status: TripStatus = .enrouteToPickup) throws -> KnownTrip {
        var trip = KnownTrip(
            name: try TripName(provider: "demo", trip: id), server: server, openedAt: now.addingTimeInterval(-seconds))
        trip.status = status
        return trip
    }

    @Test("the last opened trip comes first, and the newest unfinished one is followed")
    func order() throws {
        var trips = KnownTrips()
        trips.note(
            [try trip("b", openedBefore: 60), try trip("a", openedBefore: 30, .complete), try trip("c", openedBefore: 90)], now: now)
        #expect(trips.trips.map(\.name.trip) == ["a", "b", "c"])
        #expect(trips.underWay().first?.name == "providers/demo/trips/b")
        trips.note([try trip("c")], now: now)
        #expect(trips.underWay().first?.name == "providers/demo/trips/c")
    }

    @Test("a trip that is as it was a short time before is not written again")
    func justSeen() throws {
        var before = try trip("a")
        (before.arrival, before.lastSeenAt) = (now + 600, now)
        func after(_ change: (inout KnownTrip) -> Void) -> Bool {
            var after = before
            after.lastSeenAt = now + 20
            change(&after)
            return after.isAsJustSeen(before)
        }
        #expect(after { _ in } && after { $0.arrival = now + 640 })
        #expect(!after { $0.arrival = now + 680 } && !after { $0.arrival = nil } && !after { $0.status = .arrivedAtPickup })
        #expect(!after { $0.title = "Ride home" } && !after { $0.lastSeenAt = now + 61 } && !after { $0.lastSeenAt = now - 1 })
    }

    @Test("stored trips can be read again, and the file has nothing else")
    func keeping() throws {
        var trips = KnownTrips()
        var known = try trip("a")
        known.note(try Sighting { _ in }.journey, title: "Ride to Mill Lane", at: now)
        trips.note([known], now: now)
        #expect(KnownTrips(trips.data) == trips)
        let object = try #require(try JSONSerialization.jsonObject(with: trips.data) as? [[String: Any]])
        #expect(
            Set(try #require(object.first).keys) == ["name", "title", "status", "car", "eta", "opened", "seen", "endpoint", "plaintext"])
    }

    @Test("an order is stored with its kind and the arrival at its shop, a ride without them")
    func kinds() throws {
        var trips = KnownTrips()
        var order = try trip("a")
        let sighting = try Sighting {
            $0.attributes = ["kind": "order"]
            $0.dropoffTime = Sighting.start.addingTimeInterval(1_200)
        }
        order.note(sighting.journey, title: nil, at: now)
        trips.note([order, try trip("b", openedBefore: 60)], now: now)
        #expect(KnownTrips(trips.data) == trips && trips[order.name]?.shopArrival == now.addingTimeInterval(360))
        let objects = try #require(try JSONSerialization.jsonObject(with: Data(trips.jsonLine.utf8)) as? [[String: Any]])
        #expect(objects.first?["kind"] as? String == "order" && objects.first?["shop_eta"] is String)
        #expect(objects.last?["kind"] == nil && objects.last?.keys.contains("shop_eta") == false)
    }

    @Test("a text identifies trips by their name, their id, or an end of at least four characters of their names")
    func meant() throws {
        var trips = KnownTrips()
        trips.note([try trip("ride-1234"), try trip("ride-5678"), try trip("night-5678"), try trip("a")], now: now)
        for text in ["providers/demo/trips/ride-1234", "ride-1234", "1234", "e-1234"] {
            #expect(trips.trips(meantBy: text).map(\.name.trip) == ["ride-1234"], "\(text)")
        }
        #expect(trips.trips(meantBy: "a").map(\.name.trip) == ["a"])
        #expect(Set(trips.trips(meantBy: "5678").map(\.name.trip)) == ["ride-5678", "night-5678"])
        for text in ["234", "providers/other/trips/ride-1234", "", "ride"] { #expect(trips.trips(meantBy: text).isEmpty, "\(text)") }
    }

    @Test("a file of an older program is read, and a known provider address stays with its server")
    func providerAddress() throws {
        var trips = KnownTrips()
        trips.note([try trip("a")], now: now)
        #expect(!String(decoding: trips.data, as: UTF8.self).contains("provider\":") && KnownTrips(trips.data).trips.count == 1)
        var booked = try trip("a")
        booked.server.providerURL = "http://127.0.0.1:8080"
        trips.note([booked], now: now)
        #expect(KnownTrips(trips.data)[booked.name]?.server.providerURL == "http://127.0.0.1:8080")
        trips.note([try trip("a")], now: now)
        #expect(trips[booked.name]?.server.providerURL == "http://127.0.0.1:8080")
        var moved = try trip("a")
        moved.server.endpoint = "fleet.example:443"
        trips.note([moved], now: now)
        #expect(trips[booked.name]?.server.providerURL == nil)
    }

    @Test("another program's later news and title are kept")
    func merging() throws {
        var trips = KnownTrips()
        var over = try trip("a", .complete)
        over.title = "Ride to Mill Lane"
        trips.note([over], now: now)
        trips.note([try trip("a", openedBefore: 10)], now: now)
        #expect(trips.trips.first?.status == .complete)
        #expect(trips.trips.first?.title == "Ride to Mill Lane")
        #expect(trips.trips.first?.openedAt == now)
    }

    @Test("trips are kept for seven days, 500 at most")
    func bounds() throws {
        var trips = KnownTrips()
        trips.note(try (0..<600).map { try trip("t\($0)", openedBefore: Double($0)) }, now: now)
        #expect(trips.trips.count == 500 && trips.trips.last?.name.trip == "t499")
        #expect(trips.data.count < KnownTrips.maximumBytes)
        trips.forget(before: now.addingTimeInterval(6.9 * 86_400))
        #expect(trips.trips.count > 400)
        trips.forget(before: now.addingTimeInterval(7.1 * 86_400))
        #expect(trips.trips.isEmpty)
    }

    @Test("data of other programs are read as no trips", arguments: ["", "{}", "[1]", "[{\"name\":\"x\"}]", "\u{0}\u{1}"])
    func foreign(text: String) {
        #expect(KnownTrips(Data(text.utf8)).trips.isEmpty)
        #expect(KnownTrips(Data(text.utf8)).jsonLine == "[]")
    }

    @Test("if nothing better is known, a trip with a meaningless id has its destination as title; words that all share are left out")
    func goals() throws {
        var trips = KnownTrips()
        let ids = ["trip-3e3e3e3e-1111-4222-8333-444455556666", "trip-4e3e3e3e-1111-4222-8333-444455556666"]
        for (index, id) in ids.enumerated() {
            var known = try trip(id, openedBefore: Double(index))
            known.goal = TripNames.title(of: known.name, to: Coordinate(latitude: 50.10512, longitude: 8.664 + Double(index)))
            trips.note([known], now: now)
        }
        #expect(trips.jsonLine.contains("\"title\":\"Ride to 50.105, 8.664\""))
        let read = KnownTrips(trips.data)
        #expect(read == trips)
        let lines = read.lines(now: now) { _ in "14:08" }
        #expect(
            lines.map { $0.dropFirst("providers/demo/trips/".count + ids[0].count) }.allSatisfy { $0.hasPrefix("  50.105, ") }, "\(lines)")
        var named = try #require(read.trips.first)
        named.title = "Ride to Mill Lane"
        trips.note([named], now: now)
        trips.note([try trip(named.name.trip)], now: now)
        #expect(trips[named.name]?.shownTitle == "Ride to Mill Lane")
        #expect(TripNames.title(of: try TripName(provider: "demo", trip: "groceries"), to: Coordinate(latitude: 1, longitude: 2)) == nil)
    }

    @Test("one line per trip for people, an array for programs")
    func lines() throws {
        var trips = KnownTrips()
        var known = try trip("a")
        known.note(try Sighting { _ in }.journey, title: "Ride to \u{1b}[31m\"Mill\" Lane", at: now)
        trips.note([known, try trip("bbb", openedBefore: 1, .new)], now: now)
        let lines = trips.lines(now: now.addingTimeInterval(120)) { Timestamps.clock($0, secondsFromGMT: 0, withSeconds: false) }
        #expect(
            lines == [
                "providers/demo/trips/a    Ride to [31m\"Mill\" Lane  on the way  14:08  seen 2 min ago  127.0.0.1:50051",
                "providers/demo/trips/bbb  –                        booked      --:--  seen 2 min ago  127.0.0.1:50051",
            ], "\(lines)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(trips.jsonLine.utf8)) as? [[String: Any]])
        #expect(
            object.map { Set($0.keys) }
                == Array(
                    repeating: ["name", "title", "status", "eta", "last_seen", "endpoint", "provider"], count: 2))
        #expect(object.last?["eta"] is NSNull && object.last?["title"] is NSNull)
    }

    @Test("on a narrow terminal, the name has a line of its own, so that no row wraps and the name can be copied")
    func narrow() throws {
        var trips = KnownTrips()
        var known = try trip("trip-3e3e3e3e-1111-4222-8333-444455556666")
        known.note(try Sighting { _ in }.journey, title: "Ride to Mill Lane by the Old Harbour", at: now)
        trips.note([known, try trip("bbb", openedBefore: 1, .new)], now: now)
        func lines(_ columns: Int) -> [String] { trips.lines(now: now.addingTimeInterval(120), columns: columns) { _ in "14:08" } }
        #expect(lines(200).count == 2)
        #expect(
            lines(80) == [
                "Ride to Mill Lane by the Old Harbour  on the way  14:08  seen 2 min ago",
                "    providers/demo/trips/trip-3e3e3e3e-1111-4222-8333-444455556666",
                "–                                     booked      --:--  seen 2 min ago",
                "    providers/demo/trips/bbb  127.0.0.1:50051",
            ], "\(lines(80))")
        #expect(lines(66).allSatisfy { displayWidth($0) <= 66 } && lines(66).first?.hasPrefix("Ride to Mill") == true, "\(lines(66))")
    }

    @Test("if the clock was set back since a trip was seen, the output does not say how long ago that was")
    func clockSetBack() throws {
        var trip = try trip("a")
        for (seconds, words) in [(-3_600.0, "seen earlier"), (-1, "seen 0 s ago"), (0, "seen 0 s ago"), (180, "seen 3 min ago")] {
            trip.lastSeenAt = now.addingTimeInterval(-seconds)
            #expect(trip.cells(now: now, shared: "") { _ in "14:13" }.last == words)
        }
    }

    @Test("a ride whose car is at a stop has no time in the list, an order has the time of its delivery")
    func atStop() throws {
        var trip = try trip("a", .arrivedAtPickup)
        trip.arrival = now + 600
        func cells() -> [String] { Array(trip.cells(now: now, shared: "") { _ in "14:13" }.dropFirst(2).prefix(2)) }
        #expect(cells() == ["here", "--:--"])
        trip.kind = .order
        #expect(cells().last == "14:13")
    }

    @Test(
        "a trip whose car was taken off is listed in the words of its page, even if the server keeps the status",
        arguments: [TripStatus.new, .enrouteToPickup, .arrivedAtPickup])
    func takenOff(status: TripStatus) throws {
        var known = try trip("a")
        known.note(try Sighting { ($0.status, $0.vehicleID, $0.lastLocation) = (status, nil, nil) }.journey, title: nil, at: now)
        known.arrival = now + 600
        var before = known
        before.hasCar = true
        #expect(known.isAsJustSeen(known) && !known.isAsJustSeen(before))
        var trips = KnownTrips()
        trips.note([known], now: now)
        let read = KnownTrips(trips.data)
        let line = try #require(read.lines(now: now) { _ in "14:13" }.first)
        #expect(read == trips && line.contains("  looking for a car  --:--  "), "\(line)")
        known.kind = .order
        // An order has the time of its delivery even without a courier.
        #expect(Array(known.cells(now: now, shared: "") { _ in "14:13" }[2...3]) == ["no courier yet", "14:13"])
        known.note(try Sighting { _ in }.journey, title: nil, at: now + 5)
        #expect(known.cells(now: now, shared: "") { _ in "14:13" }[2] == "on the way")
    }

    @Test("a new trip is listed as booked until its first answer, then by whether it has a car")
    func newTrip() throws {
        var known = try trip("a", .new)
        func word() -> String { known.cells(now: now, shared: "") { _ in "14:13" }[2] }
        #expect(word() == "booked")
        known.note(try Sighting { $0.status = .new }.journey, title: nil, at: now)
        var trips = KnownTrips()
        trips.note([known], now: now)
        #expect(word() == "car assigned" && KnownTrips(trips.data) == trips)
        known.kind = .order
        #expect(word() == "assigned")
    }
}
