package import FleetEngine
package import Geo

/// The vehicles to show on a map, and the server that lists them.
package struct FleetSettings: Sendable {
    package enum Choice: Sendable {
        /// The vehicles of a provider that match a filter. The provider is given by its bare id. The empty filter matches all vehicles.
        case provider(String, filter: String)
        /// Vehicles that are given by their names.
        case vehicles([VehicleName])
    }

    package var choice: Choice
    package var connection: Connection
    package var pace: Pace

    package init(_ choice: Choice, connection: Connection, pace: Pace) {
        self.choice = choice
        self.connection = connection
        self.pace = pace
    }

    /// Returns the request for the chosen vehicles.
    /// - Parameter window: the area to search; nil to search everywhere.
    package func question(in window: BoundingBox? = nil) -> FleetWatch.Question {
        switch choice {
        case .provider(let id, let filter): .list(FleetQuery(provider: id, filter: filter, window: window))
        case .vehicles(let names): .vehicles(names)
        }
    }
}
