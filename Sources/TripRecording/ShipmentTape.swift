package import FleetEngine
package import FleetEngineAPI
package import FoundationEssentials
import Synchronization

/// Records one shipment as lines of text. An answer is written after its reader has processed it. The line has the time of the reader's
/// clock.
///
/// The times of the lines never decrease, even if the clock is set back.
package final class ShipmentTape: Sendable {
    private let name: TaskTrackingName
    private let write: @Sendable (String) -> Void
    /// The state of the recording. Lines are composed and written under its lock, so that they keep their order if two threads write.
    private let state = Mutex(State())

    private struct State {
        var answer: WireTaskTrackingInfo?
        var last = Date.distantPast

        mutating func rising(_ time: Date) -> Date {
            last = max(last, time)
            return last
        }
    }

    /// - Parameter write: called with one line at a time, without a line break, and never by two threads at once.
    package init(of name: TaskTrackingName, write: @escaping @Sendable (String) -> Void) {
        self.name = name
        self.write = write
    }

    /// Writes the header.
    /// - Parameter pollIntervalSeconds: time between two polls.
    package func begin(pollIntervalSeconds: Double, at time: Date) {
        state.withLock { write(TripLine.header(tracking: name, at: $0.rising(time), pollIntervalSeconds: pollIntervalSeconds)) }
    }

    /// Keeps an answer until its reader has processed it. Answers about other shipments are ignored.
    package func hear(_ answer: WireTaskTrackingInfo, of name: TaskTrackingName) {
        guard name == self.name else { return }
        state.withLock { $0.answer = answer }
    }

    /// Writes the answer that was kept, because its reader has now processed it.
    package func writeAnswer(at time: Date) {
        state.withLock { state in
            let time = state.rising(time)
            guard let answer = state.answer, let line = TripLine.answer(answer, at: time) else { return }
            state.answer = nil
            write(line)
        }
    }

    /// Records a failed call.
    package func note(_ error: FleetEngineError, retryInSeconds: Double, at time: Date) {
        state.withLock { state in
            state.answer = nil
            write(TripLine.failure(error, retryInSeconds: retryInSeconds, at: state.rising(time)))
        }
    }
}
