import FleetEngine
import Foundation
import Geo
import JourneySharing
import Testing
import TripWatchSettings

@testable import TripWatchWords

@Suite("Lines of an order")
struct OrderOutputTests {
    private static let start = Date(timeIntervalSince1970: 1_935_756_130)

    private static func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    /// Passes the server's answers to every kind of output, and collects the lines.
    private struct Player {
        var journey: JourneyTracker
        var observer = TripObserver()
        var plain = PlainOutput()
        var spoken = SpokenOutput()
        var watch = MomentWatch(.hooks)
        var lines: [String] = []
        var sentences: [String] = []
        var json: [String] = []
        var moments: [Moment] = []
        var trip: Trip
        var old: Trip?

        init(attributes: [String: String] = ["kind": "order"], fallback: TripKind? = nil) throws {
            let name = try TripName("providers/demo/trips/noodles")
            journey = JourneyTracker(tripName: name, fallbackKind: fallback)
            trip = Trip(name: name, status: .new, attributes: attributes)
        }

        mutating func answer(_ seconds: Double, _ change: (inout Trip) -> Void) {
            let now = OrderOutputTests.at(seconds)
            change(&trip)
            trip.lastLocation = trip.vehicleID.map { _ in
                VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1 + seconds / 1e5), updateTime: now, serverTime: now)
            }
            let update = TripUpdate(name: trip.name, time: now, kind: .trip(trip, changed: TripPropertyFields(from: old, to: trip)))
            old = trip
            journey.observe(update)
            moments += watch.observe(journey, now: now)
            for fact in observer.observe(update, journey) {
                plain.line(fact, journey: journey, time: now).map { lines.append($0) }
                spoken.line(fact, journey: journey, time: now).map { sentences.append($0) }
                JSONOutput().line(fact, trip: trip.name, kind: journey.kind, time: now).map { json.append($0) }
            }
        }

        /// Plays the server's answers for a whole order, from its creation until it is delivered.
        mutating func deliver() {
            answer(0) { _ in }
            answer(10) { $0.vehicleID = "courier-7" }
            answer(20) {
                $0.status = .enrouteToPickup
                $0.pickupTime = OrderOutputTests.at(320)
                $0.dropoffTime = OrderOutputTests.at(860)
            }
            answer(320) { $0.status = .arrivedAtPickup }
            answer(380) {
                $0.status = .enrouteToDropoff
                $0.remainingDistanceMeters = 900
                $0.remainingWaypoints = [
                    TripWaypoint(coordinate: Coordinate(latitude: 1, longitude: 1), tripID: "other", type: .dropoff),
                    TripWaypoint(
                        coordinate: Coordinate(latitude: 1, longitude: 1), tripID: "noodles", type: .dropoff, distanceMeters: 1_100),
                ]
            }
            answer(860) {
                $0.status = .complete
                $0.remainingWaypoints = []
            }
        }
    }

    @Test("An order, line by line")
    func plain() throws {
        var player = try Player()
        player.deliver()
        #expect(
            player.lines == [
                "14:02:10 new         looking for a courier",
                "14:02:20 assigned    courier-7, delivery time not known yet",
                "14:02:30 to the shop delivery 14:16 (14 min, shop 14:07)",
                "14:07:30 at the shop delivery 14:16 (9 min)",
                "14:08:30 on its way  delivery 14:16 (8 min, 2.0 km, 1 delivery before yours)",
                "14:16:30 complete    delivered 14:16",
            ])
    }

    @Test("An order, sentence by sentence")
    func spoken() throws {
        var player = try Player()
        player.deliver()
        #expect(
            player.sentences == [
                "Looking for a courier.",
                "A courier is assigned. Vehicle courier-7. The arrival time is not known yet.",
                "The courier is going to the shop. Arrival in 14 minutes. Delivery at 14:16. The courier should reach the shop at 14:07.",
                "The courier is at the shop. Arrival in 9 minutes. Delivery at 14:16.",
                "Your order is on its way to you. Arrival in 8 minutes. Distance 2.0 kilometres. "
                    + "The courier has 1 delivery before yours. Delivery at 14:16.",
                "Your order was delivered.",
            ])
    }

    @Test("Every JSON line has the kind; eta events have the drop-off, and the shop while that is ahead")
    func json() throws {
        var player = try Player()
        player.deliver()
        let objects = try player.json.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        #expect(objects.allSatisfy { $0["kind"] as? String == "order" })
        let etas = objects.filter { $0["event"] as? String == "eta" }
        #expect(!etas.isEmpty && etas.allSatisfy { $0["waypoint"] as? String == "dropoff" })
        #expect(etas.first?["eta"] as? String == "2031-05-05T14:16:30.000Z")
        #expect(etas.first?["shop_eta"] as? String == "2031-05-05T14:07:30.000Z")
        #expect(etas.last?.keys.contains("shop_eta") == false && etas.last?["remaining_m"] as? Double == 2_000)
    }

    @Test("A shop without a time is null, and its time is news even if the drop-off's is unknown")
    func shop() throws {
        var player = try Player()
        player.answer(0) {
            $0.vehicleID = "courier-7"
            $0.status = .enrouteToPickup
        }
        #expect(!player.json.contains { $0.contains("\"event\":\"eta\"") })
        player.answer(5) { $0.pickupTime = OrderOutputTests.at(320) }
        #expect(player.json.last { $0.contains("\"event\":\"eta\"") }?.contains("\"eta\":null") == true)
        player.answer(10) {
            $0.pickupTime = nil
            $0.dropoffTime = OrderOutputTests.at(860)
        }
        player.answer(15) { _ in }
        #expect(player.json.last { $0.contains("\"event\":\"eta\"") }?.hasSuffix("\"shop_eta\":null}") == true)
    }

    @Test("The user's option makes an order of a trip whose attributes state no kind, but not of a ride")
    func fallback() throws {
        var said = try Player(attributes: [:], fallback: .order)
        said.answer(0) { _ in }
        #expect(said.lines == ["14:02:10 new         looking for a courier"])
        var ride = try Player(attributes: ["kind": "ride"], fallback: .order)
        ride.answer(0) { _ in }
        #expect(ride.lines == ["14:02:10 new         looking for a car"])
        #expect(ride.json.allSatisfy { !$0.contains("kind") })
    }

    @Test("No moment says that a courier is here, and changes and thresholds count to the drop-off")
    func moments() throws {
        var player = try Player()
        player.watch.rules.timesLeft = [600]
        player.deliver()
        #expect(!player.moments.contains { $0.event == .here })
        let near = try #require(player.moments.first { $0.event == .timeLeft })
        #expect(near.waypoint == .dropoff && near.status == .arrivedAtPickup && near.remainingSeconds == 540)
    }

    @Test("At the shop, a prompt counts to the drop-off too; without an arrival, it shows the state")
    func status() throws {
        var player = try Player()
        player.answer(0) { _ in }
        func report(_ seconds: Double) -> StatusReport { StatusReport(player.journey, now: Self.at(seconds)) }
        #expect(report(0).line == "◦ no courier yet" && report(0).state == "Looking for a courier")
        player.answer(10) {
            $0.vehicleID = "courier-7"
            $0.status = .arrivedAtPickup
            $0.dropoffTime = Self.at(550)
        }
        #expect(report(10).line == "▾ 9 min  14:11" && report(10).state == "At the shop")
    }

    @Test("the type of the courier's next stop for others is not news for an order")
    func othersStops() throws {
        var player = try Player()
        for (seconds, type) in [(0.0, WaypointType.pickup), (10.0, WaypointType.intermediate)] {
            player.answer(seconds) {
                ($0.vehicleID, $0.status) = ("courier-7", .enrouteToPickup)
                $0.remainingWaypoints = [
                    TripWaypoint(coordinate: Coordinate(latitude: 1, longitude: 1.1), tripID: "other", type: type),
                    TripWaypoint(coordinate: Coordinate(latitude: 1, longitude: 1.2), tripID: "noodles", type: .pickup),
                ]
            }
        }
        #expect(player.json.count { $0.contains("\"event\":\"waypoints\"") } == 1)
    }
}
