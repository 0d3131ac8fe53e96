// MARK: - Texts

extension TOMLReader {
    /// Reads the text between the quotation marks at the current position.
    ///
    /// - Parameter mayBeLong: whether three quotation marks begin a multi-line string.
    mutating func text(mayBeLong: Bool) throws(Failure) -> String {
        guard let mark = byte else { throw failure("a value is missing here") }
        let start = index
        let isLong = mayBeLong && byte(after: 1) == mark && byte(after: 2) == mark
        index += isLong ? 3 : 1
        if isLong { _ = skipNewline() }
        var text: [UInt8] = []
        while let byte {
            if byte == mark {
                // A multi-line string may itself end with up to two quotation marks, before the three that close it.
                let marks = bytes[index...].prefix(isLong ? 5 : 1).prefix { $0 == mark }.count
                index += marks
                let isEnd = !isLong || marks >= 3
                text += [UInt8](repeating: mark, count: isEnd ? marks - (isLong ? 3 : 1) : marks)
                if isEnd { return String(decoding: text, as: UTF8.self) }
            } else if byte == UInt8(ascii: "\\"), mark == UInt8(ascii: "\"") {
                try escape(isLong: isLong, into: &text)
            } else if isLong, skipNewline() {
                text.append(UInt8(ascii: "\n"))
            } else if byte == UInt8(ascii: "\n") {
                break
            } else if Self.isControl(byte) {
                throw failure("a control character must be written with a backslash, such as \\u001b", at: index)
            } else {
                text.append(byte)
                index += 1
            }
        }
        throw failure("the text that starts here has no quotation mark at its end", at: start)
    }

    /// Reads an escape sequence, including the backslash.
    private mutating func escape(isLong: Bool, into text: inout [UInt8]) throws(Failure) {
        let start = index
        let code = byte(after: 1)
        index += 2
        switch code {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(code ?? 0)
        case UInt8(ascii: "u"): text += try scalar(digits: 4, at: start).utf8
        case UInt8(ascii: "U"): text += try scalar(digits: 8, at: start).utf8
        default:
            index = min(start + 1, bytes.count)
            skipBlanks()
            guard isLong, skipNewline() else {
                throw failure("a backslash must be doubled, or the text must be in single quotes", at: start)
            }
            repeat { skipBlanks() } while skipNewline()
        }
    }

    /// Reads the digits of a numeric escape, and returns the character with that number.
    private mutating func scalar(digits count: Int, at start: Int) throws(Failure) -> String {
        let digits = bytes[index...].prefix(count)
        guard digits.count == count, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("\\\(count == 4 ? "u" : "U") needs \(count) hexadecimal digits", at: start) }
        guard let scalar = Unicode.Scalar(number) else { throw failure("no Unicode character has this code", at: start) }
        index += count
        return String(scalar)
    }
}

// MARK: - Words and numbers

extension TOMLReader {
    /// Reads a number or a word such as `true`.
    mutating func word() throws(Failure) -> TOMLDocument.Value {
        let rest = bytes[index...].prefix { byte in byte > 0x20 && byte < 0x7f && !",]}#=[{\"'".utf8.contains(byte) }
        guard let first = rest.first else { throw failure("a value is missing here") }
        let word = String(decoding: rest, as: UTF8.self)
        let isNumber = "+-0123456789.".utf8.contains(first) && Self.constants[word] == nil
        guard let value = isNumber ? try number(rest) : Self.constants[word] else {
            throw failure(isNumber ? "this is not a number; text must be in quotation marks" : "text must be in quotation marks")
        }
        index = rest.endIndex
        return value
    }

    private static let constants: [String: TOMLDocument.Value] = [
        "true": .boolean(true), "false": .boolean(false), "inf": .double(.infinity), "+inf": .double(.infinity),
        "-inf": .double(-.infinity), "nan": .double(.nan), "+nan": .double(.nan), "-nan": .double(.nan),
    ]

    /// Returns the number or time of day that a word represents; nil for other words.
    private func number(_ word: ArraySlice<UInt8>) throws(Failure) -> TOMLDocument.Value? {
        if Self.isTime(word) { return .time }
        let afterDigits = word.drop { Self.isDigit($0) || $0 == UInt8(ascii: "_") }
        if afterDigits.first == UInt8(ascii: "-"), afterDigits.startIndex > word.startIndex {
            throw failure("dates are not supported; text must be in quotation marks")
        }
        let prefixes: [(text: String, radix: Int)] = [("0x", 16), ("0o", 8), ("0b", 2)]
        if let prefix = prefixes.first(where: { word.starts(with: $0.text.utf8) }) {
            guard let digits = Self.digits(word.dropFirst(2), radix: prefix.radix) else { return nil }
            return try integer(Int(digits, radix: prefix.radix))
        }
        let hasSign = word.first == UInt8(ascii: "+") || word.first == UInt8(ascii: "-")
        let sign = word.first == UInt8(ascii: "-") ? "-" : ""
        let parts = (hasSign ? word.dropFirst() : word)
            .split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        let mantissa = parts.first?.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false) ?? []
        guard let whole = mantissa.first.flatMap({ Self.digits($0) }), whole == "0" || !whole.hasPrefix("0") else { return nil }
        if parts.count == 1, mantissa.count == 1 { return try integer(Int(sign + whole)) }
        guard let fraction = mantissa.count == 2 ? Self.digits(mantissa[1]) : "0",
            let exponent = parts.count == 2 ? Self.exponent(parts[1]) : "0"
        else { return nil }
        return Double("\(sign)\(whole).\(fraction)e\(exponent)").map { .double($0) }
    }

    private func integer(_ number: Int?) throws(Failure) -> TOMLDocument.Value {
        guard let number else { throw failure("this whole number is too large") }
        return .integer(number)
    }

    private static func exponent(_ word: ArraySlice<UInt8>) -> String? {
        let isNegative = word.first == UInt8(ascii: "-")
        let hasSign = isNegative || word.first == UInt8(ascii: "+")
        return digits(hasSign ? word.dropFirst() : word).map { (isNegative ? "-" : "") + $0 }
    }

    /// Returns the digits of a word without its underscores. Returns nil if an underscore is not between two digits, or if the
    /// word has other characters.
    private static func digits(_ word: ArraySlice<UInt8>, radix: Int = 10) -> String? {
        let groups = word.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        let areDigits = groups.allSatisfy { group in
            !group.isEmpty && group.allSatisfy { Character(Unicode.Scalar($0)).hexDigitValue.map { $0 < radix } ?? false }
        }
        return areDigits ? String(decoding: groups.joined(), as: UTF8.self) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Whether a word is a time of day, such as 14:07:12 or 14:07:12.5.
    private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
        let fields = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard fields.count == 3, let seconds = fields.last?.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false),
            seconds.count <= 2, seconds.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) })
        else { return false }
        return zip([fields[0], fields[1], seconds[0]], [24, 60, 60]).allSatisfy { field, limit in
            field.count == 2 && Int(String(decoding: field, as: UTF8.self)).map { (0..<limit).contains($0) } ?? false
        }
    }
}
