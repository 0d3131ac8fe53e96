import Synchronization

/// What a screen tells, in order, for one consumer. It ends when the screen is closed or the task is cancelled.
///
/// Whoever waits goes on where it waited: an actor is woken by an event, and no thread beside it, as an `AsyncStream` would.
public struct ScreenEvents: AsyncSequence, Sendable {
    public typealias Element = ScreenEvent
    public typealias Failure = Never

    public struct AsyncIterator: AsyncIteratorProtocol {
        let queue: ScreenEventQueue

        public mutating func next() async -> ScreenEvent? { await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> ScreenEvent? { await queue.next(isolation: actor) }
    }

    let queue: ScreenEventQueue

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: queue) }
}

/// Events on their way from the screen's thread to the program.
final class ScreenEventQueue: Sendable {
    /// A program that takes no events must not fill the memory; the newest are what counts when it comes back.
    private static let capacity = 4_096

    private struct Contents {
        var events: [ScreenEvent] = []
        var isFinished = false
        var waiter: CheckedContinuation<ScreenEvent?, Never>?
    }

    private let contents = Mutex(Contents())

    func append(_ event: ScreenEvent) {
        let waiter = contents.withLock { contents -> CheckedContinuation<ScreenEvent?, Never>? in
            if let waiter = contents.waiter {
                contents.waiter = nil
                return waiter
            }
            if contents.events.count == Self.capacity { contents.events.removeFirst() }
            contents.events.append(event)
            return nil
        }
        waiter?.resume(returning: event)
    }

    /// No events come any more.
    func finish() {
        contents.withLock { $0.isFinished = true }
        release()
    }

    func next(isolation actor: isolated (any Actor)?) async -> ScreenEvent? {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: actor) { continuation in
                    switch self.answer(orKeep: continuation) {
                    case .event(let event): continuation.resume(returning: event)
                    case .end: continuation.resume(returning: nil)
                    case .later: break
                    }
                }
            }, onCancel: { release() }, isolation: actor)
    }

    private enum Answer {
        case event(ScreenEvent)
        case end
        case later
    }

    /// What can be told at once; else the one who waits is kept.
    private func answer(orKeep waiter: CheckedContinuation<ScreenEvent?, Never>) -> Answer {
        contents.withLock { contents in
            if !contents.events.isEmpty { return .event(contents.events.removeFirst()) }
            if contents.isFinished || Task.isCancelled { return .end }
            contents.waiter = waiter
            return .later
        }
    }

    /// Lets whoever waits go without an event.
    private func release() {
        let waiter = contents.withLock { contents in
            defer { contents.waiter = nil }
            return contents.waiter
        }
        waiter?.resume(returning: nil)
    }
}
