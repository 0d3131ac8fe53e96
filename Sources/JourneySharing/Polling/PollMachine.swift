public import FleetEngine
public import FoundationEssentials
package import Geo

/// A failed poll, as subscribers see it. Failures that the loop repairs itself are not reported.
public struct PollFailure: Hashable, Sendable {
    /// Error of the call, with the offset of the local clock if it is known.
    public let error: FleetEngineError
    /// Whether the failure can pass by itself or the user must act.
    public let errorClass: ErrorClass
    /// Time until the next attempt, in seconds.
    public let retryInSeconds: Double
    /// Number of failures in a row, including this one.
    public let attempt: Int
    /// Whether the server is at fault: it has answered UNKNOWN or INTERNAL five times in a row. The user should report such a fault, with
    /// the id of the request, to the provider.
    public let isServerFault: Bool
    /// Whether the trip is missing, but still expected: it was booked less than a minute ago, or was seen earlier and has been missing for
    /// less than a minute.
    public let isWithinGrace: Bool
    /// Whether the server had answered at least once before the failure.
    public let serverWasHeard: Bool

    /// Creates a failure, for tests that display it.
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

/// Event for the poll loop.
package enum PollEvent: Sendable {
    /// The first subscriber came.
    case start
    /// The wait is over.
    case due
    /// An answer came.
    case succeeded(TripStatus)
    /// The server answered about an object that has no trip status, such as a shipment. `isOver`: whether no further answer is needed.
    case answered(isOver: Bool)
    /// A call failed. `tokenRenewed`: whether the token was dropped and the token source can supply another one.
    case failed(FleetEngineError, tokenRenewed: Bool)
    /// Poll now, for example because the user asked for new data, or because the token source changed.
    case refresh
    /// There is a new connection to the server.
    case connected
    /// The model cancelled the request itself.
    case cancelledByUs
    /// The last subscriber left.
    case stop
}

/// An action that the owner of the machine carries out.
package enum PollAction: Hashable, Sendable {
    case poll
    /// Send the event `due` at this time, unless another event comes first.
    case wait(until: Date)
    case tellFailure(PollFailure)
    case tellRecovery(afterSeconds: Double)
    case tellEnd(TripStatus)
}

extension PollAction {
    /// Whether the action determines what the loop does next. Other actions only report.
    var isStep: Bool {
        switch self {
        case .poll, .wait: true
        case .tellFailure, .tellRecovery, .tellEnd: false
        }
    }

    var isRecovery: Bool { if case .tellRecovery = self { true } else { false } }
}

/// The rules of the poll loop, without the loop itself. The machine takes events and the time, and returns actions.
///
/// Only the machine repeats a failed poll. It keeps at most one request in progress, and never gives up before a final status.
public struct PollMachine: Sendable {
    /// Settings of the loop. Intervals are in seconds.
    public struct Configuration: Hashable, Sendable {
        /// Default interval, in seconds. It is the same as in the SDK.
        public static let standardInterval = 5.0
        /// Shortest interval that Google's server accepts, in seconds.
        public static let minimumIntervalAgainstGoogle = 5.0
        /// Default shortest interval for servers other than Google's, in seconds.
        public static let minimumInterval = 1.0
        /// Longest interval, seconds: one hour.
        public static let maximumInterval = 3_600.0

        /// Time between an answer and the next poll, in seconds.
        public let interval: Double
        /// Shortest time between the starts of two polls, seconds, even if the loop stops and starts in between. Only a poll by `refresh`,
        /// and the repetition of a poll with a renewed token, may start sooner.
        public let minimum: Double
        /// Time at which this program booked the trip; nil for other trips. For a while after this time, the server may not know the
        /// trip yet.
        public let bookedAt: Date?
        /// Whether many trips are followed. The wait after the first answer then has a random length, so that later polls are spread over
        /// the interval.
        public let isOneOfMany: Bool

        /// - Parameters:
        ///   - interval: limited to `minimum` ... 3,600 s. If it is 0, negative or not finite, the standard interval is used, as for an
        ///     unset option of the SDK.
        ///   - minimum: 5 s for Google's own server, 1 s for other servers.
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

    /// Time for which a missing trip is expected to appear or return, in seconds.
    static let graceSeconds = 60.0
    /// The longest random delay of a poll after a connection has returned, in seconds. Each model that was waiting for the connection has
    /// its own delay. If its last poll was too recent, it polls later.
    static let returnSpreadSeconds = 3.0
    /// Step to which the poll times of many trips are rounded up, in seconds, so that trips are woken in groups. Waking up separately
    /// for each trip would cost several times as much.
    static let stepSeconds = 0.05

    package private(set) var configuration: Configuration
    private var phase: Phase = .idle
    private var failures = FailureCounters()
    /// Pace of the retries. A missing trip does not slow it down within the grace time.
    private var pace = RetryPace()
    private var failingSince: Date?
    private var lastSuccessAt: Date?
    private var lastPollAt: Date?
    /// End of the wait after a failure. It also applies if the loop stops and starts in between.
    private var heldUntil: Date?
    /// Whether the current wait is for a connection. Such a wait may end early, but only once.
    private var isForConnection = false
    /// Number of waits that ended early since the last success. It limits the polls if a connection keeps returning and failing.
    private var earlyTries = 0
    private var serverWasHeard = false
    private var isRefreshPending = false

    package init(configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Whether the trip was read successfully at least once.
    package var tripWasSeen: Bool { lastSuccessAt != nil }
    /// Number of failures since the last success.
    package var attempt: Int { failures.total }
    package var isEnded: Bool { phase == .ended }

    /// Changes the settings while the loop runs. A wait after an answer gets its new length, counted from that answer.
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

    /// Starts the loop. If the loop was stopped during the wait after a failure, the rest of this wait comes first. The minimum time since
    /// the last poll is kept, too.
    private mutating func start(now: Date) -> [PollAction] {
        let paced = lastPollAt.map { $0.addingTimeInterval(configuration.minimum) } ?? now
        let earliest = max(paced, heldUntil ?? now)
        // If the clock was set back, the wait must not become longer.
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

    /// A connection exists again. A wait for a connection then ends early, after a short random time, but not before the minimum time since
    /// the last poll. Each early poll that fails makes this minimum longer for the next early poll.
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
        // The random wait varies by a whole interval, so that polls are spread evenly, even if the interval is the shortest possible one.
        let wait = isFirst && configuration.isOneOfMany ? random.double(in: shortest...(shortest + interval)) : interval
        let next = now.addingTimeInterval(wait)
        return actions + [.wait(until: configuration.isOneOfMany ? Self.inStep(next) : next)]
    }

    /// Rounds a time up to the next step, at which other models also wake.
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

/// Counters of failures since the last success.
private struct FailureCounters: Hashable, Sendable {
    static let serverFaultLimit = 5

    var total = 0
    /// Number of UNKNOWN and INTERNAL failures in a row.
    var serverFaults = 0
    /// Time when the trip was first found missing.
    var missingSince: Date?
    var tokenWasRenewed = false

    mutating func count(_ error: FleetEngineError) {
        total += 1
        let isServerFault = error.origin == .server && (error.code == .unknown || error.code == .internal)
        serverFaults = isServerFault ? serverFaults + 1 : 0
    }
}

extension FleetEngineError {
    /// Whether the call failed because there was no connection, or because it timed out. The next call may succeed over a new connection.
    var isForWantOfConnection: Bool { origin == .network || origin == .local && code == .deadlineExceeded }
}
