import TerminalCanvas

/// What a terminal is asked before the screen opens: how its background looks.
enum TerminalQuestion {
    /// The background's colour (`OSC 11`), then the mode that private mode 2031 tells of, then, as a fence, the primary device attributes:
    /// every terminal answers them, and answers come in the order of the questions.
    static let bytes = Array("\u{1b}]11;?\u{1b}\\\u{1b}[?996n\u{1b}[c".utf8)
    /// How long the start waits for the fence.
    static let patience = Duration.milliseconds(100)
    /// How long after that an answer in pieces is told from keys.
    static let latePatience = Duration.seconds(3)
    /// How long the end waits for the fence where it has not come: what comes later is the shell's to read.
    static let endPatience = Duration.seconds(1)
    /// Private mode 2031: from now on the terminal tells when its mode changes, and no more.
    static let beginNews = "\u{1b}[?2031h"
    static let endNews = "\u{1b}[?2031l"
}

/// What a terminal has answered to the ``TerminalQuestion``.
struct TerminalAnswers: Hashable, Sendable {
    /// The tone of the background's colour.
    var color: BackgroundTone?
    /// The mode that the terminal says it is in.
    var mode: BackgroundTone?
    /// The fence has come: there are no more answers.
    var isComplete = false

    /// What a terminal says of itself counts for more than what its colour looks like.
    var tone: BackgroundTone? { mode ?? color }

    /// The tone in the answer to `OSC 11`, the bytes between `ESC ]` and its end: "11;rgb:ffff/ffff/ffff", "11;rgba:…" or "11;#ffffff". Nil for
    /// anything else.
    static func tone(inText bytes: ArraySlice<UInt8>) -> BackgroundTone? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("11;") else { return nil }
        let color = text.dropFirst(3)
        var parts: [Substring] = []
        if color.hasPrefix("#"), (color.utf8.count - 1).isMultiple(of: 3) {
            let digits = (color.utf8.count - 1) / 3
            parts = (0..<3).map { color.dropFirst(1 + $0 * digits).prefix(digits) }
        } else if color.hasPrefix("rgb:") || color.hasPrefix("rgba:") {
            parts = color.drop { $0 != ":" }.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        }
        let values = parts.prefix(3).compactMap(share)
        return values.count == 3 ? BackgroundTone(red: values[0], green: values[1], blue: values[2]) : nil
    }

    /// One to four hexadecimal digits as a part of the whole, as X11 scales them.
    private static func share(_ digits: Substring) -> Double? {
        guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2d }), let value = Int(digits, radix: 16)
        else {
            return nil
        }
        return Double(value) / Double(1 << (4 * digits.utf8.count) - 1)
    }

    /// The mode in a report of private mode 2031, `CSI ? 997 ; 1 n` for dark and 2 for light; nil for other sequences.
    static func mode(in control: ControlSequence) -> BackgroundTone? {
        guard control.marker == 0x3f, control.final == 0x6e, control.parameters.count == 2, control.parameters[0] == 997 else { return nil }
        return [1: .dark, 2: .light][control.parameters[1]]
    }
}
