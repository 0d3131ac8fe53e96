package import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TerminalCanvas

/// A trip that was booked or followed on this machine, in its last known state. The record contains no token. It contains no personal data
/// except locations: `title` may contain the name of a location, and `goal` may contain the drop-off's coordinates.
package struct KnownTrip: Hashable, Sendable {
    /// The Fleet Engine server of a trip, and its connection settings.
    package struct Server: Hashable, Sendable {
        /// `HOST:PORT`.
        package var endpoint: String
        package var isPlaintext: Bool
        /// The path of a PEM file with CA certificates; nil to use the system's certificates.
        package var caFile: String?
        /// The provider's backend, which can cancel the trip; nil while unknown.
        package var providerURL: String?

        package init(endpoint: String, isPlaintext: Bool, caFile: String?, providerURL: String? = nil) {
            self.endpoint = endpoint
            self.isPlaintext = isPlaintext
            self.caFile = caFile
            self.providerURL = providerURL
        }
    }

    package let name: TripName
    /// The title; nil if only the id is known.
    package var title: String?
    /// The title used while no better one is known: `Ride to 50.105, 8.664`; nil while the drop-off is unknown, or if the id says more than
    /// coordinates.
    package var goal: String?
    package var status = TripStatus.new
    package var kind = TripKind.ride
    /// Whether the trip had a car in the last answer; nil before the first answer.
    package var hasCar: Bool?
    /// The time of the arrival at the next stop, or at an order's drop-off; after the trip, the time at which the car arrived. Nil
    /// while unknown, and after a cancellation.
    package var arrival: Date?
    /// For an order, the time at which the courier arrives at the shop; nil while unknown, and after the courier has been there.
    package var shopArrival: Date?
    package var server: Server
    /// The time of the booking, or the time at which a program last began to follow the trip.
    package var openedAt: Date
    package var lastSeenAt: Date

    /// Creates the record of a trip that was just booked, or that this program begins to follow.
    package init(name: TripName, server: Server, openedAt: Date) {
        self.name = name
        self.server = server
        self.openedAt = openedAt
        lastSeenAt = openedAt
    }

    /// Records the state of the trip.
    /// - Parameter title: the new title; nil to use the trip's own title, or else to keep the existing one.
    package mutating func note(_ journey: JourneyTracker, title: String?, at now: Date) {
        guard let trip = journey.trip else { return }
        self.title = title ?? TripNames(name, trip: trip, title: nil, kind: journey.kind).ownTitle ?? self.title
        goal = TripNames.title(of: name, to: trip.dropoffPoint, kind: journey.kind) ?? goal
        status = trip.status
        kind = journey.kind
        hasCar = trip.vehicleID != nil
        shopArrival = journey.shopArrivalAhead
        lastSeenAt = now
        arrival =
            switch trip.status {
            case .complete: journey.arrivedAt(now: now)
            case .canceled: nil
            // The last promise is recorded, not the latest estimate, because the estimate can change with each answer. A program that later
            // begins to follow the trip shows the recorded time first.
            default: journey.forecast.shown == nil ? nil : journey.forecast.promises.last?.arrival
            }
    }
}

extension KnownTrip {
    /// The time, in seconds, for which a program that recorded an arrival is assumed to still show it. A program that starts to follow the
    /// trip within this time shows the same arrival if it is near its own estimate. A program that polls at least every 3 min records its
    /// arrival again within this time.
    private static let shownSeconds = 300.0
    /// Two times are treated as equal if they differ by less than this, in seconds. A trip's ``arrival`` is compared by the minute instead.
    private static let sameTimeSeconds = 60.0
    /// The time during which the same state is not recorded again, in seconds.
    static let sameLookSeconds = 60.0

    /// Whether `before` has the same state and is at most a minute older, so that it need not be replaced.
    package func isAsJustSeen(_ before: KnownTrip) -> Bool {
        var same = self
        (same.lastSeenAt, same.arrival) = (before.lastSeenAt, before.arrival)
        if Self.isNear(shopArrival, before.shopArrival) { same.shopArrival = before.shopArrival }
        guard same == before, (0...Self.sameLookSeconds).contains(lastSeenAt.timeIntervalSince(before.lastSeenAt)) else { return false }
        return Self.isSameMinute(arrival, before.arrival)
    }

    /// Whether two times are equal or nearly so.
    static func isNear(_ time: Date?, _ earlier: Date?) -> Bool {
        guard let time, let earlier else { return time == earlier }
        return abs(time.timeIntervalSince(earlier)) < sameTimeSeconds
    }

    /// Whether two arrivals are shown as the same clock time.
    package static func isSameMinute(_ arrival: Date?, _ earlier: Date?) -> Bool {
        guard let arrival, let earlier else { return arrival == earlier }
        return ClockMinutes.count(from: earlier, to: arrival) == 0
    }

    /// Returns the arrival that a program on this machine shows now; nil after the trip, and if no program has recorded the trip recently.
    package func arrivalShown(at now: Date) -> Date? {
        !status.isFinal && (0...Self.shownSeconds).contains(now.timeIntervalSince(lastSeenAt)) ? arrival : nil
    }

    /// The best title; nil if only the id is known.
    package var shownTitle: String? { title ?? goal }

    /// One JSON object: name, title, status, eta, last_seen, endpoint, provider; for an order also kind and shop_eta.
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

    /// The largest amount by which a recorded time may lie in the future, in seconds. Another program may have written the record after
    /// the current time was read.
    private static let clockToleranceSeconds = 5.0

    /// Returns the cells for `tripwatch list`: name, title, status, arrival and time last seen.
    /// - Parameters:
    ///   - shared: the prefix that all titles share, which the cell leaves out.
    ///   - clock: formats a time in the user's time zone.
    func cells(now: Date, shared: String, clock: (Date) -> String) -> [String] {
        let shown = StatusPhrases.shown(status, hasVehicle: hasCar ?? true)
        let phrases = StatusPhrases.of(shown, kind: kind, hasVehicle: hasCar ?? true)
        // If a trip was booked here but never followed, it is unknown whether the trip has a car.
        let standing = status == .new && hasCar == nil ? "booked" : phrases.standing ?? phrases.brief ?? phrases.phase
        // At a stop of a ride, and for a ride without a car, the recorded arrival is a forecast that no longer matters.
        let hasNoTime = phrases.standing != nil && !status.isFinal
        let time = hasNoTime ? "--:--" : arrival.map(clock) ?? "--:--"
        let title = shownTitle.map { String($0.dropFirst($0.hasPrefix(shared) ? shared.count : 0)) } ?? "–"
        return [name.description, title, standing.lowercased(), time, Self.seen(lastSeenAt, now: now)].map {
            sanitised($0, maximumLength: 200)
        }
    }

    /// Returns the words for the time at which the trip was last seen.
    static func seen(_ time: Date, now: Date) -> String {
        let seconds = now.timeIntervalSince(time)
        // The clock was set back after the trip was seen, so it is unknown how long ago that was.
        if seconds < -clockToleranceSeconds { return "seen earlier" }
        return seconds < 86_400 ? "seen \(TripWords.age(seconds)) ago" : "seen \(Int(min(seconds / 86_400, 100))) d ago"
    }
}
