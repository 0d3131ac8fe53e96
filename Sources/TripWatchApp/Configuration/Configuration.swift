public import Geo
public import JourneySharing
import TOMLText
public import TerminalCanvas

/// What the user's configuration file says; nil for what it leaves open.
///
/// A flag wins over the environment, that over this, and this over the default. Paths are complete. There are no secrets in it.
public struct Configuration: Hashable, Sendable {
    /// How the connection to the Fleet Engine is secured.
    public enum Security: Hashable, Sendable {
        case plaintext
        /// With the system's roots, or with those of a PEM file instead.
        case tls(certificates: String?)
    }

    /// Where access tokens come from.
    public enum TokenSource: Hashable, Sendable {
        case file(String)
        /// A command line for the shell.
        case command(String)
        /// An address that may have `{tripID}` and `{vehicleID}` in it.
        case address(String)
    }

    /// The map under the route.
    public enum BaseMap: Hashable, Sendable {
        case none
        case demo
        case file(String)
    }

    /// How many colours are used.
    public enum Colors: String, CaseIterable, Hashable, Sendable {
        case auto, none
        case eight = "8"
        case sixteen = "16"
        case palette = "256"
        case direct

        /// Nil where the terminal decides.
        public var depth: ColorDepth? {
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

    /// The name of the file in the program's directory.
    public static let fileName = "config.toml"
    /// The longest file that is read, bytes.
    public static let maximumFileBytes = TOMLDocument.maximumBytes

    /// The profile whose keys are part of this; nil for none.
    public internal(set) var profile: String?
    /// `HOST:PORT`, `HOST` or `[IPv6]:PORT`.
    public internal(set) var endpoint: String?
    public internal(set) var security: Security?
    /// The provider id for bare trip and vehicle ids.
    public internal(set) var provider: String?
    /// The address of the provider's back end.
    public internal(set) var providerURL: String?
    /// A file with headers for the provider's back end.
    public internal(set) var providerHeaderFile: String?
    public internal(set) var tokenSource: TokenSource?
    /// A file with headers for the address that tokens come from.
    public internal(set) var tokenHeaderFile: String?
    /// Seconds between polls, 1...3,600.
    public internal(set) var intervalSeconds: Double?
    public internal(set) var baseMap: BaseMap?
    /// Languages of names on the map, the first choice first.
    public internal(set) var languages: [String]?
    /// The name of a theme; whether there is one of that name is not known here.
    public internal(set) var theme: String?
    public internal(set) var painter: Painter?
    public internal(set) var colors: Colors?
    public internal(set) var measurementSystem: MeasurementSystem?
    public internal(set) var usesMouse: Bool?
    /// Whether the screen may put texts on the terminal's clipboard.
    public internal(set) var usesClipboard: Bool?
    /// The user's own place.
    public internal(set) var ownPosition: Coordinate?

    /// Says nothing.
    public init() {}
}
