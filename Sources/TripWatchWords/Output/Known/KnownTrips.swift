package import FleetEngine
package import FoundationEssentials
import TerminalCanvas

/// The trips that were booked or followed on this machine in the last seven days, as a small JSON text.
package struct KnownTrips: Hashable, Sendable {
    /// Maximum length of a text to read, bytes.
    package static let maximumBytes = 1_024 * 1_024
    /// Maximum number of trips; the ones opened longest ago are removed first.
    package static let maximumTrips = 500
    /// Time that a trip stays known after it was last seen, seconds.
    package static let keepingSeconds = 7.0 * 86_400

    private struct Entry: Codable {
        var name: String
        var title: String?
        var goal: String?
        var status: String
        /// Nil for a ride.
        var kind: String?
        /// Seconds since 1970, like all times here.
        var eta: Double?
        /// Arrival at the shop of an order.
        var shop: Double?
        var opened: Double
        var seen: Double
        var endpoint: String
        var plaintext: Bool
        var ca: String?
        /// Missing in older files.
        var provider: String?
    }

    /// The trips, the most recently opened first.
    package private(set) var trips: [KnownTrip] = []
    /// Whether the whole text could be read.
    package private(set) var isWhole = true

    package init() {}

    /// Unreadable data give an empty list; entries that this program did not write are skipped.
    package init(_ data: Data) {
        guard data.count <= Self.maximumBytes, let entries = try? JSONDecoder().decode([Lenient].self, from: data) else {
            isWhole = false
            return
        }
        trips = entries.compactMap { $0.entry.flatMap(Self.trip) }
        isWhole = trips.count == entries.count
        sort()
    }

    /// An entry; nil for anything else in its place.
    private struct Lenient: Decodable {
        var entry: Entry?

        init(from decoder: any Decoder) throws { entry = try? Entry(from: decoder) }
    }

    package static func == (one: KnownTrips, two: KnownTrips) -> Bool { one.trips == two.trips }

    package func hash(into hasher: inout Hasher) { hasher.combine(trips) }

    /// The text to save.
    package var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(trips.map(Self.entry))) ?? Data("[]".utf8)
    }

    package subscript(_ name: TripName) -> KnownTrip? { trips.first { $0.name == name } }

    /// Minimum length of a name's ending that can replace the name.
    private static let shortestSuffix = 4

    /// The most recently opened trip that is unfinished as far as known.
    package var newestUnderWay: KnownTrip? { trips.first { !$0.status.isFinal } }

    /// Trips that a text can mean: the trip with this name, or else those with this id, or else those whose names end with it. An ending
    /// has at least 4 characters.
    package func trips(meantBy text: String) -> [KnownTrip] {
        if text.contains("/"), let name = try? TripName(text) { return self[name].map { [$0] } ?? [] }
        let same = trips.filter { $0.name.trip == text }
        return same.isEmpty && text.count >= Self.shortestSuffix ? trips.filter { $0.name.description.hasSuffix(text) } : same
    }

    /// Removes a trip.
    package mutating func forget(_ name: TripName) { trips.removeAll { $0.name == name } }

    /// Records the current state of trips. Trips that another program opened later stay in front and keep their titles.
    package mutating func note(_ noted: [KnownTrip], now: Date) {
        var all = Dictionary(trips.map { ($0.name, $0) }) { first, _ in first }
        for var trip in noted {
            if let old = all[trip.name] {
                trip.openedAt = max(trip.openedAt, old.openedAt)
                trip.title = trip.title ?? old.title
                trip.goal = trip.goal ?? old.goal
                if trip.server.endpoint == old.server.endpoint {
                    trip.server.providerURL = trip.server.providerURL ?? old.server.providerURL
                }
                // A finished trip stays finished, even if a program with an older state writes later.
                if old.lastSeenAt > trip.lastSeenAt {
                    trip.status = old.status
                    trip.kind = old.kind
                    trip.arrival = old.arrival
                    trip.shopArrival = old.shopArrival
                    trip.lastSeenAt = old.lastSeenAt
                }
            }
            all[trip.name] = trip
        }
        trips = Array(all.values)
        forget(before: now)
    }

    /// Removes trips that are too old or too many.
    package mutating func forget(before now: Date) {
        trips.removeAll { abs(now.timeIntervalSince($0.lastSeenAt)) > Self.keepingSeconds }
        sort()
        trips = Array(trips.prefix(Self.maximumTrips))
    }

    private mutating func sort() {
        // Full names are built only if they decide.
        trips.sort { $0.openedAt == $1.openedAt ? $0.name.description < $1.name.description : $0.openedAt > $1.openedAt }
    }

    private static func trip(_ entry: Entry) -> KnownTrip? {
        guard let name = try? TripName(entry.name), let status = TripStatus(rawValue: entry.status), entry.seen.isFinite,
            entry.opened.isFinite
        else { return nil }
        let server = KnownTrip.Server(endpoint: entry.endpoint, isPlaintext: entry.plaintext, caFile: entry.ca, providerURL: entry.provider)
        var trip = KnownTrip(name: name, server: server, openedAt: Date(timeIntervalSince1970: entry.opened))
        trip.title = entry.title.map { sanitised($0, maximumLength: 60) }
        trip.goal = entry.goal.map { sanitised($0, maximumLength: 60) }
        trip.status = status
        trip.kind = entry.kind.flatMap(TripKind.init(rawValue:)) ?? .ride
        trip.arrival = entry.eta.map { Date(timeIntervalSince1970: $0) }
        trip.shopArrival = entry.shop.map { Date(timeIntervalSince1970: $0) }
        trip.lastSeenAt = Date(timeIntervalSince1970: entry.seen)
        return trip
    }

    private static func entry(_ trip: KnownTrip) -> Entry {
        Entry(
            name: trip.name.description, title: trip.title, goal: trip.goal, status: trip.status.name,
            kind: trip.kind == .ride ? nil : trip.kind.rawValue, eta: trip.arrival?.timeIntervalSince1970,
            shop: trip.shopArrival?.timeIntervalSince1970,
            opened: trip.openedAt.timeIntervalSince1970, seen: trip.lastSeenAt.timeIntervalSince1970, endpoint: trip.server.endpoint,
            plaintext: trip.server.isPlaintext, ca: trip.server.caFile, provider: trip.server.providerURL)
    }
}

extension KnownTrips {
    /// A JSON array, `[]` for none.
    package var jsonLine: String { JSONText.array(trips.map(\.jsonText)).text }

    /// One line per trip, in columns.
    /// - Parameter clock: formats a time in the user's zone.
    package func lines(now: Date, clock: (Date) -> String) -> [String] {
        let shared = TripNames.sharedBeginning(of: trips.compactMap(\.shownTitle))
        let rows = trips.map { $0.cells(now: now, shared: shared, clock: clock) + [sanitised($0.server.endpoint, maximumLength: 200)] }
        let widths = (rows.first ?? []).indices.map { column in rows.map { displayWidth($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { padded($0, columns: $1, alignment: .left) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}
