package import FleetEngine
import FleetEngineAPI
import FleetEngineWire
package import FoundationEssentials
import SwiftProtobuf

extension TripRecord {
    /// Returns the trip as a consumer receives it at `now`. The data of the trip's vehicle comes from `vehicles`.
    package func trip(of vehicles: [VehicleName: VehicleRecord], now: Date) -> Trip {
        let vehicle = servingVehicle.flatMap { vehicles[$0] }
        let hasArrived = status.isAtStop && vehicle?.stops.first?.tripID == name.trip
        let answer = TripAnswer(record: self, vehicle: vehicle, hasArrived: hasArrived, now: now)
        return Trip(answer.answer(to: WireGetTripRequest()), name: name)
    }
}
