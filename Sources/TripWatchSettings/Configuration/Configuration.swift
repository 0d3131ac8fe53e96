package import FleetEngine
package import JourneySharing
import TOMLText
package import TerminalCanvas

/// The settings of the user's configuration file; nil for those that it leaves open.
///
/// A flag wins over the environment, the environment over the file, and the file over the default. Paths are complete. There are no secrets
/// in it.
package struct Configuration: Hashable, Sendable {
    /// How the connection to the Fleet Engine is secured.
    package enum Security: Hashable, Sendable {
        case plaintext
        /// With the system's roots, or with those of a PEM file instead.
        case tls(certificates: String?)
    }

    /// Where access tokens come from.
    package enum TokenSource: Hashable, Sendable {
        case file(String)
        /// A command line for the shell.
        case command(String)
        /// An address, with or without `{tripID}`, `{trackingID}` and `{vehicleID}` in it.
        case address(String)
    }

    /// The map under the route.
    package enum BaseMap: Hashable, Sendable {
        case none
        /// The invented town that comes with the program.
        case town
        case file(String)
        /// OpenStreetMap's own tiles.
        case osm
        /// An http or https address of tiles, a TileJSON or an archive; its path and query may be secret.
        case address(String)

        /// What a text says that stands for a file, or for an address where it looks like one.
        package init(place text: String) {
            self = text.contains("://") ? .address(text) : .file(text)
        }
    }

    /// How many colours are used.
    package enum Colors: String, CaseIterable, Hashable, Sendable {
        case auto, none
        case eight = "8"
        case sixteen = "16"
        case palette = "256"
        case direct

        /// Nil where the terminal decides.
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

    /// Whether the terminal is asked how its background looks.
    package enum TerminalQuestion: String, CaseIterable, Hashable, Sendable {
        /// Where the answer is of use, and cannot come too late.
        case auto
        case on, off
    }

    /// The sizes that the file of fetched map tiles can be given, in MB.
    package static let cacheMegabytes = 1...1_048_576
    /// How many rides can be kept.
    package static let keptRides = 0...1_000
    /// The name of the file in the program's directory.
    package static let fileName = "config.toml"
    /// The longest file that is read, bytes.
    package static let maximumFileBytes = TOMLDocument.maximumBytes

    /// The profile whose keys are part of this; nil without a profile.
    package internal(set) var profile: String?
    /// `HOST:PORT`, `HOST` or `[IPv6]:PORT`.
    package internal(set) var endpoint: String?
    package internal(set) var security: Security?
    /// The provider id for bare trip and vehicle ids.
    package internal(set) var provider: String?
    /// The address of the provider's back end.
    package internal(set) var providerURL: String?
    /// A file with headers for the provider's back end.
    package internal(set) var providerHeaderFile: String?
    package internal(set) var tokenSource: TokenSource?
    /// A file with headers for the address that tokens come from.
    package internal(set) var tokenHeaderFile: String?
    /// What may be asked for between two polls, seconds.
    package static let pollIntervals = PollMachine.Configuration.minimumInterval...PollMachine.Configuration.maximumInterval
    /// Seconds between polls, one of ``pollIntervals``.
    package internal(set) var intervalSeconds: Double?
    package internal(set) var baseMap: BaseMap?
    /// The size that the file of fetched map tiles has at most, in MB.
    package internal(set) var cacheMegabytes: Int?
    /// How many of the last rides on a screen are kept.
    package internal(set) var keepRides: Int?
    /// For serve: a car with a phone in it that is no farther from a stop is at it; 1 ... 10,000 metres.
    package internal(set) var arrivalRadiusMeters: Double?
    /// For serve: whether the trips of such cars wait for the desk.
    package internal(set) var isManual: Bool?
    /// Languages of names on the map, the first choice first.
    package internal(set) var languages: [String]?
    /// The name of a theme; whether there is one of that name is not known here.
    package internal(set) var theme: String?
    package internal(set) var painter: Painter?
    package internal(set) var colors: Colors?
    package internal(set) var asksTerminal: TerminalQuestion?
    package internal(set) var measurementSystem: MeasurementSystem?
    /// What a trip is where its attributes do not say it.
    package internal(set) var tripKind: TripKind?
    package internal(set) var usesMouse: Bool?
    /// Whether the screen may put texts on the terminal's clipboard.
    package internal(set) var usesClipboard: Bool?
    /// Whether the screen may set the title of the terminal's window.
    package internal(set) var setsWindowTitle: Bool?
    /// The user's own place.
    package internal(set) var here: Here?
    /// Keys in place of an action's own.
    package internal(set) var keys: [OwnKeys]?
    /// The moments that a screen tells those who do not look; empty for none.
    package internal(set) var alertWords: [Alerts.Word]?
    /// In which ways.
    package internal(set) var alertWays: [Alerts.Way]?
    /// Who is told the moments of trips.
    package internal(set) var hooks: [Hook]?

    /// Where a screen listens for those who have a link: an IP address, or `localhost`.
    package internal(set) var shareHost: String?
    /// One of ``sharePorts``; 0 for any free one.
    package internal(set) var sharePort: Int?
    /// The address of links from outside.
    package internal(set) var shareURL: String?
    /// Whether other machines get a screen's links without TLS.
    package internal(set) var sharesPlaintext: Bool?
    /// The ports that a screen can serve links on.
    package static let sharePorts = 0...65_535

    /// Where `serve` keeps trips and vehicles: a file, or `:memory:`.
    package internal(set) var database: String?

    /// What was wrong with the file and the environment, a sentence each; it is left out of all else.
    package var faults: [String] = []

    /// Says nothing.
    package init() {}

    /// This without what is for its own Fleet Engine alone: how that is trusted, and the token for it.
    package var withoutAccess: Configuration {
        var other = self
        other.security = nil
        other.tokenSource = nil
        other.tokenHeaderFile = nil
        return other
    }

    /// What a screen tells those who do not look.
    package var alerts: Alerts {
        var alerts = Alerts()
        if let alertWords { alerts.words = Set(alertWords) }
        if let alertWays { alerts.ways = Set(alertWays) }
        return alerts
    }

    /// The files that it names, each with its key, in the order in which keys are explained.
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
