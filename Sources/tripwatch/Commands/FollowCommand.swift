import ArgumentParser
import FleetEngine
import ProgramSurroundings
import TripWatchLinks
import TripWatchRuntime
import TripWatchScreen
import TripWatchSettings
import TripWatchWords

struct FollowCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Follow one or more trips.",
        discussion: """
            On a terminal it shows a screen: press ? for keys; q quits without ending the trip. In a pipe it prints one line per \
            change and ends when the trip ends.
            """)

    @Argument(
        help: ArgumentHelp(
            "Trips or a 'share' link (default: newest unfinished)", valueName: "trip"),
        completion: .knownTrips)
    var trips: [String] = []

    @OptionGroup(title: HelpSection.common) var output: OutputOptions
    @OptionGroup(title: HelpSection.common) var following: FollowOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.map) var map: BaseMapOptions
    @OptionGroup(title: HelpSection.map) var look: LookOptions
    @OptionGroup(title: HelpSection.map) var screen: ScreenOptions
    @OptionGroup(title: HelpSection.map) var ground: OverlayOptions
    @OptionGroup(title: HelpSection.connection) var connection: ConnectionOptions
    @OptionGroup(title: HelpSection.connection) var shipments: TrackingOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions
    @OptionGroup(title: HelpSection.connection) var provider: ProviderOptions
    @OptionGroup(title: HelpSection.connection) var pace: PaceOptions
    @OptionGroup(title: HelpSection.advanced) var hooks: HookOptions
    @OptionGroup(title: HelpSection.advanced) var hookRules: HookRuleOptions
    @OptionGroup(title: HelpSection.advanced) var frame: DumpOptions
    @OptionGroup(title: HelpSection.advanced) var kind: KindOptions

    /// The names of the trips. `ManyWords` may have joined several names into one argument.
    private var names: [String] { ManyWords.split(trips) }

    /// The settings of the screen, or of the single frame that `--dump` prints.
    private var screenSettings: ScreenSettings {
        var settings = screen.settings(look, map, ground, connection)
        settings.app.tripKind = kind.kind
        return settings
    }

    func validate() throws {
        guard names.count <= 10_000 else { throw ValidationError("at most 10,000 trips can be followed at once.") }
        guard !frame.dump || names.count <= 1 else { throw ValidationError("--dump works with a single trip: name only one.") }
        guard !frame.dump || output.style == nil else { throw ValidationError("--dump and --output cannot be combined.") }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws {
        var names = names
        if names.isEmpty, shipments.tracking.isEmpty { names = [try newest(in: surroundings)] }
        shipments.take(from: &names)
        trips = names
        let place = try TripPlace(
            self.names, tracking: shipments.tracking, connection, settings, over: configuration, in: surroundings)
        trips = place.names
        shipments.tracking = place.tracking
        connection.complete(from: place)
        tokens.complete(from: place, in: surroundings)
        provider.complete(from: place)
        output.complete(from: configuration)
        look.complete(from: configuration, in: surroundings)
        map.complete(from: configuration)
        screen.complete(from: configuration)
        pace.complete(from: configuration)
        hooks.complete(from: configuration)
        kind.complete(from: configuration)
    }

    /// Returns the name of the newest unfinished trip or shipment that was booked or followed on this machine in the last seven days. If
    /// the user has set a server, only the trips and shipments at this server count. If no server is set, a trip or shipment whose server
    /// answers is preferred. With `--dump`, shipments do not count.
    /// - Throws: `ValidationError` for an invalid server address, and `Failure` if there is no such trip or shipment.
    private func newest(in surroundings: Surroundings) throws -> String {
        var server = connection
        server.endpoint = connection.endpoint ?? surroundings.askedConfiguration(profile: settings.chosen).endpoint
        _ = try server.serverEndpoint()
        let endpoint = server.endpoint
        let known = TripChoice.newest(
            at: endpoint, isSameServer: ConnectionOptions.isSameServer, withShipments: !frame.dump, in: surroundings)
        if let known { return known.name }
        let place = endpoint.map { " at \(printable($0))" } ?? ""
        throw Failure(
            message: "no trip to follow: this machine has no unfinished trip or shipment\(place) from the last 7 days. "
                + "Give a trip's name, or try 'tripwatch demo'.", exitCode: ExitCodes.usage)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        if names.count == 1, shipments.tracking.isEmpty, let link = names.first.flatMap(LinkAddress.init) {
            guard !frame.dump else { throw ValidationError("--dump works with a trip, not with a link.") }
            guard following.record == nil else { throw ValidationError("--record works with a trip or shipment, not with a link.") }
            var run = FollowLinkRun(
                address: link, caFile: connection.ca, output: output.settings, look: screenSettings, keepsTrying: following.keepTrying)
            run.hooks = try hooks.settings(hookRules, connection)
            return try await run.perform(in: surroundings)
        }
        if names.contains(where: { LinkAddress($0) != nil }) {
            throw ValidationError("'follow' takes a single link: give only the link, or only names of trips and shipments.")
        }
        if let address = names.first(where: { LinkAddress.isWebAddress($0) && LinkAddress($0) == nil }) {
            throw ValidationError("'\(printable(address))' is not a link; the form is https://HOST/s/SECRET.")
        }
        let names = try names.map(connection.tripName)
        let shipments = try shipments.tracking.map(connection.trackingName)
        if !names.isEmpty { try tokens.check(isShipment: false) }
        if !shipments.isEmpty { try tokens.check(isShipment: true) }
        guard shipments.isEmpty || !frame.dump else { throw ValidationError("--dump works with a trip, not with a shipment.") }
        if let dump = frame.settings, let name = names.first {
            return try await FollowDumpRun(
                name: name, connection: try connection.connection(tokens), output: output.settings, look: screenSettings, dump: dump
            ).perform(in: surroundings)
        }
        guard following.record == nil || names.count + shipments.count == 1 else {
            throw Failure(message: "--record works with a single trip or shipment: name only one.", exitCode: ExitCodes.usage)
        }
        var run = FollowRun(
            names: names, shipments: shipments, connection: try connection.connection(tokens),
            provider: try provider.client(caFile: connection.ca, in: surroundings), output: output.settings, look: screenSettings,
            pace: pace.pace)
        run.providerURL = provider.providerUrl
        return try await following.completed(run, screen, hooks: try hooks.settings(hookRules, connection)).perform(in: surroundings)
    }
}
