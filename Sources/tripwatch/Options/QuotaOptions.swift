import ArgumentParser
import FleetEngineCore
import LocalFleetEngine

/// How much of an engine one account may take.
struct QuotaOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Trips that one account may have; default: no limit.", valueName: "n"))
    var maxTripsPerAccount: Int?

    @Option(help: ArgumentHelp("Vehicles that one account may have; default: no limit.", valueName: "n"))
    var maxVehiclesPerAccount: Int?

    func validate() throws {
        guard (1...1_000_000).contains(maxTripsPerAccount ?? 1) else {
            throw ValidationError("--max-trips-per-account is a number from 1 to 1000000.")
        }
        guard (1...1_000_000).contains(maxVehiclesPerAccount ?? 1) else {
            throw ValidationError("--max-vehicles-per-account is a number from 1 to 1000000.")
        }
    }

    func apply(to limits: inout EngineLimits) {
        limits.tripsPerAccount = maxTripsPerAccount
        limits.vehiclesPerAccount = maxVehiclesPerAccount
    }
}
