import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing
import TripTesting

@Suite("Trip model, loop", .timeLimit(.minutes(1)))
@MainActor
struct TripModelLoopTests {
    @Test(
        "a refresh during any callback polls once more, at once, and the loop continues as before",
        arguments: ["status", "trip", "recovered", "failure"])
    func refreshInside(word: String) async throws {
        let bench = try ModelBench { _, call in call == 1 ? ModelBench.failure(.unavailable) : ModelBench.trip() }
        let listener = Listener()
        var asked = false
        listener.onHearing = { heard, model in
            guard heard == word, !asked else { return }
            asked = true
            model.refresh()
        }
        bench.register(listener)
        for _ in 0..<3 { await bench.goOn() }
        #expect(asked)
        let calls = bench.client.callCount
        #expect(await bench.wait() == 5)
        await bench.goOn()
        #expect(bench.client.callCount == calls + 1)
        #expect(bench.client.mostInFlight == 1)
        #expect(await bench.wait() == 5)
    }

    @Test("options changed during a callback apply to the wait that follows", arguments: ["status", "trip", "failure"])
    func optionsInside(word: String) async throws {
        let bench = try ModelBench { _, call in call == 2 ? ModelBench.failure(.unavailable) : ModelBench.trip() }
        let listener = Listener()
        listener.onHearing = { heard, model in if heard == word { model.options.autoRefreshTimeInterval = 42 } }
        bench.register(listener)
        if word == "failure" {
            await bench.goOn()
            bench.model.refresh()
            await bench.client.waitForCalls(3)
        }
        #expect(await bench.wait() == 42)
    }

    @Test("options that give the same interval do not make it poll early")
    func sameInterval() async throws {
        let bench = try ModelBench(interval: 1) { _, _ in ModelBench.trip() }
        let listener = Listener()
        bench.register(listener)
        await bench.settle()
        for interval in [0.5, 7, 0.25, 1] { bench.model.options.autoRefreshTimeInterval = interval }
        for _ in 0..<50 { await Task.yield() }
        #expect(await bench.wait() == 1)
        #expect(bench.client.callCount == 1)
    }

    @Test(
        "leaving and returning does not shorten a wait, neither between calls nor after a failure",
        arguments: [nil, StatusCode.permissionDenied])
    func comingBack(code: StatusCode?) async throws {
        let bench = try ModelBench { _, call in code.map { ModelBench.failure($0) } ?? ModelBench.trip { $0.numberOfPassengers = call } }
        let listener = Listener()
        listener.onHearing = { word, model in
            guard word == "trip" || word == "failure" else { return }
            model.unregister(listener)
            model.register(listener)
        }
        bench.register(listener)
        await bench.settle()
        let deadline = try #require(await bench.wait())
        #expect(code == nil ? deadline == 1 : deadline >= 24)
        #expect(bench.client.callCount == 1)
        await bench.goOn()
        #expect(bench.client.callCount == 2)
        bench.model.refresh()
        await bench.client.waitForCalls(3)
        #expect(bench.client.mostInFlight == 1)
    }

    @Test("the token is released with the last subscriber, not before, and again after a final status")
    func releasedToken() async throws {
        let bench = try ModelBench { _, call in ModelBench.trip(call < 3 ? .enrouteToPickup : .complete) }
        let (first, last) = (Listener(), Listener())
        bench.register(first)
        bench.register(last)
        await bench.settle()
        bench.model.unregister(first)
        await bench.goOn()
        #expect(bench.client.released.isEmpty)
        bench.model.unregister(last)
        while bench.client.released.isEmpty, !Task.isCancelled { await Task.yield() }
        bench.register(last)
        await bench.settle()
        if let deadline = bench.time.deadlines.first { bench.time.advance(to: deadline) }
        while bench.client.released.count < 2, !Task.isCancelled { await Task.yield() }
        #expect(bench.model.currentTrip?.status == .complete)
        #expect(bench.client.released == [bench.model.tripName, bench.model.tripName])
    }

    @Test("an answer that arrives after all listeners have left is not reported, and starts nothing")
    func lateAnswer() async throws {
        let bench = try ModelBench { _, _ in ModelBench.trip() }
        let listener = Listener()
        bench.client.hold()
        bench.register(listener)
        await bench.client.waitForHeld()
        bench.model.unregister(listener)
        bench.client.letGo()
        for _ in 0..<50 { await Task.yield() }
        #expect(listener.heard == ["active"])
        #expect(bench.model.currentTrip == nil)
        #expect(bench.model.state == .inactive)
        #expect(bench.time.deadlines.isEmpty)
    }

    @Test("leaving and returning before the loop has run leaves a single loop")
    func flutter() async throws {
        let bench = try ModelBench { _, _ in ModelBench.trip() }
        let listener = Listener()
        for _ in 0..<20 {
            bench.register(listener)
            bench.model.unregister(listener)
        }
        bench.register(listener)
        await bench.goOn()
        #expect(bench.client.mostInFlight <= 1)
        for _ in 0..<5 {
            #expect(await bench.wait() == 5)
            await bench.goOn()
        }
        #expect(bench.time.deadlines.count == 1)
    }

    @Test("a reader that is released before it was registered neither polls nor remains")
    func droppedReader() async throws {
        let bench = try ModelBench { _, _ in ModelBench.trip() }
        _ = bench.model.updates
        for _ in 0..<100 { await Task.yield() }
        var rounds = 0
        while bench.model.state == .active, rounds < 5 {
            rounds += 1
            await bench.goOn()
            for _ in 0..<50 { await Task.yield() }
        }
        #expect(bench.model.state == .inactive)
        #expect(bench.client.callCount <= 1)
    }

    @Test("a reader that stops reading ends the polling")
    func cancelledReader() async throws {
        let bench = try ModelBench { _, _ in ModelBench.trip() }
        let model = bench.model
        let reading = Task { for await _ in model.updates {} }
        await bench.settle()
        #expect(model.state == .active)
        reading.cancel()
        while model.state == .active, !Task.isCancelled { await Task.yield() }
        while !bench.time.deadlines.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(bench.client.callCount == 1)
    }

    @Test("a reader that starts after the end gets the end")
    func lateReader() async throws {
        let bench = try ModelBench { _, _ in ModelBench.trip(.canceled) }
        var kinds: [TripUpdate.Kind] = []
        for await update in bench.model.updates { kinds.append(update.kind) }
        #expect(kinds.last == .ended(.canceled) || kinds.last == .state(.inactive))
        kinds = []
        for await update in bench.model.updates { kinds.append(update.kind) }
        #expect(kinds == [.ended(.canceled)])
        #expect(bench.client.callCount == 1)
    }

    @Test("a model without references is released, but not while it polls")
    func lifetime() async throws {
        let (time, client) = (ManualTimeSource(), ScriptedClient { _, _ in ModelBench.trip() })
        let service = TripService(client: client, time: time, seed: 1)
        let listener = Listener()
        var model: TripModel? = try service.tripModel(forTripName: ModelBench.name)
        weak let weakModel = model
        model?.register(listener)
        model = nil
        await time.waitForSleepers()
        #expect(weakModel != nil)
        #expect(try service.tripModel(forTripName: ModelBench.name) === weakModel)
        weakModel?.unregister(listener)
        while !time.deadlines.isEmpty, !Task.isCancelled { await Task.yield() }
        for _ in 0..<50 where weakModel != nil { await Task.yield() }
        #expect(weakModel == nil, "something holds the model")
    }

    @Test("many trips at once: none is forgotten, none polled too often, one request in flight for each")
    func manyTrips() async throws {
        #if DEBUG || UNOPTIMIZED
            let count = 300
        #else
            let count = 2_000
        #endif
        let (time, client) = (ManualTimeSource(), ManyTripsClient())
        let service = TripService(client: client, time: time, seed: 1)
        let listener = Listener()
        let models = try (0..<count).map { try service.tripModel(forTripName: "providers/demo/trips/\($0)") }
        for model in models { model.register(listener) }
        var (mostAtOnce, asked) = (0, count)
        for _ in 0..<1_200 {
            while listener.answers < client.callCount || client.callCount < count { await Task.yield() }
            mostAtOnce = max(mostAtOnce, client.callCount - asked)
            asked = client.callCount
            await time.waitForSleepers()
            time.advance(by: 0.05)
        }
        #expect(client.mostInFlight <= 64)
        #expect(mostAtOnce < count / 5)
        let counts = client.counts
        #expect(counts.count == count)
        // Only the first 16 trips are polled on time. The second poll of any other trip may be late, and its last poll may then come after
        // the minute.
        #expect(counts.values.allSatisfy { (11...13).contains($0) })
        #expect(listener.heard.filter { $0 == "failure" }.isEmpty)
        for model in models { model.unregister(listener) }
        #expect(models.allSatisfy { $0.state == .inactive })
    }
}
