package import TerminalCanvas

/// Turns the bytes of a terminal into events. It stores at most 64 bytes of an unfinished sequence and 64 KiB of pasted text, and never
/// fails. Unknown sequences are dropped, including late answers to queries.
///
/// The syntax follows ECMA-48 section 5.4, with the additional forms of xterm, rxvt and the Linux console.
package struct InputDecoder {
    /// The position in the syntax that the decoder has reached. It determines the meaning of the next byte.
    enum State {
        case ground
        /// ESC has been read.
        case escape
        /// `ESC [` has been read.
        case control
        /// `ESC O` has been read.
        case singleShift
        /// `ESC [ [` of the Linux console has been read; one more byte follows.
        case consoleFunction
        /// `ESC [ M` has been read; the three bytes of an X10 mouse report follow.
        case mouseReport
        /// The start of a string (OSC, DCS, SOS, PM or APC) has been read. The string ends with ST or BEL.
        case text
        /// ESC has been read inside a string.
        case textEscape
        /// The first bytes of a character have been read; the value is the number of missing bytes.
        case character(Int)
        case paste
    }

    /// The longest accepted sequence, in bytes; longer sequences are dropped. The sequences of all keys are much shorter.
    static let longestSequence = 64
    static let longestPaste = 65_536

    let keys: KeyTable
    let mouse: Bool
    /// The screen's size, to which mouse positions are clamped.
    var size: Size
    var state = State.ground
    /// The bytes of the unfinished sequence, starting with ESC, or of the unfinished character.
    var pending: [UInt8] = []
    var pasted: [UInt8] = []
    /// The terminal's answers; nil if the terminal was not asked.
    package var answers: TerminalAnswers?
    /// Whether answers may still arrive, possibly in several pieces.
    package var awaitsAnswers = false

    package init(keys: KeyTable, mouse: Bool, size: Size) {
        self.keys = keys
        self.mouse = mouse
        self.size = size
    }

    /// The time to wait for another byte before calling ``expire(into:)``; `nil` if nothing is unfinished.
    ///
    /// A lone ESC is the Escape key unless more bytes follow at once. An unfinished sequence gets more time, because its remaining bytes
    /// may arrive late on a slow connection.
    var patience: Duration? {
        switch state {
        case .ground: nil
        case .escape where !awaitsAnswers: .milliseconds(25)
        case .control where awaitsAnswers, .text where awaitsAnswers, .textEscape where awaitsAnswers, .paste: .seconds(2)
        default: .milliseconds(250)
        }
    }

    package mutating func decode(_ bytes: some Sequence<UInt8>, into events: inout [ScreenEvent]) {
        for byte in bytes { decode(byte, &events) }
    }

    /// Ends an unfinished sequence after ``patience`` without another byte, and reports the key that it stands for.
    package mutating func expire(into events: inout [ScreenEvent]) {
        switch state {
        case .ground, .character, .consoleFunction, .mouseReport: break
        case .escape: events.append(.key(Key(.escape)))
        case .paste: finishPaste(&events)
        case .control, .singleShift, .text, .textEscape:
            // The key is Alt with a character that also begins a sequence, such as "Alt-[".
            if pending.count == 2 { events.append(.key(alt(pending[1]))) }
        }
        reset()
    }

    private mutating func reset() {
        state = .ground
        pending.removeAll(keepingCapacity: true)
    }

    private mutating func decode(_ byte: UInt8, _ events: inout [ScreenEvent]) {
        switch state {
        case .ground: decodeGround(byte, &events)
        case .character(let missing): decodeContinuation(byte, missing: missing, &events)
        case .escape: decodeEscape(byte, &events)
        case .control: decodeControl(byte, &events)
        case .singleShift, .consoleFunction: finishSequence(byte, &events)
        case .mouseReport: decodeMouseReport(byte, &events)
        case .text: collectText(byte)
        case .textEscape: decodeTextEscape(byte, &events)
        case .paste: decodePaste(byte, &events)
        }
    }

    // MARK: Characters

    private mutating func decodeGround(_ byte: UInt8, _ events: inout [ScreenEvent]) {
        switch byte {
        case 0x1b: begin(.escape, byte)
        case 0x80...: beginCharacter(byte)
        default: events.append(.key(InputDecoder.key(ascii: byte)))
        }
    }

    private mutating func begin(_ next: State, _ byte: UInt8) {
        pending.append(byte)
        state = next
    }

    private mutating func beginCharacter(_ byte: UInt8) {
        switch byte {
        case 0xc2...0xdf: begin(.character(1), byte)
        case 0xe0...0xef: begin(.character(2), byte)
        case 0xf0...0xf4: begin(.character(3), byte)
        default: break
        }
    }

    private mutating func decodeContinuation(_ byte: UInt8, missing: Int, _ events: inout [ScreenEvent]) {
        guard byte & 0xc0 == 0x80 else {
            reset()
            decode(byte, &events)
            return
        }
        begin(.character(missing - 1), byte)
        guard missing == 1 else { return }
        let isAlt = pending.first == 0x1b
        var scalars = String(decoding: pending.drop { $0 == 0x1b }, as: UTF8.self).unicodeScalars.makeIterator()
        if let scalar = scalars.next(), scalars.next() == nil, scalar.value >= 0xa0, scalar != "\u{fffd}" {
            events.append(.key(Key(.character(Character(scalar)), modifiers: isAlt ? .alt : [])))
        }
        reset()
    }

    /// Returns the key for a byte below 128 outside any sequence.
    static func key(ascii byte: UInt8) -> Key {
        switch byte {
        case 0x00: .control(" ")
        case 0x08, 0x7f: Key(.backspace)
        case 0x09: Key(.tab)
        case 0x0a, 0x0d: Key(.enter)
        case 0x1b: Key(.escape)
        case 0x01...0x1a: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1c...0x1f: .control(Character(Unicode.Scalar(byte + 0x40)))
        default: .character(Character(Unicode.Scalar(byte)))
        }
    }

    private func alt(_ byte: UInt8) -> Key {
        var key = InputDecoder.key(ascii: byte)
        key.modifiers.insert(.alt)
        return key
    }

    // MARK: Sequences

    private mutating func decodeEscape(_ byte: UInt8, _ events: inout [ScreenEvent]) {
        switch byte {
        case 0x1b:
            events.append(.key(Key(.escape)))
        case 0x5b: begin(.control, byte)
        case 0x4f: begin(.singleShift, byte)
        case 0x50, 0x58, 0x5d, 0x5e, 0x5f: begin(.text, byte)
        case 0x80...:
            beginCharacter(byte)
            if case .escape = state { reset() }
        default:
            events.append(.key(keys[pending + [byte]] ?? alt(byte)))
            reset()
        }
    }

    private mutating func decodeControl(_ byte: UInt8, _ events: inout [ScreenEvent]) {
        switch byte {
        case 0x20...0x3f where byte != 0x24 || pending.count > 2 && pending[2] == 0x3f:
            if pending.count < InputDecoder.longestSequence { pending.append(byte) }
        case 0x5b where pending.count == 2: begin(.consoleFunction, byte)
        case 0x4d where pending.count == 2 && mouse: begin(.mouseReport, byte)
        case 0x24, 0x40...0x7e: finishControl(byte, &events)
        default:
            // A control character, or a byte that the syntax does not allow, ends the sequence. The sequence is dropped, and the byte is
            // decoded again.
            reset()
            decode(byte, &events)
        }
    }

    private mutating func finishControl(_ byte: UInt8, _ events: inout [ScreenEvent]) {
        let isWhole = pending.count < InputDecoder.longestSequence
        pending.append(byte)
        let sequence = pending
        reset()
        guard isWhole else { return }
        if let key = keys[sequence] {
            events.append(.key(key))
            return
        }
        let control = ControlSequence(sequence.dropFirst(2))
        switch (control.marker, control.final) {
        case (nil, 0x49): events.append(.focus(true))
        case (nil, 0x4f): events.append(.focus(false))
        case (nil, 0x7e) where control.parameters == [200]: state = .paste
        case (nil, _):
            if let key = control.key { events.append(.key(key)) }
        case (0x3c, 0x4d), (0x3c, 0x6d):
            if mouse, let event = control.mouseEvent(in: size) { events.append(.mouse(event)) }
        case (0x3f, 0x6e): note(TerminalAnswers.mode(in: control), &events)
        // These are the device attributes, the last answer.
        case (0x3f, 0x63):
            answers?.isComplete = true
            awaitsAnswers = false
        default: break
        }
    }

    /// Before the device attributes arrive, stores the terminal's dark or light mode as an answer. Afterwards, or if the terminal was not
    /// asked, reports the mode as a change.
    private mutating func note(_ mode: BackgroundTone?, _ events: inout [ScreenEvent]) {
        guard let mode else { return }
        if answers?.isComplete == false { answers?.mode = mode } else { events.append(.background(mode)) }
    }

    private mutating func finishSequence(_ byte: UInt8, _ events: inout [ScreenEvent]) {
        guard (0x20..<0x7f).contains(byte) else {
            reset()
            decode(byte, &events)
            return
        }
        pending.append(byte)
        if let key = keys[pending] ?? ControlSequence.key(shifted: byte, isConsole: pending.count == 4) { events.append(.key(key)) }
        reset()
    }

    private mutating func decodeMouseReport(_ byte: UInt8, _ events: inout [ScreenEvent]) {
        pending.append(byte)
        guard pending.count == 6 else { return }
        let control = ControlSequence(x10: pending[3...])
        if let event = control.mouseEvent(in: size) { events.append(.mouse(event)) }
        reset()
    }

    // MARK: Texts

    private mutating func collectText(_ byte: UInt8) {
        switch byte {
        case 0x07: finishText()
        case 0x18, 0x1a: reset()
        case 0x1b: state = .textEscape
        default:
            if pending.count < InputDecoder.longestSequence { pending.append(byte) }
        }
    }

    private mutating func finishText() {
        if answers?.isComplete == false, pending.count < InputDecoder.longestSequence, pending.starts(with: [0x1b, 0x5d]) {
            if let tone = TerminalAnswers.tone(inText: pending.dropFirst(2)) { answers?.color = tone }
        }
        reset()
    }

    private mutating func decodeTextEscape(_ byte: UInt8, _ events: inout [ScreenEvent]) {
        guard byte != 0x5c else { return finishText() }
        reset()
        // ESC without a backslash is not the string terminator: a new sequence has interrupted the text.
        begin(.escape, 0x1b)
        decode(byte, &events)
    }

    private static let pasteEnd = Array("\u{1b}[201~".utf8)

    private mutating func decodePaste(_ byte: UInt8, _ events: inout [ScreenEvent]) {
        // All bytes up to the limit are kept. After them, only the last bytes are kept, as many as the end marker has, so that the marker
        // is found.
        if pasted.count >= InputDecoder.longestPaste + InputDecoder.pasteEnd.count {
            pasted.remove(at: InputDecoder.longestPaste)
        }
        pasted.append(byte)
        guard byte == 0x7e, pasted.suffix(InputDecoder.pasteEnd.count).elementsEqual(InputDecoder.pasteEnd) else { return }
        pasted.removeLast(InputDecoder.pasteEnd.count)
        finishPaste(&events)
        reset()
    }

    private mutating func finishPaste(_ events: inout [ScreenEvent]) {
        let text = String(decoding: pasted.prefix(InputDecoder.longestPaste), as: UTF8.self)
        pasted = []
        events.append(.paste(text.withLineFeeds()))
    }
}

extension String {
    /// The text with line feeds in place of the carriage returns that terminals send for line ends. A carriage return followed by a line
    /// feed becomes one line feed.
    fileprivate func withLineFeeds() -> String {
        var scalars = UnicodeScalarView()
        var isAfterReturn = false
        for scalar in unicodeScalars {
            if !(isAfterReturn && scalar == "\n") { scalars.append(scalar == "\r" ? "\n" : scalar) }
            isAfterReturn = scalar == "\r"
        }
        return String(scalars)
    }
}
