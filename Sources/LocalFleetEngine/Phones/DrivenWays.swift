import FleetEngine
import PhoneIntake
import Synchronization

/// Ways that cars with phones have driven since the server's start. A way is removed some time after its vehicle.
final class DrivenWays: Sendable {
    private struct Entry {
        /// Serial of the vehicle. A later vehicle of the same name has another serial.
        let serial: UInt64
        var way = DrivenWay()
    }

    private struct State {
        var entries: [VehicleName: Entry] = [:]
        /// Number of entries at which deleted vehicles are removed.
        var sweepsAt = 64
    }

    private let state = Mutex(State())

    /// - Parameter serial: returns the serial of the vehicle with a name; nil if no vehicle has the name.
    func add(_ fixes: [PhoneFix], of name: VehicleName, serial: (VehicleName) -> UInt64?) {
        guard !fixes.isEmpty, let own = serial(name) else { return }
        state.withLock { state in
            var entry = state.entries[name].flatMap { $0.serial == own ? $0 : nil } ?? Entry(serial: own)
            // The removal leaves `entry` as the only owner. Otherwise the way would be copied for each fix.
            state.entries[name] = nil
            for fix in fixes { entry.way.add(fix) }
            state.entries[name] = entry
            guard state.entries.count >= state.sweepsAt else { return }
            state.entries = state.entries.filter { serial($0.key) == $0.value.serial }
            state.sweepsAt = max(64, 2 * state.entries.count)
        }
    }

    /// Way that the vehicle with this name and serial has driven; empty if it is not known.
    func way(of name: VehicleName, serial: UInt64) -> DrivenWay {
        state.withLock { $0.entries[name].flatMap { $0.serial == serial ? $0.way : nil } ?? DrivenWay() }
    }

    /// Returns to the state after the server's start.
    func forget() { state.withLock { $0 = State() } }
}
