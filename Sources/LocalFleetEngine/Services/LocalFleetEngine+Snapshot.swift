public import FleetEngine
import FleetEngineCore
public import FleetEngineSnapshot
import FoundationEssentials
import Synchronization

extension LocalFleetEngine {
    /// See `FleetEngineState.export`. Trips whose lifetime is over are left out.
    public nonisolated func export() async throws(FleetEngineError) -> FleetSnapshot { try await stateNow().export() }

    /// Text form of `export`. Other tasks run while it is made.
    nonisolated func exportedText() async throws(FleetEngineError) -> [UInt8] { try await stateNow().exportedText() }

    private nonisolated func stateNow() async throws(FleetEngineError) -> FleetEngineState {
        let (engine, now) = try await read { engine, now in (engine, now) }
        var state = engine
        _ = state.sweep(now: now)
        return state
    }

    /// See `FleetEngineState.load`.
    public func load(
        _ snapshot: FleetSnapshot, isPartial: Bool = false, keepsDeliveries: Bool = false
    ) async throws(FleetEngineError) {
        try await change { state, now throws(FleetEngineError) in
            ((), try state.load(snapshot, isPartial: isPartial, keepsDeliveries: keepsDeliveries, now: now))
        }
    }

    /// Checks that `load` would accept new tasks and delivery vehicles. Changes nothing.
    nonisolated func checkLoad(_ snapshot: FleetSnapshot) async throws(FleetEngineError) {
        let (engine, now) = try await read { engine, now in (engine, now) }
        var state = engine
        _ = try state.load(snapshot, keepsDeliveries: true, now: now)
    }

    /// Makes the present state the target of a restart.
    public func noteStart() { start = EngineStart(snapshot) }

    /// Returns to the start state. Trips and vehicles are removed and created again, so the engine treats them and their positions as new.
    func restart() async throws(FleetEngineError) {
        let start = start
        try await change { state, now throws(FleetEngineError) in
            ((), try state.restart(with: start, now: now))
        }
    }

    /// Runs the timers that are due after the clock was advanced: removes expired trips, examines waiting trips, and asks the router again.
    func runDueTimers() async {
        // The next call that writes repeats a removal that cannot be stored now.
        try? await change { state, now in ((), state.sweep(now: now)) }
        if ways.isPaused { resume() }
    }
}
