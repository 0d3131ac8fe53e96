package import FleetEngine
package import FoundationEssentials
import TerminalCanvas

/// The trips that were booked or followed on this machine in the last seven days, as a small JSON text.
package struct KnownTrips: Hashable, Sendable {
    /// The longest text that is read, bytes.
    package static let maximumBytes = 1_024 * 1_024
    /// Trips that are kept; those opened longest ago go first.
    package static let maximumTrips = 500
    /// So long after it was seen last a trip is known, seconds.
    package static let keepingSeconds = 7.0 * 86_400

    private struct Entry: Codable {
        var name: String
        var title: String?
        var goal: String?
        var status: String
        /// Seconds since 1970, as all times here.
        var eta: Double?
        var opened: Double
        var seen: Double
        var endpoint: String
        var plaintext: Bool
        var ca: String?
    }

    /// The one opened last comes first.
    package private(set) var trips: [KnownTrip] = []
    /// Whether everything in the text could be read that they were made from.
    package private(set) var isWhole = true

    package init() {}

    /// Unreadable data make an empty book; an entry that nobody here has written is left out.
    package init(_ data: Data) {
        guard data.count <= Self.maximumBytes, let entries = try? JSONDecoder().decode([Lenient].self, from: data) else {
            isWhole = false
            return
        }
        trips = entries.compactMap { $0.entry.flatMap(Self.trip) }
        isWhole = trips.count == entries.count
        sort()
    }

    /// Whether a text to read can have a trip in it; false only where it is sure to have none.
    package static func mayName(_ trip: TripName, in data: Data) -> Bool {
        let id = Array(trip.trip.utf8)
        // What JSON may write in another way is not looked for, and what is no list is looked at closely by whoever reads it.
        guard !id.isEmpty, id.allSatisfy({ $0.isPlainInJSON }), data.first == UInt8(ascii: "["), data.last == UInt8(ascii: "]") else {
            return true
        }
        return data.withUnsafeBytes { $0.offset(of: id) != nil }
    }

    /// One trip of a text, without a look at the others.
    /// - Returns: nil where it is not in it, or written in another way than here.
    package static func trip(_ name: TripName, in data: Data) -> KnownTrip? {
        let member = Array("\"name\":\"\(name.description)\"".utf8)
        let object = data.withUnsafeBytes { bytes in
            bytes.offset(of: member).flatMap { bytes.object(around: $0) }.map { Data(UnsafeRawBufferPointer(rebasing: bytes[$0])) }
        }
        guard let object, let entry = try? JSONDecoder().decode(Entry.self, from: object) else { return nil }
        return trip(entry).flatMap { $0.name == name ? $0 : nil }
    }

    /// An entry, or something else in its place.
    private struct Lenient: Decodable {
        var entry: Entry?

        init(from decoder: any Decoder) throws { entry = try? Entry(from: decoder) }
    }

    package static func == (one: KnownTrips, two: KnownTrips) -> Bool { one.trips == two.trips }

    package func hash(into hasher: inout Hasher) { hasher.combine(trips) }

    /// The text to keep.
    package var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(trips.map(Self.entry))) ?? Data("[]".utf8)
    }

    package subscript(_ name: TripName) -> KnownTrip? { trips.first { $0.name == name } }

    /// The one opened last that is not over, as far as is known.
    package var newestUnderWay: KnownTrip? { trips.first { !$0.status.isFinal } }

    /// Takes in what is known of trips now. What another program has opened later stays in front, and its title is not lost.
    package mutating func note(_ noted: [KnownTrip], now: Date) {
        var all = Dictionary(trips.map { ($0.name, $0) }) { first, _ in first }
        for var trip in noted {
            if let old = all[trip.name] {
                trip.openedAt = max(trip.openedAt, old.openedAt)
                trip.title = trip.title ?? old.title
                trip.goal = trip.goal ?? old.goal
                // A trip that is over stays so, whoever has looked at it earlier and writes later.
                if old.lastSeenAt > trip.lastSeenAt {
                    (trip.status, trip.arrival, trip.lastSeenAt) = (old.status, old.arrival, old.lastSeenAt)
                }
            }
            all[trip.name] = trip
        }
        trips = Array(all.values)
        forget(before: now)
    }

    /// Leaves out what is too old, and what is too much.
    package mutating func forget(before now: Date) {
        trips.removeAll { abs(now.timeIntervalSince($0.lastSeenAt)) > Self.keepingSeconds }
        sort()
        trips = Array(trips.prefix(Self.maximumTrips))
    }

    private mutating func sort() {
        // Names are put together only where they decide.
        trips.sort { $0.openedAt == $1.openedAt ? $0.name.description < $1.name.description : $0.openedAt > $1.openedAt }
    }

    private static func trip(_ entry: Entry) -> KnownTrip? {
        guard let name = try? TripName(entry.name), let status = TripStatus(rawValue: entry.status), entry.seen.isFinite,
            entry.opened.isFinite
        else { return nil }
        let server = KnownTrip.Server(endpoint: entry.endpoint, isPlaintext: entry.plaintext, caFile: entry.ca)
        var trip = KnownTrip(name: name, server: server, openedAt: Date(timeIntervalSince1970: entry.opened))
        trip.title = entry.title.map { sanitised($0, maximumLength: 60) }
        trip.goal = entry.goal.map { sanitised($0, maximumLength: 60) }
        trip.status = status
        trip.arrival = entry.eta.map { Date(timeIntervalSince1970: $0) }
        trip.lastSeenAt = Date(timeIntervalSince1970: entry.seen)
        return trip
    }

    private static func entry(_ trip: KnownTrip) -> Entry {
        Entry(
            name: trip.name.description, title: trip.title, goal: trip.goal, status: trip.status.name,
            eta: trip.arrival?.timeIntervalSince1970,
            opened: trip.openedAt.timeIntervalSince1970, seen: trip.lastSeenAt.timeIntervalSince1970, endpoint: trip.server.endpoint,
            plaintext: trip.server.isPlaintext, ca: trip.server.caFile)
    }
}

extension KnownTrips {
    /// A JSON array, `[]` for none.
    package var jsonLine: String { JSONText.array(trips.map(\.jsonText)).text }

    /// A line a trip, in columns.
    /// - Parameter clock: a time in the user's zone.
    package func lines(now: Date, clock: (Date) -> String) -> [String] {
        let shared = TripNames.sharedBeginning(of: trips.compactMap(\.shownTitle))
        let rows = trips.map { $0.cells(now: now, shared: shared, clock: clock) }
        let widths = (rows.first ?? []).indices.map { column in rows.map { displayWidth($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { padded($0, columns: $1, alignment: .left) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Where some bytes stand first.
    fileprivate func offset(of searched: [UInt8]) -> Int? {
        guard let first = searched.first, count >= searched.count else { return nil }
        return (0...(count - searched.count)).first { start in
            self[start] == first && searched.indices.allSatisfy { self[start + $0] == searched[$0] }
        }
    }

    /// The object of a JSON list in which an offset lies.
    fileprivate func object(around offset: Int) -> Range<Int>? {
        var (start, depth, isText, isEscaped) = (0, 0, false, false)
        for (index, byte) in enumerated() {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"):
                if depth == 0 { start = index }
                depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0, index > offset { return start <= offset ? start..<index + 1 : nil }
                if depth < 0 { return nil }
            default: break
            }
        }
        return nil
    }
}

extension UInt8 {
    /// Nothing but itself stands for it in JSON, as far as anybody writes it: letters, digits, `-`, `_` and `.`.
    fileprivate var isPlainInJSON: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
