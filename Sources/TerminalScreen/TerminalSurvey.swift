import CNCurses
public import TerminalCanvas

/// The properties of this process's terminal, found without opening a screen.
public struct TerminalSurvey: Sendable {
    /// The value of TERM; nil if it is not set.
    public let type: String?
    /// The terminfo entry that a screen would use; nil if no entry is usable.
    public let entry: String?
    /// The colour depth that a screen would have.
    public let colorDepth: ColorDepth
    /// The painter that fits the terminal's type and locale.
    public let painterHint: Painter
    /// The reason why no screen can be opened on a terminal of this type; nil if the type is usable.
    public let fault: TerminalScreenError?
    /// The tone of the background, as reported by the terminal; nil before ``ask()``, or if the terminal does not answer.
    public private(set) var background: BackgroundTone?
    /// The number of columns that the cursor advances for a character of ambiguous width; nil before ``ask()``, or if the terminal does not
    /// answer.
    public private(set) var ambiguousColumns: Int?

    private let isAskable: Bool

    /// Surveys the terminal. Must not be called while a screen is open.
    ///
    /// - Parameters:
    ///   - colorDepth: the largest depth to use; nil detects it as ``TerminalScreen/Options/colorDepth`` does.
    ///   - isUTF8: whether the locale is UTF-8.
    public init(colorDepth: ColorDepth? = nil, isUTF8: Bool) {
        let environment = TerminalEnvironment.current()
        type = environment["TERM"]
        var profile: TerminalProfile?
        var fault: TerminalScreenError?
        do throws(TerminalScreenError) {
            guard let type else { throw .terminalTypeMissing }
            profile = try TerminalProfile.open(type: type, depth: colorDepth, isUTF8: isUTF8, environment: environment)
            cncurses_close()
        } catch {
            fault = error
        }
        isAskable = profile?.isXtermLike ?? false
        entry = profile?.type
        self.colorDepth = profile?.colorDepth ?? ColorDepth.none
        painterHint = profile?.painterHint ?? .ascii
        self.fault = fault
    }

    /// Asks the terminal itself, and waits less than a second for the answers. Must not be called while a screen is open or while the user
    /// types.
    public mutating func ask() {
        guard isAskable, let type, let mailbox = ScreenMailbox(size: Size(columns: 80, rows: 24)),
            let lifeCycle = try? TerminalLifeCycle(options: TerminalScreen.Options(), wake: mailbox.wake)
        else { return }
        defer { lifeCycle.endAsking() }
        guard cncurses_open(type) else { return }
        var decoder = InputDecoder(keys: KeyTable(sequence: TerminalLifeCycle.string), mouse: false, size: Size(columns: 80, rows: 24))
        decoder.answers = TerminalAnswers()
        decoder.awaitsAnswers = true
        var (all, events): ([UInt8], [ScreenEvent]) = ([], [])
        lifeCycle.ask(Self.widthQuestion + TerminalQuestion.bytes, within: Self.patience) { bytes in
            all += bytes.prefix(max(0, 4_096 - all.count))
            decoder.decode(bytes, into: &events)
            return decoder.answers?.isComplete == true
        }
        background = decoder.answers?.tone
        ambiguousColumns = Self.column(in: all).map { $0 - 1 }
    }

    private static let patience = Duration.milliseconds(900)
    /// The bytes that write a character of ambiguous width at the start of the row, ask for the cursor's position, and clear the row.
    private static let widthQuestion = Array("\r\u{b1}\u{1b}[6n\r\u{1b}[K".utf8)

    /// Finds the first report of the cursor's position (`CSI row ; column R`) with a column of 1 to 9, and returns this column. Returns nil
    /// if no such report is found.
    static func column(in bytes: [UInt8]) -> Int? {
        for start in bytes.indices.dropLast() where bytes[start] == 0x1b && bytes[start + 1] == 0x5b {
            let body = bytes[(start + 2)...].prefix(16).prefix { $0 == 0x3b || (0x30...0x39).contains($0) }
            guard bytes.indices.contains(body.endIndex), bytes[body.endIndex] == 0x52 else { continue }
            let numbers = String(decoding: body, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
            if numbers.count == 2, (1...9).contains(numbers[1]) { return numbers[1] }
        }
        return nil
    }
}
