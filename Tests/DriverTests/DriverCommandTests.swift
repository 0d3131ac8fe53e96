import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Synchronization
import Testing
import TripTesting

@testable import Driver

@Suite("A driver that is controlled by commands, on a manual clock", .timeLimit(.minutes(2)))
struct DriverCommandTests {
    /// Plays the role of the driver: sends the next command as soon as the shift's state meets that command's condition.
    private final class Person: Sendable {
        struct Answer: Sendable {
            var when: @Sendable (DriverShiftState) -> Bool
            var say: @Sendable (DriverShiftState) -> [DriverCommand]
        }

        let controls = DriverControls()
        private let answers: Mutex<[Answer]>
        private let seen = Mutex<[DriverShiftState]>([])

        init(_ answers: [Answer]) { self.answers = Mutex(answers) }

        var states: [DriverShiftState] { seen.withLock { $0 } }

        /// The phases of the shift in order. A phase that is reported several times in a row is listed once.
        var phases: [String] {
            states.reduce(into: []) { phases, state in
                let word: String =
                    switch state.phase {
                    case .starting: "starting"
                    case .waiting: state.offers.isEmpty ? "waiting" : "offered"
                    case .driving(let stop, let isThere): "\(isThere ? "at" : "to") \(stop.type.word)"
                    case .standing(let stop): "standing \(stop.type.word)"
                    }
                if phases.last != word { phases.append(word) }
            }
        }

        func see(_ state: DriverShiftState) {
            seen.withLock { $0.append(state) }
            let told = answers.withLock { answers -> [DriverCommand] in
                guard let next = answers.first, next.when(state) else { return [] }
                answers.removeFirst()
                return next.say(state)
            }
            for command in told { controls.tell(command) }
        }
    }

    private let clock = ManualTimeSource(Sea.start)
    private let vehicle: VehicleName
    private let fleet: ScriptedFleet

    init() throws {
        vehicle = try VehicleName(provider: "sea", vehicle: "boat-1")
        fleet = ScriptedFleet(clock: clock, vehicle: vehicle, at: Sea.place(0, 0))
    }

    private func name(_ id: String) throws -> TripName { try TripName(provider: "sea", trip: id) }

    private func trip(_ id: String, status: TripStatus = .new) throws -> Trip {
        Trip(
            name: try name(id), vehicleID: "boat-1", status: status, type: .exclusive, numberOfPassengers: 1,
            pickupPoint: Sea.place(300, 400), dropoffPoint: Sea.place(900, 600))
    }

    /// - Parameter parties: the number of tasks that must wait for the clock before it moves on: 2 while the vehicle reports its position,
    ///   1 while it is offline.
    private func run(
        _ person: Person, isAutomatic: Bool = false, limit: Int? = 1, cancelAt second: Double? = nil, parties: Int = 2,
        log: DriverLog = DriverLog()
    ) async throws -> TripDriverResult {
        var configuration = TripDriverConfiguration()
        configuration.isAutomatic = isAutomatic
        let driver = TripDriver(
            client: fleet, vehicleName: vehicle, assignment: .assigned(limit: limit), router: CornerRouter(),
            source: SimulatedVehicle(SimulatedDrive().car, time: clock), configuration: configuration, time: clock,
            controls: person.controls, onState: { person.see($0) }, onEvent: { log.note($0) })
        return try await clock.run(parties: parties, cancelAt: second.map { Sea.start + $0 }) { await driver.run() }
    }

    private static func offered(_ say: @escaping @Sendable (TripName) -> DriverCommand) -> Person.Answer {
        Person.Answer(when: { !$0.offers.isEmpty }, say: { $0.offers.prefix(1).map { say($0.name) } })
    }

    private static func there(_ type: WaypointType) -> Person.Answer {
        Person.Answer(when: { if case .driving(let stop, true) = $0.phase { stop.type == type } else { false } }, say: { _ in [.arrived] })
    }

    private static func standing(for seconds: Double) -> Person.Answer {
        Person.Answer(
            when: { state in
                guard case .standing = state.phase, let last = state.navigation.location?.timestamp else { return false }
                return last.timeIntervalSince(state.since) >= seconds
            }, say: { _ in [.goOn] })
    }

    @Test("accept, arrived, go on, arrived: each status is sent on command and not before")
    func wholeTrip() async throws {
        await fleet.assign(try trip("t1"))
        let person = Person([Self.offered { .accept($0) }, Self.there(.pickup), Self.standing(for: 90), Self.there(.dropoff)])
        let result = try await run(person)
        #expect(result.trips == [DrivenTrip(name: try name("t1"), outcome: .completed)])
        #expect(await fleet.statuses == ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"])
        #expect(
            person.phases == [
                "starting", "waiting", "offered", "waiting", "to pickup", "at pickup", "standing pickup", "to dropoff", "at dropoff",
            ])
        let times = await fleet.requests.compactMap { request -> (TripStatus, Date)? in
            guard case .updateTrip(let update) = request.call, let status = update.status else { return nil }
            return (status, request.at)
        }
        // Without commands, the driver would leave after 20 s.
        #expect(times[2].1.timeIntervalSince(times[1].1) >= 90)
        #expect(person.states.last?.reports.takenAt != nil && person.states.last?.reports.refusal == nil)
    }

    @Test("without a command nothing happens: the trip stays NEW, and the vehicle stands still")
    func unanswered() async throws {
        await fleet.assign(try trip("t1"))
        let person = Person([])
        let result = try await run(person, cancelAt: 300)
        #expect(result.ending == .stopped && result.trips.isEmpty)
        #expect(await fleet.statuses.isEmpty)
        #expect(person.states.last?.offers.map(\.name.trip) == ["t1"])
        #expect(person.states.last?.navigation.location?.coordinate.distanceMeters(to: Sea.place(0, 0)) ?? 99 < 30)
    }

    @Test("a declined trip is not offered again while the vehicle still has it, but the next one is")
    func declined() async throws {
        await fleet.assign(try trip("t1"))
        await fleet.assign(try trip("t2"), at: Sea.start + 60)
        let person = Person([Self.offered { .decline($0) }, Self.offered { .accept($0) }, Self.there(.pickup)])
        _ = try await run(person, cancelAt: 400)
        #expect(await fleet.tripStatuses == ["t2 ENROUTE_TO_PICKUP", "t2 ARRIVED_AT_PICKUP"])
    }

    @Test(
        "a trip that is withdrawn before the driver answers is reported once and not offered again; a declined one is not reported")
    func withdrawn() async throws {
        await fleet.assign(try trip("t1"))
        await fleet.withdraw(try name("t1"), at: Sea.start + 60)
        await fleet.assign(try trip("t2"), at: Sea.start + 120)
        await fleet.withdraw(try name("t2"), at: Sea.start + 180)
        let isSecond: @Sendable (DriverShiftState) -> Bool = { $0.offers.first?.name.trip == "t2" }
        let person = Person([Person.Answer(when: isSecond, say: { $0.offers.map { .decline($0.name) } })])
        let log = DriverLog()
        _ = try await run(person, cancelAt: 400, log: log)
        #expect(log.all.filter { if case .withdrawn = $0 { true } else { false } } == [.withdrawn(try name("t1"))])
        #expect(person.states.last?.offers.isEmpty == true)
        #expect(await fleet.statuses.isEmpty)
    }

    @Test("a trip that was under way at the start need not be accepted")
    func underWay() async throws {
        await fleet.assign(try trip("t1", status: .enrouteToPickup))
        let person = Person([Self.there(.pickup)])
        _ = try await run(person, cancelAt: 300)
        #expect(await fleet.statuses == ["ARRIVED_AT_PICKUP"])
        #expect(!person.phases.contains("offered"))
    }

    @Test("the state has an accepted next trip with its stops, an offered one without them, and at the end both are unfinished")
    func nextTrips() async throws {
        await fleet.assign(try trip("t1", status: .enrouteToPickup))
        await fleet.assign(try trip("t2"))
        await fleet.assign(try trip("t3"), at: Sea.start + 60)
        await fleet.arrange("t1+ t1- t2+ t2- t3+ t3-")
        let person = Person([Self.offered { .accept($0) }])
        let result = try await run(person, limit: nil, cancelAt: 120)
        let last = try #require(person.states.last)
        #expect(last.later.map(\.name.trip) == ["t2"] && last.offers.map(\.name.trip) == ["t3"])
        #expect(last.later.first?.remainingWaypoints.count == 4 && last.offers.first?.remainingWaypoints.count == 6)
        #expect(last.stops.map { "\($0.tripID) \($0.type.word)" } == ["t1 pickup", "t1 dropoff", "t2 pickup", "t2 dropoff"])
        #expect(result.unfinished.map(\.trip) == ["t1", "t2", "t3"])
    }

    @Test("if the server goes down before the first trip is accepted, the trip and the other offer stay in the state")
    func acceptedInOutage() async throws {
        await fleet.assign(try trip("t1"))
        await fleet.assign(try trip("t2"))
        await fleet.fail { _, date in date > Sea.start + 2 && date < Sea.start + 60 ? Sea.error(.unavailable, "down") : nil }
        let isDown: @Sendable (DriverShiftState) -> Bool = { ($0.navigation.location?.timestamp ?? .distantPast) > Sea.start + 3 }
        let person = Person([Person.Answer(when: isDown, say: { $0.offers.prefix(1).map { .accept($0.name) } })])
        _ = try await run(person, limit: nil, cancelAt: 120)
        let states = person.states.drop { $0.later.isEmpty }
        #expect(states.contains { $0.trip?.name.trip == "t1" })
        #expect(states.allSatisfy { ([$0.trip].compactMap { $0 } + $0.later).map(\.name.trip) == ["t1"] })
        #expect(states.allSatisfy { $0.offers.map(\.name.trip) == ["t2"] })
    }

    @Test(
        "after a failed read of an offer, the other offers wait, too, unless the failure may concern only one trip",
        arguments: [(StatusCode.resourceExhausted, 29.0, 1), (.deadlineExceeded, 4.0, 1), (.notFound, 4.9, 3), (.internal, 4.9, 3)])
    func unreadOffers(code: StatusCode, wait: Double, reads: Int) async throws {
        for id in ["t1", "t2", "t3"] { await fleet.assign(try trip(id)) }
        await fleet.fail { call, date in
            if case .getTrip = call, date < Sea.start + 4 { Sea.error(code) } else { nil }
        }
        let person = Person([])
        _ = try await run(person, cancelAt: 90)
        let times = await fleet.requests.compactMap { request -> Date? in
            if case .getTrip = request.call { request.at } else { nil }
        }
        let first = try #require(times.first)
        #expect(times.count { $0 == first } == reads)
        let next = try #require(times.first { $0 > first })
        #expect(next.timeIntervalSince(first) >= wait)
        #expect(person.states.last?.offers.count == 3)
    }

    @Test("if the stops of a next trip change, the trip is read again, once")
    func changedNextTrip() async throws {
        await fleet.assign(try trip("t1", status: .enrouteToPickup))
        await fleet.assign(try trip("t2"))
        await fleet.arrange("t1+ t1- t2+ t2-")
        await fleet.change(at: Sea.start + 20) { if $0.name.trip == "t2" { $0.pickupPoint = Sea.place(500, 500) } }
        let person = Person([Self.offered { .accept($0) }])
        _ = try await run(person, limit: nil, cancelAt: 60)
        #expect(person.states.last?.later.map(\.pickupPoint) == [Sea.place(500, 500)])
        let read = ScriptedFleet.Call.getTrip(try name("t2"))
        let reads = await fleet.requests.count { $0.at < Sea.start + 59 && $0.call == read }
        #expect(reads == 2)
    }

    @Test("an automatic driver's next trip is in the state, too, and a cancelled one is not unfinished")
    func nextTripsOfAutomatic() async throws {
        await fleet.assign(try trip("t1", status: .enrouteToPickup))
        await fleet.assign(try trip("t2"))
        await fleet.arrange("t1+ t1- t2+ t2-")
        await fleet.change(at: Sea.start + 29) { if $0.name.trip == "t2" { $0.status = .canceled } }
        let person = Person([])
        let result = try await run(person, isAutomatic: true, limit: nil, cancelAt: 30)
        #expect(person.states.contains { $0.trip?.name.trip == "t1" && $0.later.map(\.name.trip) == ["t2"] })
        #expect(result.unfinished.map(\.trip) == ["t1"] && result.trips.isEmpty)
    }

    @Test("an automatic driver's state leaves out the trips that come after the last one of the shift")
    func tripsAfterLimit() async throws {
        await fleet.assign(try trip("t1", status: .enrouteToPickup))
        for id in ["t2", "t3"] { await fleet.assign(try trip(id)) }
        await fleet.arrange("t1+ t3+ t2+ t1- t2- t3-")
        let person = Person([])
        _ = try await run(person, isAutomatic: true, limit: 2, cancelAt: 30)
        let last = try #require(person.states.last)
        #expect(last.trip?.name.trip == "t1" && last.later.map(\.name.trip) == ["t3"] && last.offers.isEmpty)
        #expect(last.stops.map(\.tripID) == ["t1", "t3", "t1", "t3"])
    }

    @Test("offline without riders: OFFLINE at once, and no reports after it")
    func offline() async throws {
        let person = Person([
            Person.Answer(when: { $0.reports.takenAt.map { $0 >= Sea.start + 25 } ?? false }, say: { _ in [.setOnline(false)] })
        ])
        // While the vehicle is offline, only one task waits for the clock.
        _ = try await run(person, cancelAt: 6_900, parties: 1)
        let states = await fleet.requests.compactMap { request -> VehicleState? in
            guard case .updateVehicle(let update) = request.call, update.fields.contains(.state) else { return nil }
            return update.state
        }
        let changes = states.reduce(into: [VehicleState]()) { if $0.last != $1 { $0.append($1) } }
        #expect(changes == [.online, .offline] && states.count { $0 == .offline } <= 2)
    }

    @Test("online again, the driver waits since then")
    func onlineAgain() async throws {
        let person = Person([
            Person.Answer(
                when: { $0.reports.takenAt.map { $0 >= Sea.start + 25 } ?? false },
                say: { _ in [.setOnline(false), .setOnline(true)] })
        ])
        _ = try await run(person, cancelAt: 600)
        let last = try #require(person.states.last)
        #expect(last.isOnline && last.phase == .waiting && last.since >= Sea.start + 25)
    }

    @Test("offline with a rider: OFFLINE, and positions are reported until the trip is over")
    func offlineWithRider() async throws {
        await fleet.assign(try trip("t1", status: .enrouteToDropoff))
        let person = Person([
            Person.Answer(when: { if case .driving = $0.phase { true } else { false } }, say: { _ in [.setOnline(false)] }),
            Self.there(.dropoff),
        ])
        _ = try await run(person, cancelAt: 600)
        let requests = await fleet.requests
        let complete = try #require(
            requests.first { if case .updateTrip(let update) = $0.call { update.status == .complete } else { false } })
        let updates = requests.compactMap { request -> (Date, VehicleUpdate)? in
            if case .updateVehicle(let update) = request.call { (request.at, update) } else { nil }
        }
        let off = try #require(updates.first { $0.1.fields.contains(.state) && $0.1.state == .offline })
        #expect(off.0 < complete.at)
        #expect(updates.contains { $0.0 > off.0 && $0.0 < complete.at && $0.1.fields.contains(.location) })
        #expect(!updates.contains { $0.0 > complete.at + 60 && $0.1.fields.contains(.location) })
    }

    @Test("a driver in automatic mode accepts commands too, and leaves the stop early")
    func early() async throws {
        await fleet.assign(try trip("t1"))
        let person = Person([Self.standing(for: 5)])
        let result = try await run(person, isAutomatic: true)
        #expect(result.trips.map(\.outcome) == [.completed])
        let times = await fleet.requests.compactMap { request -> Date? in
            if case .updateTrip = request.call { request.at } else { nil }
        }
        #expect((5...8).contains(times[2].timeIntervalSince(times[1])))
    }
}
