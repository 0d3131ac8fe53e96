import CNCurses
import Glibc
import TerminalCanvas

/// The program's environment variables that affect a screen.
struct TerminalEnvironment: Sendable {
    var values: [String: String]

    init(_ values: [String: String]) {
        self.values = values
    }

    /// The variables of this process.
    static func current() -> TerminalEnvironment {
        let names =
            ["TERM", "COLORTERM", "NO_COLOR", "TMUX", "COLUMNS", "LINES"] + [
                "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL", "LC_TERMINAL_VERSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION",
            ]
        return TerminalEnvironment(
            names.reduce(into: [:]) { values, name in
                if let value = getenv(name) { values[name] = String(cString: value) }
            })
    }

    /// The value of a variable; nil if it is unset or empty.
    subscript(name: String) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    var isInTmux: Bool { self["TMUX"] != nil }

    /// The size to use for a terminal whose driver does not know its size, such as a serial line.
    var size: Size {
        Size(columns: self["COLUMNS"].flatMap { Int($0) } ?? 80, rows: self["LINES"].flatMap { Int($0) } ?? 24).clampedToScreen()
    }
}

extension Size {
    /// Returns the size, limited to at least one cell and at most the largest size that a real screen could have. This keeps a malicious
    /// size from exhausting memory.
    func clampedToScreen() -> Size {
        Size(columns: min(max(1, columns), 1_500), rows: min(max(1, rows), 500))
    }
}

/// The capabilities of the terminal.
struct TerminalProfile: Sendable {
    /// The terminfo entry in use.
    let type: String
    let colorDepth: ColorDepth
    /// Whether the numbers of the entry's colours are RGB values, as in `*-direct`. Otherwise they are palette indexes.
    let numbersDirectly: Bool
    let isUTF8: Bool
    /// Whether the terminal supports, or at least ignores, xterm's extensions: titles, private modes, notices.
    let isXtermLike: Bool
    let painterHint: Painter

    /// Opens ncurses for a terminal type. If the type lacks the requested colours, an installed related type with more colours is used.
    static func open(type: String, depth: ColorDepth?, isUTF8: Bool, environment: TerminalEnvironment) throws(TerminalScreenError) -> Self {
        guard isPlainName(type) else { throw .terminalTypeUnknown(type) }
        let wanted = depth ?? (environment["NO_COLOR"] != nil ? ColorDepth.none : nil)
        let candidates = candidates(type: type, depth: wanted, environment: environment)
        var opened: String?
        for (index, candidate) in candidates.enumerated() where opened == nil {
            guard cncurses_open(candidate) else { continue }
            if index == candidates.count - 1 || availableDepth().rank >= min((wanted ?? .palette256).rank, ColorDepth.palette256.rank) {
                opened = candidate
            } else {
                cncurses_close()
            }
        }
        guard let opened else { throw .terminalTypeUnknown(type) }
        guard isUsable else {
            cncurses_close()
            throw .terminalTypeUnusable(type)
        }
        return TerminalProfile(type: opened, wanted: wanted ?? promisedDepth(type: type, environment: environment), isUTF8: isUTF8)
    }

    private init(type: String, wanted: ColorDepth?, isUTF8: Bool) {
        self.type = type
        let available = TerminalProfile.availableDepth()
        numbersDirectly = available == .direct
        colorDepth = wanted.map { $0.rank < available.rank ? $0 : available } ?? available
        self.isUTF8 = isUTF8
        isXtermLike = !TerminalProfile.hasPrefix(type, TerminalProfile.plainTypes)
        painterHint = TerminalProfile.painter(type: type, isUTF8: isUTF8)
    }

    /// Whether a name contains only characters that terminfo names and file names use. A slash would lead to another folder.
    private static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128 && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x2f }
    }

    /// Returns the names of terminfo entries to try, in this order. The last is `type` itself.
    static func candidates(type: String, depth: ColorDepth?, environment: TerminalEnvironment) -> [String] {
        let isRich = type.contains("256color") || type.contains("direct")
        switch depth ?? promisedDepth(type: type, environment: environment) {
        case .direct:
            let family = type.hasSuffix("-256color") ? String(type.dropLast("-256color".count)) : type
            return type.contains("direct") ? [type] : ["\(family)-direct"] + (isRich ? [type] : ["\(type)-256color", type])
        case .palette256: return isRich ? [type] : [type, "\(type)-256color", type]
        case .ansi16: return isRich ? [type] : [type, "\(type)-16color", "\(type)-256color", type]
        case .some(.none), .ansi8: return [type]
        case nil:
            return promisesDirect(environment) && !isRich ? ["\(type)-256color", type] : [type]
        }
    }

    private static func promisesDirect(_ environment: TerminalEnvironment) -> Bool {
        ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    }

    /// The colour depth that COLORTERM promises; nil if the terminfo entry decides. COLORTERM may come from another terminal, so it
    /// is ignored on consoles and in GNU screen, which cannot show direct colours.
    private static func promisedDepth(type: String, environment: TerminalEnvironment) -> ColorDepth? {
        let isScreen = type.hasPrefix("screen") && !environment.isInTmux
        return promisesDirect(environment) && !isScreen && !hasPrefix(type, plainTypes) ? .direct : nil
    }

    /// Whether to ask the terminal for its background colour.
    func asks(_ options: TerminalScreen.Options) -> Bool {
        switch options.asksBackground {
        case .never: false
        case .whereUseful: isXtermLike && colorDepth.rank >= ColorDepth.palette256.rank
        case .always: true
        }
    }

    private static func availableDepth() -> ColorDepth {
        switch cncurses_has_string("setaf") && cncurses_has_string("setab") ? cncurses_number("colors") : 0 {
        case 0x1_0000...: .direct
        case 256...: .palette256
        case 16...: .ansi16
        case 8...: .ansi8
        default: ColorDepth.none
        }
    }

    private static var isUsable: Bool {
        cncurses_has_string("cup") && cncurses_has_string("clear") && !cncurses_has_flag("hc") && !cncurses_has_flag("gn")
    }

    /// Types of consoles and hardware terminals that print unknown sequences, or that have no window.
    private static let plainTypes = [
        "linux", "vt1", "vt2", "vt3", "vt4", "vt5", "ansi", "cons", "sun", "wsvt", "hurd", "mach", "pcansi", "cygwin",
    ]

    private static func hasPrefix(_ type: String, _ prefixes: [String]) -> Bool {
        prefixes.contains { type.hasPrefix($0) }
    }

    /// The painter that suits a terminal type. The Linux console and old terminals have a fixed font with few characters, and rxvt's font
    /// often lacks Braille.
    static func painter(type: String, isUTF8: Bool) -> Painter {
        if !isUTF8 || hasPrefix(type, plainTypes) { return .ascii }
        return type.hasPrefix("rxvt") ? .halfBlock : .braille
    }
}

extension ColorDepth {
    /// The position of the depth when the depths are ordered by number of colours.
    fileprivate var rank: Int {
        switch self {
        case .none: 0
        case .ansi8: 1
        case .ansi16: 2
        case .palette256: 3
        case .direct: 4
        }
    }
}
