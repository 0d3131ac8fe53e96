package import TerminalCanvas

extension Finding {
    /// - Parameter setting: the environment variable that names the locale, and its value; nil if none is set.
    package static func locale(_ setting: (variable: String, value: String)?, isUTF8: Bool) -> Finding {
        if isUTF8 { return Finding(.ok, "locale", setting.map { "\($0.value), UTF-8." } ?? "no locale is set; the encoding is UTF-8.") }
        // A locale that is not installed has no UTF-8 either, whatever its name.
        let name = setting.map { "\($0.variable) is \($0.value), which is not a UTF-8 locale on this machine" } ?? "no locale is set"
        return Finding(
            .warn, "locale", "\(name), so the screen uses only ASCII characters.",
            advice: "Set \(setting?.variable ?? "LANG")=C.UTF-8, or another UTF-8 locale.")
    }

    /// - Parameters:
    ///   - type: `TERM`; nil if it is not set.
    ///   - entry: the terminfo entry in use; nil if no entry is usable.
    ///   - why: the reason why no entry is usable.
    package static func terminal(_ type: String?, entry: String?, why: String?) -> Finding {
        guard let entry else {
            let name = type.map { "TERM is \($0)" } ?? "TERM is not set"
            return Finding(
                .warn, "terminal", "\(name), so no screen can be drawn\(why.map { " (\($0))" } ?? ""); the output is plain lines.",
                advice: "Set TERM to the type of your terminal, such as xterm-256color.")
        }
        return Finding(.ok, "terminal", entry == type ? "\(entry)." : "\(type ?? "unknown"), treated as \(entry).")
    }

    /// - Parameter entry: the terminfo entry in use; nil if no entry is usable.
    package static func colours(_ depth: ColorDepth, hasNoColor: Bool, entry: String?) -> Finding {
        let count =
            switch depth {
            case .none: "none"
            case .ansi8: "8"
            case .ansi16: "16"
            case .palette256: "256"
            case .direct: "all (direct colour)"
            }
        if hasNoColor { return Finding(.ok, "colours", "none: NO_COLOR is set.") }
        guard depth == .none || depth == .ansi8 else { return Finding(.ok, "colours", "\(count).") }
        if entry == "linux" { return Finding(.ok, "colours", "\(count), because the Linux console has no more.") }
        return Finding(.warn, "colours", "\(count), because of TERM.", advice: "Most terminals have more colours: try TERM=xterm-256color.")
    }

    /// Returns a finding that lists the characters of each painter, because only the user can see which of them the terminal's font has.
    package static func painters(standard: Painter, isUTF8: Bool) -> Finding {
        let patterns = isUTF8 ? "braille ⣿⡇⠤⠒⠉, sextant 🬋🬂🬭, half ▀▄█, ascii #=-" : "ascii #=-"
        return Finding(
            .ok, "painter",
            "\(standard.rawValue). The map can use these characters: \(patterns). If any of them show as boxes, the font lacks them.")
    }

    /// - Parameter columns: number of columns that the cursor moved for one character of ambiguous width; nil if the terminal did not
    ///   report its cursor position.
    package static func ambiguousWidth(_ columns: Int?) -> Finding {
        switch columns {
        case nil: .notChecked("width", "the terminal did not report its cursor position")
        case 1?: Finding(.ok, "width", "characters of ambiguous width are one column wide.")
        case let columns?:
            Finding(
                .warn, "width", "characters of ambiguous width are \(columns) columns wide, so the text to their right is shifted.",
                advice: "Make ambiguous characters narrow in the terminal's settings, or use --painter ascii.")
        }
    }

    /// - Parameter asked: the background that the terminal reported; nil if the terminal was not asked or did not answer.
    package static func background(_ asked: BackgroundTone?, hint: BackgroundTone?) -> Finding {
        if let asked { return Finding(.ok, "background", "\(asked.rawValue), according to the terminal.") }
        if let hint { return Finding(.ok, "background", "\(hint.rawValue), according to COLORFGBG.") }
        return Finding(
            .ok, "background", "not known, so the colours suit both dark and light backgrounds.",
            advice: "Choose a theme with 'tripwatch config set theme harbour-dark' or harbour-light.")
    }

    package static func clipboard(isAllowed: Bool, isInTmux: Bool) -> Finding {
        guard isAllowed else { return Finding(.ok, "clipboard", "not used, because it is off in the configuration.") }
        guard isInTmux else { return Finding(.ok, "clipboard", "used by the copy keys (OSC 52), if the terminal allows that.") }
        return Finding(
            .ok, "clipboard", "used by the copy keys (OSC 52), through tmux.",
            advice: "If nothing is copied, run 'tmux set -s set-clipboard on'.")
    }
}
