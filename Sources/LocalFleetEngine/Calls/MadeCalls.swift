import FleetEngineCore
import Synchronization

/// Calls that the engine made itself during another call. They are reported after that call.
final class MadeCalls: Sendable {
    /// Collection of the calls that this task makes; nil reports them at once.
    @TaskLocal static var kept: MadeCalls?

    private let calls = Mutex<[MadeCall]>([])

    func keep(_ more: [MadeCall]) { calls.withLock { $0 += more } }

    /// All calls, in their order.
    var all: [MadeCall] { calls.withLock { $0 } }
}

extension MadeCall.Request {
    /// Request in the form of a call from outside.
    var call: any EngineRequest {
        switch self {
        case .updateTrip(let request): request
        case .updateVehicle(let request): request
        case .createDeliveryVehicle(let request): request
        case .createTask(let request): request
        case .updateDeliveryVehicle(let request): request
        }
    }
}
