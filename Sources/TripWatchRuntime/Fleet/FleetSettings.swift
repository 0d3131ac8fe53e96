package import FleetEngine
package import Geo

/// Which vehicles a map shows, and whom it asks for them.
package struct FleetSettings: Sendable {
    package enum Choice: Sendable {
        /// Those of a provider, by its bare id, that pass a filter; the empty one takes all.
        case provider(String, filter: String)
        /// These.
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

    /// - Parameter window: where to look, where all that there are would be too many.
    package func question(in window: BoundingBox? = nil) -> FleetWatch.Question {
        switch choice {
        case .provider(let id, let filter): .list(FleetQuery(provider: id, filter: filter, window: window))
        case .vehicles(let names): .vehicles(names)
        }
    }
}
