import ArgumentParser
import FleetEngineCore
import LocalFleetEngine

/// Options for the number of trips and vehicles that each account may have.
struct QuotaOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Maximum number of trips per account. (default: no limit)", valueName: "n"))
    var maxTripsPerAccount: Int?

    @Option(help: ArgumentHelp("Maximum number of vehicles per account. (default: no limit)", valueName: "n"))
    var maxVehiclesPerAccount: Int?

    func validate() throws {
        guard (1...1_000_000).contains(maxTripsPerAccount ?? 1) else {
            throw ValidationError("--max-trips-per-account must be a number from 1 to 1000000.")
        }
        guard (1...1_000_000).contains(maxVehiclesPerAccount ?? 1) else {
            throw ValidationError("--max-vehicles-per-account must be a number from 1 to 1000000.")
        }
    }

    func apply(to limits: inout EngineLimits) {
        limits.tripsPerAccount = maxTripsPerAccount
        limits.vehiclesPerAccount = maxVehiclesPerAccount
    }
}
