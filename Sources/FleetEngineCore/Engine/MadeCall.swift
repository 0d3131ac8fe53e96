package import FleetEngine
package import FleetEngineAPI
package import SwiftProtobuf

/// A call that nobody has sent: the engine made it for a phone, or because a desk gave a trip to a vehicle.
package struct MadeCall: Sendable {
    /// What the engine asks of itself.
    package enum Request: Sendable {
        case updateTrip(WireUpdateTripRequest)
        case updateVehicle(WireUpdateVehicleRequest)
    }

    package let request: Request
    /// What it was answered with, or why it was refused.
    package let result: Result<any Message, FleetEngineError>

    package init(request: Request, result: Result<any Message, FleetEngineError>) {
        self.request = request
        self.result = result
    }
}

extension FleetEngineState {
    /// Makes a call, and keeps in mind that it was made.
    mutating func make(
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
