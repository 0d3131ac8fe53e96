import ArgumentParser
import FleetEngine
import FoundationEssentials
import HTTPServing
import JourneySharing
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchSharing

struct ShareCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Let others see trips, by a link that ends by itself.",
        discussion: """
            Follows the trips with your own tokens, and serves a link to each: a page for browsers, the screen for curl, LINK.json, LINK/events \
            and LINK/map.svg for programs, 'tripwatch follow LINK' for terminals. Prints 'TRIP LINK', a line for each. A link \
            ends ten minutes after its trip, after --for, or by 'share end LINK', and tells nothing afterwards; with the \
            program all of them end. 'share list' shows those that are served here. Other riders' stops are told to nobody.
            """)

    @Argument(
        help: ArgumentHelp("Trip names, or bare ids with --provider; or list, or end LINK.", valueName: "trip"), completion: .knownTrips)
    var trips: [String]

    @Option(help: ArgumentHelp("Address to listen on.", valueName: "address"))
    var listen = "127.0.0.1"

    @Option(help: ArgumentHelp("Port to listen on; 0 takes any free one.", valueName: "port"))
    var httpPort = 8_090

    @Option(help: ArgumentHelp("Where the links are reached from outside, when not by this address.", valueName: "url"))
    var publicUrl: String?

    @Option(
        name: .customLong("for"), help: ArgumentHelp("How long the links last at the most, such as 90s, 30min or 2h.", valueName: "time"))
    var lifetime: String?

    @Option(help: ArgumentHelp("Certificate chain in PEM, for TLS.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("Private key in PEM, for TLS.", valueName: "file"))
    var tlsKey: String?

    @Flag(help: "Serve other machines without TLS.")
    var allowPlaintext = false

    // The former name of it.
    @Flag(help: .private)
    var insecurePlaintext = false

    @Flag(help: "Do not tell which car it is; its position is told.")
    var noVehicle = false

    @Flag(help: "Do not tell the way of the car.")
    var noRoute = false

    @Option(help: ArgumentHelp("Tell positions on a grid of so many metres.", valueName: "m"))
    var blur: Double?

    @Flag(help: "Show a QR code of each link.")
    var qr = false

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var tokens: TokenOptions
    @OptionGroup var map: BaseMapOptions
    @OptionGroup var pace: PaceOptions

    @Option(help: ArgumentHelp("Measures: metric, us or uk. By default those of the locale.", valueName: "system"))
    var units: MeasurementSystem?

    @Option(help: ArgumentHelp("What the trip is called.", valueName: "text"))
    var title: String?

    func validate() throws {
        guard !trips.isEmpty, trips.count <= 100 else { throw ValidationError("from 1 to 100 trips can be shared at once.") }
        if trips.first == "list", trips.count > 1 { throw ValidationError("share list takes nothing behind it.") }
        if trips.first == "end", trips.count != 2 { throw ValidationError("share end takes one LINK, as 'share list' shows it.") }
        guard title == nil || trips.count == 1 else { throw ValidationError("--title goes with one trip.") }
        guard (0...65_535).contains(httpPort) else { throw ValidationError("--http-port is a number from 0 to 65535.") }
        guard (tlsCert == nil) == (tlsKey == nil) else { throw ValidationError("--tls-cert and --tls-key go together.") }
        if let publicUrl, WebOrigin(publicUrl) == nil {
            throw ValidationError("--public-url is an address such as https://rides.example.")
        }
        if let publicUrl, publicUrl.contains(where: { "?#".contains($0) }) {
            throw ValidationError("--public-url takes no ? and no #: links are made by adding to it.")
        }
        if let lifetime, (TimeSpanText.seconds(lifetime) ?? .infinity) > 366 * 86_400 {
            throw ValidationError("--for is a time such as 90s, 30min or 2h.")
        }
        if let blur, !LinkPrivacy.blurs.contains(blur) { throw ValidationError("--blur is a number of metres from 1 to 100000.") }
        guard ServerAddress.isListenable(listen) else {
            throw ValidationError("--listen takes an IP address of this machine, or localhost, not \(printable(listen)).")
        }
        guard
            LoopbackHost.contains(listen) || tlsCert != nil || allowPlaintext || insecurePlaintext
                || publicUrl?.lowercased().hasPrefix("https://") == true
        else {
            throw ValidationError(
                "--listen \(printable(listen)) can be reached from outside: that needs --tls-cert and --tls-key, a --public-url with https, "
                    + "or --allow-plaintext.")
        }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws {
        let isControl = ["list", "end"].contains(trips.first)
        let place = try TripPlace(isControl ? [] : trips, connection, settings, over: configuration, in: surroundings)
        if !isControl { trips = place.names }
        connection.complete(from: place)
        tokens.complete(from: place, in: surroundings)
        map.complete(from: configuration)
        pace.complete(from: configuration)
        units = units ?? configuration.measurementSystem
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        // Subcommands would stand behind the names of trips.
        if trips == ["list"] { return try ShareControlRun(.list).perform(in: surroundings) }
        if trips.first == "end", trips.count == 2, let link = trips.last {
            return try ShareControlRun(.end(link)).perform(in: surroundings)
        }
        var share = ShareRun.Settings()
        share.host = listen
        share.port = httpPort
        share.showsCode = qr
        if let tlsCert, let tlsKey { share.security = .tls(certificateFile: tlsCert, keyFile: tlsKey) }
        share.access = HostAccess(
            publicURL: publicUrl.flatMap(WebOrigin.init), publicPath: publicUrl.flatMap(URL.init(string:))?.path ?? "")
        share.privacy = LinkPrivacy(showsVehicle: !noVehicle, showsRoute: !noRoute, blurMeters: blur)
        share.lifetimeSeconds = lifetime.flatMap(TimeSpanText.seconds)
        var look = ScreenSettings(map: map.settings)
        look.app.title = title
        look.map.caFile = connection.ca ?? look.map.caFile
        return try await ShareRun(
            names: try trips.map(connection.tripName), connection: try connection.connection(tokens),
            output: OutputSettings(style: nil, units: units), look: look, pace: pace.pace, settings: share
        ).perform(in: surroundings)
    }
}
