import FleetEngine
import JourneySharing
import TerminalCanvas

extension ConfigurationKey {
    /// All keys, in the order of the documentation.
    package static let all = connection + tokens + map + screen + telling + sharing + server + profiles

    private static let connection = [
        ConfigurationKey(
            "endpoint", "The Fleet Engine server to connect to.", .serverAddress, standard: "fleetengine.googleapis.com:443",
            literal: "\"fleetengine.googleapis.com:443\""
        ) { $0.endpoint = $1 },
        ConfigurationKey(
            "plaintext", "Whether to connect to the endpoint without TLS. A token is then sent only to a server on this machine.", .flag,
            standard: "false",
            literal: "false", group: .security
        ) { configuration, isPlaintext in
            if isPlaintext == true {
                configuration.security = .plaintext
            } else if configuration.security == nil || configuration.security == .plaintext {
                configuration.security = .tls(certificates: nil)
            }
        },
        ConfigurationKey(
            "ca", "A PEM file of trusted certificates. For Fleet Engine, they replace the system's. For other servers, both are trusted.",
            .path, standard: "the system's certificates", group: .security
        ) { configuration, path in
            if let path {
                configuration.security = .tls(certificates: path)
            } else if case .tls = configuration.security {
                configuration.security = .tls(certificates: nil)
            }
        },
        ConfigurationKey(
            "provider", "The provider id for trips and vehicles that are named by a bare id.", .providerID, standard: "none"
        ) { $0.provider = $1 },
        ConfigurationKey(
            "provider_url", "The provider's backend, where trips are booked and cancelled.", .webAddress, standard: "none",
            isShown: false
        ) { $0.providerURL = $1 },
        ConfigurationKey(
            "provider_header_file", "A file with headers for provider_url, one 'Name: value' per line. It is read for each request.",
            .path, standard: "none"
        ) { $0.providerHeaderFile = $1 },
        ConfigurationKey(
            "interval", "Seconds between polls of the server; at least 5 for Google's server.", .seconds, standard: "5",
            literal: "5"
        ) { $0.intervalSeconds = $1 },
    ]

    private static let tokens = [
        ConfigurationKey(
            "token_file", "A file with the access token, read again when it changes.", .path,
            standard: "TRIPWATCH_TOKEN if it is set, otherwise no token",
            group: .tokenSource
        ) { configuration, path in
            if let path {
                configuration.tokenSource = .file(path)
            } else if case .file = configuration.tokenSource {
                configuration.tokenSource = nil
            }
        },
        ConfigurationKey(
            "token_command", "A command that prints the access token as its last line or as JSON.", .command,
            standard: "TRIPWATCH_TOKEN if it is set, otherwise no token", group: .tokenSource, isShown: false
        ) { configuration, command in
            if let command {
                configuration.tokenSource = .command(command)
            } else if case .command = configuration.tokenSource {
                configuration.tokenSource = nil
            }
        },
        ConfigurationKey(
            "token_url", "An address that returns the access token; {tripID}, {trackingID} and {vehicleID} are replaced by the ids.",
            .tokenAddress,
            standard: "TRIPWATCH_TOKEN if it is set, otherwise no token", group: .tokenSource, isShown: false
        ) { configuration, address in
            if let address {
                configuration.tokenSource = .address(address)
            } else if case .address = configuration.tokenSource {
                configuration.tokenSource = nil
            }
        },
        ConfigurationKey(
            "token_header_file", "A file with headers for token_url, one 'Name: value' per line. It is read for each request.", .path,
            standard: "none"
        ) { $0.tokenHeaderFile = $1 },
    ]

    private static let map = [
        ConfigurationKey(
            "basemap",
            "The map under the route: OpenStreetMap, an address, an MBTiles, PMTiles or MVT file, the invented town, or none.",
            .baseMap,
            standard: "'town' for 'demo' and 'map', else 'none'"
        ) { $0.baseMap = $1 },
        ConfigurationKey(
            "cache_size", "The maximum size of the map tile cache, in megabytes.", .megabytes,
            standard: "256", literal: "256"
        ) { $0.cacheMegabytes = $1 },
        ConfigurationKey(
            "language", "The languages of names on the map, in order of preference.", .languages, standard: "the locale's"
        ) { $0.languages = $1 },
        ConfigurationKey("painter", "The characters that the map is drawn with.", .choice, standard: "depends on terminal and locale") {
            $0.painter = $1
        },
        ConfigurationKey("here", "Your own position, shown on the map.", .here, standard: "none") { $0.here = $1 },
    ]

    private static let screen = [
        ConfigurationKey(
            "theme", "The colours: the name of a built-in theme or of a file in 'themes' beside the configuration file.", .themeName,
            standard: "depends on the terminal's colours and background"
        ) { $0.theme = $1 },
        ConfigurationKey(
            "colors", "The number of colours to use.", .choice, standard: "auto (as many as the terminal has)", literal: "\"auto\""
        ) { $0.colors = $1 },
        ConfigurationKey(
            "ask_terminal", "Whether to ask the terminal for its background, dark or light, before the screen opens.", .choice,
            standard: "auto (not over ssh, and not if a theme is set)", literal: "\"auto\""
        ) { $0.asksTerminal = $1 },
        ConfigurationKey("units", "The units of distances.", .choice, standard: "the locale's") { $0.measurementSystem = $1 },
        ConfigurationKey(
            "trip_kind", "Whether a trip is a ride or an order if its attributes do not say which.", .choice, standard: "ride",
            literal: "\"ride\""
        ) { $0.tripKind = $1 },
        ConfigurationKey(
            "mouse", "Whether the mouse wheel zooms the map and dragging pans it. Hold Shift to select text.", .flag, standard: "false",
            literal: "false"
        ) { $0.usesMouse = $1 },
        ConfigurationKey(
            "clipboard", "Whether the copy keys also copy the text to the terminal's clipboard (OSC 52), or only show it.", .flag,
            standard: "true", literal: "true"
        ) { $0.usesClipboard = $1 },
        ConfigurationKey(
            "window_title", "Whether the title of the terminal's window shows the trip's status.", .flag, standard: "true",
            literal: "true"
        ) { $0.setsWindowTitle = $1 },
        ConfigurationKey(
            "keep_rides", "The number of rides to keep for replay; older ones are deleted. Rides followed on a screen are recorded.",
            .rides,
            standard: "20", literal: "20"
        ) { $0.keepRides = $1 },
    ]

    private static let sharing = [
        ConfigurationKey(
            "share_listen", "For links shared from the screen: the address to listen on.", .listenAddress, standard: "127.0.0.1",
            literal: "\"127.0.0.1\""
        ) { $0.shareHost = $1 },
        ConfigurationKey(
            "share_port", "For links shared from the screen: the port to listen on; 0 means any free port.", .port, standard: "8090",
            literal: "8090"
        ) { $0.sharePort = $1 },
        ConfigurationKey(
            "share_url", "For links shared from the screen: the public address, such as a proxy's.", .webAddress, standard: "none",
            isShown: false
        ) { $0.shareURL = $1 },
        ConfigurationKey(
            "share_plaintext", "For links shared from the screen: whether to serve other machines without TLS.", .flag, standard: "false",
            literal: "false"
        ) { $0.sharesPlaintext = $1 },
    ]

    private static let server = [
        ConfigurationKey(
            "arrival_radius", "For 'serve': a car with a phone counts as arrived within this many metres of a stop.", .radius,
            standard: "50",
            literal: "50"
        ) { $0.arrivalRadiusMeters = $1 },
        ConfigurationKey(
            "manual", "For 'serve': whether to leave trips unchanged when phones send positions.", .flag,
            standard: "false", literal: "false"
        ) { $0.isManual = $1 },
        ConfigurationKey(
            "database", "For 'serve': the file for trips, vehicles and deliveries.", .database, standard: ":memory:, which is lost on exit",
            literal: "\":memory:\""
        ) { $0.database = $1 },
    ]

    private static let profiles = [
        ConfigurationKey(
            "profile", "The profile to use: the NAME of a table [profiles.NAME], or the built-in 'local'.", .profileName, standard: "none"
        ) {
            $0.profile = $1
        }
    ]
}
