package import FoundationEssentials
import TerminalCanvas

/// A car with a phone key, as an entry in a list.
package struct ListedCar: Hashable, Sendable {
    private let car: String
    private let keyEnd: Date?
    private let lastHeard: Date?

    /// - Parameters:
    ///   - car: the bare id from the server.
    ///   - keyEnd: time at which the key expires; nil if the key never expires.
    ///   - lastHeard: time of the phone's last report; nil if it has not reported yet.
    package init(car: String, keyEnd: Date?, lastHeard: Date?) {
        self.car = car
        self.keyEnd = keyEnd
        self.lastHeard = lastHeard
    }

    /// A JSON array of objects with `car`, `key_end` and `last_heard`; `[]` for an empty list.
    package static func json(_ cars: [ListedCar]) -> String {
        JSONText.array(
            cars.map { car in
                .object { line in
                    line.add("car", .string(car.car))
                    line.add("key_end", car.keyEnd.map(JSONText.time))
                    line.add("last_heard", car.lastHeard.map(JSONText.time))
                }
            }
        ).text
    }

    /// Returns one line for each car, in columns.
    ///
    /// - Parameters:
    ///   - now: current time by the server's clock, like the times of the cars.
    ///   - zone: offset of the time zone from GMT at a time, in seconds.
    package static func lines(_ cars: [ListedCar], now: Date, zone: (Date) -> Int) -> [String] {
        let rows = cars.map { $0.cells(now: now, zone: zone) }
        let widths = (rows.first ?? []).indices.map { column in rows.map { displayWidth($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { padded($0, columns: $1, alignment: .left) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }

    private func cells(now: Date, zone: (Date) -> Int) -> [String] {
        let end = keyEnd.map { end in
            let isOver = end <= now
            let words = isOver ? "\(Self.age(now.timeIntervalSince(end))) ago" : "in \(Self.age(end.timeIntervalSince(now)))"
            return "key \(isOver ? "expired" : "expires") \(Self.moment(end, zone)), \(words)"
        }
        let heard = lastHeard.map { "last message \(Self.moment($0, zone)), \(Self.age(now.timeIntervalSince($0))) ago" }
        return [sanitised(car, maximumLength: 200), end ?? "key does not expire", heard ?? "no message yet"]
    }

    private static func age(_ seconds: Double) -> String {
        seconds < 86_400 ? TripWords.age(max(0, seconds)) : "\(Int(min(seconds / 86_400, 99_999))) d"
    }

    /// The date and clock time of a moment in the time zone.
    private static func moment(_ date: Date, _ zone: (Date) -> Int) -> String {
        let seconds = zone(date)
        let day = Timestamps.rfc3339(date.addingTimeInterval(Double(seconds))).prefix(10)
        return "\(day) \(Timestamps.clock(date, secondsFromGMT: seconds, withSeconds: false))"
    }
}
