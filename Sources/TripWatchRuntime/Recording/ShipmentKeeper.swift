import FleetEngine
import FoundationEssentials
import JourneySharing
import TripWatchWords

/// Records the followed shipments and their state, for `list` and for later commands.
///
/// A new status is on disk within a second, and every other change within half a minute.
@MainActor
package final class ShipmentKeeper {
    private static let soonSeconds = 1.0
    private static let laterSeconds = 30.0

    private let file: StateFile
    private let server: KnownTrip.Server
    private let time: any TimeSource
    private var known: [TaskTrackingName: KnownShipment] = [:]
    /// The names of the shipments whose changes are not written yet.
    private var changed: Set<TaskTrackingName> = []
    private lazy var writer = DelayedWriter { [weak self] in await self?.write() }

    init(file: StateFile, server: KnownTrip.Server, time: any TimeSource) {
        self.file = file
        self.server = server
        self.time = time
    }

    /// Records the current state of a shipment.
    func note(_ tracker: ShipmentTracker) {
        guard tracker.shipment != nil else { return }
        let now = time.now()
        let before = known[tracker.name]
        var after = before ?? KnownShipment(name: tracker.name, server: server, openedAt: now)
        after.note(tracker, at: now)
        known[tracker.name] = after
        changed.insert(tracker.name)
        let isNews = before?.state != after.state || before?.outcome != after.outcome
        writer.write(within: isNews ? Self.soonSeconds : Self.laterSeconds)
    }

    private func write() async {
        let shipments = changed.compactMap { known[$0] }
        guard !shipments.isEmpty else { return }
        changed = []
        let (file, now) = (file, time.now())
        await Task.detached { file.note(shipments, now: now) }.value
    }

    /// Writes all changes that are not written yet.
    func close() async { await writer.close() }
}
