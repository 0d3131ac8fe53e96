package import FleetEngine
import FleetEngineAPI
import FleetEngineWire
package import FoundationEssentials
import SwiftProtobuf

extension TripRecord {
    /// Returns the trip as a consumer receives it at `now`. The data of the trip's vehicle comes from `vehicles`.
    package func trip(of vehicles: [VehicleName: VehicleRecord], now: Date) -> Trip {
        let answer = TripAnswer(record: self, vehicle: servingVehicle.flatMap { vehicles[$0] }, now: now)
        return Trip(answer.answer(to: WireGetTripRequest()), name: name)
    }
}
