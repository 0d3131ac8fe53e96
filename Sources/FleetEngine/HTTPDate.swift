package import FoundationEssentials

/// Dates in HTTP headers, in the only form that a program may send (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    /// Parses a date in the years 1970 to 9999; nil for any other form and for days that do not exist.
    package static func parse(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]), (1970...9999).contains(year)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, clock.allSatisfy((0...60).contains) else { return nil }
        let parsed = DateComponents(
            calendar: calendar, timeZone: .gmt, year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1],
            second: clock[2])
        return parsed.isValidDate ? parsed.date : nil
    }

    /// Returns the date in HTTP header format, rounded down to whole seconds.
    package static func text(_ moment: Date) -> String {
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: moment)
        func two(_ number: Int?) -> String { number.map { $0 < 10 ? "0\($0)" : "\($0)" } ?? "00" }
        let day = days[((parts.weekday ?? 1) - 1) % days.count]
        let month = months[((parts.month ?? 1) - 1) % months.count]
        let date = "\(two(parts.day)) \(month) \(parts.year ?? 1970)"
        return "\(day), \(date) \(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
    }

    /// Returns the seconds until the time in a `Retry-After` header, which is a date or a number of seconds; nil for any other text.
    package static func seconds(untilRetryAfter text: String, now: Date) -> Double? {
        if let seconds = Double(text) { return seconds.isFinite && seconds >= 0 ? seconds : nil }
        return parse(text).map { max(0, $0.timeIntervalSince(now)) }
    }
}
