import ArgumentParser
import FoundationEssentials
import HTTPServing
import ProgramSurroundings
import TripWatchRuntime

/// Options for the access that callers have to a server.
struct ServeAccessOptions: ParsableArguments {
    enum Switch: String, ExpressibleByArgument, CaseIterable { case off, on }

    @Option(help: ArgumentHelp("Check tokens and keys (default: off on loopback, otherwise on).", valueName: "off|on"))
    var auth: Switch?

    @Option(
        help: ArgumentHelp(
            "Key file of the provider API, created if missing. (default: desk.key in the folder of --keys)", valueName: "file"),
        completion: .file())
    var deskKeyFile: String?

    @Option(help: ArgumentHelp("Certificate chain in PEM, for TLS on both ports.", valueName: "file"), completion: .file())
    var tlsCert: String?

    @Option(help: ArgumentHelp("Private key in PEM, for TLS.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(help: ArgumentHelp("Public address of the provider API.", valueName: "url"))
    var publicUrl: String?

    @Option(help: ArgumentHelp("Let web pages from this origin use the provider API; repeatable.", valueName: "url"))
    var allowOrigin: [String] = []

    @Flag(help: "Serve other machines without TLS.")
    var allowPlaintext = false

    @Flag(help: "Serve other machines without checking tokens.")
    var allowAnonymous = false

    // Former flags: earlier names of the two flags above, and one flag that stands for both.
    @Flag(help: .private)
    var insecurePlaintext = false

    @Flag(help: .private)
    var insecureNoAuth = false

    @Flag(help: .private)
    var insecure = false

    private var allowsPlaintext: Bool { allowPlaintext || insecurePlaintext || insecure }

    private var allowsAnonymous: Bool { allowAnonymous || insecureNoAuth || insecure }

    func validate() throws {
        guard (tlsCert == nil) == (tlsKey == nil) else { throw ValidationError("--tls-cert and --tls-key must be given together.") }
        if let publicUrl, WebOrigin(publicUrl) == nil {
            throw ValidationError("--public-url takes an address such as https://rides.example.")
        }
        if let publicUrl, publicUrl.contains(where: { "?#".contains($0) }) {
            throw ValidationError("--public-url must not contain ? or #, because each request adds a path to it.")
        }
        for page in allowOrigin where WebOrigin(page) == nil {
            throw ValidationError("--allow-origin takes an address such as https://rides.example.")
        }
    }

    /// Checks that the user does not open the server to other machines by mistake.
    /// - Throws: `ValidationError` if other machines can reach the address without a token or without TLS, and the user has not allowed
    ///   that.
    func check(_ place: ServePlaceOptions) throws {
        guard place.isLoopback || checksTokens(place) || allowsAnonymous else {
            throw ValidationError(
                "--listen \(printable(place.listen)) is reachable from other machines: give '--auth on' or --allow-anonymous.")
        }
        guard place.isLoopback || tlsCert != nil || allowsPlaintext else {
            throw ValidationError(
                "--listen \(printable(place.listen)) is reachable from other machines: give --tls-cert and --tls-key, or --allow-plaintext."
            )
        }
    }

    func checksTokens(_ place: ServePlaceOptions) -> Bool { auth.map { $0 == .on } ?? !(place.isLoopback || allowsAnonymous) }

    var desk: HostAccess {
        HostAccess(
            publicURL: publicUrl.flatMap(WebOrigin.init), publicPath: publicUrl.flatMap(URL.init(string:))?.path ?? "",
            allowedOrigins: Set(allowOrigin.compactMap(WebOrigin.init)))
    }

    var security: ServerSecurity {
        guard let tlsCert, let tlsKey else { return .plaintext }
        return .tls(certificateFile: tlsCert, keyFile: tlsKey)
    }
}
