public import ArgumentParser
public import TerminalCanvas
package import TripWatchApp
import TripWatchRuntime

/// How the screen looks.
struct ScreenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Colours of the screen: \(ThemeCatalog.embeddedNames.joined(separator: ", ")), or a theme of yours by its name.",
            valueName: "name"))
    var theme: String?

    @Option(help: ArgumentHelp("How the map is painted: braille, sextant, half or ascii.", valueName: "painter"))
    var painter: Painter?

    @Option(help: ArgumentHelp("How many colours to use. (default: auto)", valueName: "colours"))
    var colors: Configuration.Colors?

    @OptionGroup var map: BaseMapOptions

    @Option(help: ArgumentHelp("What the trip is called on the screen.", valueName: "text"))
    var title: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Your own place on the map.", valueName: "lat,lng"))
    var here: Place?

    @Flag(inversion: .prefixedNo, help: "Use the mouse: wheel zooms, drag pans. Hold Shift to select text.")
    var mouse: Bool?

    @Flag(help: "Nothing on the screen can change the trip.")
    var readOnly = false

    /// What the configuration file alone decides.
    var allowsClipboard = true

    func validate() throws {
        if let theme, !ThemeCatalog.embeddedNames.contains(theme), theme.contains("/") || theme.hasSuffix(".toml") {
            throw ValidationError("--theme takes a name, such as \(ThemeCatalog.embeddedNames.joined(separator: ", ")).")
        }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        completeLook(from: configuration, in: surroundings)
        map.complete(from: configuration)
        here = here ?? configuration.ownPosition.map(Place.init)
    }

    /// All but where one is and which map shows that.
    mutating func completeLook(from configuration: Configuration, in surroundings: Surroundings) {
        theme = theme ?? configuration.theme
        painter = painter ?? configuration.painter
        // NO_COLOR wins over the file, and what goes into a file or a pipe has colours only where a flag says so.
        if surroundings.streams.isOutputTerminal, !surroundings.wantsNoColor { colors = colors ?? configuration.colors }
        mouse = mouse ?? configuration.usesMouse
        allowsClipboard = configuration.usesClipboard ?? true
    }

    /// Nil where the terminal decides.
    var colorDepth: ColorDepth? { colors?.depth }

    var settings: ScreenSettings {
        var settings = ScreenSettings(map: map.settings)
        (settings.theme, settings.painter, settings.colorDepth) = (theme, painter, colorDepth)
        (settings.title, settings.ownPosition) = (title, here?.coordinate)
        settings.usesMouse = mouse == true
        settings.isReadOnly = readOnly
        settings.allowsClipboard = allowsClipboard
        return settings
    }
}

extension Painter: ExpressibleByArgument {}
extension Configuration.Colors: ExpressibleByArgument {}
