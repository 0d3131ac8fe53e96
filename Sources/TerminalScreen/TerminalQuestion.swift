import TerminalCanvas

/// The questions that a terminal is asked about its background before the screen opens.
enum TerminalQuestion {
    /// The questions: the background's colour (`OSC 11`), the dark or light mode, and the primary device attributes. Terminals answer
    /// in order, and every terminal answers the last question. So the last answer marks the end.
    static let bytes = Array("\u{1b}]11;?\u{1b}\\\u{1b}[?996n\u{1b}[c".utf8)
    /// The longest time to wait for the device attributes while the screen opens.
    static let patience = Duration.milliseconds(100)
    /// The time after ``patience`` during which late answers, even in several pieces, are not taken for keys.
    static let latePatience = Duration.seconds(3)
    /// The longest time to wait for missing device attributes while the screen closes. The shell would read later answers as input.
    static let endPatience = Duration.seconds(1)
    /// The sequences of private mode 2031, which make the terminal start or stop reporting changes between dark and light mode.
    static let beginNews = "\u{1b}[?2031h"
    static let endNews = "\u{1b}[?2031l"
}

/// The answers of a terminal to the ``TerminalQuestion``.
package struct TerminalAnswers: Hashable, Sendable {
    /// The tone of the background colour that the terminal reported.
    var color: BackgroundTone?
    /// The dark or light mode that the terminal reported.
    var mode: BackgroundTone?
    /// Whether the device attributes have arrived, so that no answers are missing.
    var isComplete = false

    package init(isComplete: Bool = false) { self.isComplete = isComplete }

    init(color: BackgroundTone?, mode: BackgroundTone?, isComplete: Bool) {
        self.color = color
        self.mode = mode
        self.isComplete = isComplete
    }

    /// The tone of the background: the reported mode, or the tone of the colour if no mode was reported.
    var tone: BackgroundTone? { mode ?? color }

    /// Returns the tone in the answer to `OSC 11`. The bytes are those between `ESC ]` and the end: "11;rgb:ffff/ffff/ffff", "11;rgba:…" or
    /// "11;#ffffff". Nil for other texts.
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

    /// Returns one to four hexadecimal digits as a fraction, scaled as in X11; nil for other text.
    private static func share(_ digits: Substring) -> Double? {
        guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2d }), let value = Int(digits, radix: 16)
        else {
            return nil
        }
        return Double(value) / Double(1 << (4 * digits.utf8.count) - 1)
    }

    /// Returns the mode in a report of private mode 2031, `CSI ? 997 ; 1 n` for dark and 2 for light; nil for other sequences.
    static func mode(in control: ControlSequence) -> BackgroundTone? {
        guard control.marker == 0x3f, control.final == 0x6e, control.parameters.count == 2, control.parameters[0] == 997 else { return nil }
        return [1: .dark, 2: .light][control.parameters[1]]
    }
}
