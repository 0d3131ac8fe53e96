import ArgumentParser
import FleetEngine
import FoundationEssentials
import HTTPServing
import LocalFleetEngine
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings

struct ServeCommand: ConfigurableCommand {
    static let asksServer = false

    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run a Fleet Engine of your own on this machine.",
        usage: "tripwatch serve [<options>] [-- <command> ...]",
        discussion: """
            Speaks maps.fleetengine.v1 over gRPC and keeps trips and vehicles in memory, or with --database in a file: then \
            nothing is answered before it is on disk, 'serve backup' copies the file while it is in use, and 'serve restore' puts a copy in \
            its place. In front of it stands a provider's desk over HTTP \
            (the API of Google's sample provider): POST /trip/new books a trip, which goes to the nearest free vehicle that has told its \
            place. Prints 'listening grpc=… http=…' when it is ready, https= with TLS. Ctrl-C or TERM ends it: calls under way have 10 s, a second \
            Ctrl-C ends it at once. The desk answers only as localhost and under the address that it listens on; where it is reached by \
            another name or through a proxy, --public-url names it (an Android emulator asks http://10.0.2.2:8080). With --auth on calls \
            need tokens of the accounts in --keys ('token mint' makes them, 'token keys' lists them; the first start makes an account of \
            each role), and the desk its key. Keys and certificate are read again when they change, and on HUP, which opens the files of \
            --log and --fleet-log again too.
            """,
        subcommands: [ServeBackupCommand.self, ServeRestoreCommand.self])

    @Option(help: ArgumentHelp("Address to listen on.", valueName: "address"))
    var listen = "127.0.0.1"

    @Option(help: ArgumentHelp("Port for gRPC; 0 takes any free one. 50051 unless said, any free one with --exec.", valueName: "port"))
    var grpcPort: Int?

    @Option(
        help: ArgumentHelp(
            "Port for the provider's desk over HTTP; 0 takes any free one. 8080 unless said, any free one with --exec.", valueName: "port"))
    var httpPort: Int?

    @Option(help: ArgumentHelp("Where trips and vehicles are kept; :memory: is gone at the end.", valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Whether callers need a token, and the desk's a key. Off on this machine's own address unless said, on elsewhere.",
            valueName: "off|on"))
    var auth: Switch?

    @OptionGroup var keys: KeyFolderOptions

    @Option(
        help: ArgumentHelp(
            "Where the key stands that the desk is asked with (desk.key in the key folder unless said); it is made where there is none.",
            valueName: "file"))
    var deskKeyFile: String?

    @Option(help: ArgumentHelp("Certificate chain in PEM, for TLS on both ports.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("Private key in PEM, for TLS.", valueName: "file"))
    var tlsKey: String?

    @Option(help: ArgumentHelp("Where the desk is reached from outside, when not by its own address.", valueName: "url"))
    var publicUrl: String?

    @Option(
        help: ArgumentHelp(
            "Web pages from there may use the desk, as this machine's own may; may be given several times.", valueName: "url"))
    var allowOrigin: [String] = []

    @OptionGroup var rate: RateLimitOptions

    @Option(help: ArgumentHelp("Connections that each port serves at the same time; more are closed at once.", valueName: "n"))
    var maxConnections = PortLimits().connections

    @Option(help: ArgumentHelp("Connections that each port serves of one address; a quarter unless said.", valueName: "n"))
    var maxConnectionsPerAddress: Int?

    @OptionGroup var quotas: QuotaOptions

    @Flag(help: "Serve other machines without TLS.")
    var allowPlaintext = false

    @Flag(help: "Serve other machines without asking for tokens.")
    var allowAnonymous = false

    // The former names of these two, and the one for both.
    @Flag(help: .private)
    var insecurePlaintext = false

    @Flag(help: .private)
    var insecureNoAuth = false

    @Flag(help: .private)
    var insecure = false

    @Flag(help: "Refuse trip statuses out of order (FAILED_PRECONDITION).")
    var strictStatus = false

    @Flag(help: "Take a vehicle's position also where it cannot have got to since the last one, at over 150 m/s.")
    var keepJumps = false

    @Option(help: ArgumentHelp("Provider id of the trips that are booked over HTTP.", valueName: "id"))
    var provider = "demo"

    @Option(help: ArgumentHelp("Seconds of the engine in one real second.", valueName: "n"))
    var speed = 1.0

    @Option(
        help: ArgumentHelp(
            "Append each call of the engine with its answer, as Fleet Engine's own log in Cloud Logging has it ('replay' reads it): one array in a file .json, else a line each; - is the error stream.",
            valueName: "file|-"))
    var fleetLog: String?

    @Option(
        help: ArgumentHelp(
            "A car with a phone in it that is no farther from a stop is at it, metres; 50 unless said. Its trips move by that.",
            valueName: "m"))
    var arrivalRadius: Double?

    @Flag(help: "The trips of cars with a phone in them do not move by themselves: the desk says where they stand.")
    var manual = false

    @Option(help: ArgumentHelp("POST each event of every trip to this address, as JSON; may be given several times.", valueName: "url"))
    var hook: [String] = []

    @OptionGroup var hookRules: HookRuleOptions
    @OptionGroup var ways: RouterOptions
    @OptionGroup var tests: ServeTestOptions
    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions

    enum Switch: String, ExpressibleByArgument, CaseIterable { case off, on }

    func validate() throws {
        _ = try HookRuleOptions.hooks(at: hook)
        guard !hook.isEmpty || !hookRules.isSaid else { throw ValidationError("--when and --hook-key-file go with --hook.") }
        guard (0...65_535).contains(grpcPort ?? 0) else { throw ValidationError("--grpc-port is a number from 0 to 65535.") }
        guard (0...65_535).contains(httpPort ?? 0) else { throw ValidationError("--http-port is a number from 0 to 65535.") }
        guard (tlsCert == nil) == (tlsKey == nil) else { throw ValidationError("--tls-cert and --tls-key go together.") }
        if let publicUrl, WebOrigin(publicUrl) == nil {
            throw ValidationError("--public-url is an address such as https://rides.example.")
        }
        for page in allowOrigin where WebOrigin(page) == nil {
            throw ValidationError("--allow-origin is an address such as https://rides.example.")
        }
        guard (1...1_000_000).contains(maxConnections) else {
            throw ValidationError("--max-connections is a number from 1 to 1000000.")
        }
        guard (1...1_000_000).contains(maxConnectionsPerAddress ?? 1) else {
            throw ValidationError("--max-connections-per-address is a number from 1 to 1000000.")
        }
        guard database != "" else { throw ValidationError("--database is a file, or :memory:.") }
        guard ServerAddress.isListenable(listen) else {
            throw ValidationError("--listen takes an IP address of this machine, or localhost, not \(printable(listen)).")
        }
        guard isLoopback || checksTokens || allowsAnonymous else {
            throw ValidationError(
                "--listen \(printable(listen)) can be reached from outside: without --auth on that needs --allow-anonymous.")
        }
        guard isLoopback || tlsCert != nil || allowsPlaintext else {
            throw ValidationError(
                "--listen \(printable(listen)) can be reached from outside: that needs --tls-cert and --tls-key, or --allow-plaintext.")
        }
        guard (try? ProviderName(provider: provider)) != nil else { throw ValidationError("--provider is not a provider id.") }
        guard (1...10_000).contains(arrivalRadius ?? 50) else {
            throw ValidationError("--arrival-radius is a number of metres from 1 to 10000.")
        }
        guard speed.isFinite, (0.01...10_000).contains(speed) else { throw ValidationError("--speed is a number from 0.01 to 10000.") }
    }

    private var isLoopback: Bool { LoopbackHost.contains(listen) }

    private var checksTokens: Bool { auth.map { $0 == .on } ?? !(isLoopback || allowsAnonymous) }

    private var allowsPlaintext: Bool { allowPlaintext || insecurePlaintext || insecure }

    private var allowsAnonymous: Bool { allowAnonymous || insecureNoAuth || insecure }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        ways.complete(from: configuration)
        arrivalRadius = arrivalRadius ?? configuration.arrivalRadiusMeters
        manual = manual || configuration.isManual ?? false
        database = database ?? configuration.database
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var settings = LocalServers.Settings()
        settings.host = listen
        settings.grpcPort = grpcPort ?? (tests.served == nil ? 50_051 : 0)
        settings.httpPort = httpPort ?? (tests.served == nil ? 8_080 : 0)
        settings.security = security
        settings.access = HostAccess(
            publicURL: publicUrl.flatMap(WebOrigin.init), publicPath: publicUrl.flatMap(URL.init(string:))?.path ?? "",
            allowedOrigins: Set(allowOrigin.compactMap(WebOrigin.init)))
        settings.limits.port.connections = maxConnections
        settings.limits.port.connectionsPerAddress = maxConnectionsPerAddress
        quotas.apply(to: &settings.limits.engine)
        settings.phones.arrivalRadiusMeters = arrivalRadius ?? settings.phones.arrivalRadiusMeters
        settings.phones.isManual = manual
        settings.strictStatus = strictStatus
        settings.keepsJumps = keepJumps
        settings.limits.engine.callsPerSecond = rate.callsPerSecond(isLoopback: isLoopback)
        settings.database = database == ":memory:" ? nil : database
        settings.provider = provider
        if let fleetLog { settings.fleetLog = try surroundings.entryWriter(to: fleetLog, option: "--fleet-log") }
        let router = try ways.settings()
        settings.hasTestHooks = tests.testHooks || !checksTokens && (tests.served != nil || isLoopback && settings.database == nil)
        let served = checksTokens ? try ServedKeys(folder: keys.keys, deskKeyFile: deskKeyFile, in: surroundings) : nil
        var run = ServeRun(settings: settings, keys: served, speed: speed, router: router)
        run.files = tests.files
        run.command = tests.served
        let hooks = try hookRules.applied(to: HookRuleOptions.hooks(at: hook))
        run.hooks = hooks.isEmpty ? nil : HookSettings(hooks: hooks, version: Version.text)
        return try await run.perform(in: surroundings)
    }

    private var security: ServerSecurity {
        guard let tlsCert, let tlsKey else { return .plaintext }
        return .tls(certificateFile: tlsCert, keyFile: tlsKey)
    }
}
