import ArgumentParser
import FleetEngine
import FoundationEssentials
import HTTPServing
import JourneySharing
import ProgramSurroundings
import TripWatchLinks
import TripWatchSettings
import TripWatchSharing

/// Options for the contents and the lifetime of links.
struct LinkOptions: ParsableArguments {
    @Option(name: .customLong("for"), help: ArgumentHelp("Maximum lifetime of the links, such as 30min or 2h.", valueName: "time"))
    var lifetime: String?

    @Flag(help: "Show a QR code for each link.")
    var qr = false

    @Flag(help: "Hide the car's identity, but not its position.")
    var noVehicle = false

    @Flag(help: "Hide the route.")
    var noRoute = false

    @Option(help: ArgumentHelp("Round positions to a grid of this size, in metres.", valueName: "m"))
    var blur: Double?

    @Flag(help: "Show a shipment's destination and full route.")
    var showAddress = false

    func validate() throws {
        if let lifetime, (TimeSpanText.seconds(lifetime) ?? .infinity) > 366 * 86_400 {
            throw ValidationError("--for takes a duration such as 90s, 30min or 2h, up to 366 days.")
        }
        if let blur, !LinkPrivacy.blurs.contains(blur) { throw ValidationError("--blur must be a number of metres from 1 to 100000.") }
    }

    func apply(to share: inout ShareRun.Settings) {
        share.showsCode = qr
        share.privacy = LinkPrivacy(showsVehicle: !noVehicle, showsRoute: !noRoute, blurMeters: blur, showsAddress: showAddress)
        share.lifetimeSeconds = lifetime.flatMap(TimeSpanText.seconds)
    }
}

/// Options for the server that serves the pages of links.
struct LinkServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Address to listen on.", valueName: "address"))
    var listen = "127.0.0.1"

    @Option(help: ArgumentHelp("Port to listen on; 0 chooses a free one.", valueName: "port"))
    var httpPort = 8_090

    @Option(help: ArgumentHelp("Public address of the links, such as a proxy's.", valueName: "url"))
    var publicUrl: String?

    @Option(help: ArgumentHelp("Certificate chain in PEM, for TLS.", valueName: "file"), completion: .file())
    var tlsCert: String?

    @Option(help: ArgumentHelp("Private key in PEM, for TLS.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Flag(help: "Serve other machines without TLS.")
    var allowPlaintext = false

    // The former name of `--allow-plaintext`.
    @Flag(help: .private)
    var insecurePlaintext = false

    func validate() throws {
        guard (0...65_535).contains(httpPort) else { throw ValidationError("--http-port must be a number from 0 to 65535.") }
        guard (tlsCert == nil) == (tlsKey == nil) else { throw ValidationError("--tls-cert and --tls-key must be given together.") }
        if let publicUrl, WebOrigin(publicUrl) == nil {
            throw ValidationError("--public-url takes an address such as https://rides.example.")
        }
        if let publicUrl, publicUrl.contains(where: { "?#".contains($0) }) {
            throw ValidationError("--public-url must not contain ? or #, because each link adds a path to it.")
        }
        guard ServerAddress.isListenable(listen) else {
            throw ValidationError("--listen takes an IP address of this machine, or localhost, not \(printable(listen)).")
        }
        guard
            LoopbackHost.contains(listen) || tlsCert != nil || allowPlaintext || insecurePlaintext
                || publicUrl?.lowercased().hasPrefix("https://") == true
        else {
            throw ValidationError(
                "--listen \(printable(listen)) is reachable from other machines: give --tls-cert and --tls-key, a --public-url with https, "
                    + "or --allow-plaintext.")
        }
    }

    func apply(to share: inout ShareRun.Settings) {
        share.host = listen
        share.port = httpPort
        if let tlsCert, let tlsKey { share.security = .tls(certificateFile: tlsCert, keyFile: tlsKey) }
        share.access = HostAccess(
            publicURL: publicUrl.flatMap(WebOrigin.init), publicPath: publicUrl.flatMap(URL.init(string:))?.path ?? "")
    }
}

/// Options for the texts on the pages of links.
struct LinkPageOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Units (default: by locale).", valueName: "system"))
    var units: MeasurementSystem?

    @Option(help: ArgumentHelp("Title to show for the trip.", valueName: "text"))
    var title: String?
}
