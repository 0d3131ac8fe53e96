import FleetEngine
import FleetEngineAccess
import FoundationEssentials
import Synchronization

extension LocalFleetEngine {
    /// Makes calls fail or wait from now on, whichever face they come to; what was planned before counts no more.
    nonisolated func plan(_ rules: [FaultRule]) { faults.withLock { $0 = FaultPlan(rules) } }

    /// Lets a call through that its token allows, lets it wait, or fails it. Others go on meanwhile.
    ///
    /// - Throws: the planned code.
    nonisolated func meetFaults(of rpc: EngineRPC) async throws(FleetEngineError) {
        guard let outcome = faults.withLock({ $0.isEmpty ? nil : $0.outcome(of: rpc.name) }) else { return }
        if outcome.delayMilliseconds > 0 {
            do {
                try await Task.sleep(for: .milliseconds(outcome.delayMilliseconds))
            } catch {
                throw FleetEngineError(code: .cancelled, message: "the call was given up")
            }
        }
        if let code = outcome.code { throw FleetEngineError(code: code, message: "this \(rpc.name) fails as it was told to") }
    }
}
