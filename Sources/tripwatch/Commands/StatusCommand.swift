import ArgumentParser
import JourneySharing
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

struct StatusCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "One line about a trip, for a prompt, a status bar or a script.",
        discussion: """
            Asks once and ends, or goes on with --watch. --format takes text with {eta}, {clock}, {distance}, {state}, {bar}, {bar:WIDTH}, {freshness}, {trip} and \
            {vehicle} in it. The bar shows how much of the present leg is done since status saw it first on this \
            computer. With --json: an object with trip, status, eta, remaining_s, remaining_m, stops_before, freshness and \
            age_s. Exit codes: 0, 1 server down, 2 cancelled, 3 no such trip, 4 not allowed, 64 usage.
            """)

    @Argument(help: ArgumentHelp("The trip's name, or a bare id with --provider.", valueName: "trip"), completion: .knownTrips)
    var trip: String

    @Option(help: ArgumentHelp("Your own line, such as '{bar:17} {eta}'.", valueName: "text"))
    var format: String?

    @Flag(help: "One object in waybar's protocol: text, alt, tooltip, class, percentage.")
    var waybar = false

    @Flag(help: "A line for tmux: status-right '#(tripwatch status --tmux TRIP)'.")
    var tmux = false

    @OptionGroup var printed: FormOptions

    @Option(help: ArgumentHelp("Measures: metric, us or uk. By default those of the locale.", valueName: "system"))
    var units: MeasurementSystem?

    @Option(help: ArgumentHelp("What the trip is called.", valueName: "text"))
    var title: String?

    @Flag(help: "Go on over one connection: a line each time something has changed, until the trip is over.")
    var watch = false

    @OptionGroup var pace: PaceOptions
    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var tokens: TokenOptions

    func validate() throws {
        guard [format != nil, waybar, tmux, printed.isJSON].count(where: { $0 }) <= 1 else {
            throw ValidationError("take one of --format, --waybar, --tmux and --json.")
        }
        guard watch || pace.interval == nil else { throw ValidationError("--interval goes with --watch.") }
        _ = try template()
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws {
        let place = try TripPlace([trip], connection, settings, over: configuration, in: surroundings)
        trip = place.names.first ?? trip
        connection.complete(from: place)
        tokens.complete(from: place, in: surroundings)
        units = units ?? configuration.measurementSystem
        pace.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var run = StatusRun(
            name: try connection.tripName(trip), form: try form(), connection: try connection.connection(tokens), units: units,
            title: title)
        run.watch = watch ? pace.pace : nil
        return try await run.perform(in: surroundings)
    }

    private func form() throws -> StatusRun.Form {
        if let template = try template() { return .template(template) }
        if waybar { return .waybar }
        if tmux { return .tmux }
        return printed.isJSON ? .json : .line
    }

    private func template() throws -> StatusTemplate? {
        guard let format else { return nil }
        do throws(StatusTemplate.FormatError) {
            return try StatusTemplate(format)
        } catch {
            throw ValidationError("--format: \(error).")
        }
    }
}
