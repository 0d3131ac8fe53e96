import FleetEngine
import FoundationEssentials

extension OneShot {
    /// A trip and the car that serves it, within ``askingSeconds``.
    static func tripAndVehicle(
        _ name: TripName, client: any ConsumerClient, in surroundings: Surroundings
    ) async throws -> (trip: Trip, vehicle: Vehicle?) {
        let deadline = ContinuousClock.now + .seconds(askingSeconds)
        let trip = try await asking(in: surroundings, until: deadline) { () throws(FleetEngineError) in
            try await client.getTrip(GetTripRequest(name: name))
        }
        return (trip, await vehicle(of: trip, client: client, until: deadline, in: surroundings))
    }

    /// The car that the rider will look for; one optional call, whose failure takes nothing away.
    private static func vehicle(
        of trip: Trip, client: any ConsumerClient, until deadline: ContinuousClock.Instant, in surroundings: Surroundings
    ) async -> Vehicle? {
        guard let id = trip.vehicleID, trip.status.isBeforePickup, let name = try? VehicleName(provider: trip.name.provider, vehicle: id)
        else { return nil }
        return try? await asking(in: surroundings, until: deadline) { () throws(FleetEngineError) in
            try await client.getVehicle(name)
        }
    }
}
