import FleetEngineCore
import Synchronization

/// The calls that the engine makes itself while it answers another call. They are reported after that call.
final class MadeCalls: Sendable {
    /// Collects the calls that the engine makes in this task; nil if they are reported at once.
    @TaskLocal static var kept: MadeCalls?

    private let calls = Mutex<[MadeCall]>([])

    func keep(_ more: [MadeCall]) { calls.withLock { $0 += more } }

    /// All collected calls, in the order in which they were made.
    var all: [MadeCall] { calls.withLock { $0 } }
}

extension MadeCall.Request {
    /// The request as an outside client would send it.
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
