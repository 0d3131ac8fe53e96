import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing
import TripTesting

private let place = Coordinate(latitude: 1, longitude: 2)
private let noon = Date(timeIntervalSince1970: 1_935_792_000)

private let way = [place, place.offset(eastMeters: 100, northMeters: 0)]
private let jam = [TrafficStretch(startMeters: 0, endMeters: 50, speed: .trafficJam)]

private func stop(path: [Coordinate] = [], meters: Double? = nil, traffic: [TrafficStretch] = []) -> TripWaypoint {
    TripWaypoint(coordinate: place, tripID: "t1", type: .dropoff, path: RouteLine(path, traffic: traffic), distanceMeters: meters)
}

/// A change of one property of a trip, and the callbacks for this property.
private struct Part: Sendable, CustomTestStringConvertible {
    let name: String
    let fields: TripPropertyFields
    let calls: [String]
    let change: @Sendable (inout Trip) -> Void

    init(_ name: String, _ fields: TripPropertyFields, _ calls: [String], _ change: @escaping @Sendable (inout Trip) -> Void) {
        (self.name, self.fields, self.calls, self.change) = (name, fields, calls, change)
    }

    var testDescription: String { name }

    static let all: [Part] = [
        Part("status", .tripStatus, ["status"]) { $0.status = .arrivedAtPickup },
        Part("pickup point", .pickupLocation, ["pickupLocation"]) { $0.pickupPoint = place },
        Part("drop-off point", .dropoffLocation, ["dropoffLocation"]) { $0.dropoffPoint = place },
        Part("intermediates", .intermediateDestinations, ["intermediates"]) { $0.intermediateDestinations = [place] },
        Part("index", .intermediateDestinationIndex, []) { $0.intermediateDestinationIndex = 2 },
        Part("vehicle location", .routeLastVehicleLocation, ["vehicleLocation"]) { $0.lastLocation = VehicleLocation(coordinate: place) },
        Part("route", .activeRoute, ["activeRoute"]) { $0.activeRoute = RouteLine(way, traffic: $0.activeRoute.traffic) },
        Part("distance", .remainingDistanceOfActiveRoute, ["remainingDistance"]) { $0.remainingDistanceMeters = 5 },
        Part("traffic", .activeRouteTraffic, ["activeRouteTraffic"]) { $0.activeRoute = RouteLine($0.activeRoute.line, traffic: jam) },
        Part("next stop", .remainingWaypoints, ["remainingWaypoints"]) { $0.remainingWaypoints = [stop()] },
        Part("later path", [.remainingWaypoints, .remainingRoute], ["remainingWaypoints", "remainingRoute"]) {
            $0.remainingWaypoints = [stop(), stop(path: [place])]
        },
        Part(
            "later distance", [.remainingWaypoints, .remainingRoute, .distanceOfRemainingRoute],
            ["remainingWaypoints", "remainingRoute", "remainingRouteDistance"]
        ) { $0.remainingWaypoints = [stop(), stop(path: [place], meters: 7)] },
        Part(
            "later traffic", [.remainingWaypoints, .remainingRoute, .remainingRouteTraffic],
            ["remainingWaypoints", "remainingRoute", "remainingRouteTraffic"]
        ) {
            $0.remainingWaypoints = [stop(), stop(path: way, traffic: jam)]
        },
        Part("pickup time", .pickupTime, ["pickupETA"]) { $0.pickupTime = noon },
        Part("drop-off time", .dropoffTime, ["dropoffETA"]) { $0.dropoffTime = noon },
        Part("next arrival", [], ["etaToNextWaypoint"]) { $0.etaToNextWaypoint = noon },
        Part("vehicle", .vehicleID, []) { $0.vehicleID = "other" },
        Part("type", .tripType, []) { $0.type = .shared },
        Part("passengers", .numberOfPassengers, []) { $0.numberOfPassengers = 3 },
        Part("actual pickup", [], []) { $0.actualPickup = StopLocation(coordinate: place, time: nil) },
        Part("attributes", [], []) { $0.attributes = ["plate": "XX 000"] },
    ]
}

/// Records the calls that it receives.
@MainActor
private final class Scribe: TripModelSubscriber {
    private(set) var updates: [TripUpdate] = []

    func tripModel(_ tripModel: TripModel, didTell update: TripUpdate) { updates.append(update) }
}

@Suite("Trip model, callbacks", .timeLimit(.minutes(1)))
@MainActor
struct TripModelCallbackTests {
    @Test("a part that changes calls its own callback, then the whole trip's, and nothing else", arguments: Part.all)
    fileprivate func oneChange(part: Part) async throws {
        let bench = try ModelBench { _, call in ModelBench.trip { if call > 1 { part.change(&$0) } } }
        let listener = Listener()
        bench.register(listener)
        await bench.settle()
        listener.forget()
        await bench.goOn()
        #expect(listener.heard == part.calls + ["trip"])
        #expect(listener.fields == [part.fields])
        listener.forget()
        await bench.goOn()
        #expect(listener.heard == [], "nothing changed")
        #expect(bench.client.callCount == 3)
    }

    @Test("all parts at once: each callback once, always in the documented order")
    func everything() async throws {
        let bench = try ModelBench { _, call in ModelBench.trip { if call > 1 { for part in Part.all { part.change(&$0) } } } }
        let listener = Listener()
        bench.register(listener)
        await bench.settle()
        #expect(listener.heard == ["active", "status", "trip"])
        listener.forget()
        await bench.goOn()
        #expect(
            listener.heard == [
                "status", "pickupLocation", "dropoffLocation", "intermediates", "vehicleLocation", "activeRoute", "remainingDistance",
                "activeRouteTraffic", "remainingWaypoints", "remainingRoute", "remainingRouteTraffic", "pickupETA", "dropoffETA",
                "etaToNextWaypoint", "trip",
            ])
    }

    @Test("failures, recovery and the end have their places in the order; the model is consistent before each callback")
    func order() async throws {
        let bench = try ModelBench { _, call in
            call == 2 ? ModelBench.failure(.unavailable) : ModelBench.trip(call < 4 ? .enrouteToPickup : .complete)
        }
        let listener = Listener()
        listener.onHearing = { word, model in
            #expect((model.currentFailure != nil) == (word == "failure"), "\(word)")
            if word == "inactive" { #expect(model.currentTrip?.status == .complete) }
        }
        bench.register(listener)
        for _ in 0..<2 { await bench.goOn() }
        let deadline = try #require(bench.time.deadlines.first)
        var updates = bench.model.updates.makeAsyncIterator()
        bench.time.advance(to: deadline)
        while await updates.next() != nil {}
        #expect(listener.heard == ["active", "status", "trip", "failure", "recovered", "status", "trip", "inactive"])
        #expect(bench.model.state == .inactive)
        bench.model.refresh()
        bench.model.register(Listener())
        #expect(bench.model.state == .inactive, "an ended trip is not asked for again")
        #expect(bench.client.callCount == 4)
    }

    @Test("a subscriber hears everything that a reader of the updates gets, including an answer without any change")
    func updates() async throws {
        let bench = try ModelBench { _, call in
            call == 3 ? ModelBench.failure(.unavailable) : ModelBench.trip(call < 5 ? .enrouteToPickup : .complete)
        }
        bench.client.hold()
        let reading = Task {
            var read: [TripUpdate] = []
            for await update in bench.model.updates { read.append(update) }
            return read
        }
        let all = Scribe()
        await bench.client.waitForHeld()
        bench.model.register(all)
        bench.client.letGo()
        for _ in 0..<3 { await bench.goOn() }
        await bench.settle()
        bench.time.advance(to: try #require(bench.time.deadlines.first))
        let read = await reading.value
        #expect(all.updates == read.filter { $0.kind != .state(.active) && $0.kind != .state(.inactive) } + all.updates.suffix(1))
        #expect(all.updates.last?.kind == .state(.inactive))
        #expect(read.filter { if case .trip(_, []) = $0.kind { true } else { false } }.count == 2)
    }

    @Test("each callback reaches all in the order of registration; registering twice has no effect")
    func severalSubscribers() async throws {
        let bench = try ModelBench { _, _ in ModelBench.trip() }
        var log: [String] = []
        let listeners = ["a", "b", "c"].map { name in
            let listener = Listener()
            listener.onHearing = { word, _ in log.append("\(name) \(word)") }
            return listener
        }
        for listener in listeners + listeners { bench.register(listener) }
        await bench.settle()
        #expect(log == ["a active", "a status", "b status", "c status", "a trip", "b trip", "c trip"])
    }

    @Test("a listener removed during a callback hears nothing more; a new one hears from the next answer on")
    func comingAndGoing() async throws {
        let bench = try ModelBench { _, call in ModelBench.trip(call.isMultiple(of: 2) ? .enrouteToPickup : .arrivedAtPickup) }
        let (first, second, third) = (Listener(), Listener(), Listener())
        first.onHearing = { word, model in
            guard word == "status" else { return }
            model.register(third)
            model.unregister(first)
            model.unregister(second)
        }
        bench.register(first)
        bench.register(second)
        await bench.settle()
        #expect(first.heard == ["active", "status"])
        #expect(second.heard == [])
        #expect(third.heard == [])
        await bench.goOn()
        #expect(third.heard == ["status", "trip"])
        #expect(first.heard.count == 2)
    }

    @Test("a released subscriber is removed without a callback, and polling ends with the last one")
    func released() async throws {
        let bench = try ModelBench { _, _ in ModelBench.trip() }
        var listener: Listener? = Listener()
        weak let weakListener = listener
        if let listener { bench.model.register(listener) }
        await bench.settle()
        listener = nil
        #expect(weakListener == nil, "the model holds its subscriber")
        let deadline = try #require(bench.time.deadlines.first)
        bench.time.advance(to: deadline)
        while bench.model.state == .active, !Task.isCancelled { await Task.yield() }
        #expect(bench.client.callCount == 1)
        #expect(bench.time.deadlines.isEmpty)
    }
}
