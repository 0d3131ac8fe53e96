public import FleetEngine
import FleetEngineCore
public import FleetEngineSnapshot
import FoundationEssentials
import Synchronization

extension LocalFleetEngine {
    /// See `FleetEngineState.export`. Expired trips are left out.
    public nonisolated func export() async throws(FleetEngineError) -> FleetSnapshot { try await stateNow().export() }

    /// Returns the result of `export` as text. Other tasks can run while the text is being made.
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

    /// Checks whether `load` would accept the tasks and delivery vehicles of a snapshot as new ones. Changes nothing.
    nonisolated func checkLoad(_ snapshot: FleetSnapshot) async throws(FleetEngineError) {
        let (engine, now) = try await read { engine, now in (engine, now) }
        var state = engine
        _ = try state.load(snapshot, keepsDeliveries: true, now: now)
    }

    /// Records the current state as the state that a restart returns to.
    public func noteStart() { start = EngineStart(snapshot) }

    /// Returns to the state that `noteStart()` has recorded. Trips and vehicles are removed and created again, so the engine
    /// treats them and their positions as new.
    func restart() async throws(FleetEngineError) {
        let start = start
        try await change { state, now throws(FleetEngineError) in
            ((), try state.restart(with: start, now: now))
        }
    }

    /// Runs the timers that are due after the clock has been advanced: removes expired trips, gives waiting trips the vehicles that this
    /// has freed, and asks the router again if it has failed.
    func runDueTimers() async {
        // A failure to store the removal is ignored, because later calls that write also remove expired trips (`sweepIfDue`).
        try? await change { state, now in ((), state.sweep(now: now)) }
        if ways.isPaused { resume() }
    }
}
