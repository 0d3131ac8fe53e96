import BoundedJSON
package import FleetEngine
package import FoundationEssentials
package import JourneySharing

/// The progress of each trip at the last run of `status`, saved as a small JSON text. Each run sees only one moment of a trip, so it needs
/// the progress from the previous run.
package struct ProgressBook: Hashable, Sendable {
    /// The maximum length of a text to read, in bytes.
    package static let maximumBytes = 256 * 1_024
    /// The maximum number of trips. When it is exceeded, the trips seen longest ago are removed.
    package static let maximumTrips = 500

    private struct Entry: Codable, Hashable, Sendable {
        var waypoint: String
        var index: Int?
        /// The bare id of the vehicle; nil if unknown.
        var vehicle: String?
        var driven: Double
        var remaining: Double
        /// The time at which the trip was seen, in seconds since 1970.
        var seen: Double
    }

    private var entries: [String: Entry] = [:]

    package init() {}

    /// Reads the progress. Unreadable data gives no progress, because lost progress does not justify an error.
    package init(_ data: Data) {
        guard data.count <= Self.maximumBytes, let read = try? JSONDecoder().decodeBounded([String: Entry].self, from: data) else { return }
        entries = read
    }

    package subscript(_ trip: TripName) -> Progress.Mark? {
        guard let entry = entries[trip.description], let waypoint = WaypointType(rawValue: entry.waypoint) else { return nil }
        return Progress.Mark(
            waypoint: waypoint, intermediateIndex: entry.index, vehicleID: entry.vehicle, drivenMeters: entry.driven,
            remainingMeters: entry.remaining)
    }

    /// Records the progress of a trip; nil removes the trip. Above the maximum number, the trips seen longest ago are removed.
    package mutating func note(_ mark: Progress.Mark?, for trip: TripName, now: Date) {
        entries[trip.description] = mark.map {
            Entry(
                waypoint: $0.waypoint.rawValue, index: $0.intermediateIndex, vehicle: $0.vehicleID, driven: $0.drivenMeters,
                remaining: $0.remainingMeters, seen: now.timeIntervalSince1970)
        }
        while entries.count > Self.maximumTrips, let oldest = entries.min(by: { $0.value.seen < $1.value.seen }) {
            entries[oldest.key] = nil
        }
    }

    /// The text to save. Its keys are sorted, so that equal values give equal texts.
    package var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(entries)) ?? Data("{}".utf8)
    }
}
