/// A point in time that was read from a text with a date, a time of day and an offset from UTC.
package struct MomentText: Hashable, Sendable {
    /// The accepted form of the text.
    package enum Form: Sendable {
        /// `2025-02-05T17:02:31.483732Z`, or with an offset `+01:00`.
        case rfc3339
        /// RFC 3339, and the forms that phones write. Seconds may be missing. The offset may also be `+01`, `+0100`, `UTC` or `GMT`. An
        /// offset may also follow `UTC` or `GMT`. A missing offset means UTC. A space may precede the offset or replace its plus sign. The
        /// name of a time zone in brackets may follow.
        case phone
    }

    /// Whole seconds since 1970.
    package let seconds: Int64
    /// Nanoseconds after `seconds`, 0 ... 999,999,999.
    package let nanoseconds: Int

    /// Reads `text`. Nil if it has another form or is not a valid time. Fraction digits after the ninth are ignored.
    package init?(_ text: String, _ form: Form = .rfc3339) {
        var reader = DigitReader(Array(text.utf8.prefix(64)))
        guard let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2), reader.skip("Tt "), let hour = reader.number(digits: 2), reader.skip(":"),
            let minute = reader.number(digits: 2), let second = reader.second(form),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        guard let fraction = reader.fraction(), let offset = reader.offsetSeconds(form), reader.isAtEnd else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        // Without this check, a date such as 30 February would be read as a day in March.
        let nextMonth = month < 12 ? Self.days(year: year, month: month + 1, day: 1) : Self.days(year: year + 1, month: 1, day: 1)
        guard days < nextMonth else { return nil }
        seconds = Int64(days * 86_400 + hour * 3600 + minute * 60 + second - offset)
        nanoseconds = fraction
    }

    /// Returns the number of days from 1970-01-01 to a date in the Gregorian calendar. The calculation uses years that begin in March, so
    /// that the leap day is the last day of its year.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}

/// Reads digits and punctuation marks from the front of a text.
private struct DigitReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func digit() -> Int? {
        guard let byte = bytes.first, (0x30...0x39).contains(byte) else { return nil }
        bytes.removeFirst()
        return Int(byte - 0x30)
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Skips the next byte if it is one of `marks`, and returns whether it was.
    mutating func skip(_ marks: String) -> Bool {
        guard let byte = bytes.first, marks.utf8.contains(byte) else { return false }
        bytes.removeFirst()
        return true
    }

    /// Reads a colon and the seconds. In the form `phone`, both may be missing.
    mutating func second(_ form: MomentText.Form) -> Int? { skip(":") ? number(digits: 2) : form == .phone ? 0 : nil }

    /// Reads the fraction of a second and returns nanoseconds; 0 if there is no decimal mark, nil if no digit follows the mark.
    mutating func fraction() -> Int? {
        guard skip(".,") else { return 0 }
        guard var value = digit() else { return nil }
        var count = 1
        while let digit = digit() {
            if count < 9 { value = value * 10 + digit }
            count += 1
        }
        for _ in 0..<max(0, 9 - count) { value *= 10 }
        return value
    }

    /// Reads the offset and returns seconds east of Greenwich; nil for any other text. In the form `phone`, the name of a time zone in
    /// brackets is ignored.
    mutating func offsetSeconds(_ form: MomentText.Form) -> Int? {
        guard form == .phone else { return offset("+-", colon: true) }
        bytes = bytes.prefix { $0 != UInt8(ascii: "[") }
        if let next = bytes.dropFirst().first, bytes.first == UInt8(ascii: " "), !(0x30...0x39).contains(next) { bytes.removeFirst() }
        if isAtEnd || skipWord("UTC") || skipWord("GMT") { return isAtEnd ? 0 : offset("+-", colon: false) }
        return offset("+- ", colon: false)
    }

    private mutating func offset(_ signs: String, colon: Bool) -> Int? {
        if skip("Zz") { return 0 }
        let isWest = bytes.first == UInt8(ascii: "-")
        guard skip(signs), let hours = number(digits: 2), hours < 24 else { return nil }
        if !colon, isAtEnd { return (isWest ? -1 : 1) * hours * 3600 }
        guard skip(":") || !colon, let minutes = number(digits: 2), minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private mutating func skipWord(_ word: String) -> Bool {
        guard bytes.starts(with: word.utf8) else { return false }
        bytes.removeFirst(word.utf8.count)
        return true
    }
}
