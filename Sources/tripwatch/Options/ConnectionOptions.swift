import ArgumentParser
import FleetEngine
import FleetEngineGRPC
import ProgramSurroundings
import TripWatchLinks
import TripWatchRuntime
import TripWatchSettings

/// Options for the server to call and for the connection to it.
struct ConnectionOptions: ParsableArguments {
    /// The address of Google's Fleet Engine.
    static let standardEndpoint = "fleetengine.googleapis.com:443"

    @Option(help: ArgumentHelp("Address of Fleet Engine. (default: \(Self.standardEndpoint))", valueName: "host:port"))
    var endpoint: String?

    @Flag(inversion: .prefixedNo, help: "Connect without TLS. With a token, only to this machine.")
    var plaintext: Bool?

    @Option(
        help: ArgumentHelp(
            "Trusted CA certificates in PEM. For Fleet Engine, they replace the system's.",
            valueName: "file"), completion: .file())
    var ca: String?

    @Option(help: ArgumentHelp("Provider id for bare trip and vehicle ids.", valueName: "id"))
    var provider: String?

    func validate() throws {
        if plaintext == true, ca != nil { throw ValidationError("--ca needs TLS: remove --plaintext or --ca.") }
    }

    mutating func complete(from configuration: Configuration) {
        endpoint = endpoint ?? configuration.endpoint
        switch configuration.security {
        case .plaintext where ca == nil: plaintext = plaintext ?? true
        case .tls(let certificates) where plaintext != true:
            plaintext = false
            ca = ca ?? certificates
        default: break
        }
        provider = provider ?? configuration.provider
    }

    /// Returns whether two texts name the same server. TLS makes no difference. If the ports are equal, all names of this machine are the
    /// same server.
    static func isSameServer(_ one: String, _ other: String) -> Bool {
        guard let place = try? ServerEndpoint(one.lowercased(), security: .plaintext),
            let second = try? ServerEndpoint(other.lowercased(), security: .plaintext)
        else { return one == other }
        return place == second || place.isLoopback && second.isLoopback && place.port == second.port
    }

    /// Returns the address of the server.
    /// - Throws: `ValidationError` for an invalid server address.
    func serverEndpoint() throws -> ServerEndpoint {
        do throws(ServerEndpointError) {
            return try ServerEndpoint(endpoint ?? Self.standardEndpoint, security: plaintext == true ? .plaintext : .tls(caFile: ca))
        } catch {
            throw ValidationError("\(error).")
        }
    }

    /// - Throws: `ValidationError` for a link where a command needs a trip or a shipment.
    static func refuseLink(_ text: String) throws {
        guard LinkAddress(text) == nil else {
            throw ValidationError(
                "'\(printable(text))' is a link, not a name: 'tripwatch follow LINK' opens it. "
                    + "With --output plain, that command ends when the trip or shipment ends.")
        }
    }

    /// Reads the name of a trip: a full name or, with `--provider`, a bare id.
    func tripName(_ text: String) throws -> TripName {
        try Self.refuseLink(text)
        do throws(ResourceNameError) {
            if !text.contains("/"), let provider { return try TripName(provider: provider, trip: text) }
            return try TripName(text)
        } catch {
            let hint = text.contains("/") || provider != nil ? "" : ", or a bare id with --provider"
            throw ValidationError("'\(printable(text))': \(error)\(hint).")
        }
    }

    func vehicleName(_ text: String) throws -> VehicleName {
        do throws(ResourceNameError) {
            if !text.contains("/"), let provider { return try VehicleName(provider: provider, vehicle: text) }
            return try VehicleName(text)
        } catch {
            let hint = text.contains("/") || provider != nil ? "" : ", or a bare id with --provider"
            throw ValidationError("'\(printable(text))': \(error)\(hint).")
        }
    }

    func deliveryVehicleName(_ text: String) throws -> DeliveryVehicleName {
        do throws(ResourceNameError) {
            if !text.contains("/"), let provider { return try DeliveryVehicleName(provider: provider, vehicle: text) }
            return try DeliveryVehicleName(text)
        } catch {
            let hint = text.contains("/") || provider != nil ? "" : ", or a bare id with --provider"
            throw ValidationError("'\(printable(text))': \(error)\(hint).")
        }
    }

    /// Returns the connection that these options and the token options describe.
    /// - Throws: `ValidationError` for an invalid server address or token address, and for an option without another option that it needs.
    func connection(_ tokens: TokenOptions) throws -> Connection {
        Connection(endpoint: try serverEndpoint(), caFile: ca, tokens: try tokens.settings(), version: Version.text)
    }
}
