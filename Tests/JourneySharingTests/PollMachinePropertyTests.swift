import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

/// The table of the poll loop's waits after a failure. It is written out again here, independently of the loop's code.
private struct WaitTable {
    let interval: Double
    let bookedAt: Date?
    private var transient = 0
    private var needsUser = 0
    private var exhausted = 0
    private var missingSince: Date?
    private(set) var wasSeen = false
    private var triedAnotherToken = false

    init(interval: Double, bookedAt: Date?) { (self.interval, self.bookedAt) = (interval, bookedAt) }

    mutating func succeed() {
        self = WaitTable(interval: interval, bookedAt: bookedAt)
        wasSeen = true
    }

    /// - Returns: the range of allowed waits, in seconds; nil if the loop tries another token at once without reporting the failure.
    mutating func wait(after code: StatusCode, serverWait: Double?, tokenRenewed: Bool, now: Date) -> ClosedRange<Double>? {
        let least = min(300, serverWait ?? 0)
        switch code {
        case .cancelled, .unknown, .deadlineExceeded, .aborted, .internal, .unavailable:
            transient += 1
            let backOff = [5, 8, 12.8, 20.48, 32.768, 52.4288][min(transient, 6) - 1]
            let base = max(interval, transient > 6 ? 60 : backOff)
            return max(0.8 * base, least)...max(1.2 * base, least)
        case .unauthenticated, .permissionDenied:
            if tokenRenewed, !triedAnotherToken {
                triedAnotherToken = true
                return nil
            }
            return ladder(least)
        case .resourceExhausted:
            exhausted += 1
            let start = max(30, least)
            let base = min(300, start * [1, 2, 4, 8, 16][min(exhausted, 5) - 1])
            return start...max(start, 1.2 * base)
        case .unimplemented: return max(300, least)...max(300, least)
        case .notFound:
            missingSince = missingSince ?? now
            let isBooked = !wasSeen && bookedAt.map { now.timeIntervalSince($0) < 60 } ?? false
            let isGone = wasSeen && missingSince.map { now.timeIntervalSince($0) < 60 } ?? false
            return isBooked || isGone ? max(5, interval, least)...max(5, interval, least) : ladder(least)
        case .ok, .invalidArgument, .alreadyExists, .failedPrecondition, .outOfRange, .dataLoss: return ladder(least)
        }
    }

    private mutating func ladder(_ least: Double) -> ClosedRange<Double> {
        needsUser += 1
        let base = [30.0, 60, 120, 300][min(needsUser, 4) - 1]
        return max(0.8 * base, interval, least)...max(1.2 * base, interval, least)
    }
}

/// A machine with its clock and random numbers, and the table to compare it with.
private struct Rig {
    static let start = Date(timeIntervalSince1970: 1_935_756_000)

    var machine: PollMachine
    var table: WaitTable
    var now = Rig.start
    var random: SeededRandom
    var deadline: Date?
    var inFlight = false

    init(interval: Double = 5, bookedAt: Date? = nil, seed: UInt64 = 1) {
        machine = PollMachine(configuration: .init(interval: interval, bookedAt: bookedAt))
        table = WaitTable(interval: interval, bookedAt: bookedAt)
        random = SeededRandom(seed: seed)
        send(.start)
    }

    @discardableResult
    mutating func send(_ event: PollEvent) -> [PollAction] {
        let actions = machine.handle(event, now: now, random: &random)
        for action in actions {
            switch action {
            case .poll:
                #expect(!inFlight, "two requests in flight")
                (inFlight, deadline) = (true, nil)
            case .wait(let until): deadline = until
            case .tellFailure, .tellRecovery, .tellEnd: break
            }
        }
        return actions
    }

    mutating func fail(_ code: StatusCode, serverWait: Double? = nil, tokenRenewed: Bool = false) {
        inFlight = false
        let expected = table.wait(after: code, serverWait: serverWait, tokenRenewed: tokenRenewed, now: now)
        let details = serverWait.map { [ErrorDetail.retryInfo(delaySeconds: $0)] } ?? []
        let actions = send(.failed(FleetEngineError(code: code, message: "", details: details), tokenRenewed: tokenRenewed))
        guard let expected else { return #expect(actions == [.poll], "another token is tried in silence") }
        guard let deadline else { return #expect(Bool(false), "\(code.name): no wait") }
        let wait = deadline.timeIntervalSince(now)
        let isInside = wait > expected.lowerBound - 1e-6 && wait < expected.upperBound + 1e-6
        #expect(isInside, "\(code.name): \(wait) is not in \(expected)")
        let told = actions.compactMap { if case .tellFailure(let failure) = $0 { failure } else { nil } }
        #expect(told.count == 1)
        #expect(told.first.map { abs($0.retryInSeconds - wait) < 1e-6 } == true)
    }

    mutating func succeed() {
        inFlight = false
        let failing = machine.attempt > 0
        let actions = send(.succeeded(.enrouteToPickup))
        table.succeed()
        #expect(machine.attempt == 0)
        #expect(deadline == now.addingTimeInterval(machine.configuration.interval))
        let recoveries = actions.filter { if case .tellRecovery = $0 { true } else { false } }
        #expect(recoveries.count == (failing ? 1 : 0))
    }

    mutating func goOn() {
        guard let next = deadline else { return #expect(Bool(false), "it waits for nothing") }
        now = next
        send(.due)
    }
}

@Suite("The poll machine, against its table")
struct PollMachinePropertyTests {
    @Test("every code, again and again", arguments: StatusCode.allCases)
    func everyCode(code: StatusCode) {
        for seed in 1...20 as ClosedRange<UInt64> {
            var rig = Rig(seed: seed)
            for _ in 0..<12 {
                rig.fail(code)
                rig.goOn()
            }
            rig.succeed()
            rig.goOn()
            rig.fail(code)
        }
    }

    @Test("every pair of codes, from the start and after a success, and back", arguments: StatusCode.allCases)
    func everyPair(first: StatusCode) {
        for second in StatusCode.allCases {
            for wasSeen in [false, true] {
                var rig = Rig(seed: UInt64(second.rawValue + 1))
                if wasSeen {
                    rig.succeed()
                    rig.goOn()
                }
                for code in [first, second, first, second] {
                    rig.fail(code)
                    rig.goOn()
                }
                rig.succeed()
            }
        }
    }

    @Test("the server's own wait is kept, and never shortened at random", arguments: StatusCode.allCases, [0.0, 1, 45, 200, 300])
    func serverWait(code: StatusCode, seconds: Double) {
        var rig = Rig()
        for _ in 0..<4 {
            rig.fail(code, serverWait: seconds)
            rig.goOn()
        }
    }

    @Test(
        "stopping and starting does not shorten the longest waits", arguments: [5.0, 600],
        [StatusCode.unavailable, .unimplemented, .resourceExhausted])
    func startAnew(interval: Double, code: StatusCode) {
        for seed in 1...20 as ClosedRange<UInt64> {
            var machine = PollMachine(configuration: .init(interval: interval))
            var random = SeededRandom(seed: seed)
            _ = machine.handle(.start, now: Rig.start, random: &random)
            let error = FleetEngineError(code: code, message: "", details: [.retryInfo(delaySeconds: 1e6)])
            let actions = machine.handle(.failed(error, tokenRenewed: false), now: Rig.start, random: &random)
            guard case .wait(let until)? = actions.last else { return #expect(Bool(false), "no wait") }
            _ = machine.handle(.stop, now: Rig.start, random: &random)
            #expect(machine.handle(.start, now: Rig.start + 1, random: &random) == [.wait(until: until)])
        }
    }

    @Test("an implausible wait from the server is not kept", arguments: [Double.infinity, .nan, -5, 1e300])
    func absurdServerWait(seconds: Double) {
        var machine = PollMachine()
        var random = SeededRandom(seed: 1)
        _ = machine.handle(.start, now: Rig.start, random: &random)
        let error = FleetEngineError(code: .unavailable, message: "", details: [.retryInfo(delaySeconds: seconds)])
        let actions = machine.handle(.failed(error, tokenRenewed: false), now: Rig.start, random: &random)
        guard case .wait(let until)? = actions.last else { return #expect(Bool(false), "no wait") }
        #expect((4...RetryPace.longestServerWaitSeconds).contains(until.timeIntervalSince(Rig.start)))
    }

    @Test("a missing trip: every 5 s for one minute, whatever else fails meanwhile; then 30, 60, 120, 300 s")
    func grace() {
        var rig = Rig()
        rig.succeed()
        rig.goOn()
        let missingSince = rig.now
        var waits: [Double] = []
        for round in 0..<20 {
            rig.fail(round.isMultiple(of: 3) || round > 6 ? .notFound : .unavailable)
            if let deadline = rig.deadline { waits.append(deadline.timeIntervalSince(rig.now)) }
            if rig.now.timeIntervalSince(missingSince) > 60 { break }
            rig.goOn()
        }
        #expect(waits.last.map { (24...36).contains($0) } == true, "\(waits)")
    }

    @Test("stopping and starting does not shorten a wait, but refreshing does")
    func restart() {
        var rig = Rig()
        rig.fail(.permissionDenied)
        let deadline = rig.deadline
        rig.now += 3
        rig.send(.stop)
        rig.deadline = nil
        rig.send(.start)
        #expect(rig.deadline == deadline)
        #expect(!rig.inFlight)
        rig.send(.refresh)
        #expect(rig.inFlight)
    }

    @Test("a clock that was set back does not lengthen the wait of a new start")
    func clockSetBack() {
        var rig = Rig()
        rig.fail(.unavailable)
        rig.send(.stop)
        rig.now -= 86_400
        rig.send(.start)
        #expect(rig.inFlight)
    }

    @Test(
        "an interval that is unset, absurd or too short is corrected",
        arguments: [
            (0.0, 1.0, 5.0), (-3, 1, 5), (.infinity, 1, 5), (.nan, 5, 5), (0.2, 1, 1), (2, 5, 5), (1e9, 1, 3_600), (7, .nan, 7), (7, -1, 7),
        ])
    func intervals(wanted: Double, minimum: Double, used: Double) {
        #expect(PollMachine.Configuration(interval: wanted, minimum: minimum).interval == used)
    }

    @Test("random sequences: one request in flight, waits within their limits, a success resets, it never stops by itself")
    func randomSequences() {
        var dice = SeededRandom(seed: 2)
        for seed in 1...300 as ClosedRange<UInt64> {
            var rig = Rig(interval: dice.double(in: 1...30), bookedAt: dice.chance(0.3) ? Rig.start : nil, seed: seed)
            for _ in 0..<80 {
                step(&rig, &dice)
                #expect(!rig.machine.isEnded)
                #expect(rig.inFlight != (rig.deadline != nil), "neither waiting nor asking, or both")
                if let deadline = rig.deadline { #expect(deadline >= rig.now) }
            }
        }
    }

    private func step(_ rig: inout Rig, _ dice: inout SeededRandom) {
        guard rig.inFlight else {
            switch dice.int(in: 0...5) {
            case 0: rig.send(.refresh)
            case 1:
                rig.now = min(rig.deadline ?? rig.now, rig.now.addingTimeInterval(dice.double(in: 0...5)))
            default: rig.goOn()
            }
            return
        }
        rig.now += dice.double(in: 0...15)
        if dice.chance(0.2) { return rig.succeed() }
        guard let code = dice.element(of: StatusCode.allCases) else { return }
        rig.fail(code, serverWait: dice.chance(0.2) ? dice.double(in: 0...500) : nil, tokenRenewed: dice.chance(0.5))
    }

    @Test("only a final status ends it, and after that nothing starts it again", arguments: TripStatus.allCases)
    func end(status: TripStatus) {
        var rig = Rig()
        rig.inFlight = false
        let actions = rig.send(.succeeded(status))
        #expect(rig.machine.isEnded == status.isFinal)
        #expect(actions.contains(.tellEnd(status)) == status.isFinal)
        guard status.isFinal else { return }
        for event in [PollEvent.start, .due, .refresh, .succeeded(.new), .cancelledByUs, .stop, .start] {
            #expect(rig.send(event).isEmpty)
        }
    }
}
