import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

struct WaitCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait until a car has come as far as you say: tripwatch wait TRIP --until 2min && say 'shoes on'.",
        discussion: """
            Prints nothing on stdout without --json. Ends with 0 when it is so, 2 when the trip is cancelled first, 3 when there is no such trip, 4 when it \
            is not allowed. Connection trouble never ends it. A time counts only while the car's position is a live one.
            """)

    @Argument(help: ArgumentHelp("The trip's name, or a bare id with --provider.", valueName: "trip"), completion: .knownTrips)
    var trip: String

    @OptionGroup(title: HelpSection.common) var goal: WaitOptions
    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.connection) var connection: ConnectionOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions
    @OptionGroup(title: HelpSection.connection) var pace: PaceOptions
    @OptionGroup(title: HelpSection.advanced) var kind: KindOptions

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws {
        let place = try TripPlace([trip], connection, settings, over: configuration, in: surroundings)
        trip = place.names.first ?? trip
        connection.complete(from: place)
        tokens.complete(from: place, in: surroundings)
        pace.complete(from: configuration)
        kind.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let reached = WaitGoal(goal.until) else { return .code(ExitCodes.usage) }
        var run = WaitRun(
            name: try connection.tripName(trip), goal: reached, connection: try connection.connection(tokens), pace: pace.pace,
            keepsTrying: goal.keepTrying)
        run.tripKind = kind.kind
        run.isJSON = form.isJSON
        return try await run.perform(in: surroundings)
    }
}
