import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Routing
import Synchronization
import Testing
import TripTesting

extension TripDriverTests {
    @Test("It waits through an outage of three minutes, and drives the trip to its end")
    func outage() async throws {
        await fleet.assign(try trip(stops: 1))
        await fleet.fail { _, date in
            date > Sea.start + 40 && date < Sea.start + 220 ? Sea.error(.unavailable, "no connection") : nil
        }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(log.retries.count >= 3 && log.retries.count < 20)
        // The longest pause between two attempts is 60 s + 20 %, so calls resume at most 72 s after the end of the outage.
        let back = await fleet.requests.first { $0.at >= Sea.start + 220 && $0.failure == nil }?.at
        #expect(try #require(back).timeIntervalSince(Sea.start + 220) <= 72)
        await expectOneOffline()
    }

    @Test("The end of failed polls is reported once, even if the reports never failed")
    func polls() async throws {
        await fleet.assign(try trip())
        await fleet.fail { call, date in
            guard case .getTrip = call, date > Sea.start + 10, date < Sea.start + 60 else { return nil }
            return Sea.error(.unavailable, "no connection")
        }
        #expect(try await run(driver(.trip(name))).trips.map(\.outcome) == [.completed])
        let ends = log.all.compactMap { if case .recovered(let seconds) = $0 { seconds } else { nil } }
        #expect(log.retries.count >= 2 && ends.count == 1 && ends.allSatisfy { (45...122).contains($0) }, "\(ends)")
        #expect(!log.all.contains { if case .reportRefused = $0 { true } else { false } })
    }

    @Test("A refusal is an answer: it ends the time without answers, even before a read succeeds")
    func refusedPolls() async throws {
        await fleet.assign(try trip())
        await fleet.fail { call, date in
            guard case .getTrip = call, date > Sea.start + 10, date < Sea.start + 180 else { return nil }
            return date < Sea.start + 30 ? Sea.error(.unavailable, "no connection") : Sea.error(.unauthenticated, "no token")
        }
        let driver = driver(.trip(try name)) { $0.driver.keepsTrying = true }
        #expect(try await run(driver).trips.map(\.outcome) == [.completed])
        let ends = log.all.compactMap { if case .recovered(let seconds) = $0 { seconds } else { nil } }
        #expect(ends.count == 1 && ends.allSatisfy { $0 < 100 }, "\(ends)")
    }

    @Test(
        "When the server answers reads again, the report is repeated at once, but not if the server asks for fewer calls",
        arguments: [
            nil, Sea.error(.permissionDenied), Sea.error(.resourceExhausted),
            Sea.error(.permissionDenied, "", [.retryInfo(delaySeconds: 90)]),
        ])
    func reportAfterSilence(answer: FleetEngineError?) async throws {
        await fleet.fail { call, date in
            guard date > Sea.start + 10, date < Sea.start + 900 else { return nil }
            if date < Sea.start + 300 { return Sea.error(.unavailable, "no connection") }
            // From 300 s on, reads of the vehicle get `answer`. The reports still fail.
            return call == .getVehicle ? answer : Sea.error(.unavailable, "no connection")
        }
        _ = try await run(driver(.assigned(limit: nil)) { $0.driver.keepsTrying = true }, cancelAt: 500)
        let read = try #require(await fleet.requests.first { $0.call == .getVehicle && $0.at >= Sea.start + 300 }?.at)
        let asksToWait = answer?.code == .resourceExhausted || answer?.retryDelaySeconds != nil
        #expect(await fleet.updateTimes.contains(read) != asksToWait)
        #expect(log.all.count { if case .recovered = $0 { true } else { false } } == 1)
    }

    @Test("If the server does not know the vehicle, that is an answer too")
    func unknownVehicle() async throws {
        await fleet.fail { call, date in
            guard call == .getVehicle else { return nil }
            return date == Sea.start ? Sea.error(.unavailable, "no connection") : Sea.error(.notFound, "no vehicle")
        }
        let driver = driver(.assigned(limit: nil)) { $0.car.startWay = Polyline([Sea.place(0, 0), Sea.place(900, 0)]) }
        let running = Task { await driver.run() }
        // Until the second request, only the driver waits for the clock. The reporter has nothing to report yet.
        while await fleet.requests.count < 2 {
            try Task.checkCancellation()
            await clock.advance(by: 1, parties: 1)
        }
        running.cancel()
        _ = try await clock.run(parties: 2) { await running.value }
        #expect(log.all.count { if case .recovered = $0 { true } else { false } } == 1, "\(log.news)")
    }

    @Test("Each single call may fail once without harm")
    func oneFailure() async throws {
        let calls = try await callsOfATrip(failing: nil)
        #expect(calls > 40)
        for number in 1...calls { #expect(try await callsOfATrip(failing: number) >= number, "call \(number)") }
    }

    @Test("If the vehicle's position cannot be read at first, the read is repeated, and the trip is driven")
    func noStartPlace() async throws {
        await fleet.assign(try trip())
        await fleet.fail { call, date in call == .getVehicle && date == Sea.start ? Sea.error(.unavailable, "no connection") : nil }
        let driver = driver(.trip(try name))
        let running = Task { await driver.run() }
        // Until the second request, only the driver waits for the clock. The reporter has nothing to report yet.
        while await fleet.requests.count < 2 {
            try Task.checkCancellation()
            await clock.advance(by: 1, parties: 1)
        }
        #expect(log.retries.count == 1)
        let result = try await clock.run(parties: 2) { await running.value }
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(await fleet.requests.count { $0.call == .getVehicle } == 2)
    }

    /// Drives a trip with one stop on a new server. The call with the given number, counted from 1, fails. If `number` is nil, no
    /// call fails.
    /// - Returns: the number of calls.
    private func callsOfATrip(failing number: Int?) async throws -> Int {
        let world = try TripDriverTests()
        await world.fleet.assign(try trip(stops: 1))
        let seen = Mutex(0)
        await world.fleet.fail { _, _ in
            seen.withLock { count in
                count += 1
                return count == number ? Sea.error(.internal, "once") : nil
            }
        }
        let result = try await world.run(world.driver(.trip(name)) { $0.car.startCoordinate = Sea.place(0, 0) })
        #expect(result.trips.map(\.outcome) == [.completed], "call \(number ?? 0)")
        #expect(await world.fleet.statuses.count == 6, "call \(number ?? 0)")
        #expect(await world.fleet.requests.count { $0.failure != nil } == (number == nil ? 0 : 1), "call \(number ?? 0)")
        let taken = await world.fleet.requests.filter { $0.failure == nil }
        let updates = taken.compactMap { if case .updateVehicle(let update) = $0.call { update } else { nil } }
        #expect(updates.contains { $0.state == .online && $0.fields.contains(.state) }, "call \(number ?? 0)")
        #expect(updates.count { !$0.route.isEmpty } == 3, "call \(number ?? 0)")
        return await world.fleet.requests.count
    }

    @Test(
        "A change is not made twice if its answer was lost",
        arguments: [TripStatus.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
    func lostAnswer(status: TripStatus) async throws {
        await fleet.assign(try trip())
        await fleet.loseAnswer(to: status)
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        let asked = await fleet.requests.count { if case .updateTrip(let request) = $0.call { request.status == status } else { false } }
        #expect(asked == 1)
        let told = log.all.compactMap { if case .status(_, let status) = $0 { status } else { nil } }
        #expect(told == [.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
    }

    @Test("A router that fails is asked again; if it finds no route, the run ends only if the driver does not keep trying")
    func routerFailures() async throws {
        await fleet.assign(try trip())
        let router = CornerRouter { $0 <= 3 ? RoutingError("router is down", isRetryable: true) : nil }
        let result = try await run(driver(.trip(name), router: router))
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(log.retries.count == 3)
        let never = CornerRouter { _ in RoutingError("no way", isRetryable: false) }
        await fleet.assign(try trip())
        let end = try await run(driver(.trip(name), router: never) { $0.driver.keepsTrying = false })
        #expect(end.ending == .failed(.route(RoutingError("no way", isRetryable: false))))
    }

    @Test("A trip that does not exist ends the run only if the driver does not keep trying")
    func notFound() async throws {
        let end = try await run(driver(.trip(name)) { $0.driver.keepsTrying = false })
        #expect(end.ending == .failed(.fleetEngine(Sea.error(.notFound, "no trip"))))
        await expectOneOffline()
        let waits = try await run(driver(.trip(name)), cancelAt: clock.now().timeIntervalSince(Sea.start) + 600)
        #expect(waits.ending == .stopped)
    }

    @Test("A known trip that disappears is given up after a minute, and the next one is driven")
    func gone() async throws {
        await fleet.assign(try trip("t1"))
        await fleet.assign(try trip("t2"))
        let first = try name
        await fleet.fail { call, date in
            switch call {
            case .getTrip(let name) where name == first && date > Sea.start + 30: Sea.error(.notFound, "deleted")
            case .updateTrip(let request) where request.name == first && date > Sea.start + 30: Sea.error(.notFound, "deleted")
            default: nil
            }
        }
        let result = try await run(driver(.assigned(limit: 2)))
        #expect(result.trips.map(\.outcome) == [.gone, .completed])
        await expectOneOffline()
    }
}
