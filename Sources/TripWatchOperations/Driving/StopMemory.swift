import BoundedJSON
import Driver
import FleetEngine
import FoundationEssentials
import ProgramSurroundings

/// Stores when a delivery vehicle arrived at its stop, because the server does not report this time. A restarted driver needs the
/// time to know how long to stay.
struct StopMemory: Sendable {
    private static let fileName = "delivery-stops.json"
    /// Maximum size of the file, in bytes. A larger file is not read.
    private static let maximumBytes = 1 << 20
    /// Largest number of vehicles whose arrivals are stored. The oldest arrivals are dropped.
    private static let mostVehicles = 64

    /// The arrival of one vehicle, by the clock of this machine.
    private struct Entry: Codable {
        var vehicle: String
        var tasks: [String]
        var arrived: Double
    }

    private let vehicle: String
    private let speed: Double
    private let folder: StateFolder
    private let clock: any TimeSource

    /// Creates the storage for a vehicle's arrival. Returns nil if no environment variable names the state folder or a home directory.
    /// - Parameter speed: simulated seconds per real second.
    init?(_ vehicle: DeliveryVehicleName, speed: Double, in surroundings: Surroundings) {
        guard let folder = StateFolder(environment: surroundings.environment) else { return nil }
        self.folder = folder
        self.vehicle = vehicle.description
        self.speed = speed
        clock = surroundings.clock(1)
    }

    /// Returns the vehicle's last arrival in an earlier run; nil if no arrival is stored, or if its time is in the future.
    /// - Parameter now: the time by the driver's clock.
    func lastArrival(now: Date) -> StopArrival? {
        guard let entry = entries.last(where: { $0.vehicle == vehicle }) else { return nil }
        let seconds = clock.now().timeIntervalSince1970 - entry.arrived
        guard seconds.isFinite, seconds >= 0 else { return nil }
        return StopArrival(taskIDs: entry.tasks, date: now.addingTimeInterval(-seconds * speed))
    }

    /// Stores an arrival that is not stored yet. Removes the arrival when the vehicle has left the stop.
    func note(_ event: DeliveryDriverEvent) {
        guard case .stop(let stop, _) = event else {
            if case .ended = event { forget() }
            return
        }
        guard stop.state == .arrived else { return forget() }
        let tasks = stop.tasks.map(\.taskID)
        change { known in
            if known.contains(where: { $0.vehicle == vehicle && $0.tasks == tasks }) { return }
            known.removeAll { $0.vehicle == vehicle }
            known.append(Entry(vehicle: vehicle, tasks: tasks, arrived: clock.now().timeIntervalSince1970))
        }
    }

    private func forget() {
        guard entries.contains(where: { $0.vehicle == vehicle }) else { return }
        change { known in known.removeAll { $0.vehicle == vehicle } }
    }

    private func change(_ body: (inout [Entry]) -> Void) {
        folder.locked {
            var known = entries
            body(&known)
            guard let data = try? JSONEncoder().encode(Array(known.suffix(Self.mostVehicles))) else { return }
            folder.write(data, to: Self.fileName, isSynchronized: false)
        }
    }

    private var entries: [Entry] {
        folder.read(Self.fileName, maximumBytes: Self.maximumBytes).flatMap { try? JSONDecoder().decodeBounded([Entry].self, from: $0) }
            ?? []
    }
}
