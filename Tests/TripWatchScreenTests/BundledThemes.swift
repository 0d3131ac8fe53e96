import TerminalCanvas
import TripWatchSettings

/// The bundled themes.
enum BundledThemes {
    static let names = ThemeCatalog.embeddedNames

    static func theme(_ name: String, depth: ColorDepth) -> Theme { ThemeCatalog().load(name, depth: depth).theme }
}
