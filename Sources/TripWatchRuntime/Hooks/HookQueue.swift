import FleetEngine
import FoundationEssentials
import Logging
import ProgramSurroundings
import TripWatchSettings
import TripWatchWords

/// Sends the events for one receiver, in order and one at a time. After a failure that may be temporary, an event is sent to an address
/// again. An event that the address refuses or redirects is dropped. A command gets each event once. A receiver that is gone permanently
/// gets no more events.
@MainActor
final class HookQueue {
    /// The maximum number of waiting events. Beyond this number, the oldest event that is not being sent is dropped.
    static let largestCount = 1_000
    private static let firstPauseSeconds = 1.0
    private static let longestPauseSeconds = 60.0
    /// The minimum time between two reports about dropped events, in seconds. The first report is immediate.
    private static let dropWordsSeconds = 60.0

    private let receiver: HookReceiver
    private let streams: StandardStreams
    private let log: Logger
    /// The clock for pauses and the final time limit. It runs in real time.
    private let time: any TimeSource
    /// The waiting events. While `task` is set, the first of them is being sent.
    private var waiting: [HookEvent] = []
    private var task: Task<Void, Never>?
    private var nap: Task<Void, Never>?
    private var isEnding = false
    private var isInTrouble = false
    /// Whether to report the receiver's recovery. False after a failed command, because the command did receive its event.
    private var saysRecovery = false
    /// Whether the receiver has reported that it is gone permanently.
    private var isGone = false
    private var lostCount = 0
    /// The time of the last report about dropped events.
    private var dropsToldAt: Date?
    /// Receives the number of events that have been lost since the last call.
    private let noteLost: @Sendable (Int) -> Void

    init(_ receiver: HookReceiver, in surroundings: Surroundings, noteLost: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.receiver = receiver
        self.noteLost = noteLost
        streams = surroundings.streams
        log = surroundings.log
        time = surroundings.clock(1)
    }

    func add(_ event: HookEvent) {
        guard !isGone else { return lose(1) }
        waiting.append(event)
        if waiting.count > Self.largestCount {
            waiting.remove(at: 1)
            lose(1)
            sayDrops()
        }
        if task == nil { task = Task { await work() } }
    }

    private func lose(_ count: Int) {
        lostCount += count
        if count > 0 { noteLost(count) }
    }

    private func sayDrops() {
        let now = time.now()
        if let last = dropsToldAt, (0..<Self.dropWordsSeconds).contains(now.timeIntervalSince(last)) { return }
        dropsToldAt = now
        log.warning(
            "hook",
            metadata: ["to": "\(receiver.name)", "trouble": "events come faster than the receiver accepts them", "dropped": "\(lostCount)"])
        let count = "\(lostCount) event\(lostCount == 1 ? " has been" : "s have been")"
        streams.say("tripwatch: \(receiver.name) cannot keep up: \(count) dropped so far.")
    }

    private func work() async {
        var pause = Self.firstPauseSeconds
        while let event = waiting.first, !Task.isCancelled {
            let trouble = await receiver.deliver(event)
            if trouble != nil, Task.isCancelled { break }
            note(trouble, event)
            if trouble?.outcome == .again {
                await rest(isEnding ? min(pause, 5) : pause)
                pause = min(Self.longestPauseSeconds, pause * 2)
                continue
            }
            pause = Self.firstPauseSeconds
            settle(trouble?.outcome)
        }
        task = nil
    }

    /// Removes the first event, or all events if the receiver is gone permanently.
    private func settle(_ outcome: HookTrouble.Outcome?) {
        isGone = outcome == .gone
        let lost = isGone ? waiting.count : outcome == .dropped ? 1 : 0
        lose(lost)
        waiting.removeFirst(max(1, lost))
    }

    private func rest(_ seconds: Double) async {
        let nap = Task { [time] in _ = try? await time.sleep(seconds: seconds) }
        self.nap = nap
        await withTaskCancellationHandler {
            await nap.value
        } onCancel: {
            nap.cancel()
        }
        self.nap = nil
    }

    /// Logs the result of an event. Prints only the first of several failures in a row, but always prints that a receiver is gone
    /// permanently. Also prints that the receiver accepts events again, except after a failed command.
    private func note(_ trouble: HookTrouble?, _ event: HookEvent) {
        let facts: Logger.Metadata = ["event": "\(event.name)", "trip": "\(event.subject)", "id": "\(event.id)"]
        if let trouble {
            log.warning("hook", metadata: facts.merging(["to": "\(receiver.name)", "trouble": "\(trouble.words)"]) { $1 })
            if !isInTrouble || trouble.outcome == .gone { say(trouble) }
        } else {
            log.debug("hook", metadata: facts.merging(["to": "\(receiver.name)"]) { $1 })
            if isInTrouble, saysRecovery { streams.note("tripwatch: \(receiver.name) accepts events again.") }
        }
        isInTrouble = trouble != nil
        saysRecovery = trouble.map { $0.outcome != .told } ?? false
    }

    private func say(_ trouble: HookTrouble) {
        let consequence =
            switch trouble.outcome {
            case .again: "; retrying."
            case .dropped: ": events that get this answer are dropped."
            case .gone: ": it gets no more events."
            case .told: "."
            }
        streams.say("tripwatch: \(receiver.name) \(trouble.words)\(consequence)")
    }

    /// Waits until all events are sent or the time limit has passed.
    func finish(within seconds: Double) async {
        if let task {
            isEnding = true
            nap?.cancel()
            let limit = Task {
                guard (try? await time.sleep(seconds: min(seconds, 1))) != nil else { return }
                if seconds > 1 {
                    let count = "\(waiting.count) event\(waiting.count == 1 ? " is" : "s are")"
                    streams.note("tripwatch: \(count) still to be sent to \(receiver.name); waiting at most \(Int(seconds)) s.")
                    guard (try? await time.sleep(seconds: seconds - 1)) != nil else { return }
                }
                task.cancel()
            }
            await task.value
            limit.cancel()
        }
        let lost = waiting.count + lostCount
        if lost > 0 { streams.say("tripwatch: \(lost) event\(lost == 1 ? " was" : "s were") not sent to \(receiver.name).") }
    }
}
