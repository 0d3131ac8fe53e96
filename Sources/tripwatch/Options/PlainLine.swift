import ArgumentParser

/// Arguments that are written out, as most are: options in full with their values behind them, and words.
///
/// They are read without the parser, whose setting up takes a quarter of a start. It has everything else, and whatever is wrong: help,
/// `--option=value`, values that begin with a dash, options that are given twice, what no option takes. So there is one place for what is said of mistakes.
struct PlainLine {
    private var words: ArraySlice<String>
    private var options: [String] = []

    /// - Parameter arguments: of the program.
    /// - Returns: nil for what the parser is to read.
    static func command(_ arguments: [String]) -> sending (any ProgramCommand)? {
        switch arguments.first {
        case "demo": read(DemoCommand.self, arguments.dropFirst())
        case "follow": read(FollowCommand.self, arguments.dropFirst())
        case "map": read(MapCommand.self, arguments.dropFirst())
        case "status": read(StatusCommand.self, arguments.dropFirst())
        default: nil
        }
    }

    private static func read<Command: PlainCommand>(_ type: Command.Type, _ words: ArraySlice<String>) -> sending Command? {
        var line = PlainLine(words: words)
        var command = type.unsaid
        while let word = line.words.popFirst() {
            if word.hasPrefix("-") {
                guard !line.options.contains(word), command.take(word, from: &line) else { return nil }
                line.options.append(word)
            } else {
                guard !word.isEmpty, command.take(word) else { return nil }
            }
        }
        guard command.isComplete, (try? command.check()) != nil else { return nil }
        return command
    }

    /// The value of the option that was read last.
    private mutating func value() -> String? {
        guard let word = words.first, !word.isEmpty, !word.hasPrefix("-") else { return nil }
        return words.popFirst()
    }

    // MARK: - What options take; false for what is none of theirs

    mutating func set(_ option: inout String?) -> Bool {
        guard let value = value() else { return false }
        option = value
        return true
    }

    mutating func set(_ option: inout [String]) -> Bool {
        guard let value = value() else { return false }
        option = [value]
        return true
    }

    mutating func set<Value: ExpressibleByArgument>(_ option: inout Value?) -> Bool {
        guard let value = value().flatMap({ Value(argument: $0) }) else { return false }
        option = value
        return true
    }

    mutating func set<Value: ExpressibleByArgument>(_ option: inout Value) -> Bool {
        guard let value = value().flatMap({ Value(argument: $0) }) else { return false }
        option = value
        return true
    }

    func set(_ flag: inout Bool) -> Bool {
        flag = true
        return true
    }

    func set(_ flag: inout Bool?) -> Bool {
        flag = true
        return true
    }
}

/// What can be read from a plain line.
protocol PlainOptions: ParsableArguments {
    /// As the parser leaves them where nothing is said.
    static var unsaid: Self { get }
    /// Those that the parser checks before these.
    var groups: [any PlainOptions] { get }
    /// - Parameter option: with its dashes.
    /// - Returns: whether it is one of these, and was written out.
    mutating func take(_ option: String, from line: inout PlainLine) -> Bool
}

extension PlainOptions {
    var groups: [any PlainOptions] { [] }

    /// - Throws: what the parser would throw.
    func check() throws {
        for group in groups { try group.check() }
        var copy = self
        try copy.validate()
    }
}

/// A command that can be read from a plain line.
protocol PlainCommand: ProgramCommand, PlainOptions {
    var isComplete: Bool { get }
    /// - Returns: whether one more word can be meant.
    mutating func take(_ word: String) -> Bool
}

extension PlainCommand {
    var isComplete: Bool { true }
    mutating func take(_ word: String) -> Bool { false }
}
