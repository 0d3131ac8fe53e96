/// The reason why a screen cannot be opened. The description is a sentence for the user.
public enum TerminalScreenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Neither `/dev/tty` nor any of the standard streams is a terminal, or the given device is not a terminal.
    case notATerminal
    /// TERM is not set.
    case terminalTypeMissing
    /// No terminfo entry for this TERM is installed.
    case terminalTypeUnknown(String)
    /// The terminal cannot move its cursor, for example because it is `dumb` or a printer.
    case terminalTypeUnusable(String)
    /// A screen is already open; a process can have only one.
    case alreadyOpen
    /// The program is in the background of its terminal, and no shell can move it to the foreground.
    case inBackground
    /// A system call failed. The values are its name and `errno`.
    case system(String, Int32)

    public var description: String {
        switch self {
        case .notATerminal: "There is no terminal to draw on."
        case .terminalTypeMissing: "The terminal's type is not known, because TERM is not set."
        case .terminalTypeUnknown(let name): "The terminal type \(quoted(name)) in TERM is not installed here (no terminfo entry)."
        case .terminalTypeUnusable(let name): "The terminal type \(quoted(name)) in TERM can print lines, but cannot show a screen."
        case .alreadyOpen: "The screen is already open."
        case .inBackground:
            "Another program is using the terminal, and tripwatch is running in the background. Start tripwatch in the foreground."
        case .system(let attempt, let number): "\(attempt) failed with system error \(number)."
        }
    }

    /// Returns the start of an untrusted TERM, reduced to characters that are safe to print.
    private func quoted(_ name: String) -> String {
        let plain = name.unicodeScalars.prefix(64).map { (0x21..<0x7f).contains($0.value) ? Character($0) : "?" }
        return "“" + String(plain) + "”"
    }
}
