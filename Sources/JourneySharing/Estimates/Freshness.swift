package import FleetEngine
package import FoundationEssentials
import Geo

/// How far the shown position can be believed. Raw values are the words in output.
public enum Freshness: String, CaseIterable, Hashable, Sendable {
    /// The position is recent.
    case live
    /// The link is fine, but no new position came for a while.
    case quiet
    /// The link is fine, and the position is old.
    case notLive = "not_live"
    /// Our own calls fail and are being retried.
    case offline
    /// The user has to do something before updates go on.
    case stopped
    /// The trip is over.
    case ended
}

/// What an answer tells of a position and of the server's clock.
struct ObservedPosition {
    /// Nil where the answer does not tell it.
    var vehicleID: String?
    var location: VehicleLocation?
    /// The server's clock when it built the answer; nil where the answer does not show it.
    var answeredAt: Date?
    /// What is followed is over.
    var isOver: Bool

    init(_ trip: Trip) {
        vehicleID = trip.vehicleID
        location = trip.lastLocation
        answeredAt = trip.answeredAt
        isOver = trip.status.isFinal
    }

    /// An answer about a shipment shows neither its vehicle nor the server's clock.
    init(_ shipment: TaskTrackingInfo) {
        location = shipment.vehicleLocation
        isOver = shipment.outcome != nil
    }
}

/// Judges the age of positions from the server's clock, so that neither a wrong local clock nor a wrong sensor clock makes old look new.
///
/// Age = server_now − server_time + max(0, d − smallest d), where d = server_time − time of the fix. The smallest d starts at 0, so that a late
/// fix is old, the first one too. Only a run of steady fixes proves that the sensor's clock is wrong, and takes its error out of the age.
/// Whatever the clocks say, no position is younger than the time for which it has been known here.
package struct FreshnessTracker: Hashable, Sendable {
    /// A sensor time further than this ahead of what its clock showed before is a jump of that clock, seconds.
    private static let futureToleranceSeconds = 30.0
    /// Fixes in a row, over at least `steadySeconds` and all late by the same amount, after which the sensor's clock is taken to be wrong. A
    /// backlog that arrives faster than it was made is not late by the same amount.
    private static let steadyFixes = 12
    private static let steadySeconds = 120.0
    /// Two fixes are late by the same amount if they differ by no more than this, seconds.
    private static let steadySpreadSeconds = 5.0
    private static let jumpConfirmations = 3
    private static let gapsKept = 8
    /// A vehicle that reports less often than this is judged as if it reported so often, seconds.
    private static let longestGapSeconds = 60.0

    /// A server's clock that differs by more than this from what it was has been set, seconds.
    static let clockJumpSeconds = 90.0

    /// Between polls, seconds.
    package var pollIntervalSeconds: Double
    /// The step that the times of fixes are rounded to, seconds. The vehicle seems to report no more often.
    package var fixStepSeconds = 0.0
    private var clockOffset = 0.0
    /// An answer has told the server's clock.
    package private(set) var isServerClockKnown = false
    private var vehicleID: String?
    private var fixServerTime: Date?
    /// When the fix was made, from which the gap to the next one counts; nil without a position and after the server's clock was set.
    private var fixTime: Date?
    /// When the fix was first seen, on the local clock.
    private var fixSeenAt: Date?
    private var fixKey: FixKey?
    private var refusedKey: FixKey?
    private var refusals = 0
    private var extraAge = 0.0
    private var smallestDelay: Double?
    private var jumps = 0
    private var steadyRun: SteadyRun?
    private var gaps: [Double] = []
    /// Between the last two fixes, whether it counts or not, seconds.
    private var previousGap = 0.0

    /// Tells fixes apart: by their times, or by the place of a fix without times.
    private struct FixKey: Hashable, Sendable {
        let server: Date?
        let sensor: Date?
        let place: Coordinate?

        init(_ location: VehicleLocation) {
            server = location.serverTime
            sensor = location.updateTime ?? location.rawLocationTime
            place = server == nil && sensor == nil ? location.coordinate : nil
        }
    }

    /// Fixes one after the other that are equally late.
    private struct SteadyRun: Hashable, Sendable {
        let start: Date
        var count: Int
        var smallestDelay: Double
        var largestDelay: Double
    }

    package init(pollIntervalSeconds: Double = PollMachine.Configuration.standardInterval) {
        self.pollIntervalSeconds = pollIntervalSeconds
    }

    /// Takes in an answer that arrived at `now` on the local clock.
    /// - Returns: whether it brought a fix newer than the one before.
    @discardableResult
    package mutating func observe(_ trip: Trip, now: Date) -> Bool {
        observe(ObservedPosition(trip), now: now)
    }

    /// Takes in an answer that arrived at `now`, of whatever it tells.
    /// - Returns: whether it brought a fix newer than the one before.
    @discardableResult
    mutating func observe(_ answer: ObservedPosition, now: Date) -> Bool {
        if answer.vehicleID != vehicleID { forgetVehicle(next: answer.vehicleID) }
        guard let location = answer.location else {
            fixServerTime = nil
            fixTime = nil
            fixKey = nil
            return false
        }
        updateClock(answer, serverTime: location.serverTime, now: now)
        // Of a trip that is over the server tells the place without its time: that is no new fix, and nobody knows how old.
        if answer.isOver, location.serverTime == nil, location.fixTime == nil { return false }
        let key = FixKey(location)
        guard key != fixKey else { return false }
        let serverTime = location.serverTime ?? location.updateTime ?? location.rawLocationTime ?? serverNow(now)
        guard isNewer(key, serverTime: serverTime, isClockTold: answer.answeredAt != nil, now: now),
            acceptDelay(sensor: key.sensor, serverTime: key.server)
        else { return false }
        let made = key.sensor ?? serverTime
        if let fixTime, let fixServerTime {
            note(gap: made.timeIntervalSince(fixTime), arrivalGap: serverTime.timeIntervalSince(fixServerTime))
        }
        fixKey = key
        fixTime = made
        fixServerTime = serverTime
        fixSeenAt = now
        return true
    }

    /// The age of the position, seconds, never negative; nil without a position.
    package func ageSeconds(now: Date) -> Double? {
        guard let fixServerTime else { return nil }
        let known = fixSeenAt.map { now.timeIntervalSince($0) } ?? 0
        return max(0, known, serverNow(now).timeIntervalSince(fixServerTime)) + extraAge
    }

    /// The server's clock at local time `now`.
    package func serverNow(_ now: Date) -> Date { now.addingTimeInterval(clockOffset) }

    /// Typical seconds between reports of the vehicle: the median of the last ones, at most 60 s; 10 s before any is known.
    package var reportGapSeconds: Double {
        let sorted = gaps.sorted()
        return max(sorted.isEmpty ? 10 : sorted[(sorted.count - 1) / 2], fixStepSeconds)
    }

    /// Beyond this age a position is quiet, seconds.
    package var quietAfterSeconds: Double { max(20, 1.5 * reportGapSeconds + pollIntervalSeconds) }

    /// Beyond this age a position is not live any more, seconds.
    package var notLiveAfterSeconds: Double { max(60, 3 * reportGapSeconds) }

    /// The position's state; nil while there is no position and no failure.
    package func state(now: Date, status: TripStatus?, failure: PollFailure?) -> Freshness? {
        if status?.isFinal == true { return .ended }
        if let failure { return failure.errorClass == .retryable || failure.isWithinGrace ? .offline : .stopped }
        guard let age = ageSeconds(now: now) else { return nil }
        if age > notLiveAfterSeconds { return .notLive }
        return age > quietAfterSeconds ? .quiet : .live
    }

    /// Seconds until the position's state, live or quiet, changes if no new fix comes; nil in other states.
    package func secondsToNextState(now: Date) -> Double? {
        guard let age = ageSeconds(now: now) else { return nil }
        return [quietAfterSeconds, notLiveAfterSeconds].filter { $0 >= age }.min().map { $0 - age }
    }

    /// Another vehicle has another sensor, and its reports may be older than the last one of the vehicle before.
    private mutating func forgetVehicle(next: String?) {
        let (offset, isKnown, step) = (clockOffset, isServerClockKnown, fixStepSeconds)
        self = FreshnessTracker(pollIntervalSeconds: pollIntervalSeconds)
        fixStepSeconds = step
        (clockOffset, isServerClockKnown) = (offset, isKnown)
        vehicleID = next
    }

    /// An answer that does not tell the server's clock, as that of a car that stands at a stop, leaves it what it was: the local one may be wrong
    /// by an hour.
    private mutating func updateClock(_ answer: ObservedPosition, serverTime: Date?, now: Date) {
        let before = answer.answeredAt != nil && (isServerClockKnown || localClockSeemedRight) ? clockOffset : nil
        var serverNow = answer.answeredAt ?? (isServerClockKnown ? self.serverNow(now) : now)
        if answer.answeredAt != nil { isServerClockKnown = true }
        if let serverTime, !isFromFuture(serverTime, answer) { serverNow = max(serverNow, serverTime) }
        clockOffset = serverNow.timeIntervalSince(now)
        if let before, abs(clockOffset - before) > Self.clockJumpSeconds { shift(bySeconds: clockOffset - before) }
    }

    /// Whether a position was new by the local clock when it was first seen: before the server's clock is told that says that both are alike.
    private var localClockSeemedRight: Bool {
        guard let fixServerTime, let fixSeenAt else { return false }
        return abs(fixSeenAt.timeIntervalSince(fixServerTime)) < Self.clockJumpSeconds
    }

    /// The server's clock was set: the position is as old as it was, and how late the sensor's clock is by the new one is to be learnt anew.
    private mutating func shift(bySeconds seconds: Double) {
        fixServerTime?.addTimeInterval(seconds)
        fixTime = nil
        smallestDelay = nil
        steadyRun = nil
        jumps = 0
        refusals = 0
    }

    /// Only an answer with its own time can show that a report's time is wrong: without one, the local clock may be wrong.
    private func isFromFuture(_ serverTime: Date, _ answer: ObservedPosition) -> Bool {
        answer.answeredAt.map { serverTime.timeIntervalSince($0) > Self.futureToleranceSeconds } ?? false
    }

    /// A report that is older than the last one, or from the future, is not news, unless such reports go on: then the clock was set.
    private mutating func isNewer(_ key: FixKey, serverTime: Date, isClockTold: Bool, now: Date) -> Bool {
        let isFromFuture = key.server != nil && serverTime.timeIntervalSince(serverNow(now)) > Self.futureToleranceSeconds
        let isOlder = fixServerTime.map { serverTime < $0 } ?? false
        guard isOlder || isFromFuture, fixServerTime != nil else {
            refusals = 0
            return true
        }
        if key != refusedKey { refusals += 1 }
        refusedKey = key
        guard refusals >= Self.jumpConfirmations else { return false }
        refusals = 0
        // A report without the server's time says nothing of the server's clock.
        if isOlder, key.server != nil, !isClockTold { clockOffset = serverTime.timeIntervalSince(now) }
        return true
    }

    /// Learns how late fixes are on this sensor's clock.
    /// - Returns: false for a fix from the future, which is not newer than the one before.
    private mutating func acceptDelay(sensor: Date?, serverTime: Date?) -> Bool {
        guard let sensor, let serverTime else {
            extraAge = 0
            return true
        }
        let delay = serverTime.timeIntervalSince(sensor)
        if let smallestDelay, delay < smallestDelay - Self.futureToleranceSeconds {
            jumps += 1
            guard jumps >= Self.jumpConfirmations else { return false }
        }
        jumps = 0
        let smallest = provedDelay(delay, serverTime) ?? min(smallestDelay ?? 0, delay)
        smallestDelay = smallest
        extraAge = max(0, delay - smallest)
        return true
    }

    /// By how much the sensor's clock is behind; nil while the last fixes do not prove that it is wrong.
    private mutating func provedDelay(_ delay: Double, _ serverTime: Date) -> Double? {
        let alone = SteadyRun(start: serverTime, count: 1, smallestDelay: delay, largestDelay: delay)
        guard var run = steadyRun else {
            steadyRun = alone
            return nil
        }
        run.count += 1
        run.smallestDelay = min(run.smallestDelay, delay)
        run.largestDelay = max(run.largestDelay, delay)
        if run.largestDelay - run.smallestDelay > Self.steadySpreadSeconds { run = alone }
        let isProof = run.count >= Self.steadyFixes && serverTime.timeIntervalSince(run.start) >= Self.steadySeconds
        steadyRun = isProof ? nil : run
        return isProof ? run.smallestDelay : nil
    }

    /// Learns how often the vehicle reports. A gap that is longer than a position stays live is a silence. It counts only if the gap before it
    /// was a silence too, and no longer than the shorter of both. It does not count in a backlog, whose fixes arrive closer together than they
    /// were made.
    private mutating func note(gap: Double, arrivalGap: Double) {
        let repeated = min(gap, previousGap, arrivalGap)
        previousGap = gap
        let liveSeconds = min(quietAfterSeconds, notLiveAfterSeconds)
        guard gap > 0, gap <= liveSeconds || repeated > liveSeconds else { return }
        let counted = gap <= liveSeconds ? gap : repeated
        gaps.append(min(max(counted, 1), Self.longestGapSeconds))
        if gaps.count > Self.gapsKept { gaps.removeFirst() }
    }
}
