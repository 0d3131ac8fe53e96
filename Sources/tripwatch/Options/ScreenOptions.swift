public import ArgumentParser
import FleetEngine
import Foundation
import Glibc
public import TerminalCanvas
import TerminalScreen
public import TripWatchApp

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

    mutating func complete(from configuration: Configuration) {
        completeLook(from: configuration)
        map.complete(from: configuration)
        here = here ?? configuration.ownPosition.map(Place.init)
    }

    /// All but where one is and which map shows that.
    mutating func completeLook(from configuration: Configuration) {
        theme = theme ?? configuration.theme
        painter = painter ?? configuration.painter
        // The environment wins over the file, and what goes into a file or a pipe has colours only where a flag says so.
        let isWithoutColor = ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        if isatty(STDOUT_FILENO) == 1, !isWithoutColor { colors = colors ?? configuration.colors }
        mouse = mouse ?? configuration.usesMouse
        allowsClipboard = configuration.usesClipboard ?? true
    }

    /// Nil where the terminal decides.
    var colorDepth: ColorDepth? { colors?.depth }

    /// - Throws: `TerminalScreenError` where there is no terminal that can be drawn on.
    func open() throws(TerminalScreenError) -> TerminalScreen {
        var options = TerminalScreen.Options()
        options.colorDepth = colorDepth
        options.mouse = mouse == true
        options.allowsClipboard = allowsClipboard && !readOnly
        options.forceUTF8 = painter.map { $0 != .ascii } ?? false
        return try TerminalScreen.open(options: options)
    }

    /// What the app is told, as far as it follows from flags and terminal.
    func appOptions(screen: TerminalScreen) -> AppOptions {
        let environment = ProcessInfo.processInfo.environment
        var options = AppOptions()
        options.title = title
        options.isRemote = environment["SSH_CONNECTION"] != nil || environment["SSH_TTY"] != nil
        options.secondsFromGMT = LocalZone.secondsFromGMT
        options.colorDepth = screen.colorDepth
        let first = painter ?? screen.painterHint
        options.painters = screen.isUTF8 ? [first] + Painter.allCases.filter { $0 != first } : [.ascii]
        options.ownPosition = here?.coordinate
        return options
    }
}

extension Painter: ExpressibleByArgument {}
extension Configuration.Colors: ExpressibleByArgument {}
