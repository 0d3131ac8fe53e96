public import ArgumentParser
import ProgramSurroundings
public import TerminalCanvas
import TripWatchLinks
import TripWatchRuntime
import TripWatchScreen
package import TripWatchSettings
import TripWatchWords

/// Options for the appearance of a screen.
struct LookOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Colours: \(ThemeCatalog.embeddedNames.joined(separator: ", ")), or your own theme.",
            valueName: "name"), completion: .themes)
    var theme: String?

    @Option(help: ArgumentHelp("Characters of the map: braille, sextant, half or ascii.", valueName: "painter"))
    var painter: Painter?

    @Option(help: ArgumentHelp("Number of colours. (default: auto)", valueName: "colours"))
    var colors: Configuration.Colors?

    @Option(
        help: ArgumentHelp(
            "Ask the terminal for its background colour. (default: auto, which does not ask over ssh)",
            valueName: "when"))
    var askTerminal: Configuration.TerminalQuestion?

    @Flag(inversion: .prefixedNo, help: "Zoom and pan by mouse; hold Shift to select text.")
    var mouse: Bool?

    /// Settings that only the configuration file can set.
    private var configured = Beside<ScreenSettings?>(nil)

    func validate() throws {
        if let theme, !ThemeCatalog.embeddedNames.contains(theme), theme.contains("/") || theme.hasSuffix(".toml") {
            throw ValidationError("--theme takes a name, such as \(ThemeCatalog.embeddedNames.joined(separator: ", ")).")
        }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        let flagged = theme
        var settings = ScreenSettings(map: BaseMapSettings(map: nil, languages: []))
        settings.renewal = { [profile = configuration.flaggedProfile] (surroundings: Surroundings) throws(Failure) in
            let (configuration, messages) = try surroundings.configuration(profile: profile)
            return RenewedLook(
                theme: flagged ?? configuration.theme, keys: configuration.keys ?? [], alerts: configuration.alerts,
                faults: messages.map(\.ended))
        }
        theme = theme ?? configuration.theme
        painter = painter ?? configuration.painter
        // NO_COLOR takes precedence over the configuration file. Output to a file or a pipe has colours only if a flag asks for
        // them.
        if surroundings.streams.isOutputTerminal, !surroundings.wantsNoColor { colors = colors ?? configuration.colors }
        askTerminal = askTerminal ?? configuration.asksTerminal
        mouse = mouse ?? configuration.usesMouse
        settings.allowsClipboard = configuration.usesClipboard ?? true
        settings.app.setsWindowTitle = configuration.setsWindowTitle ?? true
        settings.app.alerts = configuration.alerts
        settings.app.ownKeys = configuration.keys ?? []
        settings.app.configurationFaults = configuration.faults
        configured.value = settings
    }

    /// Number of colours to use; nil to use as many as the terminal supports.
    var colorDepth: ColorDepth? { colors?.depth }

    func settings(map: BaseMapSettings) -> ScreenSettings {
        var settings = configured.value ?? ScreenSettings(map: map)
        settings.map = map
        settings.theme = theme
        settings.painter = painter
        settings.colorDepth = colorDepth
        settings.asksTerminal = askTerminal ?? .auto
        settings.app.usesMouse = mouse == true
        return settings
    }
}

/// Options for what a rider's screen shows and what the user can do on it.
struct ScreenOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Title to show for the trip on the screen.", valueName: "text"))
    var title: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Your own position: LAT,LNG, a geo: link, gpsd or gpsd:HOST:PORT.", valueName: "place"))
    var here: Configuration.Here?

    @Flag(help: "Disable cancelling, booking, sharing and adding trips on the screen.")
    var readOnly = false

    /// Number of recent rides to keep. Only the configuration file can set it.
    var keptRides = 20
    /// Settings for serving shared links. Only the configuration file can set them.
    var sharing = Beside(ScreenSharing(Configuration()))

    mutating func complete(from configuration: Configuration) {
        keptRides = configuration.keepRides ?? keptRides
        sharing.value = ScreenSharing(configuration)
        here = here ?? configuration.here
    }

    func settings(_ look: LookOptions, _ map: BaseMapOptions) -> ScreenSettings {
        var settings = look.settings(map: map.settings)
        settings.app.title = title
        settings.here = here
        settings.isReadOnly = readOnly
        settings.keptRides = keptRides
        return settings
    }

    /// Returns the settings of a screen with overlays on the map. The connection's CA file, if any, is also used for map servers.
    func settings(
        _ look: LookOptions, _ map: BaseMapOptions, _ ground: OverlayOptions, _ connection: ConnectionOptions
    ) -> ScreenSettings {
        var screen = settings(look, map)
        screen.overlay = ground.settings
        screen.map.caFile = connection.ca ?? screen.map.caFile
        return screen
    }
}

extension Painter: ExpressibleByArgument {}

extension Configuration.Here: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Configuration.Colors: ExpressibleByArgument {}
extension Configuration.TerminalQuestion: ExpressibleByArgument {}
