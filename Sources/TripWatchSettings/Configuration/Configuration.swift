package import FleetEngine
package import JourneySharing
import TOMLText
package import TerminalCanvas

/// The settings of the user's configuration file; nil for settings that it does not contain.
///
/// The order of precedence is: flags, a profile that a flag selects, the environment, the file, the defaults. Paths are absolute.
/// Secrets are not part of the configuration.
package struct Configuration: Hashable, Sendable {
    /// Security of the connection to Fleet Engine.
    package enum Security: Hashable, Sendable {
        case plaintext
        /// TLS. Fleet Engine's certificate is checked against the root certificates in this PEM file; nil for the system's root
        /// certificates. Other servers' certificates are checked against both the file's and the system's root certificates.
        case tls(certificates: String?)
    }

    /// The source of access tokens.
    package enum TokenSource: Hashable, Sendable {
        case file(String)
        /// A command line. The command prints the token.
        case command(String)
        /// The address of a server that returns tokens. It may contain `{tripID}`, `{trackingID}` and `{vehicleID}`.
        case address(String)
    }

    /// The map under the route.
    package enum BaseMap: Hashable, Sendable {
        case none
        /// The fictional town included in the program.
        case town
        case file(String)
        /// Tiles from OpenStreetMap.
        case osm
        /// The http or https address of tiles, of a TileJSON file or of an archive. Its path and query may contain a secret, such as an API
        /// key.
        case address(String)

        /// Creates the map for a text: an address if the text contains `://`, otherwise a file.
        package init(place text: String) {
            self = text.contains("://") ? .address(text) : .file(text)
        }
    }

    /// The number of colours that the screen uses.
    package enum Colors: String, CaseIterable, Hashable, Sendable {
        case auto, none
        case eight = "8"
        case sixteen = "16"
        case palette = "256"
        case direct

        /// The colour depth; nil to let the terminal decide.
        package var depth: ColorDepth? {
            switch self {
            case .auto: nil
            case .none: ColorDepth.none
            case .eight: .ansi8
            case .sixteen: .ansi16
            case .palette: .palette256
            case .direct: .direct
            }
        }
    }

    /// Whether the program asks the terminal for its background colour.
    package enum TerminalQuestion: String, CaseIterable, Hashable, Sendable {
        /// Asks only if the answer is useful: if no theme is set and the terminal is local.
        case auto
        case on, off
    }

    /// Allowed size limits of the map tile cache, in MB.
    package static let cacheMegabytes = 1...1_048_576
    /// Allowed numbers of recorded rides to keep.
    package static let keptRides = 0...1_000
    /// Name of the file in the program's directory.
    package static let fileName = "config.toml"
    /// Maximum size of the file, in bytes.
    package static let maximumFileBytes = TOMLDocument.maximumBytes

    /// The profile in use; nil if no profile is used.
    package internal(set) var profile: String?
    /// The profile that a flag selects; empty for no profile, nil without the flag.
    package internal(set) var flaggedProfile: String?
    /// The address of Fleet Engine: `HOST:PORT`, `HOST` or `[IPv6]:PORT`.
    package internal(set) var endpoint: String?
    package internal(set) var security: Security?
    /// Provider id for trips and vehicles that the user identifies only by a bare id.
    package internal(set) var provider: String?
    /// Address of the provider backend.
    package internal(set) var providerURL: String?
    /// Path of a file with headers for the provider backend.
    package internal(set) var providerHeaderFile: String?
    package internal(set) var tokenSource: TokenSource?
    /// The server that the file sets, if the file's token source is used. The token is meant for this server. Nil if the token source
    /// comes from a variable, or if the file sets no server.
    package internal(set) var tokenServer: String?
    /// Path of a file with headers for the token address.
    package internal(set) var tokenHeaderFile: String?
    /// Allowed poll intervals, in seconds.
    package static let pollIntervals = PollMachine.Configuration.minimumInterval...PollMachine.Configuration.maximumInterval
    /// Poll interval in seconds, within ``pollIntervals``.
    package internal(set) var intervalSeconds: Double?
    package internal(set) var baseMap: BaseMap?
    /// Maximum size of the map tile cache, in MB.
    package internal(set) var cacheMegabytes: Int?
    /// Number of recorded rides that are kept; the oldest are deleted first.
    package internal(set) var keepRides: Int?
    /// For `serve`: the arrival radius of stops, 1 ... 10,000 metres. A car with a phone counts as arrived within this distance of a stop.
    package internal(set) var arrivalRadiusMeters: Double?
    /// For `serve`: whether only the provider API changes the status of a trip whose car has a phone.
    package internal(set) var isManual: Bool?
    /// Languages of names on the map, in order of preference.
    package internal(set) var languages: [String]?
    /// Name of a theme. The theme need not exist.
    package internal(set) var theme: String?
    package internal(set) var painter: Painter?
    package internal(set) var colors: Colors?
    package internal(set) var asksTerminal: TerminalQuestion?
    package internal(set) var measurementSystem: MeasurementSystem?
    /// The kind that is assumed for trips whose attributes do not state a kind.
    package internal(set) var tripKind: TripKind?
    package internal(set) var usesMouse: Bool?
    /// Whether the screen may copy text to the terminal's clipboard.
    package internal(set) var usesClipboard: Bool?
    /// Whether the screen may set the title of the terminal's window.
    package internal(set) var setsWindowTitle: Bool?
    /// The user's position.
    package internal(set) var here: Here?
    /// The user's own key bindings.
    package internal(set) var keys: [OwnKeys]?
    /// Moments of a trip at which the screen alerts the user; empty for no alerts.
    package internal(set) var alertWords: [Alerts.Word]?
    /// The ways in which the screen alerts the user.
    package internal(set) var alertWays: [Alerts.Way]?
    /// The hooks, which are called at certain moments of a trip.
    package internal(set) var hooks: [Hook]?

    /// Listening address for shared links: an IP address, or `localhost`.
    package internal(set) var shareHost: String?
    /// Listening port for shared links, within ``sharePorts``; 0 for any free port.
    package internal(set) var sharePort: Int?
    /// The address with which shared links begin, as seen from other machines.
    package internal(set) var shareURL: String?
    /// Whether shared links are served to other machines without TLS.
    package internal(set) var sharesPlaintext: Bool?
    /// Allowed ports for shared links.
    package static let sharePorts = 0...65_535

    /// For `serve`: the file in which trips and vehicles are stored, or `:memory:`.
    package internal(set) var database: String?

    /// Errors in the file and the environment, one sentence each. Invalid settings have no other effect.
    package var faults: [String] = []

    /// Creates an empty configuration.
    package init() {}

    /// A copy without the token source, which applies only to the configured Fleet Engine.
    package var withoutToken: Configuration {
        var other = self
        other.tokenSource = nil
        other.tokenServer = nil
        other.tokenHeaderFile = nil
        return other
    }

    /// A copy without the token source and the connection security, which apply only to the configured Fleet Engine.
    package var withoutAccess: Configuration {
        var other = withoutToken
        other.security = nil
        return other
    }

    /// The alerts of a screen.
    package var alerts: Alerts {
        var alerts = Alerts()
        if let alertWords { alerts.words = Set(alertWords) }
        if let alertWays { alerts.ways = Set(alertWays) }
        return alerts
    }

    /// The paths of the files that the configuration names, except the database's, each with the key that sets it. They are in the order
    /// of the keys, with the files of hooks at the end.
    package var files: [(key: String, path: String)] {
        var files: [(key: String, path: String?)] = []
        if case .tls(let certificates) = security { files.append(("ca", certificates)) }
        files.append(("provider_header_file", providerHeaderFile))
        if case .file(let path) = tokenSource { files.append(("token_file", path)) }
        files.append(("token_header_file", tokenHeaderFile))
        if case .file(let path) = baseMap { files.append(("basemap", path)) }
        for hook in hooks ?? [] { files.append(("hooks", hook.keyFile)) }
        return files.compactMap { file in file.path.map { (file.key, $0) } }
    }
}
