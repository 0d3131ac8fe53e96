package import FleetEngine
import FleetEngineGRPC
package import ProgramSurroundings
package import TripWatchWords

/// Waits until a trip has reached the goal.
package struct WaitRun: Sendable {
    package var name: TripName
    package var goal: WaitGoal
    package var connection: Connection
    package var pace: Pace
    /// Whether to keep waiting after errors that require action, instead of ending.
    package var keepsTrying: Bool
    /// The kind of the trip if its attributes do not state one; nil for a ride.
    package var tripKind: TripKind?
    /// Whether to print the result as JSON.
    package var isJSON = false

    package init(name: TripName, goal: WaitGoal, connection: Connection, pace: Pace, keepsTrying: Bool) {
        self.name = name
        self.goal = goal
        self.connection = connection
        self.pace = pace
        self.keepsTrying = keepsTrying
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        if tripKind == .order, let refusal = goal.refusal(for: .order) { throw Self.failure(refusal) }
        let code = try await ClientSession.run(connection, in: surroundings) { client in
            try await TripWaiter(
                name: name, goal: goal, tripKind: tripKind, client: client, time: surroundings.clock(1), interval: pace.seconds,
                minimumInterval: Pace.minimumSeconds(for: connection.endpoint), keepsTrying: keepsTrying,
                server: connection.endpoint.description, surroundings: surroundings
            ).run()
        }
        if isJSON, [ExitCodes.success, ExitCodes.tripCanceled].contains(code) {
            surroundings.streams.print(json: Ended(trip: name.description, reached: code == ExitCodes.success))
        }
        return .code(code)
    }

    /// Returns the failure for a goal that the trip cannot reach because of its kind.
    /// - Parameter refusal: the reason, as a sentence.
    static func failure(_ refusal: String) -> Failure { Failure(message: refusal, exitCode: ExitCodes.usage) }

    private struct Ended: Encodable {
        let trip: String
        let reached: Bool
    }
}
