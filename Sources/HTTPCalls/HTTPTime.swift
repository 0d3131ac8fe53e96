package import FoundationEssentials

/// Times in HTTP's headers (RFC 9110, 5.6.7).
package enum HTTPTime {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The form that servers have to send: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func date(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        let clock = words.count == 6 ? words[4].split(separator: ":").compactMap { Int($0) } : []
        guard clock.count == 3, words[5] == "GMT", let day = Int(words[1]), let month = months.firstIndex(of: String(words[2])),
            let year = Int(words[3]), (1...31).contains(day), (1970...9999).contains(year), (0...23).contains(clock[0]),
            (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        var parts = DateComponents()
        parts.year = year
        parts.month = month + 1
        parts.day = day
        parts.hour = clock[0]
        parts.minute = clock[1]
        parts.second = clock[2]
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: parts)
    }

    /// `Retry-After`, a date or seconds; nil for anything else.
    package static func seconds(untilRetryAfter text: String, now: Date) -> Double? {
        if let seconds = Double(text) { return seconds.isFinite && seconds >= 0 ? seconds : nil }
        return date(text).map { max(0, $0.timeIntervalSince(now)) }
    }
}
