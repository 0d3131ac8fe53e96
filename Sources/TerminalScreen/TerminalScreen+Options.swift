public import TerminalCanvas

extension TerminalScreen {
    /// The options of a screen.
    public struct Options: Sendable {
        /// The terminal to open.
        public enum Device: Sendable, Hashable {
            /// The controlling terminal. If the process has none, the terminal that a standard stream is connected to. Standard input and
            /// output may be pipes.
            case controllingTerminal
            /// A terminal that is given by its path.
            case path(String)
        }

        /// The escape sequence for a desktop notice.
        public enum Notices: String, Sendable, CaseIterable {
            /// No notices.
            case off
            /// `OSC 9 ; text`, for iTerm2, WezTerm, Ghostty, kitty and Windows Terminal.
            case osc9
            /// `OSC 777 ; notify ; title ; text`, for foot, Ghostty, kitty, WezTerm, Konsole and urxvt.
            case osc777
            /// `OSC 99 ; ; text`, for kitty.
            case osc99
            /// The sequence that the terminal probably supports. Consoles that would print it get the bell.
            case fitting
        }

        /// The condition under which a terminal is asked for its background colour before the screen opens.
        public enum BackgroundQuestion: Sendable, Hashable {
            /// The terminal is not asked.
            case never
            /// The terminal is asked only if its type understands the question, and if the colours in use depend on the answer.
            case whereUseful
            /// A terminal of any type is asked.
            case always
        }

        /// The terminal to open.
        public var device = Device.controllingTerminal
        /// The name of the terminfo entry; `nil` takes it from TERM.
        public var terminalType: String?
        /// The largest colour depth to use; `nil` detects it. NO_COLOR takes precedence over TERM and COLORTERM. Direct colours are used
        /// if TERM is a direct-colour type or COLORTERM promises them. For more colours than TERM has, a related type must be installed,
        /// such as `xterm-256color` for `xterm`.
        public var colorDepth: ColorDepth?
        /// Whether to draw Unicode characters even if the locale is not UTF-8.
        public var forceUTF8 = false
        /// Whether wheel movements, clicks and drags arrive as events. The user must then hold Shift to select text in the terminal.
        public var mouse = false
        /// Whether ``TerminalScreen/present(_:title:)`` may change the window's title, which is restored at the end.
        public var setsTitle = true
        /// The condition under which the terminal is asked for its background colour. Opening the screen then waits up to 100 ms for the
        /// answer, and the terminal also reports changes. On a slow connection the answer may arrive after the program has ended, as input
        /// for the shell.
        public var asksBackground = BackgroundQuestion.never
        /// The sequence for desktop notices.
        public var notices = Notices.off
        /// Whether ``TerminalScreen/showProgress(percent:isPaused:)`` has an effect.
        public var showsProgress = false
        /// Whether ``TerminalScreen/copyToClipboard(_:)`` has an effect.
        public var allowsClipboard = false
        /// Whether output to standard error is held back while the screen is open, if standard error is a terminal.
        public var holdsStandardError = true
        /// The time that the program has to close the screen after ``ScreenEvent/signal(_:)`` or ``ScreenEvent/closed``. After this time,
        /// the terminal is restored, and the signal ends the process. `nil` waits for ever.
        public var terminationGrace: Duration? = .seconds(5)

        /// The default options: the controlling terminal, no mouse, no questions and no notices.
        public init() {}
    }
}
