import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Testing
import TripTesting

extension TripDriverTests {
    @Test("A cancelled trip ends without an error within one poll, wherever the vehicle is", arguments: [10.0, 60, 75, 130])
    func canceled(second: Double) async throws {
        await fleet.assign(try trip())
        await fleet.change(at: Sea.start + second) { $0.status = .canceled }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.canceled] && result.ending == .finished)
        #expect(clock.now().timeIntervalSince(Sea.start) <= second + 12)
        #expect(
            await fleet.requests.filter { $0.at > Sea.start + second }.allSatisfy { if case .updateTrip = $0.call { false } else { true } })
        await expectOneOffline()
    }

    @Test("A trip that is given to another vehicle ends too; one that is not yet assigned to this vehicle is waited for")
    func reassigned() async throws {
        await fleet.assign(try trip(vehicleID: nil))
        await fleet.change(at: Sea.start + 40) { $0.vehicleID = "boat-1" }
        await fleet.change(at: Sea.start + 70) { $0.vehicleID = "boat-2" }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.reassigned])
        #expect(await fleet.statuses == ["ENROUTE_TO_PICKUP"])
        await expectOneOffline()
    }

    @Test(
        "A trip that was cancelled since the last poll counts as over at the end of the run; any other one is left unfinished",
        arguments: [true, false])
    func lastLook(isCanceled: Bool) async throws {
        await fleet.assign(try trip())
        if isCanceled { await fleet.change(at: Sea.start + 63.5) { $0.status = .canceled } }
        let result = try await run(driver(.trip(name)), cancelAt: 63.5)
        let over = isCanceled ? [DrivenTrip(name: try name, outcome: .canceled)] : []
        #expect(result.ending == .stopped && result.trips == over && result.foundOver == over)
        #expect(result.unfinished == (isCanceled ? [] : [try name]))
    }

    @Test("If the stops change at the last moment, their new version is read and sent back")
    func otherVersion() async throws {
        await fleet.assign(try trip(stops: 1))
        await fleet.change(before: .enrouteToIntermediateDestination) {
            $0.intermediateDestinationsVersion = DataVersion(seconds: 18, nanoseconds: 0)
        }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(await fleet.statuses.contains("ENROUTE_TO_INTERMEDIATE_DESTINATION 0"))
        #expect(await fleet.requests.contains { $0.failure?.message == "other version" })
    }

    @Test(
        "No status is sent to a trip that was cancelled or reassigned since the last poll",
        arguments: [TripOutcome.canceled, .reassigned])
    func overBeforeStatus(outcome: TripOutcome) async throws {
        await fleet.assign(try trip())
        // The wait at the pickup ends between two polls.
        await fleet.change(at: try await timeOfStatus(.enrouteToDropoff) - 0.5) {
            if outcome == .canceled { $0.status = .canceled } else { $0.vehicleID = "boat-2" }
        }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [outcome])
        #expect(await fleet.statuses == ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP"])
        #expect(await fleet.requests.allSatisfy { $0.failure == nil })
        #expect(log.all.contains(.ended(DrivenTrip(name: try name, outcome: outcome))))
    }

    @Test("No status is sent to a trip that was taken from the vehicle: the driver reports that, and continues when the trip is back")
    func changedBeforeStatus() async throws {
        await fleet.assign(try trip())
        let time = try await timeOfStatus(.enrouteToDropoff)
        await fleet.change(at: time - 0.5) { $0.vehicleID = nil }
        await fleet.change(at: time + 20) { $0.vehicleID = "boat-1" }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(log.all.contains(.notSent(try name, .enrouteToDropoff, found: .arrivedAtPickup)))
        #expect(await fleet.statuses == ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"])
        let sent = await fleet.requests.filter { if case .updateTrip = $0.call { true } else { false } }.map(\.at)
        #expect(sent.allSatisfy { $0 < time - 0.5 || $0 >= time + 20 })
    }

    /// Returns the time at which the driver sends this status in an undisturbed drive: no call fails, and the trip is not changed.
    private func timeOfStatus(_ status: TripStatus) async throws -> Date {
        let world = try TripDriverTests()
        await world.fleet.assign(try trip())
        _ = try await world.run(world.driver(.trip(name)))
        return try #require(
            await world.fleet.requests.first {
                if case .updateTrip(let request) = $0.call { request.status == status } else { false }
            }?.at)
    }

    @Test("If the drop-off moves, the vehicle drives to the new place")
    func movedStop() async throws {
        await fleet.assign(try trip())
        await fleet.change(at: Sea.start + 120) { $0.dropoffPoint = Sea.place(-600, 900) }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        let end = await fleet.vehicleUpdates.last { $0.fields.contains(.route) && !$0.route.isEmpty }?.routeEndPoint
        #expect(try #require(end).coordinate == Sea.place(-600, 900))
        #expect(try #require(await fleet.vehicle.lastLocation).coordinate.distanceMeters(to: Sea.place(-600, 900)) < 140)
    }

    @Test("A drop-off that is not known yet is waited for during the ride")
    func laterDropoff() async throws {
        var open = try trip()
        open.dropoffPoint = nil
        await fleet.assign(open)
        await fleet.change(at: Sea.start + 300) { $0.dropoffPoint = Sea.place(900, 1_600) }
        let result = try await run(driver(.trip(name)))
        #expect(result.trips.map(\.outcome) == [.completed])
        #expect(clock.now() > Sea.start + 300)
        #expect(try #require(await fleet.vehicle.lastLocation).coordinate.distanceMeters(to: Sea.place(900, 1_600)) < 140)
    }
}
