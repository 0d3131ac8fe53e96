import ArgumentParser
import FleetEngine
import FleetEngineGRPC
import TripWatchApp

/// Which server, and who asks.
struct ConnectionOptions: ParsableArguments {
    /// Google's.
    static let standardEndpoint = "fleetengine.googleapis.com:443"

    @Option(help: ArgumentHelp("Fleet Engine to talk to. (default: \(Self.standardEndpoint))", valueName: "host:port"))
    var endpoint: String?

    @Flag(inversion: .prefixedNo, help: "No TLS. A token is sent so only to this machine.")
    var plaintext: Bool?

    @Option(
        help: ArgumentHelp(
            "Trust the certificates of this PEM file instead of the system's; at the provider's and the token's address besides them.",
            valueName: "file"))
    var ca: String?

    @Option(help: ArgumentHelp("Provider id for bare trip and vehicle ids.", valueName: "id"))
    var provider: String?

    @OptionGroup var tokens: TokenOptions

    func validate() throws {
        if plaintext == true, ca != nil { throw ValidationError("--ca needs TLS: leave out --plaintext, or leave out --ca.") }
    }

    mutating func complete(from configuration: Configuration) {
        endpoint = endpoint ?? configuration.endpoint
        switch configuration.security {
        case .plaintext where ca == nil: plaintext = plaintext ?? true
        case .tls(let certificates) where plaintext != true: ca = ca ?? certificates
        default: break
        }
        provider = provider ?? configuration.provider
        tokens.complete(from: configuration)
    }

    /// - Throws: `ValidationError` for a text that names no server.
    func serverEndpoint() throws -> ServerEndpoint {
        do throws(ServerEndpointError) {
            return try ServerEndpoint(endpoint ?? Self.standardEndpoint, security: plaintext == true ? .plaintext : .tls(caFile: ca))
        } catch {
            throw ValidationError("\(error).")
        }
    }

    /// Reads a full name, or a bare id with `--provider`.
    func tripName(_ text: String) throws -> TripName {
        do throws(ResourceNameError) {
            if !text.contains("/"), let provider { return try TripName(provider: provider, trip: text) }
            return try TripName(text)
        } catch {
            let hint = text.contains("/") || provider != nil ? "" : ", or a bare id with --provider"
            throw ValidationError("'\(Terminal.printable(text))': \(error)\(hint).")
        }
    }

    func vehicleName(_ text: String) throws -> VehicleName {
        do throws(ResourceNameError) {
            if !text.contains("/"), let provider { return try VehicleName(provider: provider, vehicle: text) }
            return try VehicleName(text)
        } catch {
            let hint = text.contains("/") || provider != nil ? "" : ", or a bare id with --provider"
            throw ValidationError("'\(Terminal.printable(text))': \(error)\(hint).")
        }
    }

    /// Language and region of the locale, as the request header wants them.
    func identity(_ role: ClientIdentity.Role, vehicleID: String? = nil) -> ClientIdentity {
        let language = LocalText.language
        return ClientIdentity(
            role: role, vehicleID: vehicleID, languageCode: language.code ?? "en", regionCode: language.region ?? "US",
            version: Version.text)
    }
}
