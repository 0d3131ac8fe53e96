import FleetEngine
import FleetEngineAccess
import FoundationEssentials
import Synchronization

extension LocalFleetEngine {
    /// Makes calls fail or wait from now on, over gRPC and HTTP. Replaces all earlier rules.
    nonisolated func plan(_ rules: [FaultRule]) { faults.withLock { $0 = FaultPlan(rules) } }

    /// Applies the planned faults to a call. The call may have to wait first. It then goes on or fails.
    ///
    /// - Throws: an error with the planned status code; CANCELLED if the task is cancelled during the delay.
    nonisolated func meetFaults(of rpc: EngineRPC) async throws(FleetEngineError) {
        guard let outcome = faults.withLock({ $0.isEmpty ? nil : $0.outcome(of: rpc.name) }) else { return }
        if outcome.delayMilliseconds > 0 {
            do {
                try await Task.sleep(for: .milliseconds(outcome.delayMilliseconds))
            } catch {
                throw FleetEngineError(code: .cancelled, message: "the call was cancelled")
            }
        }
        if let code = outcome.code {
            throw FleetEngineError(code: code, message: "this \(rpc.name) call fails because of a planned fault")
        }
    }
}
