import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing
import TripTesting

@Suite("Shipment model", .timeLimit(.minutes(1)))
@MainActor
struct ShipmentModelTests {
    /// A change that a test makes to an answer of the server.
    struct Change: Sendable {
        let apply: @Sendable (inout TaskTrackingInfo) -> Void

        init(_ apply: @escaping @Sendable (inout TaskTrackingInfo) -> Void) { self.apply = apply }
    }

    private nonisolated static let place = Coordinate(latitude: 52.5, longitude: 13.4)
    private nonisolated static let all = Change { shipment in
        let now = Date(timeIntervalSince1970: 2_000_000_000)
        shipment.plannedLocation = place
        shipment.targetTimeWindow = TimeWindow(start: now, end: now)
        shipment.vehicleLocation = VehicleLocation(coordinate: place)
        shipment.route = Polyline([place, Coordinate(latitude: 52.6, longitude: 13.4)])
        shipment.remainingStopCount = 2
        shipment.remainingDistanceMeters = 900
        shipment.estimatedArrivalTime = now
        shipment.estimatedCompletionTime = now
    }

    @Test("the first answer reports each available part, in order, and the same answer again reports nothing")
    func callbacks() async throws {
        let bench = try ShipmentBench { _ in ShipmentBench.shipment(.open, Self.all.apply) }
        await bench.waitForCalls(1)
        let parts = ["state", "place", "window", "location", "route", "stops", "distance", "eta", "completion", "shipment"]
        #expect(bench.listener.heard == ["active"] + parts)
        bench.listener.forget()
        await bench.goOn()
        #expect(bench.listener.heard.isEmpty)
    }

    @Test("a value that is missing in an answer is removed, and reported as changed")
    func takenBack() async throws {
        let bench = try ShipmentBench { call in ShipmentBench.shipment(.open) { if call == 1 { Self.all.apply(&$0) } } }
        await bench.waitForCalls(1)
        await bench.goOn()
        #expect(bench.model.currentShipment?.estimatedArrivalTime == nil)
        #expect(bench.model.currentShipment?.vehicleLocation == nil)
        #expect(bench.listener.fields.last?.contains([.estimatedArrivalTime, .vehicleLocation, .route, .remainingStopCount]) == true)
        #expect(bench.listener.fields.last?.contains(.state) == false)
    }

    @Test(
        "it polls every 30 s while no value that changes quickly is shared, and every 5 s with any such value",
        arguments: [
            (30.0, Change { _ in }), (30, Change { $0.remainingStopCount = 7 }), (30, Change { $0.plannedLocation = place }),
            (5, Change { $0.vehicleLocation = VehicleLocation(coordinate: place) }), (5, Change { $0.route = Polyline([place, place]) }),
            (5, Change { $0.remainingDistanceMeters = 0 }), (5, Change { $0.estimatedArrivalTime = Date(timeIntervalSince1970: 0) }),
            (5, Change { $0.estimatedCompletionTime = Date(timeIntervalSince1970: 0) }),
        ] as [(Double, Change)])
    func pace(seconds: Double, change: Change) async throws {
        let bench = try ShipmentBench { _ in ShipmentBench.shipment(.open, change.apply) }
        await bench.waitForCalls(1)
        #expect(await bench.wait() == seconds)
        #expect(bench.model.pollIntervalSeconds == seconds)
    }

    @Test("a longer interval set by the user applies in both cases", arguments: [(true, 60.0), (false, 60)])
    func ownInterval(isShared: Bool, seconds: Double) async throws {
        let bench = try ShipmentBench(interval: 60) { _ in ShipmentBench.shipment(.open) { if isShared { Self.all.apply(&$0) } } }
        await bench.waitForCalls(1)
        #expect(await bench.wait() == seconds)
    }

    @Test("a refresh polls at once, however long the wait is")
    func refresh() async throws {
        let bench = try ShipmentBench { _ in ShipmentBench.shipment() }
        await bench.waitForCalls(1)
        #expect(await bench.wait() == 30)
        bench.model.refresh()
        await bench.waitForCalls(2)
        #expect(await bench.wait() == 30)
    }

    @Test(
        "an outcome ends polling at once, even with an open state", arguments: [DeliveryTaskState.open, .closed],
        DeliveryTaskOutcome.allCases)
    func outcome(state: DeliveryTaskState, outcome: DeliveryTaskOutcome) async throws {
        let bench = try ShipmentBench { _ in ShipmentBench.shipment(state) { $0.outcome = outcome } }
        await bench.waitForCalls(1)
        #expect(bench.listener.hasEnded)
        #expect(bench.listener.heard.last == "inactive")
        var kinds: [ShipmentUpdate.Kind] = []
        for await update in bench.model.updates { kinds.append(update.kind) }
        let shipment = try #require(bench.model.currentShipment)
        #expect(kinds == [.ended(shipment)])
        #expect(bench.client.callCount == 1)
    }

    @Test("closed without an outcome, it polls every 5 s and ends after 60 s")
    func closed() async throws {
        let bench = try ShipmentBench { call in ShipmentBench.shipment(call == 1 ? .open : .closed) }
        await bench.waitForCalls(1)
        await bench.goOn()
        let closedAt = bench.time.now()
        #expect(await bench.wait() == 5)
        for _ in 0..<11 { await bench.goOn() }
        #expect(!bench.listener.hasEnded)
        await bench.goOn()
        #expect(bench.listener.hasEnded)
        #expect(bench.time.now().timeIntervalSince(closedAt) == 60)
    }

    @Test("an outcome that follows the closing ends polling before that")
    func lateOutcome() async throws {
        let bench = try ShipmentBench { call in ShipmentBench.shipment(.closed) { if call > 2 { $0.outcome = .failed } } }
        await bench.waitForCalls(1)
        await bench.goOn()
        #expect(!bench.listener.hasEnded)
        await bench.goOn()
        #expect(bench.listener.hasEnded)
    }

    @Test(
        "another task with the same tracking id is reported, and everything after it anew",
        arguments: [
            (true, Change { $0.state = .closed }, Change { _ in }),
            (true, Change { $0.plannedLocation = place }, Change { $0.plannedLocation = Coordinate(latitude: 52.50002, longitude: 13.4) }),
            (
                false, Change { $0.plannedLocation = place },
                Change { $0.plannedLocation = Coordinate(latitude: 52.500005, longitude: 13.4) }
            ),
            (false, Change { $0.plannedLocation = place }, Change { _ in }),
            (false, Change { _ in }, Change { $0.plannedLocation = place }),
            (false, Change { _ in }, Change { $0.state = .closed }),
        ] as [(Bool, Change, Change)])
    func replaced(isReplaced: Bool, before: Change, after: Change) async throws {
        let bench = try ShipmentBench { call in
            ShipmentBench.shipment(.open) {
                $0.attributes = [DeliveryAttribute(key: "k", value: .text("v"))]
                if call == 1 { before.apply(&$0) } else { after.apply(&$0) }
            }
        }
        await bench.waitForCalls(1)
        bench.listener.forget()
        await bench.goOn()
        #expect(bench.listener.heard.contains("replaced") == isReplaced)
        #expect(bench.listener.heard.contains("attributes") == isReplaced)
    }

    @Test("a shipment that never existed is missing at once, by NOT_FOUND or by an answer without a state", arguments: [true, false])
    func missing(isRefused: Bool) async throws {
        let bench = try ShipmentBench { _ in isRefused ? ShipmentBench.failure(.notFound) : ShipmentBench.shipment(.unknown) }
        await bench.waitForCalls(1)
        let failure = try #require(bench.listener.failures.first)
        #expect(failure.error.code == .notFound)
        #expect(failure.errorClass == .actionRequired(.checkTripName))
        #expect(!failure.isWithinGrace)
        #expect(bench.model.currentShipment == nil)
    }

    @Test("a known shipment that is missing is polled every 5 s for a minute", arguments: [true, false])
    func lost(isRefused: Bool) async throws {
        let bench = try ShipmentBench { call in
            if call == 1 { return ShipmentBench.shipment() }
            return isRefused ? ShipmentBench.failure(.notFound) : ShipmentBench.shipment(.unknown)
        }
        await bench.waitForCalls(1)
        await bench.goOn()
        let missedAt = bench.time.now()
        #expect(bench.listener.failures.last?.isWithinGrace == true)
        #expect(await bench.wait() == 5)
        while bench.listener.failures.last?.isWithinGrace == true { await bench.goOn() }
        #expect(bench.time.now().timeIntervalSince(missedAt) == 60)
        #expect(bench.listener.failures.last?.errorClass == .actionRequired(.checkTripExists))
        #expect(bench.model.currentShipment?.state == .open)
    }

    @Test("failures have the same classes and waits as for trips, and the shipment is kept")
    func failures() async throws {
        let bench = try ShipmentBench { call in
            call == 2 ? ShipmentBench.failure(.unavailable) : ShipmentBench.shipment(.open, Self.all.apply)
        }
        await bench.waitForCalls(1)
        await bench.goOn()
        #expect(bench.model.currentFailure?.errorClass == .retryable)
        #expect(bench.model.currentShipment?.remainingStopCount == 2)
        #expect((4...6).contains(try #require(await bench.wait())))
        bench.listener.forget()
        await bench.goOn()
        #expect(bench.listener.heard == ["recovered"])
        #expect(bench.model.currentFailure == nil)
    }

    @Test("a refused token is renewed once, and released after the last listener")
    func tokens() async throws {
        let bench = try ShipmentBench(canRenew: true) { call in
            call == 1 ? ShipmentBench.failure(.unauthenticated) : ShipmentBench.shipment()
        }
        await bench.waitForCalls(1)
        #expect(bench.listener.failures.isEmpty)
        #expect(bench.client.renewals == 1)
        bench.model.unregister(bench.listener)
        while bench.client.released.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(bench.client.released == [bench.model.name])
        #expect(bench.model.state == .inactive)
    }

    @Test("each name has one model, which sends its language with each request")
    func oneModel() async throws {
        let bench = try ShipmentBench { _ in ShipmentBench.shipment() }
        #expect(bench.service.shipmentModel(for: bench.model.name) === bench.model)
        await bench.waitForCalls(1)
        bench.model.options.requestHeader = TripRequestHeader(languageCode: "de")
        await bench.goOn()
        #expect(bench.client.headers == [nil, TripRequestHeader(languageCode: "de")])
    }
}
