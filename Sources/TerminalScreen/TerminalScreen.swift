import CNCurses
import CTerminal
import Dispatch
import Glibc
import Synchronization
public import TerminalCanvas

/// The terminal as a screen: it takes canvases and sends events.
///
/// A separate thread does all the work. Methods may be called from any thread; all but ``open(options:)`` and ``close()`` return at once.
/// From ``open(options:)`` to ``close()`` the terminal shows the screen. The terminal is also restored if the process ends without
/// ``close()``: by `exit`, a signal or a trap. The only exceptions are SIGKILL, and a stack overflow on a thread without a separate stack
/// for signal handlers; see ``protectThread()``.
public final class TerminalScreen: Sendable {
    /// Statistics of the output to the terminal.
    public struct Output: Hashable, Sendable {
        /// The number of bytes written, without the sequences that open and close the screen.
        public var bytes: Int
        /// The number of canvases that changed the screen.
        public var frames: Int
    }

    /// The keys, mouse events, sizes and signals, for a single consumer. The stream ends when the screen is closed. Only the newest 4096
    /// unread events are kept.
    public var events: AsyncStream<ScreenEvent> { mailbox.events }
    /// The colours in use.
    public let colorDepth: ColorDepth
    /// Whether the terminal can show characters beyond ASCII.
    public let isUTF8: Bool
    /// The painter that fits the terminal's type and locale.
    public let painterHint: Painter
    /// The terminfo entry in use.
    public let terminalType: String

    /// The tone of the terminal's background before the screen opened; nil if the terminal was not asked or did not answer.
    public let background: BackgroundTone?

    private let mailbox: ScreenMailbox
    private let options: Options
    private let isInTmux: Bool
    private let takesClipboard: Bool
    private let notices: Options.Notices
    private let showsProgress: Bool

    /// Enters the screen. Sets the signal actions and the locale's character type for the whole process, so no other thread should change
    /// them at the same time.
    ///
    /// - Throws: ``TerminalScreenError`` if the screen cannot be opened. The terminal, if there is one, is then unchanged.
    public static func open(options: Options = Options()) throws(TerminalScreenError) -> TerminalScreen {
        guard let mailbox = ScreenMailbox(size: Size(columns: 80, rows: 24)) else { throw .system("eventfd", errno) }
        let opening = Opening()
        cterminal_make_signal_stack()
        let isStarted = startThread(named: "screen") {
            do throws(TerminalScreenError) {
                let loop = try ScreenLoop(options: options, mailbox: mailbox)
                opening.finish(.success((loop.profile, loop.background)))
                loop.run()
            } catch {
                mailbox.finish(heldError: "")
                opening.finish(.failure(error))
            }
        }
        guard isStarted else { throw .system("pthread_create", errno) }
        let (profile, background) = try opening.wait().get()
        return TerminalScreen(mailbox: mailbox, options: options, profile: profile, background: background)
    }

    private init(mailbox: ScreenMailbox, options: Options, profile: TerminalProfile, background: BackgroundTone?) {
        self.background = background
        self.mailbox = mailbox
        self.options = options
        colorDepth = profile.colorDepth
        isUTF8 = profile.isUTF8
        painterHint = profile.painterHint
        terminalType = profile.type
        let environment = TerminalEnvironment.current()
        isInTmux = environment.isInTmux
        notices = options.notices == .fitting ? environment.notices(profile) : options.notices
        showsProgress = options.showsProgress && profile.isXtermLike && environment.takesProgress
        takesClipboard = options.allowsClipboard && profile.isXtermLike
    }

    deinit {
        mailbox.send { $0.wantsClose = true }
    }

    // MARK: Output

    /// The current size of the screen, at least one cell.
    public var size: Size { mailbox.size }

    /// Statistics of the output so far.
    public var output: Output { mailbox.output }

    /// Shows a canvas by writing only the differences from the last canvas. If canvases arrive faster than the terminal accepts them, only
    /// the newest is drawn. Nothing is written for an unchanged canvas.
    ///
    /// - Parameter title: the window's title; control characters are removed. `nil` keeps the current title.
    public func present(_ canvas: Canvas, title: String? = nil) {
        mailbox.send { delivery in
            delivery.canvas = canvas
            if let title { delivery.title = title }
        }
    }

    /// Draws every cell of the newest canvas again, for instance after another program has written to the terminal.
    public func redraw() {
        mailbox.request(.redraw)
    }

    /// Rings the bell. tmux and many window managers then mark the window.
    public func ring() {
        mailbox.request(.write(ControlStrings.bell))
    }

    /// Asks the terminal for a desktop notice. The bell rings instead if ``Options/notices`` is off, or if the terminal does not support
    /// notices.
    ///
    /// - Parameter rings: whether the bell rings too. Inside tmux, which may silently drop the notice, the bell always rings.
    public func notify(_ text: String, rings: Bool = true) {
        let notice = ControlStrings.notice(text, form: notices, isInTmux: isInTmux, isUTF8: isUTF8)
        mailbox.request(.write(notice + (rings || isInTmux || notice.isEmpty ? ControlStrings.bell : [])))
    }

    /// Shows progress in the terminal's tab or the taskbar (`OSC 9 ; 4`), until the screen is left. Does nothing if
    /// ``Options/showsProgress`` is off, or if the terminal would print the sequence or show it as a notice.
    ///
    /// - Parameters:
    ///   - percent: the progress, 0 ... 100; nil removes the progress bar.
    ///   - isPaused: whether the progress is shown as paused.
    public func showProgress(percent: Int?, isPaused: Bool = false) {
        if showsProgress { mailbox.request(.write(ControlStrings.progress(percent: percent, isPaused: isPaused, isInTmux: isInTmux))) }
    }

    /// Puts text on the terminal's clipboard, also over ssh. The terminal does not report whether it accepted the text.
    ///
    /// - Returns: whether the text was sent. False if ``Options/allowsClipboard`` is off, if the terminal is a console that would print
    ///   the sequence, such as `linux`, or if the text is longer than 74,994 bytes.
    @discardableResult
    public func copyToClipboard(_ text: String) -> Bool {
        guard takesClipboard, let bytes = ControlStrings.clipboard(text, isInTmux: isInTmux) else { return false }
        mailbox.request(.write(bytes))
        return true
    }

    // MARK: Life cycle

    /// Leaves the screen and stops the process group, as Ctrl-Z does. The bell rings instead if no shell could continue the process group.
    public func suspend() {
        mailbox.request(.suspend)
    }

    /// Restores the terminal and ends the events. May be called more than once; every call returns after the terminal is restored.
    ///
    /// - Returns: the last 64 KiB written to standard error while the screen was open, for the caller to print. Only the first call gets
    ///   this text; later calls get an empty text.
    public func close() async -> String {
        await mailbox.close()
    }

    /// Ends the process by a signal's default action, so that its parent sees the true cause. Restores the terminal first if necessary.
    public static func endProcess(bySignal number: Int32) -> Never {
        cterminal_die(number)
    }

    /// Gives the calling thread a separate stack for signal handlers, so that the terminal is restored even after an overflow of the
    /// thread's own stack. The screen's thread and the thread that calls ``open(options:)`` get such a stack automatically.
    public static func protectThread() {
        cterminal_make_signal_stack()
    }

    /// Makes a crash or SIGQUIT end the process at once, with its signal. Swift's backtracer would wait for a key on a terminal,
    /// so it is disabled unless the variable SWIFT_BACKTRACE is set. Call this before any other function.
    public static func leaveOutCrashReports() {
        if getenv("SWIFT_BACKTRACE").map({ $0.pointee == 0 }) ?? true { cterminal_forget_crash_reports() }
    }

    /// The version of ncurses in use, such as "6.4.20221231".
    public static var libraryVersion: String {
        String(cString: cncurses_version())
    }
}

/// The result of opening a screen. ``TerminalScreen/open(options:)`` waits for it until the thread has entered the screen.
private final class Opening: Sendable {
    typealias Outcome = Result<(TerminalProfile, BackgroundTone?), TerminalScreenError>

    private let outcome = Mutex<Outcome?>(nil)
    private let isFinished = DispatchSemaphore(value: 0)

    func finish(_ outcome: Outcome) {
        self.outcome.withLock { $0 = outcome }
        isFinished.signal()
    }

    func wait() -> Outcome {
        isFinished.wait()
        return outcome.withLock { $0 } ?? .failure(.notATerminal)
    }
}
