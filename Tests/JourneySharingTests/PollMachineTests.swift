import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

private let start = Date(timeIntervalSince1970: 1_935_756_000)

/// A machine with a clock and random numbers, driven as the poll loop drives it.
private struct Bench {
    var machine: PollMachine
    var now = start
    var random = SeededRandom(seed: 7)
    var deadline: Date?
    var inFlight = false
    var told: [PollAction] = []

    init(_ configuration: PollMachine.Configuration = .init()) { machine = PollMachine(configuration: configuration) }

    @discardableResult
    mutating func send(_ event: PollEvent) -> [PollAction] {
        let actions = machine.handle(event, now: now, random: &random)
        for action in actions {
            switch action {
            case .poll:
                #expect(!inFlight, "two requests in flight")
                inFlight = true
                deadline = nil
            case .wait(let until): deadline = until
            default: told.append(action)
            }
        }
        return actions
    }

    mutating func answer(_ event: PollEvent) -> [PollAction] {
        inFlight = false
        return send(event)
    }

    mutating func fail(_ code: StatusCode, details: [ErrorDetail] = [], tokenRenewed: Bool = false) -> Double? {
        let error = FleetEngineError(code: code, message: "", details: details)
        _ = answer(.failed(error, tokenRenewed: tokenRenewed))
        return deadline.map { $0.timeIntervalSince(now) }
    }

    /// Reports to the machine that the connection was lost during a poll.
    mutating func lose() { _ = answer(.failed(FleetEngineError(code: .unavailable, message: "", origin: .network), tokenRenewed: false)) }

    mutating func waitAndPoll() {
        guard let deadline else { return }
        now = deadline
        send(.due)
    }
}

@Suite("The poll machine")
struct PollMachineTests {
    @Test(
        "one of many trips is polled at a random moment after its first answer, and then at the same interval as all others",
        arguments: [1, 5])
    func manyTrips(minimum: Int) throws {
        var waits: [Double] = []
        for seed in 0..<200 as Range<UInt64> {
            var bench = Bench(.init(interval: 5, minimum: Double(minimum), isOneOfMany: true))
            bench.random = SeededRandom(seed: seed)
            bench.send(.start)
            _ = bench.answer(.succeeded(.enrouteToPickup))
            waits.append(try #require(bench.deadline).timeIntervalSince(bench.now))
            for _ in 0..<3 {
                bench.waitAndPoll()
                _ = bench.answer(.succeeded(.enrouteToPickup))
                #expect(bench.deadline == bench.now.addingTimeInterval(5))
            }
            // Answers for other trips delay this answer.
            bench.waitAndPoll()
            bench.now += 0.012
            _ = bench.answer(.succeeded(.enrouteToPickup))
            #expect(abs(try #require(bench.deadline).timeIntervalSince(bench.now) - 5.038) < 0.001)
        }
        #expect(waits.allSatisfy { (Double(minimum)...Double(minimum) + 5.01).contains($0) })
        for second in minimum..<minimum + 5 { #expect(waits.filter { Int($0) == second }.count > 25, "second \(second)") }
    }

    @Test("a wait for a connection ends within 3 s of the connection's return, at a random moment")
    func connectionIsBack() throws {
        var moments: Set<Double> = []
        for seed in 0..<20 {
            var bench = Bench()
            bench.random = SeededRandom(seed: UInt64(seed))
            bench.send(.start)
            for _ in 1...8 {
                bench.lose()
                bench.waitAndPoll()
            }
            bench.lose()
            let last = try #require(bench.deadline)
            bench.now += 20
            bench.send(.connected)
            let early = try #require(bench.deadline)
            let wait = early.timeIntervalSince(bench.now)
            #expect(early < last && (0...3).contains(wait), "\(wait)")
            moments.insert(wait)
            bench.send(.connected)
            #expect(bench.deadline == early, "once a wait")
        }
        #expect(moments.count == 20)
    }

    @Test("if a connection returns and fails again and again, polls have the pace of failures")
    func flappingConnection() throws {
        var bench = Bench(.init(interval: 1))
        bench.send(.start)
        var tries: [Date] = []
        for _ in 1...12 {
            bench.lose()
            bench.send(.connected)
            bench.waitAndPoll()
            tries.append(bench.now)
        }
        let gaps = zip(tries, tries.dropFirst()).map { $1.timeIntervalSince($0) }
        #expect(gaps.suffix(4).allSatisfy { $0 > 30 }, "\(gaps)")
        #expect(bench.answer(.succeeded(.new)).contains(.wait(until: bench.now + 1)))
    }

    @Test("a new connection does not end a wait with another cause")
    func connectionForNothing() throws {
        for error in [
            FleetEngineError(code: .unavailable, message: ""), FleetEngineError(code: .unavailable, message: "", origin: .tokenSource),
            FleetEngineError(code: .unavailable, message: "", origin: .tls), FleetEngineError(code: .internal, message: "", origin: .local),
            FleetEngineError(code: .resourceExhausted, message: ""),
        ] {
            var bench = Bench()
            bench.send(.start)
            _ = bench.answer(.failed(error, tokenRenewed: false))
            let deadline = try #require(bench.deadline)
            bench.send(.connected)
            #expect(bench.deadline == deadline, "\(error.origin) \(error.code)")
        }
        var bench = Bench()
        bench.send(.start)
        #expect(bench.send(.connected).isEmpty, "one request in flight")
        _ = bench.answer(.succeeded(.new))
        #expect(bench.send(.connected).isEmpty, "the pace of successes stays")
    }

    @Test("a connection can be lost only if there was one")
    func heard() throws {
        func failure(_ bench: Bench) -> PollFailure? {
            if case .tellFailure(let failure)? = bench.told.last { failure } else { nil }
        }
        var bench = Bench()
        bench.send(.start)
        bench.lose()
        #expect(failure(bench)?.serverWasHeard == false)
        bench.waitAndPoll()
        _ = bench.fail(.permissionDenied)
        #expect(failure(bench)?.serverWasHeard == false)
        bench.waitAndPoll()
        bench.lose()
        #expect(failure(bench)?.serverWasHeard == true, "a refusal is an answer")
    }

    @Test(
        "after a success it waits for the interval, which has a minimum", arguments: [(5.0, 5.0), (0.01, 1.0), (42.0, 42.0), (.nan, 5.0)])
    func interval(wanted: Double, used: Double) {
        var bench = Bench(.init(interval: wanted))
        bench.send(.start)
        _ = bench.answer(.succeeded(.new))
        #expect(bench.deadline == bench.now.addingTimeInterval(used))
    }

    @Test("with Google the minimum is five seconds")
    func googleFloor() {
        #expect(PollMachine.Configuration(interval: 1, minimum: PollMachine.Configuration.minimumIntervalAgainstGoogle).interval == 5)
    }

    @Test(
        "retryable failures back off by 1.6 from 5 s to 60 s, ± 20 %, and one success resets",
        arguments: [
            StatusCode.cancelled, .unknown, .deadlineExceeded, .aborted, .internal, .unavailable,
        ])
    func retryable(code: StatusCode) {
        var bench = Bench()
        bench.send(.start)
        for attempt in 0..<12 {
            let delay = bench.fail(code)
            let expected = min(60, 5 * (0..<attempt).reduce(1.0) { power, _ in power * 1.6 })
            #expect(
                delay.map { (0.8 * expected...1.2 * expected).contains($0) } == true, "attempt \(attempt + 1): \(String(describing: delay))"
            )
            bench.waitAndPoll()
        }
        _ = bench.answer(.succeeded(.new))
        bench.waitAndPoll()
        let result15 = bench.fail(code)
        #expect(result15.map { (4...6).contains($0) } == true)
    }

    @Test(
        "a failure that requires the user is tried again after 30, 60, 120, 300 s",
        arguments: [
            StatusCode.invalidArgument, .alreadyExists, .permissionDenied, .failedPrecondition, .outOfRange, .dataLoss, .unauthenticated,
            .notFound,
        ])
    func actionRequired(code: StatusCode) {
        var bench = Bench()
        bench.send(.start)
        for expected in [30.0, 60, 120, 300, 300] {
            let delay = bench.fail(code)
            #expect(delay.map { (0.8 * expected...1.2 * expected).contains($0) } == true, "\(expected): \(String(describing: delay))")
            bench.waitAndPoll()
        }
    }

    @Test("quota: 30 s doubling to 300 s, never less than the server requested")
    func quota() {
        var bench = Bench()
        bench.send(.start)
        for expected in [30.0, 60, 120, 240, 300, 300] {
            let delay = bench.fail(.resourceExhausted)
            #expect(delay.map { (0.8 * expected...1.2 * expected).contains($0) } == true)
            bench.waitAndPoll()
        }
        for _ in 0..<50 {
            let delay = bench.fail(.resourceExhausted, details: [.retryInfo(delaySeconds: 250)])
            #expect(delay.map { $0 >= 250 } == true)
            bench.waitAndPoll()
        }
        let result16 = bench.fail(.resourceExhausted, details: [.retryInfo(delaySeconds: 1e12)])
        #expect(result16.map { (300...360).contains($0) } == true)
    }

    @Test("an unimplemented call is tried again after 300 s")
    func unimplemented() {
        var bench = Bench()
        bench.send(.start)
        let result17 = bench.fail(.unimplemented)
        #expect(result17 == 300)
    }

    @Test("a refused token is renewed once, without a report", arguments: [StatusCode.unauthenticated, .permissionDenied])
    func tokenRenewal(code: StatusCode) {
        var bench = Bench()
        bench.send(.start)
        _ = bench.fail(code, tokenRenewed: true)
        #expect(bench.told.isEmpty)
        #expect(bench.inFlight)
        _ = bench.fail(code, tokenRenewed: true)
        #expect(bench.told.count == 1)
        #expect(!bench.inFlight)
    }

    @Test("if a known trip is missing, it is polled every 5 s for one minute, and then more slowly")
    func graceAfterSeen() {
        var bench = Bench()
        bench.send(.start)
        _ = bench.answer(.succeeded(.enrouteToPickup))
        bench.waitAndPoll()
        let missingSince = bench.now
        while bench.now.timeIntervalSince(missingSince) < 60 {
            let result18 = bench.fail(.notFound)
            #expect(result18 == 5)
            guard case .tellFailure(let failure) = bench.told.last else { return #expect(Bool(false), "not told") }
            #expect(failure.isWithinGrace)
            #expect(failure.errorClass == .actionRequired(.checkTripExists))
            bench.waitAndPoll()
        }
        let result19 = bench.fail(.notFound)
        #expect(result19.map { $0 >= 24 } == true)
    }

    @Test("a trip that was just booked here may be missing for one minute")
    func graceAfterBooking() {
        var bench = Bench(.init(bookedAt: start))
        bench.send(.start)
        let result20 = bench.fail(.notFound)
        #expect(result20 == 5)
        bench.now = start.addingTimeInterval(61)
        bench.send(.due)
        let result21 = bench.fail(.notFound)
        #expect(result21.map { $0 >= 24 } == true)
    }

    @Test("five server errors in a row are reported once")
    func serverFault() {
        var bench = Bench()
        bench.send(.start)
        for attempt in 1...6 {
            _ = bench.fail(attempt.isMultiple(of: 2) ? .internal : .unknown)
            guard case .tellFailure(let failure) = bench.told.last else { return #expect(Bool(false), "not told") }
            #expect(failure.isServerFault == (attempt >= 5))
            bench.waitAndPoll()
        }
    }

    @Test("a recovery states how long it took")
    func recovery() {
        var bench = Bench()
        bench.send(.start)
        _ = bench.fail(.unavailable)
        let failedAt = bench.now
        bench.waitAndPoll()
        bench.now = failedAt.addingTimeInterval(12)
        _ = bench.answer(.succeeded(.new))
        #expect(bench.told.last == .tellRecovery(afterSeconds: 12))
    }

    @Test("a final status ends the loop", arguments: [TripStatus.complete, .canceled])
    func end(status: TripStatus) {
        var bench = Bench()
        bench.send(.start)
        let actions = bench.answer(.succeeded(status))
        #expect(actions == [.tellEnd(status)])
        #expect(bench.machine.isEnded)
        let result22 = bench.send(.refresh)
        #expect(result22.isEmpty)
        let result23 = bench.send(.due)
        #expect(result23.isEmpty)
    }

    @Test("refresh polls at once during a wait, and once more after a failure during a request")
    func refresh() {
        var bench = Bench()
        bench.send(.start)
        let result24 = bench.send(.refresh)
        #expect(result24.isEmpty)
        _ = bench.fail(.unavailable)
        #expect(bench.inFlight, "the refresh was forgotten")
        _ = bench.fail(.unavailable)
        #expect(!bench.inFlight)
        let result25 = bench.send(.refresh)
        #expect(result25 == [.poll])
    }

    @Test("a cancellation of our own is not reported")
    func cancelledByUs() {
        var bench = Bench()
        bench.send(.start)
        let result26 = bench.answer(.cancelledByUs)
        #expect(result26.isEmpty)
        #expect(bench.told.isEmpty)
    }

    @Test("for each pair of codes, the delays are within their limits")
    func pairs() {
        for first in StatusCode.allCases where first != .ok {
            for second in StatusCode.allCases where second != .ok {
                var bench = Bench()
                bench.send(.start)
                for code in [first, second] {
                    let delay = bench.fail(code)
                    #expect(delay.map { $0 >= 4 && $0 <= 360 } == true, "\(first) then \(second): \(String(describing: delay))")
                    bench.waitAndPoll()
                    #expect(bench.inFlight)
                }
            }
        }
    }

    @Test("random sequences: one request in flight, never stuck, a success resets, no end before a final status")
    func randomSequences() {
        var dice = SeededRandom(seed: 2)
        for _ in 0..<300 {
            var bench = Bench(.init(interval: dice.double(in: 1...30), bookedAt: dice.chance(0.3) ? start : nil))
            bench.send(.start)
            for _ in 0..<60 {
                switch dice.int(in: 0...9) {
                case 0: bench.send(.refresh)
                case 1: bench.waitAndPoll()
                case 2 where bench.inFlight:
                    _ = bench.answer(.succeeded(.enrouteToPickup))
                    #expect(bench.machine.attempt == 0)
                default:
                    guard bench.inFlight, let code = StatusCode(rawValue: dice.int(in: 1...16)) else { continue }
                    _ = bench.fail(code, tokenRenewed: dice.chance(0.5))
                }
                #expect(!bench.machine.isEnded)
                #expect(bench.inFlight != (bench.deadline != nil), "neither waiting nor asking, or both")
                if let deadline = bench.deadline { #expect(deadline >= bench.now) }
            }
        }
    }
}
