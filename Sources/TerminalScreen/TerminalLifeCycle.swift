import CNCurses
import CTerminal
import Glibc
import TerminalCanvas

/// Makes every change to the terminal and reverses it: entering and leaving the screen, stopping and continuing, and restoring the terminal
/// after a crash. Each mode is stored with the sequence that switches it off, so that no mode stays on.
///
/// Only the screen's thread uses it, except for its static members.
final class TerminalLifeCycle {
    enum State {
        /// The program's screen is on the terminal.
        case entered
        /// The program left the screen before it was stopped, or it runs in the background.
        case left
        /// The program was stopped without leaving the screen. Its last frame is still on the screen, but the terminal belongs to the
        /// shell.
        case abandoned
        /// The terminal is restored permanently.
        case ended
    }

    let terminal: Int32
    let wake: Int32
    private(set) var state = State.left
    private let mayHoldError: Bool
    private var holdsError = false
    private var enterBytes: [UInt8] = []
    private var leaveBytes: [UInt8] = []

    // MARK: Opening

    /// Opens the terminal and takes over signals, without entering the screen. If the process is in the background, it first stops until it
    /// is moved to the foreground. If no shell could continue it, throws `inBackground` instead.
    init(options: TerminalScreen.Options, wake: Int32) throws(TerminalScreenError) {
        let terminal =
            switch options.device {
            case .controllingTerminal: cterminal_open(nil)
            case .path(let path): cterminal_open(path)
            }
        guard terminal >= 0 else { throw .notATerminal }
        // The line settings are saved only in the foreground; in the background, the shell's prompt has changed them.
        guard cterminal_await_foreground(terminal) else {
            cterminal_close(terminal)
            throw .inBackground
        }
        guard cterminal_guard(terminal, wake) else {
            cterminal_close(terminal)
            throw .alreadyOpen
        }
        guard cterminal_save_settings(terminal) else {
            cterminal_unguard()
            cterminal_close(terminal)
            throw .notATerminal
        }
        self.terminal = terminal
        self.wake = wake
        mayHoldError = options.holdsStandardError
    }

    /// Computes the sequences that enter and leave the screen. ncurses must be open.
    func prepare(profile: TerminalProfile, options: TerminalScreen.Options, size: Size) {
        let modes = TerminalLifeCycle.modes(profile: profile, options: options)
        enterBytes = modes.flatMap(\.on)
        leaveBytes = TerminalLifeCycle.reset(profile: profile, size: size) + modes.reversed().flatMap(\.off)
        if state == .entered { arm() }
    }

    /// A mode of the terminal: the sequences that switch it on and off.
    private struct Mode {
        var on: [UInt8]
        var off: [UInt8]

        init(_ on: String, _ off: String) {
            self.on = Array(on.utf8)
            self.off = Array(off.utf8)
        }

        /// Reads a pair of terminfo capabilities. Both are empty unless the terminal has both.
        init(capability on: String, _ off: String) {
            self.on = string(on)
            self.off = string(off)
            if self.on.isEmpty || self.off.isEmpty { (self.on, self.off) = ([], []) }
        }
    }

    private static func modes(profile: TerminalProfile, options: TerminalScreen.Options) -> [Mode] {
        var modes: [Mode] = []
        // The first sequence saves the title on xterm's stack, and the second restores it.
        if profile.isXtermLike, options.setsTitle { modes.append(Mode("\u{1b}[22;2t", "\u{1b}[23;2t")) }
        modes.append(Mode(capability: "smcup", "rmcup"))
        modes.append(Mode(capability: "smkx", "rmkx"))
        modes.append(Mode(capability: "civis", "cnorm"))
        guard profile.isXtermLike else { return modes }
        // A crashed program may have left the kitty protocol or xterm's modifyOtherKeys on, so both are reset. Some terminals read the
        // sequence that resets modifyOtherKeys as text attributes, which `ESC [ m` resets.
        modes.append(Mode("\u{1b}[>0u", "\u{1b}[<u"))
        modes.append(Mode("\u{1b}[>4;0m", "\u{1b}[>4m\u{1b}[m"))
        // These modes are bracketed paste and focus reports.
        modes.append(Mode("\u{1b}[?2004h", "\u{1b}[?2004l"))
        modes.append(Mode("\u{1b}[?1004h", "\u{1b}[?1004l"))
        if profile.asks(options) { modes.append(Mode(TerminalQuestion.beginNews, TerminalQuestion.endNews)) }
        let environment = TerminalEnvironment.current()
        if options.showsProgress, environment.takesProgress {
            let end = ControlStrings.progress(percent: nil, isPaused: false, isInTmux: environment.isInTmux)
            modes.append(Mode("", String(decoding: end, as: UTF8.self)))
        }
        // These modes report clicks, and motion while a button is held, with coordinates as numbers.
        if options.mouse { modes.append(Mode("\u{1b}[?1000h\u{1b}[?1002h\u{1b}[?1006h", "\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?1000l")) }
        return modes
    }

    /// Returns the bytes that undo a frame that was cut off at any point. If the terminal has no alternate screen, the cursor moves to the
    /// last row, which is cleared for the shell.
    private static func reset(profile: TerminalProfile, size: Size) -> [UInt8] {
        // The string terminator ends any unfinished sequence.
        var bytes: [UInt8] = [0x1b, 0x5c]
        if profile.isXtermLike { bytes += ControlStrings.endSynchronized }
        bytes += string("sgr0") + string("op")
        if !cncurses_has_string("smcup") { bytes += cursorAddress(row: size.rows - 1) + string("el") }
        return bytes
    }

    static func string(_ name: String) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
            count = cncurses_string(name, buffer.baseAddress, buffer.count)
        }
    }

    private static func cursorAddress(row: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
            count = cncurses_cursor_address(Int32(clamping: row), 0, buffer.baseAddress, buffer.count)
        }
    }

    // MARK: Entering and leaving

    /// The size that the terminal's driver reports.
    var size: Size? {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard cterminal_window_size(terminal, &columns, &rows) else { return nil }
        return Size(columns: Int(columns), rows: Int(rows)).clampedToScreen()
    }

    /// Enters the screen. From now on, the terminal is also restored if the process crashes. Returns false if the terminal is gone.
    func enter() -> Bool {
        state = .entered
        arm()
        if mayHoldError, !holdsError { holdsError = cterminal_hold_error() }
        return cterminal_set_raw(terminal) && write(enterBytes)
    }

    /// Sends a question and reads the input until `isEnough` returns true, the time is up or a signal arrives. Afterwards the
    /// terminal keeps the line settings of the screen. If the process ends during the call, the old settings are restored.
    ///
    /// - Parameter isEnough: called with each piece of the input, including keys; returns whether no more input is needed.
    func ask(_ question: [UInt8], within time: Duration, isEnough: (ArraySlice<UInt8>) -> Bool) {
        // If the process ends now, only an unfinished sequence needs to be undone.
        let end: [UInt8] = [0x1b, 0x5c]
        _ = end.withUnsafeBufferPointer { cterminal_arm($0.baseAddress, $0.count) }
        let deadline = ContinuousClock.now + time
        guard cterminal_set_raw(terminal), write(question) else { return }
        listen(until: deadline, isEnough)
    }

    /// Passes the input to `isEnough` until it returns true, the time is up or a signal arrives.
    private func listen(until deadline: ContinuousClock.Instant, _ isEnough: (ArraySlice<UInt8>) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while true {
            let left = (deadline - .now).components
            guard left.seconds == 0, left.attoseconds > 0 else { return }
            var descriptors = [
                pollfd(fd: terminal, events: Int16(POLLIN), revents: 0), pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&descriptors, nfds_t(descriptors.count), Int32(left.attoseconds / 1_000_000_000_000_000 + 1))
            guard count > 0, descriptors[1].revents == 0 else { return }
            let length = read(terminal, &buffer, buffer.count)
            // The screen's loop handles the loss of the terminal.
            guard length > 0, !isEnough(buffer[..<length]) else { return }
        }
    }

    /// Restores the terminal after a question that was asked without opening a screen.
    func endAsking() {
        cterminal_restore_settings(terminal)
        cterminal_disarm()
        _ = end()
    }

    private func arm() {
        _ = leaveBytes.withUnsafeBufferPointer { cterminal_arm($0.baseAddress, $0.count) }
    }

    /// Restores the terminal from any state.
    ///
    /// - Parameters:
    ///   - isDone: whether the program no longer needs the terminal. If so, unread input is dropped, because it was typed for this
    ///     program and not for the next one.
    ///   - isLast: returns whether these bytes contain the last answer of the terminal; nil if no answers are expected.
    private func leave(isDone: Bool = true, isLast: ((ArraySlice<UInt8>) -> Bool)? = nil) {
        if !write(leaveBytes) {
            // The terminal accepts no output, so the bytes that it has not shown yet are dropped.
            cterminal_discard_output(terminal)
            _ = write(leaveBytes)
        }
        // Waits for late answers, because the shell would read them as typed input.
        if let isLast { listen(until: .now + TerminalQuestion.endPatience, isLast) }
        if isDone { cterminal_discard_input(terminal) }
        cterminal_restore_settings(terminal)
        cterminal_disarm()
    }

    /// Writes all bytes. If the terminal accepts no bytes, the function waits up to half a second and tries again. It returns false if the
    /// terminal is not ready after this time, or if another error occurs.
    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { cterminal_write(terminal, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                var room = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
                guard poll(&room, 1, 500) > 0 || errno == EINTR else { return false }
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    // MARK: Stopping and continuing

    /// Leaves the screen and stops the process group, as Ctrl-Z does. Does nothing and returns false if the screen is not entered, or if no
    /// shell could continue the process group.
    func suspend() -> Bool {
        guard state == .entered, cterminal_can_stop() else { return false }
        leave()
        state = .left
        cterminal_stop()
        return true
    }

    /// Whether the program, and not the shell, may draw on the terminal.
    var isForeground: Bool { cterminal_is_foreground(terminal) }

    /// Stops the process group after it was continued in the background. Does nothing if no shell could continue it again.
    func stopInBackground() {
        if cterminal_can_stop() { cterminal_stop_in_background() }
    }

    /// Marks the screen's contents as unknown, after the process was continued in the background.
    func abandon() {
        if state == .entered { state = .abandoned }
    }

    /// Takes over the screen again after the process was continued in the foreground. Returns true if everything must be painted again.
    func resume() -> Bool {
        switch state {
        case .ended: return false
        case .left: cterminal_save_settings(terminal)
        // The program was stopped without leaving the screen. All modes are on, and the shell may have changed some, so all are switched
        // off and on again.
        case .entered, .abandoned: leave(isDone: false)
        }
        return enter()
    }

    // MARK: Ending

    /// Restores the terminal and returns the text that was held back from standard error. Further calls do nothing.
    ///
    /// - Parameter isLast: returns whether these bytes contain the last answer of the terminal; nil if no answers are expected.
    func end(isLast: ((ArraySlice<UInt8>) -> Bool)? = nil) -> String {
        guard state != .ended else { return "" }
        if state == .entered { leave(isLast: isLast) }
        state = .ended
        cncurses_close()
        cterminal_unguard()
        let held = holdsError ? TerminalLifeCycle.heldError() : ""
        if holdsError { cterminal_release_error() }
        cterminal_close(terminal)
        return held
    }

    /// The last 64 KiB of the text that was held back from standard error.
    private static func heldError() -> String {
        let size = cterminal_held_size()
        let shown = min(size, 65_536)
        guard shown > 0 else { return "" }
        let bytes = [UInt8](unsafeUninitializedCapacity: shown) { buffer, count in
            count = cterminal_read_held(size - shown, buffer.baseAddress, shown)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Drops the text held back from standard error if it has grown too large.
    func limitHeldError() {
        if holdsError, cterminal_held_size() > 1 << 20 { cterminal_forget_held() }
    }

    /// Restores the terminal and ends the process with a signal, so that its parent sees the cause.
    func die(bySignal number: Int32) -> Never {
        if state == .entered { leave() }
        cterminal_die(number)
    }
}
