import CTerminal
import Synchronization
import TerminalCanvas

/// The data exchanged between the program and the screen's thread.
final class ScreenMailbox: Sendable {
    /// A task that the thread performs between frames.
    enum Request: Sendable {
        case write([UInt8])
        case suspend
        case redraw
    }

    /// The data that has been sent since the thread last collected any.
    struct Delivery: Sendable {
        var canvas: Canvas?
        var title: String?
        var requests: [Request] = []
        var wantsClose = false
    }

    private struct Contents {
        var delivery = Delivery()
        var size: Size
        var bytesWritten = 0
        var framesWritten = 0
        var isWoken = false
        var isClosed = false
        var closing: [CheckedContinuation<String, Never>] = []
        /// The text that was held back from standard error, until a caller takes it.
        var heldError = ""
    }

    /// The largest number of waiting requests. Further requests of any kind are dropped. In practice, only bells and notices reach this
    /// number, and dropping some of them between two frames does no harm.
    private static let mostRequests = 64

    /// The eventfd that the thread waits on.
    let wake: Int32
    let events: AsyncStream<ScreenEvent>
    private let continuation: AsyncStream<ScreenEvent>.Continuation
    private let contents: Mutex<Contents>

    init?(size: Size) {
        wake = cterminal_wake_descriptor()
        guard wake >= 0 else { return nil }
        // The number of unread events is limited, so that they cannot exhaust memory. The newest are kept, because old events no longer
        // matter.
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4_096))
        contents = Mutex(Contents(size: size))
    }

    // MARK: The program's side

    /// Sends data and wakes the thread. If more data is sent before the thread collects it, the thread is not woken again. Returns false if
    /// the screen is closed.
    @discardableResult
    func send(_ change: (inout Delivery) -> Void) -> Bool {
        contents.withLock { contents in
            guard !contents.isClosed else { return false }
            change(&contents.delivery)
            wakeThread(&contents)
            return true
        }
    }

    func request(_ request: Request) {
        send { if $0.requests.count < ScreenMailbox.mostRequests { $0.requests.append(request) } }
    }

    private func wakeThread(_ contents: inout Contents) {
        guard !contents.isWoken else { return }
        contents.isWoken = true
        cterminal_wake(wake)
    }

    /// Asks the thread to close the screen and waits until the terminal is restored. The first caller gets the text that was held back from
    /// standard error.
    func close() async -> String {
        await withCheckedContinuation { continuation in
            let held: String? = contents.withLock { contents in
                guard contents.isClosed else {
                    contents.delivery.wantsClose = true
                    contents.closing.append(continuation)
                    wakeThread(&contents)
                    return nil
                }
                defer { contents.heldError = "" }
                return contents.heldError
            }
            if let held { continuation.resume(returning: held) }
        }
    }

    var size: Size { contents.withLock { $0.size } }

    var output: TerminalScreen.Output {
        contents.withLock { TerminalScreen.Output(bytes: $0.bytesWritten, frames: $0.framesWritten) }
    }

    // MARK: The thread's side

    /// Returns the data sent since the last call. The thread must drain ``wake`` before the call.
    func collect() -> Delivery {
        contents.withLock { contents in
            contents.isWoken = false
            defer { contents.delivery = Delivery() }
            return contents.delivery
        }
    }

    func tell(_ event: ScreenEvent) {
        continuation.yield(event)
    }

    func setSize(_ size: Size) {
        contents.withLock { $0.size = size }
    }

    func countOutput(bytes: Int, frames: Int) {
        contents.withLock { contents in
            contents.bytesWritten = bytes
            contents.framesWritten = frames
        }
    }

    /// Ends the stream of events and resumes all waiting callers. The thread calls it when the terminal is restored, and must not use the
    /// mailbox afterwards.
    func finish(heldError: String) {
        let waiting = contents.withLock { contents in
            contents.isClosed = true
            contents.delivery = Delivery()
            if contents.closing.isEmpty { contents.heldError = heldError }
            defer { contents.closing = [] }
            return contents.closing
        }
        continuation.finish()
        for (index, waiter) in waiting.enumerated() { waiter.resume(returning: index == 0 ? heldError : "") }
    }
}
