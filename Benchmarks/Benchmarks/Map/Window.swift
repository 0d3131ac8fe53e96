import Foundation
import Synchronization
import TerminalCanvas
import TerminalScreen

/// A screen of this process on a pseudo-terminal. Its output is read immediately.
final class Window {
    private let screen: TerminalScreen
    private let slave: Int32
    private let drain: Drain
    /// The number of bytes that were written when the screen opened. The screen does not count them.
    private let entryBytes: Int

    init(size: Size) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        var window = winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&master, &slave, nil, nil, &window) == 0, ttyname_r(slave, &name, name.count) == 0 else {
            throw POSIXError(.ENOTTY)
        }
        let drain = Drain(terminal: master)
        var options = TerminalScreen.Options()
        options.device = .path(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        options.terminalType = "xterm-256color"
        options.colorDepth = .palette256
        options.forceUTF8 = true
        (self.slave, self.drain) = (slave, drain)
        screen = try TerminalScreen.open(options: options)
        // The screen has written its first output long before this pause is over.
        Thread.sleep(forTimeInterval: 0.3)
        entryBytes = drain.seen.byteCount - screen.output.bytes
    }

    /// The number of bytes written so far.
    var byteCount: Int { screen.output.bytes }

    /// Shows a canvas. Returns when the terminal has received the whole frame, or after 50 ms if the canvas has not changed.
    func show(_ canvas: Canvas) {
        let before = screen.output.frames
        screen.present(canvas)
        let patience = ContinuousClock.now + .milliseconds(50)
        while true {
            let (output, seen) = (screen.output, drain.seen)
            if output.frames > before, seen.byteCount == entryBytes + output.bytes, seen.openFrames == 0 { return }
            if output.frames == before, ContinuousClock.now > patience { return }
            sched_yield()
        }
    }

    func close() async {
        _ = await screen.close()
        Foundation.close(slave)
    }
}

/// Reads all output of a terminal.
private final class Drain: Sendable {
    struct Seen {
        var byteCount = 0
        /// The number of large frames whose end has not been read yet. A large frame starts and ends with a synchronised-output
        /// sequence.
        var openFrames = 0
    }

    private let state = Mutex(Seen())
    var seen: Seen { state.withLock { $0 } }

    init(terminal: Int32) {
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            var tail: [UInt8] = []
            while case let count = read(terminal, &buffer, buffer.count), count > 0 {
                let text = tail + buffer.prefix(count)
                let begun = Self.count("\u{1b}[?2026h", in: text) - Self.count("\u{1b}[?2026h", in: tail)
                let ended = Self.count("\u{1b}[?2026l", in: text) - Self.count("\u{1b}[?2026l", in: tail)
                tail = Array(text.suffix(7))
                state.withLock {
                    $0.byteCount += count
                    $0.openFrames += begun - ended
                }
            }
            close(terminal)
        }
    }

    private static func count(_ mark: String, in bytes: [UInt8]) -> Int {
        var count = 0
        var rest = bytes[...]
        while let index = rest.firstIndex(of: 0x1b) {
            rest = rest[index...]
            if rest.starts(with: mark.utf8) { count += 1 }
            rest = rest.dropFirst()
        }
        return count
    }
}
