import FleetEngine
import FoundationEssentials
import TerminalCanvas
import TripWatchScreen

/// Plays a recording on a screen, and controls the position and speed of the playback.
@MainActor
final class ReplayPlayer {
    /// The speeds that the user can set with keys, in recorded seconds per real second.
    private static let speeds = 0.5...64.0
    /// During playback, a step back skips an event that was shown less than this many real seconds ago. Otherwise, repeated steps
    /// would return to the same event.
    private static let goneBackSeconds = 1.0

    private var course: ReplayCourse
    private var speed: Double
    private var isPaused = false
    /// A recorded time, and the real time at which it was shown.
    private var anchor: (moment: Date, at: ContinuousClock.Instant)
    /// The position to show as soon as it is computed.
    private var target: Target?

    private enum Target {
        case moment(Date)
        case eventAfter(Date)
    }

    init(_ course: ReplayCourse, speed: Double) {
        (self.course, self.speed) = (course, speed)
        anchor = (course.start, .now)
    }

    // MARK: - Display

    /// The recorded time to show now.
    var now: Date {
        guard !isPaused, target == nil else { return anchor.moment }
        return min(course.end, anchor.moment.addingTimeInterval((ContinuousClock.now - anchor.at).seconds * speed))
    }

    /// The screen content to show now.
    var frame: ReplayFrame {
        arrive()
        let now = now
        return ReplayFrame(
            state: course.state(at: now),
            status: ReplayStatus(start: course.start, end: course.end, now: now, speed: speed, isPaused: isPaused, seeking: seeking))
    }

    /// Returns the real seconds until playback reaches a recorded time or the end. Returns nil while playback stands still, and once
    /// the screen shows the end.
    /// - Parameter shown: the recorded time on the screen.
    func seconds(until moment: Date, after shown: Date) -> Double? {
        isPaused || target != nil || shown >= course.end ? nil : max(0, min(moment, course.end).timeIntervalSince(now)) / speed
    }

    /// Returns the time of the next update after a recorded time; nil after the last update.
    func nextUpdate(after moment: Date) -> Date? { course.nextUpdate(after: moment) }

    /// The speed of the playback: recorded seconds per real second.
    var shownSpeed: Double { speed }

    // MARK: - Commands

    func perform(_ command: ReplayCommand) {
        let now = now
        switch command {
        case .pause where now >= course.end:
            isPaused = false
            go(to: .moment(course.start))
        case .pause:
            anchor = (now, .now)
            isPaused.toggle()
        case .slower: set(speed: speed / 2, at: now)
        case .faster: set(speed: speed * 2, at: now)
        case .scrub(let seconds):
            var from = now
            if case .moment(let moment)? = target { from = moment }
            go(to: .moment(from.addingTimeInterval(seconds)))
        case .nextEvent: go(to: .eventAfter(now))
        case .previousEvent:
            let before = isPaused ? now : now.addingTimeInterval(-Self.goneBackSeconds * speed)
            go(to: .moment(course.events.last { $0 < before } ?? course.start))
        }
    }

    private func set(speed wanted: Double, at now: Date) {
        speed = min(max(wanted, Self.speeds.lowerBound), Self.speeds.upperBound)
        anchor = (now, .now)
    }

    private func go(to target: Target) {
        anchor = (now, .now)
        self.target = target
        if case .moment(let moment) = target { self.target = .moment(min(max(moment, course.start), course.end)) }
        arrive()
    }

    private func arrive() {
        switch target {
        case .moment(let moment) where moment <= course.computedUntil: land(on: moment)
        case .eventAfter(let moment):
            if let next = course.events.first(where: { $0 > moment }) { land(on: next) } else if course.isComplete { land(on: course.end) }
        case .moment, nil: break
        }
    }

    private func land(on moment: Date) {
        target = nil
        anchor = (moment, .now)
    }

    private var seeking: Double? {
        switch target {
        case .moment(let moment): course.share(of: moment)
        case .eventAfter: course.share(of: course.end)
        case nil: nil
        }
    }

    // MARK: - Computing ahead

    var isComplete: Bool { course.isComplete }

    /// Whether playback waits until a position is computed.
    var isWaiting: Bool { target != nil }

    func compute(steps: Int) { course.compute(steps: steps) }

    func resize(to size: Size) {
        anchor = (now, .now)
        course.resize(to: size)
    }
}
