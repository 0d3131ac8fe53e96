import FleetEngine
import Geo
package import JourneySharing

/// The updates of a recording, which the screen of a replay keeps in memory.
///
/// A decoded answer can need many times as much memory as its text, so the total size is limited. A part that is the same as in the
/// previous answer, such as the route, is kept only once. The text is kept as well, so a long text leaves less memory for the answers.
package struct ReplayUpdates: Sendable {
    /// Limit of the size of the text and the updates together, in bytes. A ride of 12 hours with an answer each second needs about 130 MiB.
    package static let maximumBytes = 150 << 20

    package private(set) var list: [TripUpdate] = []
    private let limit: Int
    private var byteCount = 0
    private var last: Trip?

    /// - Parameters:
    ///   - momentCount: the number of recorded answers and failures.
    ///   - textBytes: size of the recording's text, in bytes.
    ///   - limit: limit of the total size, in bytes.
    package init(momentCount: Int, textBytes: Int = 0, limit: Int = maximumBytes) {
        self.limit = limit
        byteCount = textBytes
        // A list that grows is copied, and needs twice its memory during the copy. A moment has at most three updates.
        list.reserveCapacity(min(3 * momentCount, max(0, limit - textBytes) / MemoryLayout<TripUpdate>.stride))
    }

    /// Adds an update.
    /// - Returns: false if the updates are larger than the limit. The update is then left out.
    package mutating func add(_ update: TripUpdate) -> Bool {
        byteCount += MemoryLayout<TripUpdate>.stride
        var update = update
        switch update.kind {
        case .trip(var trip, let changed):
            byteCount += trip.shareParts(with: last)
            last = trip
            update = TripUpdate(name: update.name, time: update.time, kind: .trip(trip, changed: changed))
        case .failure(let failure): byteCount += failure.error.message.byteCount
        case .recovered, .state, .ended: break
        }
        guard byteCount <= limit else { return false }
        list.append(update)
        return true
    }
}

/// Replaces a value with the equal value of the previous answer, so that it is in memory only once.
/// - Returns: the bytes of the separate memory blocks that the value needs; 0 if it was replaced.
private func keepOnce<Value: Equatable>(_ value: inout Value, _ last: Value?, byteCount: (Value) -> Int) -> Int {
    guard let last, value == last else { return byteCount(value) }
    value = last
    return 0
}

extension Trip {
    /// The memory of an attribute in a dictionary, in bytes, without the attribute's texts. It includes a share of the dictionary's
    /// unused memory.
    private static let attributeBytes = 100

    /// Replaces parts with the equal parts of the previous answer, so that they are in memory only once.
    /// - Returns: the size of the parts that were not replaced, in bytes.
    fileprivate mutating func shareParts(with last: Trip?) -> Int {
        var bytes = keepOnce(&vehicleID, last?.vehicleID) { $0?.byteCount ?? 0 }
        bytes += keepOnce(&attributes, last?.attributes) { all in
            all.reduce(0) { $0 + Self.attributeBytes + $1.key.byteCount + $1.value.byteCount }
        }
        bytes += keepOnce(&intermediateDestinations, last?.intermediateDestinations) { $0.count * MemoryLayout<Coordinate>.stride }
        bytes += keepOnce(&activeRoute, last?.activeRoute) { $0.byteCount }
        return bytes + shareStops(with: last?.remainingWaypoints ?? [])
    }

    /// Replaces parts of stops with the equal parts of the previous answer, so that they are in memory only once. Stops are matched from
    /// the end, because stops leave the list at its front.
    /// - Returns: the size of all stops, plus the size of the parts that were not replaced, in bytes; 0 if the list has not changed.
    private mutating func shareStops(with last: [TripWaypoint]) -> Int {
        if remainingWaypoints == last {
            remainingWaypoints = last
            return 0
        }
        let gone = last.count - remainingWaypoints.count
        var bytes = 0
        for index in remainingWaypoints.indices {
            let known = last.indices.contains(index + gone) ? last[index + gone] : nil
            bytes += MemoryLayout<TripWaypoint>.stride
            bytes += keepOnce(&remainingWaypoints[index].tripID, known?.tripID) { $0.byteCount }
            bytes += keepOnce(&remainingWaypoints[index].path, known?.path) { $0.byteCount }
        }
        return bytes
    }
}

extension String {
    /// The bytes of the separate memory block that a text needs; 0 for a short text.
    fileprivate var byteCount: Int { utf8.count > 15 ? utf8.count + 32 : 0 }
}

extension RouteLine {
    /// The memory of the line, its distances and its traffic, in bytes.
    fileprivate var byteCount: Int {
        line.coordinates.count * MemoryLayout<Coordinate>.stride + line.cumulativeMeters.count * MemoryLayout<Double>.stride
            + traffic.count * MemoryLayout<TrafficStretch>.stride
    }
}
