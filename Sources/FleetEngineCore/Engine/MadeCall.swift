package import FleetEngine
package import FleetEngineAPI
package import SwiftProtobuf

/// A call that the engine made itself, for a phone or for the provider API (an assignment or a day's plan).
package struct MadeCall: Sendable {
    /// The engine's request to itself.
    package enum Request: Sendable {
        case updateTrip(WireUpdateTripRequest)
        case updateVehicle(WireUpdateVehicleRequest)
        case createDeliveryVehicle(WireCreateDeliveryVehicleRequest)
        case createTask(WireCreateTaskRequest)
        case updateDeliveryVehicle(WireUpdateDeliveryVehicleRequest)
    }

    package let request: Request
    /// The answer, or the error of a refused call.
    package let result: Result<any Message, FleetEngineError>

    package init(request: Request, result: Result<any Message, FleetEngineError>) {
        self.request = request
        self.result = result
    }
}

extension FleetEngineState {
    /// Makes a call and records it.
    package mutating func make(
        _ request: MadeCall.Request,
        _ work: (inout Self) throws(FleetEngineError) -> (answer: some Message, changes: [Change])
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
