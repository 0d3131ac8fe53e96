public import FleetEngine
public import FoundationEssentials
package import Geo

/// A failed poll that is reported: every failure except those that the loop mends silently.
public struct PollFailure: Hashable, Sendable {
    /// The failure of the call, with the clock's offset where it is known.
    public let error: FleetEngineError
    /// Whether the failure passes by itself or needs the user.
    public let errorClass: ErrorClass
    /// Until the next try, seconds.
    public let retryInSeconds: Double
    /// Failures in a row, this one included.
    public let attempt: Int
    /// UNKNOWN or INTERNAL five times in a row: the server's fault, to be reported with its request id.
    public let isServerFault: Bool
    /// The trip is missing, but so recently booked or seen that the loop still expects it.
    public let isWithinGrace: Bool
    /// Whether the server had answered before, so that there was something to lose.
    public let serverWasHeard: Bool

    /// A failure as the loop makes it; for tests of its display.
    public init(
        error: FleetEngineError, errorClass: ErrorClass, retryInSeconds: Double, attempt: Int, isServerFault: Bool = false,
        isWithinGrace: Bool = false, serverWasHeard: Bool = false
    ) {
        self.error = error
        self.errorClass = errorClass
        self.retryInSeconds = retryInSeconds
        self.attempt = attempt
        self.isServerFault = isServerFault
        self.isWithinGrace = isWithinGrace
        self.serverWasHeard = serverWasHeard
    }
}

/// An event for the poll loop.
package enum PollEvent: Sendable {
    /// The first subscriber came.
    case start
    /// The wait is over.
    case due
    /// An answer came.
    case succeeded(TripStatus)
    /// An answer came about something without a trip's status. `isOver`: it is the last one that is needed.
    case answered(isOver: Bool)
    /// A call failed. `tokenRenewed`: the token was dropped and the source can give another one.
    case failed(FleetEngineError, tokenRenewed: Bool)
    /// Ask now: the user's key, a changed token source, a reload.
    case refresh
    /// There is a new connection to the server.
    case connected
    /// We ended the request ourselves.
    case cancelledByUs
    /// The last subscriber went.
    case stop
}

/// The next steps of the machine's owner, in order.
package enum PollAction: Hashable, Sendable {
    case poll
    /// Send `due` at this moment, unless another event comes first.
    case wait(until: Date)
    case tellFailure(PollFailure)
    case tellRecovery(afterSeconds: Double)
    case tellEnd(TripStatus)
}

extension PollAction {
    /// Whether it sets the loop's next step, rather than reporting something.
    var isStep: Bool {
        switch self {
        case .poll, .wait: true
        case .tellFailure, .tellRecovery, .tellEnd: false
        }
    }

    var isRecovery: Bool { if case .tellRecovery = self { true } else { false } }
}

/// The poll loop's rules without the loop: events and a clock reading in, actions out.
///
/// It is the only retry of a poll (a call itself is tried once), keeps one request in flight and never gives up before a final status.
public struct PollMachine: Sendable {
    /// Numbers of the loop. Intervals in seconds.
    public struct Configuration: Hashable, Sendable {
        /// The default interval, seconds, which is the SDK's.
        public static let standardInterval = 5.0
        /// Google refuses to be asked more often.
        public static let minimumIntervalAgainstGoogle = 5.0
        /// The least interval against any other server, unless a configuration sets its own, seconds.
        public static let minimumInterval = 1.0
        /// No interval is longer, seconds: one hour.
        public static let maximumInterval = 3_600.0

        /// Between an answer and the next poll.
        public let interval: Double
        /// The least time between the starts of two polls, seconds, also across stops and starts of the loop; only `refresh` comes sooner.
        public let minimum: Double
        /// When this program booked the trip, if it did: a missing trip is expected for a while.
        public let bookedAt: Date?
        /// Many trips are followed: the wait after the first answer is a random part of the interval, so that they are not all asked at once
        /// ever after.
        public let isOneOfMany: Bool

        /// - Parameters:
        ///   - interval: clamped to `minimum` ... 3,600 s; 0, less, or not a number means the standard one, as the SDK's unset option.
        ///   - minimum: 5 s against Google's own server, else 1 s.
        public init(
            interval: Double = standardInterval, minimum: Double = minimumInterval, bookedAt: Date? = nil, isOneOfMany: Bool = false
        ) {
            let wanted = interval.isFinite && interval > 0 ? interval : Self.standardInterval
            let floor = minimum.isFinite ? min(max(minimum, 0), Self.maximumInterval) : Self.minimumInterval
            self.interval = min(max(wanted, floor), Self.maximumInterval)
            self.minimum = floor
            self.bookedAt = bookedAt
            self.isOneOfMany = isOneOfMany
        }
    }

    private enum Phase: Hashable {
        case idle, inFlight, waiting, ended
    }

    /// How long a missing trip is expected to come (back), seconds.
    static let graceSeconds = 60.0
    /// When a lost connection is back, all models that wait for it ask within this time, each at a random moment, seconds.
    static let returnSpreadSeconds = 3.0
    /// Many trips are asked a handful at a time, at moments this far apart: to wake for each alone would cost several times as much, seconds.
    static let stepSeconds = 0.05

    package private(set) var configuration: Configuration
    private var phase: Phase = .idle
    private var failures = FailureCounters()
    /// A missing trip within its grace does not count: it slows down nothing that comes after.
    private var pace = RetryPace()
    private var failingSince: Date?
    private var lastSuccessAt: Date?
    private var lastPollAt: Date?
    /// Until when a failure makes the loop wait: also if it is stopped and started meanwhile.
    private var heldUntil: Date?
    /// The wait is for a connection, and may end early, once.
    private var isForConnection = false
    /// Waits that ended early since the last success: a connection that comes back and fails again and again is not asked without pause.
    private var earlyTries = 0
    private var serverWasHeard = false
    private var isRefreshPending = false

    package init(configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Whether the trip was read at least once.
    package var tripWasSeen: Bool { lastSuccessAt != nil }
    /// Failures since the last success.
    package var attempt: Int { failures.total }
    package var isEnded: Bool { phase == .ended }

    /// Changes the numbers while running; a wait that is under way is set anew.
    package mutating func configure(_ configuration: Configuration, now: Date) -> [PollAction] {
        self.configuration = configuration
        guard phase == .waiting, failures.total == 0, let lastSuccessAt else { return [] }
        return [.wait(until: max(now, lastSuccessAt.addingTimeInterval(configuration.interval)))]
    }

    package mutating func handle(_ event: PollEvent, now: Date, random: inout SeededRandom) -> [PollAction] {
        switch (event, phase) {
        case (.start, .idle): return start(now: now)
        case (.due, .waiting), (.refresh, .waiting): return poll(now: now)
        case (.connected, .waiting): return connected(now: now, random: &random)
        case (.refresh, .inFlight):
            isRefreshPending = true
            return []
        case (.succeeded(let status), .inFlight):
            return answered(isOver: status.isFinal, now: now, random: &random) + (status.isFinal ? [.tellEnd(status)] : [])
        case (.answered(let isOver), .inFlight): return answered(isOver: isOver, now: now, random: &random)
        case (.failed(let error, let tokenRenewed), .inFlight): return failed(error, tokenRenewed: tokenRenewed, now: now, random: &random)
        case (.cancelledByUs, .inFlight), (.stop, .inFlight), (.stop, .waiting):
            phase = .idle
            isRefreshPending = false
            return []
        default: return []
        }
    }

    /// Starting anew is no way round a wait.
    private mutating func start(now: Date) -> [PollAction] {
        let paced = lastPollAt.map { $0.addingTimeInterval(configuration.minimum) } ?? now
        let earliest = max(paced, heldUntil ?? now)
        // A clock that was set back must not stretch the wait.
        let longest = heldUntil == nil ? configuration.minimum : pace.longestDelaySeconds(intervalSeconds: configuration.interval)
        guard earliest > now, earliest <= now.addingTimeInterval(longest) else { return poll(now: now) }
        phase = .waiting
        return [.wait(until: earliest)]
    }

    private mutating func poll(now: Date) -> [PollAction] {
        phase = .inFlight
        lastPollAt = now
        heldUntil = nil
        isForConnection = false
        isRefreshPending = false
        return [.poll]
    }

    /// Ends the wait for a connection, after a random moment and a pause for early tries that failed.
    private mutating func connected(now: Date, random: inout SeededRandom) -> [PollAction] {
        guard isForConnection, let heldUntil else { return [] }
        let pause = max(configuration.minimum, RetryPace.retryableSeconds(earlyTries))
        let paced = lastPollAt.map { $0.addingTimeInterval(pause) } ?? now
        let early = max(now.addingTimeInterval(random.double(in: 0...Self.returnSpreadSeconds)), paced)
        guard early < heldUntil else { return [] }
        earlyTries += 1
        isForConnection = false
        self.heldUntil = early
        return [.wait(until: early)]
    }

    private mutating func answered(isOver: Bool, now: Date, random: inout SeededRandom) -> [PollAction] {
        var actions: [PollAction] = []
        if let failingSince { actions.append(.tellRecovery(afterSeconds: max(0, now.timeIntervalSince(failingSince)))) }
        failures = FailureCounters()
        pace.reset()
        earlyTries = 0
        serverWasHeard = true
        failingSince = nil
        let isFirst = lastSuccessAt == nil
        lastSuccessAt = now
        isRefreshPending = false
        if isOver {
            phase = .ended
            return actions
        }
        phase = .waiting
        let (shortest, interval) = (configuration.minimum, configuration.interval)
        // Over a whole interval, so that no moment of it has more polls than another: also where the interval is the shortest there may be.
        let wait = isFirst && configuration.isOneOfMany ? random.double(in: shortest...(shortest + interval)) : interval
        let next = now.addingTimeInterval(wait)
        return actions + [.wait(until: configuration.isOneOfMany ? Self.inStep(next) : next)]
    }

    /// The same moment or the next that others wake at too.
    private static func inStep(_ moment: Date) -> Date {
        let steps = moment.timeIntervalSinceReferenceDate / stepSeconds
        let over = steps - steps.rounded(.down)
        guard steps.isFinite, (0.001...0.999).contains(over) else { return moment }
        return moment.addingTimeInterval((1 - over) * stepSeconds)
    }

    private mutating func failed(
        _ error: FleetEngineError, tokenRenewed: Bool, now: Date, random: inout SeededRandom
    ) -> [PollAction] {
        if error.isAboutToken, tokenRenewed, !failures.tokenWasRenewed {
            failures.tokenWasRenewed = true
            return poll(now: now)
        }
        if error.code == .notFound { failures.missingSince = failures.missingSince ?? now }
        let grace = isWithinGrace(error, now: now)
        failures.count(error)
        failingSince = failingSince ?? now
        let delay = delaySeconds(after: error, isWithinGrace: grace, random: &random)
        let failure = PollFailure(
            error: error, errorClass: error.errorClass(tripWasSeen: tripWasSeen), retryInSeconds: isRefreshPending ? 0 : delay,
            attempt: failures.total, isServerFault: failures.serverFaults >= FailureCounters.serverFaultLimit, isWithinGrace: grace,
            serverWasHeard: serverWasHeard)
        serverWasHeard = serverWasHeard || error.origin == .server
        if isRefreshPending { return [.tellFailure(failure)] + poll(now: now) }
        phase = .waiting
        isForConnection = error.isForWantOfConnection
        let next = now.addingTimeInterval(delay)
        heldUntil = next
        return [.tellFailure(failure), .wait(until: next)]
    }

    private func isWithinGrace(_ error: FleetEngineError, now: Date) -> Bool {
        guard error.code == .notFound, error.origin == .server else { return false }
        if let booked = configuration.bookedAt, !tripWasSeen, now.timeIntervalSince(booked) < Self.graceSeconds { return true }
        guard tripWasSeen, let missingSince = failures.missingSince else { return false }
        return now.timeIntervalSince(missingSince) < Self.graceSeconds
    }

    private mutating func delaySeconds(
        after error: FleetEngineError, isWithinGrace: Bool, random: inout SeededRandom
    ) -> Double {
        let interval = configuration.interval
        if isWithinGrace { return max(interval, Configuration.standardInterval, pace.serverWaitSeconds(of: error)) }
        return pace.delaySeconds(after: error, intervalSeconds: interval, minimumSeconds: configuration.minimum, random: &random)
    }
}

/// Failures since the last success.
private struct FailureCounters: Hashable, Sendable {
    static let serverFaultLimit = 5

    var total = 0
    /// UNKNOWN and INTERNAL in a row.
    var serverFaults = 0
    /// When the trip was first found missing.
    var missingSince: Date?
    var tokenWasRenewed = false

    mutating func count(_ error: FleetEngineError) {
        total += 1
        let isServerFault = error.origin == .server && (error.code == .unknown || error.code == .internal)
        serverFaults = isServerFault ? serverFaults + 1 : 0
    }
}

extension FleetEngineError {
    /// No connection, or one over which nothing came in time: another connection may be all that it takes.
    var isForWantOfConnection: Bool { origin == .network || origin == .local && code == .deadlineExceeded }
}
