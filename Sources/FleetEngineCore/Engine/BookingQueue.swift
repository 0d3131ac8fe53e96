import DequeModule
package import FleetEngine
import FleetEngineAPI

/// The bookings that wait for a vehicle. Each provider has one queue for each trip type, in the order of booking.
package struct BookingQueue: Sendable {
    private struct Line: Hashable, Sendable {
        var provider: String
        var type: WireTripType
    }

    private var waiting: [TripName: Booking] = [:]
    private var counts: [String: Int] = [:]
    /// The queues. They may contain bookings that no longer wait, but not at the front.
    private var lines: [Line: Deque<Booking>] = [:]

    /// The ids of the providers with a waiting trip.
    package var providers: some Sequence<String> { counts.keys }

    /// The waiting trips, in the order of booking.
    package var trips: [TripName] { waiting.values.sorted { $0.serial < $1.serial }.map(\.trip) }

    func contains(_ trip: TripName) -> Bool { waiting[trip] != nil }

    subscript(trip: TripName) -> Booking? { waiting[trip] }

    func count(of provider: String) -> Int { counts[provider] ?? 0 }

    /// Returns the provider's first waiting booking of this trip type that `isFit` accepts.
    func first(of provider: String, type: WireTripType, where isFit: (TripName) -> Bool = { _ in true }) -> Booking? {
        lines[Line(provider: provider, type: type)]?.first { waiting[$0.trip] == $0 && isFit($0.trip) }
    }

    /// Appends a booking to its queue. A booking that was in the queue before gets its old position back.
    mutating func append(_ booking: Booking) {
        remove(booking.trip)
        waiting[booking.trip] = booking
        counts[booking.trip.provider, default: 0] += 1
        lines[Line(provider: booking.trip.provider, type: booking.type), default: []].insert(booking)
    }

    mutating func remove(_ trip: TripName) {
        guard let booking = waiting.removeValue(forKey: trip) else { return }
        let left = count(of: trip.provider) - 1
        counts[trip.provider] = left > 0 ? left : nil
        let key = Line(provider: trip.provider, type: booking.type)
        guard var line = lines.removeValue(forKey: key) else { return }
        while let first = line.first, waiting[first.trip] != first { line.removeFirst() }
        if line.count > 2 * left + 16 { line.removeAll { waiting[$0.trip] != $0 } }
        if !line.isEmpty { lines[key] = line }
    }
}

extension BookingQueue: Equatable {
    /// Returns whether both queues have the same waiting trips. Bookings that no longer wait are ignored.
    package static func == (one: BookingQueue, other: BookingQueue) -> Bool {
        one.waiting == other.waiting && one.lines.keys == other.lines.keys
    }
}

extension Deque<Booking> {
    fileprivate mutating func insert(_ booking: Booking) {
        let behind = lastIndex { $0.serial < booking.serial }
        insert(booking, at: behind.map { $0 + 1 } ?? 0)
    }
}
