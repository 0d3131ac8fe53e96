import FleetEngine
import PhoneIntake
import Synchronization

/// The paths that cars with phones have driven since the server's start. When a vehicle is deleted, its path is removed at a
/// later clean-up.
final class DrivenWays: Sendable {
    private struct Entry {
        /// Serial number of the vehicle. A later vehicle with the same name has another serial number.
        let serial: UInt64
        var way = DrivenWay()
    }

    private struct State {
        var entries: [VehicleName: Entry] = [:]
        /// Number of entries at which the next clean-up removes the paths of deleted vehicles.
        var sweepsAt = 64
    }

    private let state = Mutex(State())

    /// Adds fixes to the path of a vehicle.
    /// - Parameter serial: returns the serial number of the vehicle that has the name now; nil if no vehicle has it.
    func add(_ fixes: [PhoneFix], of name: VehicleName, serial: (VehicleName) -> UInt64?) {
        guard !fixes.isEmpty, let own = serial(name) else { return }
        state.withLock { state in
            var entry = state.entries[name].flatMap { $0.serial == own ? $0 : nil } ?? Entry(serial: own)
            // The dictionary must not hold a second reference to the path. Otherwise, adding fixes would copy the whole path.
            state.entries[name] = nil
            for fix in fixes { entry.way.add(fix) }
            state.entries[name] = entry
            guard state.entries.count >= state.sweepsAt else { return }
            state.entries = state.entries.filter { serial($0.key) == $0.value.serial }
            state.sweepsAt = max(64, 2 * state.entries.count)
        }
    }

    /// Returns the path that the vehicle with this name and serial number has driven; empty if no path is stored.
    func way(of name: VehicleName, serial: UInt64) -> DrivenWay {
        state.withLock { $0.entries[name].flatMap { $0.serial == serial ? $0.way : nil } ?? DrivenWay() }
    }

    /// Removes all paths.
    func forget() { state.withLock { $0 = State() } }
}
