extension Configuration {
    /// Sets a key of the top level in the text of a configuration file and leaves every other line and every comment as it is.
    ///
    /// The line of the key gets the new value; else the line on which it stands commented out does; else a new line comes before the
    /// first table.
    ///
    /// - Parameters:
    ///   - name: one of ``ConfigurationKey/all``.
    ///   - value: as somebody types it: without quotation marks, several languages with commas in between.
    ///   - text: the file; empty where there is none.
    /// - Returns: a text that reads back with this value and otherwise as before.
    /// - Throws: what is wrong with the name, the value or the text, or why it cannot be changed without losing something.
    public static func setting(_ name: String, to value: String, in text: [UInt8]) throws(ConfigurationMessage) -> [UInt8] {
        let key = try editableKey(name)
        let written = try checked(value, for: key)
        return try ConfigurationEdit(text, key: key).setting(written)
    }

    /// Takes a key of the top level out of the text of a configuration file: its line is commented out and shows the default.
    ///
    /// - Returns: a text that reads back without the key and otherwise as before; the same text where the key is not set.
    /// - Throws: what is wrong with the name or the text, or why it cannot be changed without losing something.
    public static func unsetting(_ name: String, in text: [UInt8]) throws(ConfigurationMessage) -> [UInt8] {
        try ConfigurationEdit(text, key: editableKey(name)).unsetting()
    }

    private static func editableKey(_ name: String) throws(ConfigurationMessage) -> ConfigurationKey {
        if let key = ConfigurationKey.named(name) { return key }
        if name.hasPrefix("profiles.") || name == "profiles" {
            throw ConfigurationMessage(.error, key: name, "profiles are changed by hand; only the keys above them are set by a command")
        }
        throw ConfigurationMessage(.error, key: name, ConfigurationKey.unknown(name, isInProfile: false))
    }

    private static func checked(_ typed: String, for key: ConfigurationKey) throws(ConfigurationMessage) -> TOMLDocument.Value {
        let value = key.form.value(typed: typed)
        var scratch = Configuration()
        // A NUL ends the parser's texts.
        let isWritable = !typed.unicodeScalars.contains("\0")
        // Only the form of a path counts here.
        guard isWritable, key.take(value, ConfigurationPlaces(home: "/", directory: "/"), into: &scratch) else {
            throw ConfigurationMessage(.error, key: key.name, key.complaint(value))
        }
        return value
    }
}

/// A text in which one key of the top level is changed.
private struct ConfigurationEdit {
    typealias Statement = TOMLStatements.Statement

    let key: ConfigurationKey
    private let bytes: [UInt8]
    private let document: TOMLDocument
    /// What stands before the first table.
    private let top: ArraySlice<Statement>
    private let hasTables: Bool

    init(_ text: [UInt8], key: ConfigurationKey) throws(ConfigurationMessage) {
        self.key = key
        bytes = text
        do throws(TOMLDocument.Failure) { document = try TOMLDocument(utf8: text) } catch { throw ConfigurationMessage(failure: error) }
        let statements = TOMLStatements(text).all
        top = statements.prefix { if case .header = $0.content { false } else { true } }
        hasTables = top.count < statements.count
    }

    func setting(_ value: TOMLDocument.Value) throws(ConfigurationMessage) -> [UInt8] {
        try check(value)
        var expected = document.table
        expected[key.name] = value
        guard let literal = value.literal else { throw refusal("it has no place in a line") }
        if let place = try pair() { return try proven(replacing([(place.value.range, literal)]), expected) }
        if let (sign, value) = commentedOut() { return try proven(replacing([(sign, ""), (value, literal)]), expected) }
        return try proven(inserting("\(key.name) = \(literal)"), expected)
    }

    func unsetting() throws(ConfigurationMessage) -> [UInt8] {
        guard let place = try pair() else { return bytes }
        var expected = document.table
        expected[key.name] = nil
        let start = place.statement.range.lowerBound + bytes[place.statement.range].prefix { $0 == 0x20 || $0 == 0x09 }.count
        return try proven(replacing([(start..<start, "#"), (place.value.range, key.standardLiteral)]), expected)
    }

    private func refusal(line: Int? = nil, _ sentence: String) -> ConfigurationMessage {
        ConfigurationMessage(.error, line: line, key: key.name, sentence)
    }

    /// Refuses what the other keys of the file do not go together with.
    private func check(_ value: TOMLDocument.Value) throws(ConfigurationMessage) {
        guard ConfigurationKey.isActive(value) else { return }
        if let group = key.group {
            let others = ConfigurationKey.all.filter { $0.group == group && $0.name != key.name }
            if let other = others.first(where: { document.table[$0.name].map(ConfigurationKey.isActive) ?? false }) {
                throw refusal("only one of \(ConfigurationKey.names(of: group)) can be used, and \(other.name) is set")
            }
        }
        guard key.name == "profile", case .string(let name) = value else { return }
        var names: [String] = []
        if case .table(let profiles)? = document.table["profiles"] { names = profiles.keys.sorted() }
        if !names.contains(name) { throw refusal(Configuration.noProfile(name, among: names)) }
    }

    /// The key and its value, if it is set.
    private func pair() throws(ConfigurationMessage) -> (statement: Statement, value: TOMLStatements.Value)? {
        for statement in top {
            guard case .pair(let path, let value) = statement.content, path.first == key.name else { continue }
            guard path.count == 1 else { break }
            if value.hasComments {
                throw refusal(line: statement.line, "there are comments inside of its value that would be lost; change it by hand")
            }
            return (statement, value)
        }
        if document.table[key.name] != nil { throw refusal("it is a table here; change it by hand") }
        return nil
    }
}

// MARK: - Places in the text

extension ConfigurationEdit {
    /// The sign of comment before the key, and the value, where it stands commented out: best with its default, else as it was left.
    private func commentedOut() -> (sign: Range<Int>, value: Range<Int>)? {
        var found: (sign: Range<Int>, value: Range<Int>)?
        for statement in top where statement.content == .comment {
            let indent = bytes[statement.range].prefix { $0 == 0x20 || $0 == 0x09 }.count
            let sign = statement.range.lowerBound + indent
            let line = Array(bytes[statement.range].dropFirst(indent + 1))
            // What follows is a table that is commented out.
            if line.first == UInt8(ascii: "[") { break }
            guard let value = Self.value(of: key.name, in: line) else { continue }
            let place = (sign..<sign + 1, value.lowerBound + sign + 1..<value.upperBound + sign + 1)
            if line[value].elementsEqual(key.standardLiteral.utf8) { return place }
            found = found ?? place
        }
        return found
    }

    /// Where the value of a key stands in a line that would set it; nil for a line of prose.
    private static func value(of name: String, in line: [UInt8]) -> Range<Int>? {
        guard let first = line.first, first != 0x20, first != 0x09, line.prefix(name.utf8.count + 2).contains(name) else { return nil }
        let statements = TOMLStatements(line).all
        guard statements.count == 1, case .pair([name], let value)? = statements.first?.content else { return nil }
        return (try? TOMLDocument(utf8: line)) == nil ? nil : value.range
    }

    private func replacing(_ changes: [(range: Range<Int>, text: String)]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        for change in changes {
            result += bytes[index..<change.range.lowerBound]
            result += change.text.utf8
            index = change.range.upperBound
        }
        return result + bytes[index...]
    }

    /// Adds a line behind the last that is said before the tables and the comments above them.
    private func inserting(_ line: String) -> [UInt8] {
        var before = top
        if hasTables { while before.last?.content == .comment { before.removeLast() } }
        while before.last?.content == .blank { before.removeLast() }
        let place = before.last?.range.upperBound ?? top.first?.range.lowerBound ?? start
        let end = lineEnd
        let needsEnd = before.last != nil && bytes[..<place].last != UInt8(ascii: "\n")
        return replacing([(place..<place, (needsEnd ? end : "") + line + end)])
    }

    /// Behind a byte order mark.
    private var start: Int { bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }

    /// That of the first line.
    private var lineEnd: String {
        guard let first = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return "\n" }
        return bytes[..<first].last == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    /// The changed text, once it has been read and found to say what it should.
    private func proven(_ text: [UInt8], _ expected: [String: TOMLDocument.Value]) throws(ConfigurationMessage) -> [UInt8] {
        do throws(TOMLDocument.Failure) {
            if try TOMLDocument(utf8: text).table == expected { return text }
        } catch {
            throw refusal("with this value the file could not be read: \(error.sentence)")
        }
        throw refusal("it cannot be changed here without changing something else; do it by hand")
    }
}

extension Array<UInt8>.SubSequence {
    fileprivate func contains(_ name: String) -> Bool { firstRange(of: Array(name.utf8)) != nil }
}

extension TOMLDocument.Value {
    /// The value as TOML on one line; nil for tables and times, which no key takes.
    fileprivate var literal: String? {
        switch self {
        case .string(let text): "\"" + text.unicodeScalars.map(Self.escaped).joined() + "\""
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .array(let items):
            items.contains { $0.literal == nil } ? nil : "[" + items.compactMap(\.literal).joined(separator: ", ") + "]"
        case .table, .time: nil
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\" + String(scalar)
        case "\n": "\\n"
        case "\t": "\\t"
        case _ where scalar.isControl:
            "\\u" + String(repeating: "0", count: 4 - min(4, String(scalar.value, radix: 16).count)) + String(scalar.value, radix: 16)
        default: String(scalar)
        }
    }
}
