import BoundedJSON
package import FleetEngine
package import FoundationEssentials
import TerminalCanvas

/// The trips and shipments that were booked or followed on this machine in the last seven days, saved as a small JSON text.
package struct KnownTrips: Hashable, Sendable {
    /// The maximum length of a text to read, in bytes.
    package static let maximumBytes = 1_024 * 1_024
    /// At most this many trips and this many shipments are kept. Beyond that, the ones opened longest ago are removed.
    package static let maximumTrips = 500
    /// The time for which a trip stays in the list after it was last seen, in seconds.
    package static let keepingSeconds = 7.0 * 86_400

    private struct Entry: Codable {
        var name: String
        var title: String?
        var goal: String?
        var status: String
        /// The kind of the trip; nil for a ride.
        var kind: String?
        /// Whether the trip had a car in the last answer; missing in older files, and for a trip that was only booked.
        var car: Bool?
        /// The arrival, in seconds since 1970 like all times in the file.
        var eta: Double?
        /// For an order, the time at which the courier arrives at the shop.
        var shop: Double?
        var opened: Double
        var seen: Double
        var endpoint: String
        var plaintext: Bool
        var ca: String?
        /// The provider's backend; missing in older files.
        var provider: String?
    }

    /// The trips, starting with the most recently opened one.
    package private(set) var trips: [KnownTrip] = []
    /// The shipments, starting with the most recently opened one.
    package private(set) var shipments: [KnownShipment] = []
    /// Whether the whole text could be read.
    package private(set) var isWhole = true

    package init() {}

    /// Reads the list. Unreadable data gives an empty list; entries that this program did not write are skipped.
    package init(_ data: Data) {
        guard data.count <= Self.maximumBytes, let entries = try? JSONDecoder().decodeBounded([Lenient].self, from: data) else {
            isWhole = false
            return
        }
        trips = entries.compactMap(\.trip)
        shipments = entries.compactMap(\.shipment)
        isWhole = trips.count + shipments.count == entries.count
        sort()
    }

    /// An entry, read as a trip or a shipment. Both properties are nil for any other entry.
    private struct Lenient: Decodable {
        var trip: KnownTrip?
        var shipment: KnownShipment?

        init(from decoder: any Decoder) throws {
            trip = (try? Entry(from: decoder)).flatMap(KnownTrips.trip)
            shipment = (try? KnownShipment.Entry(from: decoder)).flatMap(KnownShipment.init)
        }
    }

    /// An entry of either kind, for writing.
    private enum Written: Encodable {
        case trip(Entry)
        case shipment(KnownShipment.Entry)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .trip(let entry): try entry.encode(to: encoder)
            case .shipment(let entry): try entry.encode(to: encoder)
            }
        }
    }

    package static func == (one: KnownTrips, two: KnownTrips) -> Bool { one.trips == two.trips && one.shipments == two.shipments }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(trips)
        hasher.combine(shipments)
    }

    /// The JSON text to save.
    package var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let entries = trips.map { Written.trip(Self.entry($0)) } + shipments.map { Written.shipment($0.entry) }
        return (try? encoder.encode(entries)) ?? Data("[]".utf8)
    }

    /// Whether the list contains neither trips nor shipments.
    package var isEmpty: Bool { trips.isEmpty && shipments.isEmpty }

    package subscript(_ name: TripName) -> KnownTrip? { trips.first { $0.name == name } }

    package subscript(_ name: TaskTrackingName) -> KnownShipment? { shipments.first { $0.name == name } }

    /// The minimum length, in characters, of an ending that a user can type instead of the whole name.
    private static let shortestSuffix = 4

    /// Returns the trips that a text can mean: the trip with this name, or else those with this id. Otherwise, if the text has at least
    /// `shortestSuffix` characters, returns the trips whose names end with it.
    package func trips(meantBy text: String) -> [KnownTrip] {
        if text.contains("/"), let name = try? TripName(text) { return self[name].map { [$0] } ?? [] }
        let same = trips.filter { $0.name.trip == text }
        return same.isEmpty && text.count >= Self.shortestSuffix ? trips.filter { $0.name.description.hasSuffix(text) } : same
    }

    /// Returns the shipments that a text can mean, by the same rules as for trips.
    package func shipments(meantBy text: String) -> [KnownShipment] {
        if text.contains("/") { return shipments.filter { $0.name.description == text } }
        let same = shipments.filter { $0.name.trackingID == text }
        return same.isEmpty && text.count >= Self.shortestSuffix ? shipments.filter { $0.name.description.hasSuffix(text) } : same
    }

    package mutating func forget(_ name: TripName) { trips.removeAll { $0.name == name } }

    package mutating func forget(_ name: TaskTrackingName) { shipments.removeAll { $0.name == name } }

    /// Records the current state of shipments. If another program has recorded a later state, that state is kept.
    package mutating func note(_ noted: [KnownShipment], now: Date) {
        var all = Dictionary(shipments.map { ($0.name, $0) }) { first, _ in first }
        for shipment in noted { all[shipment.name] = all[shipment.name].map(shipment.merged) ?? shipment }
        shipments = Array(all.values)
        forget(before: now)
    }

    /// Records the current state of trips. A later state or a later opening time that another program has recorded is kept. A recorded
    /// title or goal is kept if the new state has none. So is the recorded URL of the provider backend, but only if the endpoint is the
    /// same.
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
                // A finished trip stays finished, even if a program with an older state saves it later.
                if old.lastSeenAt > trip.lastSeenAt {
                    trip.status = old.status
                    trip.kind = old.kind
                    trip.hasCar = old.hasCar
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

    /// Removes trips and shipments that are too old, or that exceed the maximum number.
    package mutating func forget(before now: Date) {
        trips.removeAll { abs(now.timeIntervalSince($0.lastSeenAt)) > Self.keepingSeconds }
        shipments.removeAll { abs(now.timeIntervalSince($0.lastSeenAt)) > Self.keepingSeconds }
        sort()
        trips = Array(trips.prefix(Self.maximumTrips))
        shipments = Array(shipments.prefix(Self.maximumTrips))
    }

    private mutating func sort() {
        // Full names are built only to order entries that were opened at the same time.
        trips.sort { $0.openedAt == $1.openedAt ? $0.name.description < $1.name.description : $0.openedAt > $1.openedAt }
        shipments.sort { $0.openedAt == $1.openedAt ? $0.name.description < $1.name.description : $0.openedAt > $1.openedAt }
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
        trip.hasCar = entry.car
        trip.arrival = entry.eta.map { Date(timeIntervalSince1970: $0) }
        trip.shopArrival = entry.shop.map { Date(timeIntervalSince1970: $0) }
        trip.lastSeenAt = Date(timeIntervalSince1970: entry.seen)
        return trip
    }

    private static func entry(_ trip: KnownTrip) -> Entry {
        Entry(
            name: trip.name.description, title: trip.title, goal: trip.goal, status: trip.status.name,
            kind: trip.kind == .ride ? nil : trip.kind.rawValue, car: trip.hasCar,
            eta: trip.arrival?.timeIntervalSince1970, shop: trip.shopArrival?.timeIntervalSince1970,
            opened: trip.openedAt.timeIntervalSince1970, seen: trip.lastSeenAt.timeIntervalSince1970, endpoint: trip.server.endpoint,
            plaintext: trip.server.isPlaintext, ca: trip.server.caFile, provider: trip.server.providerURL)
    }
}

extension KnownTrips {
    /// A known trip or shipment to follow.
    package struct Subject: Hashable, Sendable {
        /// The full name, with the provider.
        package let name: String
        /// The title, or the id if the title is unknown.
        package let title: String
        package let server: KnownTrip.Server
    }

    /// The trips and shipments that are not known to be finished, most recently opened first.
    /// - Parameter withShipments: whether shipments are included.
    package func underWay(withShipments: Bool = true) -> [Subject] {
        let open = trips.filter { !$0.status.isFinal }.map { trip in
            let title = trip.shownTitle ?? "trip \(trip.name.trip)"
            return (trip.openedAt, Subject(name: trip.name.description, title: title, server: trip.server))
        }
        let others = withShipments ? shipments.filter { !$0.isOver } : []
        let openShipments = others.map { shipment in
            let title = "shipment \(shipment.name.trackingID)"
            return (shipment.openedAt, Subject(name: shipment.name.description, title: title, server: shipment.server))
        }
        return newestFirst(open + openShipments)
    }

    /// A JSON array of the trips and shipments; `[]` if the list is empty.
    package var jsonLine: String {
        JSONText.array(newestFirst(trips.map { ($0.openedAt, $0.jsonText) } + shipments.map { ($0.openedAt, $0.jsonText) })).text
    }

    /// Returns one line for each trip and shipment, in columns; two lines each if the terminal is too narrow for whole names.
    /// - Parameters:
    ///   - columns: width of the terminal; nil for a pipe or a file.
    ///   - secondsFromGMT: offset of the user's time zone from GMT at a time, in seconds; for the planned times of shipments.
    ///   - clock: formats a time in the user's time zone.
    package func lines(
        now: Date, columns: Int? = nil, secondsFromGMT: @escaping @Sendable (Date) -> Int = { _ in 0 }, clock: (Date) -> String
    ) -> [String] {
        let shared = TripNames.sharedBeginning(of: trips.compactMap(\.shownTitle))
        let ofTrips = trips.map { trip in
            (trip.openedAt, trip.cells(now: now, shared: shared, clock: clock) + [sanitised(trip.server.endpoint, maximumLength: 200)])
        }
        let ofShipments = shipments.map { shipment in
            let cells = shipment.cells(now: now, secondsFromGMT: secondsFromGMT, clock: clock)
            return (shipment.openedAt, cells + [sanitised(shipment.server.endpoint, maximumLength: 200)])
        }
        let rows = newestFirst(ofTrips + ofShipments)
        let lines = Self.table(rows)
        guard let columns, lines.contains(where: { displayWidth($0) > columns }) else { return lines }
        let names = rows.map { row in
            let (name, server) = ("    \(row.first ?? "")", row.last ?? "")
            return displayWidth(name) + 2 + displayWidth(server) > columns ? name : "\(name)  \(server)"
        }
        let states = rows.map { Array($0.dropFirst(2).dropLast()) }
        let room = columns - (Self.table(states).map { displayWidth($0) }.max() ?? 0) - 2
        let titled = zip(rows, states).map { row, state in [fitted(row.dropFirst().first ?? "", columns: max(1, room))] + state }
        return zip(Self.table(titled), names).flatMap { [$0, $1] }
    }

    private static func table(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { displayWidth($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { padded($0, columns: $1, alignment: .left) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Returns the values, starting with the most recently opened one. Values opened at the same time keep their order.
    private func newestFirst<Value>(_ values: [(Date, Value)]) -> [Value] {
        values.enumerated().sorted { one, other in
            one.element.0 == other.element.0 ? one.offset < other.offset : one.element.0 > other.element.0
        }.map(\.element.1)
    }
}
