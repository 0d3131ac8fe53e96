import DequeModule
import Dispatch
import FleetEngine
import FoundationEssentials
import Navigation
import Synchronization

/// A queue of fixes between a reading thread and the driver. If the queue is full, the thread waits until the driver takes a fix.
final class FixFeed: Sendable {
    private static let mostEntries = 4_096

    private struct State {
        var entries: Deque<StreamTiming.Entry> = []
        var ending: LocationSourceError?
        /// A number that increases with each change of the queue.
        var revision = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let places = DispatchSemaphore(value: 0)

    init() {
        // A semaphore must not be deallocated while its value is below its initial value, so it is created with 0 and raised here.
        for _ in 0..<Self.mostEntries { places.signal() }
    }

    /// Adds fixes. If the outcome ends a recording, the recorded fixes that still wait are dropped first. Only the reading thread calls
    /// this method.
    func put(_ outcome: StreamTiming.Outcome) {
        if outcome.endsRecording {
            change { state in
                let waiting = state.entries.count { $0.due != nil }
                state.entries.removeAll { $0.due != nil }
                for _ in 0..<waiting { places.signal() }
            }
        }
        for entry in outcome.entries {
            places.wait()
            change { $0.entries.append(entry) }
        }
    }

    /// Ends the queue. If it has ended before, the first reason is kept.
    func finish(_ reason: LocationSourceError) { change { $0.ending = $0.ending ?? reason } }

    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state in
            body(&state)
            state.revision &+= 1
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits for the next fix; see `LocationSource.nextFix(until:)`.
    func next(until deadline: Date, _ time: any TimeSource) async throws -> LocationFix? {
        while true {
            try Task.checkCancellation()
            let now = time.now()
            let look = try state.withLock { state -> Look in
                guard let next = state.entries.first else {
                    if let ending = state.ending { throw ending }
                    return .nothing(until: deadline, revision: state.revision)
                }
                if let due = next.due, due > now { return .nothing(until: min(due, deadline), revision: state.revision) }
                state.entries.removeFirst()
                return .fix(next.fix)
            }
            switch look {
            case .fix(let fix):
                places.signal()
                return fix
            case .nothing(let date, let revision):
                guard now < deadline else { return nil }
                await news(after: revision, until: date, time)
            }
        }
    }

    private enum Look {
        case fix(LocationFix)
        case nothing(until: Date, revision: Int)
    }

    private func news(after revision: Int, until date: Date, _ time: any TimeSource) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await time.sleep(until: date) }
            group.addTask { await self.news(after: revision) }
            await group.next()
            group.cancelAll()
        }
    }

    private func news(after revision: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    guard state.revision == revision, !Task.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isLate { continuation.resume() }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }?.resume()
        }
    }
}
