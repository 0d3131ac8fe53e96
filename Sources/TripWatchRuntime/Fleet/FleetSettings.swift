package import FleetEngine
package import Geo

/// Vehicles on a map, and the server that lists them.
package struct FleetSettings: Sendable {
    package enum Choice: Sendable {
        /// Vehicles of a provider, given by its bare id, that match a filter; the empty filter matches all.
        case provider(String, filter: String)
        /// Vehicles by name.
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

    /// The request for the chosen vehicles.
    /// - Parameter window: area to search; nil for everywhere.
    package func question(in window: BoundingBox? = nil) -> FleetWatch.Question {
        switch choice {
        case .provider(let id, let filter): .list(FleetQuery(provider: id, filter: filter, window: window))
        case .vehicles(let names): .vehicles(names)
        }
    }
}
