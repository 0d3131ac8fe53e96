import FleetEngine
import PhoneIntake
import Synchronization

/// The ways that phones' cars have driven since the server's start, as long as these are there.
final class DrivenWays: Sendable {
    private struct Entry {
        /// The vehicle's: another one of the same name has another.
        let serial: UInt64
        var way = DrivenWay()
    }

    private struct State {
        var entries: [VehicleName: Entry] = [:]
        /// With so many entries it is time to look for vehicles that are gone.
        var sweepsAt = 64
    }

    private let state = Mutex(State())

    /// - Parameter serial: of the vehicle that has a name now; nil where there is none.
    func add(_ fixes: [PhoneFix], of name: VehicleName, serial: (VehicleName) -> UInt64?) {
        guard !fixes.isEmpty, let own = serial(name) else { return }
        state.withLock { state in
            var entry = state.entries[name].flatMap { $0.serial == own ? $0 : nil } ?? Entry(serial: own)
            // What is changed has one owner: it would be copied for each fix.
            state.entries[name] = nil
            for fix in fixes { entry.way.add(fix) }
            state.entries[name] = entry
            guard state.entries.count >= state.sweepsAt else { return }
            state.entries = state.entries.filter { serial($0.key) == $0.value.serial }
            state.sweepsAt = max(64, 2 * state.entries.count)
        }
    }

    /// The way of the vehicle with this name and serial; an empty one where none is known.
    func way(of name: VehicleName, serial: UInt64) -> DrivenWay {
        state.withLock { $0.entries[name].flatMap { $0.serial == serial ? $0.way : nil } ?? DrivenWay() }
    }

    /// As after the server's start.
    func forget() { state.withLock { $0 = State() } }
}
