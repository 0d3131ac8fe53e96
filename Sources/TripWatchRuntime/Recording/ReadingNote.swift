import ProgramSurroundings
import Synchronization

/// Says after a second that a long recording is being read. The line is shown only if standard error is a terminal.
final class ReadingNote: Sendable {
    private enum State { case waiting, shown, ended }

    private let state = Mutex(State.waiting)
    private let streams: StandardStreams

    /// Begins to wait.
    /// - Parameter path: the path of the recording.
    init(_ path: String, _ streams: StandardStreams) {
        self.streams = streams
        guard streams.isErrorTerminal else { return }
        Task.detached { [weak self] in
            try? await Task.sleep(for: .seconds(1))
            self?.show("tripwatch: reading \(printable(path)) …")
        }
    }

    private func show(_ words: String) {
        state.withLock {
            guard $0 == .waiting else { return }
            $0 = .shown
            streams.noteInPlace(words)
        }
    }

    /// Removes the line. It is not shown again.
    func end() {
        state.withLock {
            if $0 == .shown { streams.noteInPlace("") }
            $0 = .ended
        }
    }
}
