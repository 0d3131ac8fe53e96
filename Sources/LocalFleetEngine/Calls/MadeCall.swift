import FleetEngine
import FleetEngineAPI
import SwiftProtobuf
import Synchronization

/// A call that nobody has sent: the engine made it for a phone, or because a desk gave a trip to a vehicle.
struct MadeCall: Sendable {
    let request: any EngineRequest
    /// What it was answered with, or why it was refused.
    let result: Result<any Message, FleetEngineError>
}

/// The calls that were made on the way of another one, which is told first.
final class MadeCalls: Sendable {
    /// Where calls are put that are made in this task; nil tells of them at once.
    @TaskLocal static var kept: MadeCalls?

    private let calls = Mutex<[MadeCall]>([])

    func keep(_ more: [MadeCall]) { calls.withLock { $0 += more } }

    /// All of them, in their order.
    var all: [MadeCall] { calls.withLock { $0 } }
}

extension FleetEngineState {
    /// Makes a call, and keeps in mind that it was made.
    mutating func make<Request: EngineRequest>(
        _ request: Request,
        _ work: (inout Self) throws(FleetEngineError) -> (answer: Request.Answer, changes: [Change])
    ) throws(FleetEngineError) -> [Change] {
        do throws(FleetEngineError) {
            let (answer, changes) = try work(&self)
            note(MadeCall(request: request, result: .success(answer)))
            return changes
        } catch {
            note(MadeCall(request: request, result: .failure(error)))
            throw error
        }
    }
}
