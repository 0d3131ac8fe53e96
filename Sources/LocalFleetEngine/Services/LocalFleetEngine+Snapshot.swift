public import FleetEngine
public import FleetEngineCore
import FoundationEssentials
import Synchronization

extension LocalFleetEngine {
    /// See `FleetEngineState.export`. Trips whose lifetime is over are left out.
    public nonisolated func export() async throws(FleetEngineError) -> FleetSnapshot { try await stateNow().export() }

    /// The text form of `export`; other tasks get their turn while it is made.
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

    /// From now on a restart goes back to what the engine knows now.
    public func noteStart() { start = EngineStart(snapshot) }

    /// Goes back to the start. Trips, vehicles and positions are as new.
    func restart() async throws(FleetEngineError) {
        let start = start
        try await change { state, now throws(FleetEngineError) in
            ((), try state.restart(with: start, now: now))
        }
    }

    /// Does what is due after the clock was put forward: trips whose lifetime is over go, who waits is looked at, the router is asked again.
    func runDueTimers() async {
        // What cannot be stored now is swept with the next call that writes.
        try? await change { state, now in ((), state.sweep(now: now)) }
        if ways.isPaused { resume() }
    }
}
