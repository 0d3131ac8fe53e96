public import FleetEngine
public import Navigation

/// The vehicle to report, and the client to report it with (`GMTDDriverContext`). The client fetches its own access tokens.
public struct DriverContext: Sendable {
    /// The vehicle's full name, with its provider.
    public let vehicleName: VehicleName
    /// The client for the calls to Fleet Engine. It uses a driver's tokens.
    public let client: any DriverClient
    /// The navigator that gives the route and the remaining time and distance; if nil, only positions are reported.
    public let navigator: Navigator?
    /// The time source for all waits.
    public let time: any TimeSource

    /// - Parameters:
    ///   - vehicleID: bare id of a vehicle that the provider has created.
    /// - Throws: `ResourceNameError` for an invalid id.
    public init(
        client: any DriverClient, providerID: String, vehicleID: String, navigator: Navigator?, time: any TimeSource
    ) throws(ResourceNameError) {
        self.init(
            client: client, vehicleName: try VehicleName(provider: providerID, vehicle: vehicleID), navigator: navigator, time: time)
    }

    /// Creates a context for a vehicle that the provider has created.
    public init(client: any DriverClient, vehicleName: VehicleName, navigator: Navigator?, time: any TimeSource) {
        self.vehicleName = vehicleName
        self.client = client
        self.navigator = navigator
        self.time = time
    }
}

/// The entry point for reporting (`GMTDRidesharingDriverAPI`). It creates one reporter for one context.
public final class RidesharingDriverAPI: Sendable {
    /// The context of the reporter.
    public let driverContext: DriverContext
    /// The reporter. Until tracking is switched on, it sends nothing, except the state OFFLINE on request.
    public let vehicleReporter: VehicleReporter

    /// - Parameter seed: seed of the random waits between the reporter's retries. If nil, it comes from the vehicle's name, so that
    ///   the vehicles of a fleet retry at different times.
    public init(driverContext: DriverContext, seed: UInt64? = nil) {
        self.driverContext = driverContext
        vehicleReporter = VehicleReporter(
            vehicleName: driverContext.vehicleName, time: driverContext.time, navigator: driverContext.navigator,
            seed: seed ?? Self.seed(of: driverContext.vehicleName)
        ) { update async throws(FleetEngineError) in
            _ = try await driverContext.client.updateVehicle(driverContext.vehicleName, update)
        }
    }

    /// Returns the 64-bit FNV-1a hash of the name.
    static func seed(of name: VehicleName) -> UInt64 {
        name.description.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
