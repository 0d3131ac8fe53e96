public import TerminalCanvas

extension TerminalScreen {
    /// How a screen is opened.
    public struct Options: Sendable {
        /// Where the screen is.
        public enum Device: Sendable, Hashable {
            /// The controlling terminal, or the one behind a standard stream where there is none. Standard input and output may be pipes.
            case controllingTerminal
            /// A terminal by its path.
            case path(String)
        }

        /// Which escape sequence asks the terminal for a desktop notice.
        public enum Notices: String, Sendable, CaseIterable {
            /// No notices.
            case off
            /// `OSC 9 ; text`: iTerm2, WezTerm, Ghostty, kitty, Windows Terminal.
            case osc9
            /// `OSC 777 ; notify ; title ; text`: foot, Ghostty, kitty, WezTerm, Konsole, urxvt.
            case osc777
            /// `OSC 99 ; ; text`: kitty.
            case osc99
            /// The one that the terminal takes, as far as it can be known; consoles that would print it get the bell.
            case fitting
        }

        /// When a terminal is asked, before the screen opens, how its background looks.
        public enum BackgroundQuestion: Sendable, Hashable {
            /// The terminal is not asked.
            case never
            /// Where its type is one that understands the question, and colours are used that depend on the answer.
            case whereUseful
            /// The terminal is asked whatever its type is.
            case always
        }

        /// Which terminal the screen opens on.
        public var device = Device.controllingTerminal
        /// The terminfo entry; `nil` for TERM.
        public var terminalType: String?
        /// The most colours to use; `nil` finds out: NO_COLOR, else what TERM and COLORTERM promise, direct colours
        /// where TERM is a direct-colour type or COLORTERM says so. More than TERM has is used only when a related type is installed (`xterm` and `xterm-256color`).
        public var colorDepth: ColorDepth?
        /// Draws Unicode even where the locale is another one.
        public var forceUTF8 = false
        /// Wheel, clicks and drags arrive as events; the terminal's own text selection then needs Shift.
        public var mouse = false
        /// Whether ``TerminalScreen/present(_:title:)`` may change the window's title, which is given back at the end.
        public var setsTitle = true
        /// Whether the terminal is asked how its background looks, which takes until it answers, at most 100 ms, and tells when that changes. Over a
        /// slow line the answer may come after the program has ended, and is the shell's input then.
        public var asksBackground = BackgroundQuestion.never
        /// How desktop notices are shown.
        public var notices = Notices.off
        /// Whether ``TerminalScreen/showProgress(percent:isPaused:)`` does anything.
        public var showsProgress = false
        /// Whether ``TerminalScreen/copyToClipboard(_:)`` does anything.
        public var allowsClipboard = false
        /// While the screen is up, keeps what is written to standard error from the screen when that is a terminal.
        public var holdsStandardError = true
        /// A program that has not closed the screen so long after ``ScreenEvent/signal(_:)`` or ``ScreenEvent/closed`` hangs: then the terminal is
        /// restored and the process ended by the signal. `nil` waits for ever.
        public var terminationGrace: Duration? = .seconds(5)

        /// The options of a usual screen: the controlling terminal, no mouse, no questions and no notices.
        public init() {}
    }
}
