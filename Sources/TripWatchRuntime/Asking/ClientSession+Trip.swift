import FleetEngine
import FoundationEssentials
import ProgramSurroundings

extension ClientSession {
    /// Reads a trip and the car that serves it.
    ///
    /// - Parameters:
    ///   - seconds: the time limit of both calls together.
    ///   - server: the name of the server, for the report of the first failure.
    ///   - isPatient: whether to retry until the time limit, even if the server stays unavailable.
    static func tripAndVehicle(
        _ name: TripName, client: any ConsumerClient, at server: String, in surroundings: Surroundings,
        within seconds: Double = askingSeconds,
        isPatient: Bool = false
    ) async throws -> (trip: Trip, vehicle: Vehicle?) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        let trip = try await asking(in: surroundings, until: deadline, isPatient: isPatient, at: server) { () throws(FleetEngineError) in
            try await client.getTrip(GetTripRequest(name: name))
        }
        return (trip, await vehicle(of: trip, client: client, until: deadline, in: surroundings))
    }

    /// Reads the car of an unfinished trip; nil if the trip has no car or the call fails.
    private static func vehicle(
        of trip: Trip, client: any ConsumerClient, until deadline: ContinuousClock.Instant, in surroundings: Surroundings
    ) async -> Vehicle? {
        guard let id = trip.vehicleID, !trip.status.isFinal, let name = try? VehicleName(provider: trip.name.provider, vehicle: id)
        else { return nil }
        return try? await asking(in: surroundings, until: deadline) { () throws(FleetEngineError) in
            try await client.getVehicle(name)
        }
    }
}
