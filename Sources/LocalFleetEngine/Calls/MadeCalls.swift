import FleetEngineCore
import Synchronization

/// The calls that were made on the way of another one, which is told first.
final class MadeCalls: Sendable {
    /// Where calls are put that are made in this task; nil tells of them at once.
    @TaskLocal static var kept: MadeCalls?

    private let calls = Mutex<[MadeCall]>([])

    func keep(_ more: [MadeCall]) { calls.withLock { $0 += more } }

    /// All of them, in their order.
    var all: [MadeCall] { calls.withLock { $0 } }
}

extension MadeCall.Request {
    /// The request as a call from outside has it.
    var call: any EngineRequest {
        switch self {
        case .updateTrip(let request): request
        case .updateVehicle(let request): request
        }
    }
}
