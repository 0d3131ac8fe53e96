package import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TerminalCanvas

/// A trip that was booked or followed on this machine, as it was seen last: no token, no person, and no place but what its
/// title says.
package struct KnownTrip: Hashable, Sendable {
    /// The Fleet Engine that knows a trip, and how it is talked to.
    package struct Server: Hashable, Sendable {
        /// `HOST:PORT`.
        package var endpoint: String
        package var isPlaintext: Bool
        /// Certificates in PEM that are trusted instead of the system's; nil for those.
        package var caFile: String?
        /// The provider's back end, where the trip can be cancelled; nil while it is not known.
        package var providerURL: String?

        package init(endpoint: String, isPlaintext: Bool, caFile: String?, providerURL: String? = nil) {
            self.endpoint = endpoint
            self.isPlaintext = isPlaintext
            self.caFile = caFile
            self.providerURL = providerURL
        }
    }

    package let name: TripName
    /// What it is called; nil where nothing better than its id is known.
    package var title: String?
    /// What it is called while nothing better is known: `Ride to 50.105, 8.664`; nil where its id says more.
    package var goal: String?
    package var status = TripStatus.new
    package var kind = TripKind.ride
    /// Arrival at its next stop, of an order at the drop-off, or when it has arrived; nil while unknown.
    package var arrival: Date?
    /// Arrival at the shop of an order; nil while unknown, and once it has been.
    package var shopArrival: Date?
    package var server: Server
    /// When it was booked, or somebody began to follow it last.
    package var openedAt: Date
    package var lastSeenAt: Date

    /// A trip that was just booked, or is followed from now on.
    package init(name: TripName, server: Server, openedAt: Date) {
        self.name = name
        self.server = server
        self.openedAt = openedAt
        lastSeenAt = openedAt
    }

    /// Takes over how the trip stands.
    /// - Parameter title: what it is called; nil leaves what is known.
    package mutating func note(_ journey: JourneyTracker, title: String?, at now: Date) {
        guard let trip = journey.trip else { return }
        self.title = title ?? TripNames(name, trip: trip, title: nil, kind: journey.kind).ownTitle ?? self.title
        goal = TripNames.title(of: name, to: trip.dropoffPoint, kind: journey.kind) ?? goal
        status = trip.status
        kind = journey.kind
        shopArrival = journey.shopArrivalAhead
        lastSeenAt = now
        arrival =
            switch trip.status {
            case .complete: journey.arrivedAt(now: now)
            case .canceled: nil
            default: journey.forecast.shown
            }
    }
}

extension KnownTrip {
    /// An arrival that differs by less is the same one, seconds.
    package static let sameArrivalSeconds = 60.0
    /// Within so long it is no news that a trip was seen again, seconds.
    private static let sameLookSeconds = 60.0

    /// Whether it stands as it did a short time before: that is not worth a write.
    package func isAsJustSeen(_ before: KnownTrip) -> Bool {
        var same = self
        (same.lastSeenAt, same.arrival) = (before.lastSeenAt, before.arrival)
        if Self.isSame(shopArrival, before.shopArrival) { same.shopArrival = before.shopArrival }
        guard same == before, (0...Self.sameLookSeconds).contains(lastSeenAt.timeIntervalSince(before.lastSeenAt)) else { return false }
        return Self.isSame(arrival, before.arrival)
    }

    private static func isSame(_ arrival: Date?, _ earlier: Date?) -> Bool {
        guard let arrival, let earlier else { return arrival == earlier }
        return abs(arrival.timeIntervalSince(earlier)) < sameArrivalSeconds
    }

    /// The best title there is; nil where that is the id.
    package var shownTitle: String? { title ?? goal }

    /// One JSON object: name, title, status, eta, last_seen, endpoint, provider; of an order kind and shop_eta too.
    var jsonText: JSONText {
        .object { line in
            line.add("name", .string(name.description))
            if kind == .order { line.add("kind", .string(kind.rawValue)) }
            line.add("title", shownTitle.map(JSONText.string))
            line.add("status", .string(status.name))
            line.add("eta", arrival.map(JSONText.time))
            if kind == .order { line.add("shop_eta", shopArrival.map(JSONText.time)) }
            line.add("last_seen", .time(lastSeenAt))
            line.add("endpoint", .string(server.endpoint))
            line.add("provider", .string(name.provider))
        }
    }

    /// So far ahead a time may be of a program that writes just now, seconds.
    private static let clockToleranceSeconds = 5.0

    /// Name, title, status, arrival and when it was seen last, as `tripwatch list` shows them.
    /// - Parameters:
    ///   - shared: the beginning that all titles have, which is left out.
    ///   - clock: a time in the user's zone.
    func cells(now: Date, shared: String, clock: (Date) -> String) -> [String] {
        let phrases = StatusPhrases.of(status, kind: kind)
        // Whether a new trip has a car is not kept.
        let standing = status == .new ? "booked" : phrases.standing ?? phrases.brief ?? phrases.phase
        let time = arrival.map(clock) ?? "--:--"
        let seconds = now.timeIntervalSince(lastSeenAt)
        let age = seconds < 86_400 ? TripWords.age(seconds) : "\(Int(min(seconds / 86_400, 100))) d"
        let title = shownTitle.map { String($0.dropFirst($0.hasPrefix(shared) ? shared.count : 0)) } ?? "–"
        // By a clock that was set back since: how long ago it was nobody knows.
        let seen = seconds < -Self.clockToleranceSeconds ? "seen earlier" : "seen \(age) ago"
        return [name.description, title, standing.lowercased(), time, seen].map { sanitised($0, maximumLength: 200) }
    }
}
