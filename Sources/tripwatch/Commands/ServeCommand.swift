import ArgumentParser
import FleetEngineCore
import HTTPServing
import LocalFleetEngine
import ProgramSurroundings
import TripWatchOperations
import TripWatchRuntime
import TripWatchSettings

struct ServeCommand: ConfigurableCommand {
    static let asksServer = false

    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run your own Fleet Engine on this machine.",
        usage: "tripwatch serve [<options>] [-- <command> ...]",
        discussion: """
            Serves the Fleet Engine API over gRPC, and the provider API over HTTP. Prints 'listening grpc=… http=…' (https= with TLS) when it is ready. \
            Ctrl-C or TERM ends it within 10 s (with hooks: 40 s), and a second Ctrl-C immediately. HUP reloads keys and certificate, and reopens the log files.
            """,
        subcommands: [ServeBackupCommand.self, ServeRestoreCommand.self])

    @OptionGroup(title: HelpSection.common) var place: ServePlaceOptions
    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var settings: ServerConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.map) var ways: RouterOptions
    @OptionGroup(title: HelpSection.connection) var access: ServeAccessOptions
    @OptionGroup(title: HelpSection.connection) var keys: KeyFolderOptions
    @OptionGroup(title: HelpSection.advanced) var rules: ServeRuleOptions
    @OptionGroup(title: HelpSection.advanced) var rate: RateLimitOptions
    @OptionGroup(title: HelpSection.advanced) var quotas: QuotaOptions
    @OptionGroup(title: HelpSection.advanced) var hookRules: HookRuleOptions
    @OptionGroup(title: HelpSection.advanced) var tests: ServeTestOptions

    /// Every invalid setting ends the command. Otherwise, after a mistyped `database` key, the server would keep its trips in memory.
    var strictEnd: String? { "No server was started." }

    func validate() throws {
        guard !rules.hook.isEmpty || !hookRules.isSaid else { throw ValidationError("--when and --hook-key-file need --hook.") }
        try access.check(place)
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        ways.complete(from: configuration)
        rules.complete(from: configuration)
        place.database = place.database ?? configuration.database
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let checksTokens = access.checksTokens(place)
        var settings = serverSettings
        if let fleetLog = rules.fleetLog { settings.fleetLog = try surroundings.entryWriter(to: fleetLog, option: "--fleet-log") }
        let router = try ways.settings()
        let isForTests = tests.served != nil || place.isLoopback && settings.database == nil
        settings.hasTestHooks = tests.testHooks || !checksTokens && isForTests
        let served = checksTokens ? try ServedKeys(folder: keys.keys, deskKeyFile: access.deskKeyFile, in: surroundings) : nil
        var run = ServeRun(settings: settings, keys: served, speed: rules.speed, router: router)
        run.isJSON = form.isJSON
        run.files = tests.files
        run.files.provider = settings.provider
        run.command = tests.served
        let hooks = try hookRules.applied(to: HookRuleOptions.hooks(at: rules.hook))
        run.hooks = hooks.isEmpty ? nil : HookSettings(hooks: hooks, version: Version.text)
        return try await run.perform(in: surroundings)
    }

    /// The server's settings, without the fleet log and the test hooks, which `perform` adds.
    private var serverSettings: LocalServers.Settings {
        var settings = LocalServers.Settings()
        settings.host = place.listen
        settings.grpcPort = place.grpcPort ?? (tests.served == nil ? 50_051 : 0)
        settings.httpPort = place.httpPort ?? (tests.served == nil ? 8_080 : 0)
        settings.security = access.security
        settings.access = access.desk
        settings.limits.port.connections = rules.maxConnections
        settings.limits.port.connectionsPerAddress = rules.maxConnectionsPerAddress
        quotas.apply(to: &settings.limits.engine)
        settings.limits.engine.callsPerSecond = rate.callsPerSecond(listening: place.listen)
        settings.phones.arrivalRadiusMeters = rules.arrivalRadius ?? settings.phones.arrivalRadiusMeters
        settings.phones.isManual = rules.manual
        settings.strictStatus = rules.strictStatus
        settings.keepsJumps = rules.keepJumps
        settings.shareWithin = rules.shareWithin
        settings.database = place.database == ":memory:" ? nil : place.database
        settings.provider = rules.provider
        return settings
    }
}
