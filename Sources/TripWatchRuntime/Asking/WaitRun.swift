package import FleetEngine
import FleetEngineGRPC
package import ProgramSurroundings
package import TripWatchWords

/// Waits until a trip has reached the wanted step.
package struct WaitRun: Sendable {
    package var name: TripName
    package var goal: WaitGoal
    package var connection: Connection
    package var pace: Pace
    /// Wait on where something needs the user, instead of ending.
    package var keepsTrying: Bool
    /// Whether the end is printed as JSON.
    package var isJSON = false

    package init(name: TripName, goal: WaitGoal, connection: Connection, pace: Pace, keepsTrying: Bool) {
        self.name = name
        self.goal = goal
        self.connection = connection
        self.pace = pace
        self.keepsTrying = keepsTrying
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let code = try await ClientSession.run(connection, in: surroundings) { client in
            await TripWaiter(
                name: name, goal: goal, client: client, time: surroundings.clock(1), interval: pace.seconds,
                minimumInterval: Pace.minimumSeconds(for: connection.endpoint), keepsTrying: keepsTrying,
                server: connection.endpoint.description, surroundings: surroundings
            ).run()
        }
        if isJSON, [ExitCodes.success, ExitCodes.tripCanceled].contains(code) {
            surroundings.streams.print(json: Ended(trip: name.description, reached: code == ExitCodes.success))
        }
        return .code(code)
    }

    private struct Ended: Encodable {
        let trip: String
        let reached: Bool
    }
}
