import TerminalCanvas
import TripWatchSettings

/// The themes that are part of the program.
enum BundledThemes {
    static let names = ThemeCatalog.embeddedNames

    static func theme(_ name: String, depth: ColorDepth) -> Theme { ThemeCatalog().load(name, depth: depth).theme }
}
