import ArgumentParser
import JourneySharing
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

struct StatusCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Print a trip's status on one line, for prompts and status bars.",
        discussion: """
            --format takes {eta}, {clock}, {distance}, {state}, {bar}, {bar:WIDTH}, {freshness}, {trip} and {vehicle}. The bar shows \
            progress to the next stop.
            """)

    @Argument(help: ArgumentHelp("The trip's name, or a bare id with --provider.", valueName: "trip"), completion: .knownTrips)
    var trip: String?

    @OptionGroup(title: HelpSection.common) var line: StatusOptions
    @OptionGroup(title: HelpSection.common) var printed: FormOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.connection) var connection: ConnectionOptions
    @OptionGroup(title: HelpSection.connection) var shipment: TrackingOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions
    @OptionGroup(title: HelpSection.connection) var pace: PaceOptions
    @OptionGroup(title: HelpSection.advanced) var kind: KindOptions

    func validate() throws {
        _ = try shipment.only(beside: trip)
        guard [line.format != nil, line.waybar, line.tmux, printed.isJSON].count(where: { $0 }) <= 1 else {
            throw ValidationError("give only one of --format, --waybar, --tmux and --json.")
        }
        guard line.watch || pace.interval == nil else { throw ValidationError("--interval needs --watch.") }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws {
        let tracking = try shipment.only(beside: trip)
        let place = try TripPlace(
            tracking == nil ? [trip].compactMap { $0 } : [], tracking: [tracking].compactMap { $0 }, connection, settings,
            over: configuration, in: surroundings)
        trip = place.names.first
        shipment.tracking = place.tracking
        connection.complete(from: place)
        tokens.complete(from: place, in: surroundings)
        line.units = line.units ?? configuration.measurementSystem
        pace.complete(from: configuration)
        kind.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let tracking = try shipment.only(beside: trip)
        try tokens.check(isShipment: tracking != nil)
        if let tracking {
            var run = ShipmentStatusRun(
                name: try connection.trackingName(tracking), form: try line.form(isJSON: printed.isJSON),
                connection: try connection.connection(tokens), units: line.units, title: line.title)
            run.watch = line.watch ? pace.pace : nil
            return try await run.perform(in: surroundings)
        }
        var run = StatusRun(
            name: try connection.tripName(trip ?? ""), form: try line.form(isJSON: printed.isJSON),
            connection: try connection.connection(tokens),
            units: line.units, title: line.title)
        run.tripKind = kind.kind
        run.watch = line.watch ? pace.pace : nil
        return try await run.perform(in: surroundings)
    }
}
