import CNCurses
import CTerminal
import Dispatch
import Glibc
import Synchronization
public import TerminalCanvas

/// The terminal as a screen: canvases in, events out.
///
/// A thread of its own does all the work; every method here returns at once and may be called from anywhere. From ``open(options:)`` to
/// ``close()`` the terminal shows the screen. It is given back as it was however the process ends: ``close()``, `exit`, a signal, a
/// trap. Only SIGKILL leaves it broken, and a stack overflow on a thread that did not call ``protectThread()``.
public final class TerminalScreen: Sendable {
    /// What was written to the terminal so far.
    public struct Output: Hashable, Sendable {
        /// Everything but what enters and leaves the screen.
        public var bytes: Int
        /// Canvases that made a difference.
        public var frames: Int
    }

    /// Keys, mouse, sizes and signals. For one consumer; ends when the screen is closed. Of what nobody takes the newest 4096 are kept.
    public var events: AsyncStream<ScreenEvent> { mailbox.events }
    /// The colours that are used.
    public let colorDepth: ColorDepth
    /// Whether characters beyond ASCII can be shown.
    public let isUTF8: Bool
    /// The painter that suits the terminal's type and locale.
    public let painterHint: Painter
    /// The terminfo entry in use.
    public let terminalType: String

    /// How the terminal's background looked before the screen opened; nil where it was not asked or has not said.
    public let background: BackgroundTone?

    private let mailbox: ScreenMailbox
    private let options: Options
    private let isInTmux: Bool
    private let takesClipboard: Bool
    private let notices: Options.Notices
    private let showsProgress: Bool

    /// Enters the screen. Sets the locale's character type and the actions of signals for the whole process, so no other thread should be doing
    /// that at the same time.
    ///
    /// - Throws: ``TerminalScreenError`` when there is no terminal that can be drawn on. It is as it was then.
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

    /// The screen's size now, at least one cell.
    public var size: Size { mailbox.size }

    /// What was written to the terminal so far.
    public var output: Output { mailbox.output }

    /// Shows a canvas, as differences to the one before. Of canvases that come faster than the terminal takes them only the newest is drawn.
    /// One that is the same as before writes nothing.
    ///
    /// - Parameter title: the window's title, without its control characters; `nil` leaves it as it is.
    public func present(_ canvas: Canvas, title: String? = nil) {
        mailbox.send { delivery in
            delivery.canvas = canvas
            if let title { delivery.title = title }
        }
    }

    /// Draws every cell of the newest canvas again, whatever the terminal shows: another program may have written to it.
    public func redraw() {
        mailbox.request(.redraw)
    }

    /// Rings the bell, which tmux and many window managers show as a mark.
    public func ring() {
        mailbox.request(.write(ControlStrings.bell))
    }

    /// Asks the terminal for a desktop notice. Where ``Options/notices`` is off, or the terminal takes none, the bell rings in its place.
    ///
    /// - Parameter rings: whether the bell rings too. Inside tmux, which may drop the notice in silence, it always does.
    public func notify(_ text: String, rings: Bool = true) {
        let notice = ControlStrings.notice(text, form: notices, isInTmux: isInTmux, isUTF8: isUTF8)
        mailbox.request(.write(notice + (rings || isInTmux || notice.isEmpty ? ControlStrings.bell : [])))
    }

    /// Shows in the terminal's tab or the taskbar how much is done (`OSC 9 ; 4`). Taken back when the screen is left. Does nothing where
    /// ``Options/showsProgress`` is off, and on consoles that would print it.
    ///
    /// - Parameters:
    ///   - percent: 0 ... 100; nil for nothing.
    ///   - isPaused: whether nothing goes on.
    public func showProgress(percent: Int?, isPaused: Bool = false) {
        if showsProgress { mailbox.request(.write(ControlStrings.progress(percent: percent, isPaused: isPaused, isInTmux: isInTmux))) }
    }

    /// Puts a text on the clipboard of the terminal, over ssh too. Whether the terminal allows it cannot be known.
    ///
    /// - Returns: whether it was sent: false where ``Options/allowsClipboard`` is off, on consoles that would print it, such as `linux`, and for
    ///   texts above 74,994 bytes.
    @discardableResult
    public func copyToClipboard(_ text: String) -> Bool {
        guard takesClipboard, let bytes = ControlStrings.clipboard(text, isInTmux: isInTmux) else { return false }
        mailbox.request(.write(bytes))
        return true
    }

    // MARK: Life cycle

    /// Leaves the screen and stops the process group, as Ctrl-Z does. Where no shell could continue it, the bell rings instead.
    public func suspend() {
        mailbox.request(.suspend)
    }

    /// Gives the terminal back and ends the events. May be called more than once; each call returns when the terminal is itself again.
    ///
    /// - Returns: what was written to standard error meanwhile, the last 64 KiB of it, to be printed now; for the first call only.
    public func close() async -> String {
        await mailbox.close()
    }

    /// Ends the process by a signal's default action, so that its parent sees the true cause. Restores the terminal if that has not been done.
    public static func endProcess(bySignal number: Int32) -> Never {
        cterminal_die(number)
    }

    /// Gives the calling thread a stack for signal handlers, so that even an overflow of its own stack lets the terminal be restored. The
    /// screen's thread and the one that calls ``open(options:)`` have one.
    public static func protectThread() {
        cterminal_make_signal_stack()
    }

    /// Lets a crash end the process at once, by its signal: Swift's backtracer, which waits on a terminal for somebody to press a key, is left out
    /// unless the variable SWIFT_BACKTRACE is set. To be called first of all.
    public static func leaveOutCrashReports() {
        if getenv("SWIFT_BACKTRACE").map({ $0.pointee == 0 }) ?? true { cterminal_forget_crash_reports() }
    }

    /// The version of ncurses in use, such as "6.4.20221231".
    public static var libraryVersion: String {
        String(cString: cncurses_version())
    }
}

/// Lets ``TerminalScreen/open(options:)`` wait for the thread to have entered the screen.
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
