package import FoundationEssentials
import TripWatchSettings

/// One JSON object on one line. Keys stay in the order in which they were added, so that programs can compare the output.
package struct JSONLine {
    private(set) var text = "{"

    package init() {}

    package mutating func add(_ key: String, _ value: JSONText?) {
        if text.utf8.count > 1 { text += "," }
        text += JSONText.string(key).text + ":" + (value ?? .null).text
    }

    package var finished: String { text + "}" }
}

/// A JSON value as text.
package struct JSONText: Hashable, Sendable {
    let text: String

    static let null = JSONText(text: "null")

    static func bool(_ value: Bool) -> JSONText { JSONText(text: value ? "true" : "false") }
    static func integer(_ value: Int) -> JSONText { JSONText(text: "\(value)") }

    /// A number, rounded to `decimals` decimal places (0 to 7); null for not-a-number and for magnitudes of 1e15 or more.
    static func number(_ value: Double, decimals: Int) -> JSONText {
        guard value.isFinite, abs(value) < 1e15 else { return .null }
        return JSONText(text: value.fixed(decimals: decimals))
    }

    package static func string(_ value: String) -> JSONText {
        var out = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
        return JSONText(text: out + "\"")
    }

    package static func time(_ date: Date) -> JSONText { .string(Timestamps.rfc3339(date)) }

    package static func array(_ values: [JSONText]) -> JSONText { JSONText(text: "[" + values.map(\.text).joined(separator: ",") + "]") }

    static func object(_ build: (inout JSONLine) -> Void) -> JSONText {
        var line = JSONLine()
        build(&line)
        return JSONText(text: line.finished)
    }
}

/// Times as text.
package enum Timestamps {
    /// The time in UTC, to the millisecond: `2031-05-04T14:07:12.250Z`. A time after the year 9999, or equally far before 1970, becomes the
    /// start of 1970.
    package static func rfc3339(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded(.down)
        guard abs(milliseconds) <= latestMilliseconds else { return "1970-01-01T00:00:00.000Z" }
        // Adds half a millisecond, because the style truncates and a Double is inexact.
        return rfc3339Style.format(Date(timeIntervalSince1970: (milliseconds + 0.5) / 1_000))
    }

    /// The last millisecond of the year 9999, after which years have more than four digits.
    private static let latestMilliseconds = 253_402_300_799_999.0

    private static let rfc3339Style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The clock time in a time zone, truncated to the second or minute: `14:07:12`, or `14:07`.
    package static func clock(_ date: Date, secondsFromGMT: Int, withSeconds: Bool) -> String {
        guard abs(date.timeIntervalSince1970) < 2.5e11 else { return withSeconds ? "--:--:--" : "--:--" }
        let local = Int64(date.timeIntervalSince1970.rounded(.down)) + Int64(secondsFromGMT)
        let second = floorRemainder(local, 86_400)
        let minutes = pad(second / 3_600, 2) + ":" + pad(second / 60 % 60, 2)
        return withSeconds ? minutes + ":" + pad(second % 60, 2) : minutes
    }

    /// The clock time, truncated to the minute, with the day in front if a reader would otherwise take it for a nearer time: `14:07`,
    /// `7 May 14:07`.
    package static func clock(_ date: Date, now: Date, secondsFromGMT: (Date) -> Int) -> String {
        let offset = secondsFromGMT(date)
        let time = clock(date, secondsFromGMT: offset, withSeconds: false)
        let isNear = abs(date.timeIntervalSince(now)) < nearSeconds
        guard !isNear, !time.hasPrefix("-"), day(date, secondsFromGMT: offset) != day(now, secondsFromGMT: secondsFromGMT(now)) else {
            return time
        }
        return "\(shortDay(date, now: now, secondsFromGMT: offset)) \(time)"
    }

    /// Returns the clock time for a sentence: `at 14:07`, or `on 7 May at 14:07` if the time is on another day and at least 12 h away.
    package static func phrase(_ date: Date, now: Date, secondsFromGMT: (Date) -> Int) -> String {
        let clock = clock(date, now: now, secondsFromGMT: secondsFromGMT)
        guard let space = clock.lastIndex(of: " ") else { return "at \(clock)" }
        return "on \(clock[..<space]) at \(clock[clock.index(after: space)...])"
    }

    /// If a time is less than this many seconds away, its clock time needs no day: the same clock time on any other day is farther away.
    private static let nearSeconds = 12.0 * 3_600
    /// If a time is at least this many seconds away, its day needs the year.
    private static let yearSeconds = 300.0 * 86_400

    /// The day of a moment in a time zone: `7 May`, or `2032-05-07` if it is at least 300 days away.
    static func shortDay(_ date: Date, now: Date, secondsFromGMT: Int) -> String {
        let whole = Self.date(date, secondsFromGMT: secondsFromGMT)
        let numbers = whole.split(separator: "-").compactMap { Int($0) }
        guard abs(date.timeIntervalSince(now)) < yearSeconds, numbers.count == 3, months.indices.contains(numbers[1] - 1) else {
            return whole
        }
        return "\(numbers[2]) \(months[numbers[1] - 1].prefix(3))"
    }

    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]

    /// The calendar day of a moment in a time zone, as a number of days since 1970.
    static func day(_ date: Date, secondsFromGMT: Int) -> Double {
        ((date.timeIntervalSince1970 + Double(secondsFromGMT)) / 86_400).rounded(.down)
    }

    /// The calendar date of a moment in a time zone: `2031-05-04`.
    static func date(_ date: Date, secondsFromGMT: Int) -> String {
        String(rfc3339(date.addingTimeInterval(Double(secondsFromGMT))).prefix(10))
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : -((-a + b - 1) / b) }
    private static func floorRemainder(_ a: Int64, _ b: Int64) -> Int64 { a - floorDivide(a, b) * b }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
