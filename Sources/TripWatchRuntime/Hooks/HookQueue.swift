import FleetEngine
import Logging
import TripWatchApp

/// The events for one receiver, told in their order and one after the other; one that is not taken is told again until it is.
@MainActor
final class HookQueue {
    /// More events than this do not wait; the oldest go.
    static let largestCount = 1_000
    private static let firstPauseSeconds = 1.0
    private static let longestPauseSeconds = 60.0

    private let receiver: HookReceiver
    private let streams: StandardStreams
    private let log: Logger
    /// Pauses and the limit at the end are real seconds on this clock.
    private let time: any TimeSource
    /// The first of them is under way while there is a task.
    private var waiting: [HookEvent] = []
    private var task: Task<Void, Never>?
    private var nap: Task<Void, Never>?
    private var isEnding = false
    private var isInTrouble = false
    private var lostCount = 0

    init(_ receiver: HookReceiver, in surroundings: Surroundings) {
        self.receiver = receiver
        streams = surroundings.streams
        log = surroundings.log
        time = surroundings.clock(1)
    }

    func add(_ event: HookEvent) {
        waiting.append(event)
        if waiting.count > Self.largestCount {
            waiting.remove(at: 1)
            lostCount += 1
        }
        if task == nil { task = Task { await work() } }
    }

    private func work() async {
        var pause = Self.firstPauseSeconds
        while let event = waiting.first, !Task.isCancelled {
            let trouble = await receiver.deliver(event)
            if trouble != nil, Task.isCancelled { break }
            note(trouble, event)
            if trouble != nil, receiver.repeats {
                await rest(isEnding ? min(pause, 5) : pause)
                pause = min(Self.longestPauseSeconds, pause * 2)
            } else {
                waiting.removeFirst()
                pause = Self.firstPauseSeconds
            }
        }
        task = nil
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

    /// Trouble is said once, until it is over.
    private func note(_ trouble: String?, _ event: HookEvent) {
        let facts: Logger.Metadata = ["event": "\(event.moment.event.rawValue)", "trip": "\(event.moment.trip.trip)", "id": "\(event.id)"]
        if let trouble {
            log.warning("hook", metadata: facts.merging(["to": "\(receiver.name)", "trouble": "\(trouble)"]) { $1 })
            if !isInTrouble { streams.say("tripwatch: \(receiver.name) \(trouble)\(receiver.repeats ? "; it is tried again." : ".")") }
        } else {
            log.debug("hook", metadata: facts.merging(["to": "\(receiver.name)"]) { $1 })
            if isInTrouble, receiver.repeats { streams.say("tripwatch: \(receiver.name) takes events again.") }
        }
        isInTrouble = trouble != nil
    }

    /// Waits until everything is told, and gives up after a time.
    func finish(within seconds: Double) async {
        if let task {
            isEnding = true
            nap?.cancel()
            let limit = Task {
                guard (try? await time.sleep(seconds: min(seconds, 1))) != nil else { return }
                if seconds > 1 {
                    let count = "\(waiting.count) event\(waiting.count == 1 ? " is" : "s are")"
                    streams.say("tripwatch: \(count) still to be told to \(receiver.name): at most \(Int(seconds)) s.")
                    guard (try? await time.sleep(seconds: seconds - 1)) != nil else { return }
                }
                task.cancel()
            }
            await task.value
            limit.cancel()
        }
        let lost = waiting.count + lostCount
        if lost > 0 { streams.say("tripwatch: \(lost) event\(lost == 1 ? " was" : "s were") not told to \(receiver.name).") }
    }
}
