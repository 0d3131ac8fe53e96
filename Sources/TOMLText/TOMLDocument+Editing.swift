extension TOMLDocument {
    /// Sets a top-level key and keeps every other line and every comment unchanged.
    ///
    /// If the key is set, its line gets the new value. If the key is set only on a line that is commented out, that line is uncommented and
    /// gets the new value. Otherwise a new line is added before the first table.
    ///
    /// - Parameters:
    ///   - key: letters, digits, "-" and "_"; no dots.
    ///   - preferred: a value. If the key is commented out on several lines, the line with this value is uncommented; without such a line,
    ///     the first of them.
    /// - Returns: the changed text, in which only this key has a different value.
    /// - Throws: the reason why the text cannot be changed without losing other content.
    public func setting(_ key: String, to value: Value, preferring preferred: String = "") throws(Failure) -> [UInt8] {
        var expected = table
        expected[key] = value
        guard let literal = value.literal else { throw Failure(sentence: "it cannot be written on one line") }
        if let place = try place(of: key) { return try proven(replacing([(place.value, literal)]), expected) }
        if let (sign, value) = commentedOut(key, preferring: preferred) {
            return try proven(replacing([(sign, ""), (value, literal)]), expected)
        }
        return try proven(inserting("\(key) = \(literal)"), expected)
    }

    /// Removes a top-level key: comments out its line, and replaces the value on it.
    ///
    /// - Parameter literal: the value that the commented-out line then shows.
    /// - Returns: the changed text, in which only this key is missing; the same text if the key is not set.
    /// - Throws: the reason why the text cannot be changed without losing other content.
    public func commentingOut(_ key: String, showing literal: String) throws(Failure) -> [UInt8] {
        guard let place = try place(of: key) else { return bytes }
        var expected = table
        expected[key] = nil
        let start = place.statement.lowerBound + indent(of: place.statement)
        return try proven(replacing([(start..<start, "#"), (place.value, literal)]), expected)
    }

    /// The statements before the first table.
    private var top: ArraySlice<Statement> { statements.prefix { if case .header = $0.content { false } else { true } } }

    private func indent(of range: Range<Int>) -> Int { bytes[range].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count }

    /// Returns the byte ranges of a key's statement and of its value; nil if the key is not set.
    private func place(of key: String) throws(Failure) -> (statement: Range<Int>, value: Range<Int>)? {
        for statement in top {
            guard case .pair([key], let value, let hasComments) = statement.content else { continue }
            if hasComments {
                throw Failure(
                    line: statement.line, sentence: "its value contains comments that would be lost; change it by hand")
            }
            return (statement.range, value)
        }
        if table[key] != nil { throw Failure(sentence: "it is a table here; change it by hand") }
        return nil
    }

    /// Finds a line on which the key is commented out: the line with the preferred value, or else the first such line. Returns the byte
    /// ranges of its "#" and its value; nil if the key is not commented out.
    private func commentedOut(_ key: String, preferring preferred: String) -> (sign: Range<Int>, value: Range<Int>)? {
        var found: (sign: Range<Int>, value: Range<Int>)?
        for statement in top where statement.content == .comment {
            let sign = statement.range.lowerBound + indent(of: statement.range)
            let line = Array(bytes[sign + 1..<statement.range.upperBound])
            // A table that is commented out begins here. The keys below it do not belong to the top level.
            if line.first == UInt8(ascii: "[") { break }
            guard let value = Self.value(of: key, in: line) else { continue }
            let place = (sign..<sign + 1, value.lowerBound + sign + 1..<value.upperBound + sign + 1)
            if line[value].elementsEqual(preferred.utf8) { return place }
            found = found ?? place
        }
        return found
    }

    /// Returns the range of the key's value in the text after a "#"; nil if this text starts with white space, or is not a single statement
    /// that sets the key.
    private static func value(of key: String, in line: [UInt8]) -> Range<Int>? {
        guard let first = line.first, first != UInt8(ascii: " "), first != UInt8(ascii: "\t"),
            line.prefix(key.utf8.count + 2).firstRange(of: Array(key.utf8)) != nil,
            let document = try? TOMLDocument(utf8: line), document.statements.count == 1,
            case .pair([key], let value, _)? = document.statements.first?.content
        else { return nil }
        return value
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

    /// Adds a line at the end of the top level. Comments directly above the first table stay with that table.
    private func inserting(_ line: String) -> [UInt8] {
        var before = top
        if before.count < statements.count { while before.last?.content == .comment { before.removeLast() } }
        while before.last?.content == .blank { before.removeLast() }
        let place = before.last?.range.upperBound ?? statements.first?.range.lowerBound ?? bytes.count
        let needsEnd = before.last != nil && bytes[..<place].last != UInt8(ascii: "\n")
        return replacing([(place..<place, (needsEnd ? lineEnd : "") + line + lineEnd)])
    }

    /// Line ending of the first line, also used for added lines.
    private var lineEnd: String {
        guard let first = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return "\n" }
        return bytes[..<first].last == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    /// Returns the changed text if it parses to the expected values, and throws otherwise.
    private func proven(_ text: [UInt8], _ expected: [String: Value]) throws(Failure) -> [UInt8] {
        do throws(Failure) {
            if try TOMLDocument(utf8: text).table == expected { return text }
        } catch {
            throw Failure(sentence: "with this value, the file could no longer be read: \(error.sentence)")
        }
        throw Failure(sentence: "this change would also affect other settings; edit the file by hand")
    }
}
