public import ArgumentParser
import FleetEngine
import Foundation
public import TerminalCanvas
import TerminalScreen
import TripWatchApp

/// How the screen looks.
struct ScreenOptions: ParsableArguments {
    enum Colors: String, ExpressibleByArgument, CaseIterable {
        case auto, none
        case eight = "8"
        case sixteen = "16"
        case palette = "256"
        case direct

        var depth: ColorDepth? {
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

    @Option(help: ArgumentHelp("Colours of the screen, by name.", valueName: "name"))
    var theme: String?

    @Option(help: ArgumentHelp("How the map is painted: braille, sextant, half or ascii.", valueName: "painter"))
    var painter: Painter?

    @Option(help: ArgumentHelp("How many colours to use.", valueName: "colours"))
    var colors: Colors = .auto

    @OptionGroup var map: BaseMapOptions

    @Option(help: ArgumentHelp("What the trip is called on the screen.", valueName: "text"))
    var title: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Your own place on the map.", valueName: "lat,lng"))
    var here: Place?

    @Flag(help: "Use the mouse: wheel zooms, drag pans. Hold Shift to select text.")
    var mouse = false

    @Flag(help: "Nothing on the screen can change the trip.")
    var readOnly = false

    func validate() throws {
        if let theme, !ThemeCatalog.embeddedNames.contains(theme), theme.contains("/") || theme.hasSuffix(".toml") {
            throw ValidationError("--theme takes a name, such as \(ThemeCatalog.embeddedNames.joined(separator: ", ")).")
        }
    }

    /// - Throws: `TerminalScreenError` where there is no terminal that can be drawn on.
    func open() throws(TerminalScreenError) -> TerminalScreen {
        var options = TerminalScreen.Options()
        options.colorDepth = colors.depth
        options.mouse = mouse
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
