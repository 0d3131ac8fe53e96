import FoundationEssentials
import TerminalCanvas

/// Sequences for output outside the cells: title, notices, clipboard. Control characters are removed from every text first.
enum ControlStrings {
    static let bell: [UInt8] = [0x07]
    /// Sequences of DEC private mode 2026. The terminal shows all output between the two at once.
    static let beginSynchronized = Array("\u{1b}[?2026h".utf8)
    static let endSynchronized = Array("\u{1b}[?2026l".utf8)

    /// `OSC 2`: sets the window's title, cut to 128 characters.
    static func title(_ text: String, isUTF8: Bool) -> [UInt8] {
        Array("\u{1b}]2;\(plain(text, isUTF8: isUTF8, maximumLength: 128))\u{7}".utf8)
    }

    /// Returns the sequence for a desktop notice; empty if `form` has none. Inside tmux, the sequence is wrapped. tmux forwards it to the
    /// outer terminal if `allow-passthrough` is set.
    static func notice(_ text: String, form: TerminalScreen.Options.Notices, isInTmux: Bool, isUTF8: Bool) -> [UInt8] {
        let text = plain(text, isUTF8: isUTF8, maximumLength: 256)
        let sequence: String
        switch form {
        case .off, .fitting: return []
        case .osc99: sequence = "\u{1b}]99;;\(text)\u{1b}\\"
        case .osc9:
            // ConEmu reads "9;", a number and a semicolon as a command, such as "9;4;" for a progress bar. A leading blank prevents that.
            let isCommand = text.utf8.prefix(2).last == 0x3b || text.utf8.prefix(3).last == 0x3b
            sequence = "\u{1b}]9;\(isCommand ? " " : "")\(text)\u{7}"
        case .osc777: sequence = "\u{1b}]777;notify;tripwatch;\(text.replacing(";", with: ","))\u{7}"
        }
        return Array((isInTmux ? wrapped(sequence) : sequence).utf8)
    }

    /// `OSC 9 ; 4`: sets the progress in percent; nil removes the progress bar.
    static func progress(percent: Int?, isPaused: Bool, isInTmux: Bool) -> [UInt8] {
        let state = percent.map { "\(isPaused ? 4 : 1);\(min(max($0, 0), 100))" } ?? "0;"
        let sequence = "\u{1b}]9;4;\(state)\u{7}"
        return Array((isInTmux ? wrapped(sequence) : sequence).utf8)
    }

    /// `OSC 52`: puts text on the clipboard; `nil` if the text is longer than terminals accept.
    ///
    /// Inside tmux, the sequence is sent twice. The wrapped copy reaches the outer terminal if `allow-passthrough` is set. The plain copy
    /// is for tmux itself, which accepts it if `set-clipboard` is on.
    static func clipboard(_ text: String, isInTmux: Bool) -> [UInt8]? {
        guard text.utf8.count <= 74_994 else { return nil }
        let sequence = "\u{1b}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
        return Array(((isInTmux ? wrapped(sequence) : "") + sequence).utf8)
    }

    /// Returns a sequence in a form that tmux forwards to the outer terminal.
    private static func wrapped(_ sequence: String) -> String {
        "\u{1b}Ptmux;\(sequence.replacing("\u{1b}", with: "\u{1b}\u{1b}"))\u{1b}\\"
    }

    private static func plain(_ text: String, isUTF8: Bool, maximumLength: Int) -> String {
        let safe = sanitised(text, maximumLength: maximumLength)
        guard !isUTF8 else { return safe }
        return String(safe.map { $0.isASCII ? $0 : "?" })
    }
}
