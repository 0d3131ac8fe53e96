package import FleetEngine
package import FoundationEssentials
import Geo

/// The reliability of the shown position. Raw values are the words in the output.
public enum Freshness: String, CaseIterable, Hashable, Sendable {
    /// The position is recent.
    case live
    /// The connection works, but no new position has arrived for a while.
    case quiet
    /// The connection works, but the position is older than ``quiet`` allows.
    case notLive = "not_live"
    /// Calls to the server fail and are being retried.
    case offline
    /// Calls to the server fail until the user acts.
    case stopped
    /// The trip is over.
    case ended
}

/// The values in an answer that determine the age of a position: the position, and the server's clock.
struct ObservedPosition {
    /// Id of the vehicle; nil if the answer lacks it.
    var vehicleID: String?
    var location: VehicleLocation?
    /// Time on the server's clock when the server built the answer; nil if the answer does not contain it.
    var answeredAt: Date?
    /// Whether the trip or shipment is over.
    var isOver: Bool

    init(_ trip: Trip) {
        vehicleID = trip.vehicleID
        location = trip.lastLocation
        answeredAt = trip.answeredAt
        isOver = trip.status.isFinal
    }

    /// Creates the values of an answer about a shipment. Such an answer contains neither the vehicle's id nor the server's time.
    init(_ shipment: TaskTrackingInfo) {
        location = shipment.vehicleLocation
        isOver = shipment.outcome != nil
    }
}

/// Computes the age of positions from the server's clock. A wrong local clock, or a wrong clock in the sensor, cannot make an old position
/// look new.
///
/// Age = server_now − server_time + max(0, d − smallest d), where d = server_time − time of the fix. The smallest d starts at 0,
/// so that even a late first fix counts as old. If a run of equally late fixes proves that the sensor's clock is wrong, the
/// smallest d becomes the error of that clock. A position is at least as old as the time since this program first saw it.
package struct FreshnessTracker: Hashable, Sendable {
    /// Tolerance for times in the future, in seconds. A time even farther in the future means that a clock has jumped.
    private static let futureToleranceSeconds = 30.0
    /// Number of equally late fixes in a row, over at least `steadySeconds`, that prove the sensor's clock wrong. The fixes of a backlog
    /// are not equally late, because they arrive faster than they were made.
    private static let steadyFixes = 12
    private static let steadySeconds = 120.0
    /// Largest difference between the delays of equally late fixes, in seconds.
    private static let steadySpreadSeconds = 5.0
    private static let jumpConfirmations = 3
    private static let gapsKept = 8
    /// Largest gap between two reports that is learnt, in seconds. A longer gap is shortened to this value.
    private static let longestGapSeconds = 60.0

    /// Smallest change of the server's clock that counts as a jump, in seconds.
    static let clockJumpSeconds = 90.0

    /// Time between polls, in seconds.
    package var pollIntervalSeconds: Double
    /// Step to which the times of the last position are rounded, in seconds; 0 for exact times.
    private var fixStepSeconds = 0.0
    private var clockOffset = 0.0
    /// Whether an answer has contained the time on the server's clock.
    package private(set) var isServerClockKnown = false
    private var vehicleID: String?
    private var fixServerTime: Date?
    /// Time of the fix, from which the gap to the next fix is measured. Nil without a position, and after a change of the server's clock.
    private var fixTime: Date?
    /// Time when the fix was first seen, on the local clock.
    private var fixSeenAt: Date?
    private var fixKey: FixKey?
    private var refusedKey: FixKey?
    private var refusals = 0
    private var extraAge = 0.0
    private var smallestDelay: Double?
    private var jumps = 0
    private var steadyRun: SteadyRun?
    private var gaps: [Double] = []
    /// Gap between the last two fixes, in seconds, even if `gaps` does not contain it.
    private var previousGap = 0.0

    /// Identity of a fix: its times, or its location if it has no times.
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

    /// A run of fixes that are equally late.
    private struct SteadyRun: Hashable, Sendable {
        let start: Date
        var count: Int
        var smallestDelay: Double
        var largestDelay: Double
    }

    package init(pollIntervalSeconds: Double = PollMachine.Configuration.standardInterval) {
        self.pollIntervalSeconds = pollIntervalSeconds
    }

    /// Adds an answer that arrived at `now` on the local clock.
    /// - Returns: whether the answer contained a fix that is newer than the last fix.
    @discardableResult
    package mutating func observe(_ trip: Trip, now: Date) -> Bool {
        observe(ObservedPosition(trip), now: now)
    }

    /// Adds an observation from an answer that arrived at `now`.
    /// - Returns: whether the answer contained a fix that is newer than the last fix.
    @discardableResult
    mutating func observe(_ answer: ObservedPosition, now: Date) -> Bool {
        if answer.vehicleID != vehicleID { forgetVehicle(next: answer.vehicleID) }
        guard let location = answer.location else {
            fixServerTime = nil
            fixTime = nil
            fixKey = nil
            return false
        }
        fixStepSeconds = location.timeStepSeconds
        updateClock(answer, serverTime: location.serverTime, now: now)
        // After the end of a trip, the server sends the location without its time. Such a location is not a new fix, and its age is
        // unknown.
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

    /// Returns the age of the position, seconds, never negative; nil without a position.
    package func ageSeconds(now: Date) -> Double? {
        guard let fixServerTime else { return nil }
        let known = fixSeenAt.map { now.timeIntervalSince($0) } ?? 0
        return max(0, known, serverNow(now).timeIntervalSince(fixServerTime)) + extraAge
    }

    /// Returns the time on the server's clock at the local time `now`.
    package func serverNow(_ now: Date) -> Date { now.addingTimeInterval(clockOffset) }

    /// Typical time between the vehicle's reports, in seconds: the median of the last gaps, at most 60 s; 10 s until a gap is known. Never
    /// below the step to which the times are rounded.
    package var reportGapSeconds: Double {
        let sorted = gaps.sorted()
        return max(sorted.isEmpty ? 10 : sorted[(sorted.count - 1) / 2], fixStepSeconds)
    }

    /// Age above which the state of a position is `quiet`, in seconds.
    package var quietAfterSeconds: Double { max(20, 1.5 * reportGapSeconds + pollIntervalSeconds) }

    /// Age above which the state of a position is neither live nor quiet, in seconds.
    package var notLiveAfterSeconds: Double { max(60, 3 * reportGapSeconds) }

    /// Returns the state of the position; nil while there is neither a position nor a failure.
    package func state(now: Date, status: TripStatus?, failure: PollFailure?) -> Freshness? {
        if status?.isFinal == true { return .ended }
        if let failure { return failure.errorClass == .retryable || failure.isWithinGrace ? .offline : .stopped }
        guard let age = ageSeconds(now: now) else { return nil }
        if age > notLiveAfterSeconds { return .notLive }
        return age > quietAfterSeconds ? .quiet : .live
    }

    /// Returns the seconds until the state of the position changes if no new fix arrives; nil unless the state is live or quiet.
    package func secondsToNextState(now: Date) -> Double? {
        guard let age = ageSeconds(now: now) else { return nil }
        return [quietAfterSeconds, notLiveAfterSeconds].filter { $0 >= age }.min().map { $0 - age }
    }

    /// Forgets the vehicle. The next vehicle has another sensor, and its reports may be older than the last report of this vehicle.
    private mutating func forgetVehicle(next: String?) {
        let (offset, isKnown) = (clockOffset, isServerClockKnown)
        self = FreshnessTracker(pollIntervalSeconds: pollIntervalSeconds)
        (clockOffset, isServerClockKnown) = (offset, isKnown)
        vehicleID = next
    }

    /// Updates the offset of the server's clock. If an answer lacks the server's time, the known offset is kept. If no answer has contained
    /// the server's time yet, the local clock is used. The time of an answer's report can move the clock ahead, but never back.
    private mutating func updateClock(_ answer: ObservedPosition, serverTime: Date?, now: Date) {
        let before = answer.answeredAt != nil && (isServerClockKnown || localClockSeemedRight) ? clockOffset : nil
        var serverNow = answer.answeredAt ?? (isServerClockKnown ? self.serverNow(now) : now)
        if answer.answeredAt != nil { isServerClockKnown = true }
        if let serverTime, !isFromFuture(serverTime, answer) { serverNow = max(serverNow, serverTime) }
        clockOffset = serverNow.timeIntervalSince(now)
        if let before, abs(clockOffset - before) > Self.clockJumpSeconds { shift(bySeconds: clockOffset - before) }
    }

    /// Whether the local clock and the server's clock agree: by the local clock, the last report was recent when first seen.
    private var localClockSeemedRight: Bool {
        guard let fixServerTime, let fixSeenAt else { return false }
        return abs(fixSeenAt.timeIntervalSince(fixServerTime)) < Self.clockJumpSeconds
    }

    /// Adapts to a change of the server's clock. The position keeps its age, and the error of the sensor's clock is learnt again.
    private mutating func shift(bySeconds seconds: Double) {
        fixServerTime?.addTimeInterval(seconds)
        fixTime = nil
        smallestDelay = nil
        steadyRun = nil
        jumps = 0
        refusals = 0
    }

    /// Whether a report's time is too far ahead of the server's clock. False if the answer does not contain the server's time: the local
    /// clock may be wrong, so it is not used instead.
    private func isFromFuture(_ serverTime: Date, _ answer: ObservedPosition) -> Bool {
        answer.answeredAt.map { serverTime.timeIntervalSince($0) > Self.futureToleranceSeconds } ?? false
    }

    /// Whether a report is accepted. The first report is always accepted. A later report is refused if it is older than the last accepted
    /// one, or if its server time is more than 30 s in the future. The third such report in a row is accepted, because a clock must have
    /// been changed. A report that is repeated counts once.
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
        // A report without the server's time contains no information about the server's clock.
        if isOlder, key.server != nil, !isClockTold { clockOffset = serverTime.timeIntervalSince(now) }
        return true
    }

    /// Learns the delay of this sensor's fixes: the server's time minus the fix's time on the sensor's clock.
    /// - Returns: false for a fix that is refused because its delay is over 30 s below the smallest delay so far. The time of such a fix is
    ///   in the future. The third such fix in a row is accepted.
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

    /// Returns the seconds by which the sensor's clock is behind; nil until recent fixes prove the clock wrong.
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

    /// Learns the typical gap between the vehicle's reports. A gap during which the position stays live is always learnt.
    ///
    /// A longer gap is learnt only if two other times are also too long for a live position: the previous gap, and `arrivalGap` (the time
    /// between the arrivals of the two reports at the server). The shortest of the three is then learnt. This excludes a backlog, whose
    /// reports arrive close together.
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
