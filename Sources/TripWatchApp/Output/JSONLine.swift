public import FoundationEssentials

/// One JSON object on one line, keys in the order in which they were given: stable for people who read it and for tools that compare it.
struct JSONLine {
    private(set) var text = "{"

    mutating func add(_ key: String, _ value: JSONText?) {
        if text.utf8.count > 1 { text += "," }
        text += JSONText.string(key).text + ":" + (value ?? .null).text
    }

    var finished: String { text + "}" }
}

/// A JSON value as text.
struct JSONText: Hashable, Sendable {
    let text: String

    static let null = JSONText(text: "null")

    static func bool(_ value: Bool) -> JSONText { JSONText(text: value ? "true" : "false") }
    static func integer(_ value: Int) -> JSONText { JSONText(text: "\(value)") }

    /// Rounded to `decimals` places (0 ... 7); what is not finite is null.
    static func number(_ value: Double, decimals: Int) -> JSONText {
        guard value.isFinite, abs(value) < 1e15 else { return .null }
        return JSONText(text: value.fixed(decimals: decimals))
    }

    static func string(_ value: String) -> JSONText {
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

    static func time(_ date: Date) -> JSONText { .string(Timestamps.rfc3339(date)) }

    static func array(_ values: [JSONText]) -> JSONText { JSONText(text: "[" + values.map(\.text).joined(separator: ",") + "]") }

    static func object(_ build: (inout JSONLine) -> Void) -> JSONText {
        var line = JSONLine()
        build(&line)
        return JSONText(text: line.finished)
    }
}

extension Double {
    /// Decimal digits without an exponent; at least one digit before the point, no trailing zeros behind it.
    func fixed(decimals: Int) -> String {
        let places = Swift.min(Swift.max(decimals, 0), 7)
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (magnitude * scale).rounded()
        guard scaled < 9e15 else { return "\(self)" }
        let whole = Int64(scaled)
        let unit = Int64(scale)
        var fraction = String(whole % unit)
        fraction = String(repeating: "0", count: Swift.max(0, places - fraction.count)) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let sign = self < 0 && whole != 0 ? "-" : ""
        return sign + "\(whole / unit)" + (places == 0 || fraction.isEmpty ? "" : "." + fraction)
    }
}

/// Times as texts.
public enum Timestamps {
    /// UTC to the millisecond: `2031-05-04T14:07:12.250Z`.
    public static func rfc3339(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded(.down)
        guard abs(milliseconds) < 2.5e14 else { return "1970-01-01T00:00:00.000Z" }
        let whole = Int64(milliseconds)
        let (days, inDay) = (floorDivide(whole, 86_400_000), floorRemainder(whole, 86_400_000))
        let (year, month, day) = civil(daysSince1970: days)
        let second = inDay / 1_000
        return pad(year, 4) + "-" + pad(month, 2) + "-" + pad(day, 2) + "T" + pad(second / 3_600, 2) + ":" + pad(second / 60 % 60, 2) + ":"
            + pad(second % 60, 2) + "." + pad(inDay % 1_000, 3) + "Z"
    }

    /// Clock time of a zone: `14:07:12`, or `14:07`.
    public static func clock(_ date: Date, secondsFromGMT: Int, withSeconds: Bool) -> String {
        guard abs(date.timeIntervalSince1970) < 2.5e11 else { return withSeconds ? "--:--:--" : "--:--" }
        let local = Int64(date.timeIntervalSince1970.rounded(.down)) + Int64(secondsFromGMT)
        let second = floorRemainder(local, 86_400)
        let minutes = pad(second / 3_600, 2) + ":" + pad(second / 60 % 60, 2)
        return withSeconds ? minutes + ":" + pad(second % 60, 2) : minutes
    }

    /// The full minute at or after `date`: an arrival is never told too early by rounding.
    public static func roundedUpToMinute(_ date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.up) * 60)
    }

    /// Days to a date of the proleptic Gregorian calendar, by counting from 1 March of year 0 in eras of 400 years.
    private static func civil(daysSince1970: Int64) -> (Int64, Int64, Int64) {
        let shifted = daysSince1970 + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : -((-a + b - 1) / b) }
    private static func floorRemainder(_ a: Int64, _ b: Int64) -> Int64 { a - floorDivide(a, b) * b }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
