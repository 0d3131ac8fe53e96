public import ArgumentParser
import ProgramSurroundings
public import TerminalCanvas
import TripWatchRuntime
import TripWatchScreen
package import TripWatchSettings

/// How any screen looks.
struct LookOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Colours of the screen: \(ThemeCatalog.embeddedNames.joined(separator: ", ")), or a theme of yours by its name.",
            valueName: "name"), completion: .themes)
    var theme: String?

    @Option(help: ArgumentHelp("How the map is painted: braille, sextant, half or ascii.", valueName: "painter"))
    var painter: Painter?

    @Option(help: ArgumentHelp("How many colours to use. (default: auto)", valueName: "colours"))
    var colors: Configuration.Colors?

    @Option(
        help: ArgumentHelp(
            "Ask the terminal whether its background is dark: auto, on or off. (default: auto: not over ssh, and not with --theme)",
            valueName: "when"))
    var askTerminal: Configuration.TerminalQuestion?

    @Flag(inversion: .prefixedNo, help: "Use the mouse: wheel zooms, drag pans. Hold Shift to select text.")
    var mouse: Bool?

    /// What the configuration file alone decides.
    private var configured = Beside<ScreenSettings?>(nil)

    func validate() throws {
        if let theme, !ThemeCatalog.embeddedNames.contains(theme), theme.contains("/") || theme.hasSuffix(".toml") {
            throw ValidationError("--theme takes a name, such as \(ThemeCatalog.embeddedNames.joined(separator: ", ")).")
        }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        let flagged = theme
        var settings = ScreenSettings(map: BaseMapSettings(map: nil, languages: []))
        settings.renewal = { [profile = configuration.profile] (surroundings: Surroundings) throws(Failure) in
            let (configuration, messages) = try surroundings.configuration(profile: profile)
            return RenewedLook(
                theme: flagged ?? configuration.theme, keys: configuration.keys ?? [], alerts: configuration.alerts,
                faults: messages.map(\.ended))
        }
        theme = theme ?? configuration.theme
        painter = painter ?? configuration.painter
        // NO_COLOR wins over the file, and what goes into a file or a pipe has colours only where a flag says so.
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

    /// Nil where the terminal decides.
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

/// How a rider's screen looks, and what it may do.
struct ScreenOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What the trip is called on the screen.", valueName: "text"))
    var title: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Your own place on the map: LAT,LNG, a geo: link, or gpsd (gpsd:HOST:PORT) for where a receiver is.", valueName: "place"))
    var here: Configuration.Here?

    @Flag(help: "Nothing on the screen can change the trip or watch another.")
    var readOnly = false

    /// What the configuration file alone decides.
    var keptRides = 20
    /// Where links to trips are served, which the configuration file alone decides.
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

    /// The same with files laid over the map, which trusts whom the connection trusts.
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
