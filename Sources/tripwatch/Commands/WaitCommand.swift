import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

struct WaitCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait until a car has come as far as you say: tripwatch wait TRIP --until 2min && say 'shoes on'.",
        discussion: """
            Says nothing on stdout. Ends with 0 when it is so, 2 when the trip is cancelled first, 3 when there is no such trip, 4 when it \
            is not allowed. Connection trouble never ends it. A time counts only while the car's position is a live one.
            """)

    @Argument(help: ArgumentHelp("The trip's name, or a bare id with --provider.", valueName: "trip"), completion: .knownTrips)
    var trip: String

    @Option(
        help: ArgumentHelp("A time to the pickup such as 90s or 2min, or here, pickup, complete.", valueName: "what"),
        completion: .list(["here", "pickup", "complete"]))
    var until: String

    @OptionGroup var pace: PaceOptions

    @Flag(help: "Wait on where something needs you, instead of ending.")
    var keepTrying = false

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var tokens: TokenOptions

    func validate() throws {
        guard WaitGoal(until) != nil else {
            throw ValidationError("--until takes a time such as 90s, 2min or 1h (at most 24h), or here, pickup, complete.")
        }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws {
        let place = try TripPlace([trip], connection, settings, over: configuration, in: surroundings)
        trip = place.names.first ?? trip
        connection.complete(from: place)
        tokens.complete(from: place, in: surroundings)
        pace.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let goal = WaitGoal(until) else { return .code(ExitCodes.usage) }
        return try await WaitRun(
            name: try connection.tripName(trip), goal: goal, connection: try connection.connection(tokens), pace: pace.pace,
            keepsTrying: keepTrying
        ).perform(in: surroundings)
    }
}
