import FleetEngine
import Geo
import Navigation
package import ProgramSurroundings
package import TerminalCanvas
package import TerminalScreen
import TripWatchScreen
package import TripWatchSettings
package import TripWatchWords

/// Appearance and permissions of the screen.
package struct ScreenSettings: Sendable {
    /// The name of the theme; nil for the theme that suits the terminal.
    package var theme: String?
    /// The set of characters that the map is drawn with; nil for the best set that the terminal can show.
    package var painter: Painter?
    /// The number of colours; nil for the number that the terminal can show.
    package var colorDepth: ColorDepth?
    /// Whether to ask the terminal for its background colour.
    package var asksTerminal = Configuration.TerminalQuestion.auto
    package var map: BaseMapSettings
    package var overlay = OverlaySettings()
    /// The options of the app that depend only on settings.
    package var app = AppOptions()
    /// The setting for the user's own position: a fixed place, or a position receiver.
    package var here: Configuration.Here?
    /// Whether the screen is read-only: it cannot change the trip.
    package var isReadOnly = false
    package var allowsClipboard = true
    /// The number of recent rides that are kept.
    package var keptRides = 0
    /// Reads the configuration again; nil if it cannot change.
    package var renewal: (@Sendable (Surroundings) throws(Failure) -> RenewedLook)?

    package init(map: BaseMapSettings) { self.map = map }

    /// Opens the screen.
    /// - Throws: `TerminalScreenError` if there is no usable terminal.
    package func open(in surroundings: Surroundings) throws(TerminalScreenError) -> TerminalScreen {
        var options = TerminalScreen.Options()
        options.colorDepth = colorDepth
        options.mouse = app.usesMouse
        options.allowsClipboard = allowsClipboard && !isReadOnly
        switch asksTerminal {
        case .on: options.asksBackground = .always
        case .auto where theme == nil && !surroundings.isRemote: options.asksBackground = .whereUseful
        case .auto, .off: options.asksBackground = .never
        }
        // The alerts setting decides whether notices are sent at all.
        options.notices = .fitting
        options.showsProgress = app.alerts.ways.contains(.progress)
        options.forceUTF8 = painter.map { $0 != .ascii } ?? false
        return try TerminalScreen.open(options: options)
    }

    /// The options of a screen that only shows a message while the user waits. The screen does not query the terminal.
    package var optionsWhileWaiting: TerminalScreen.Options {
        var options = TerminalScreen.Options()
        options.colorDepth = colorDepth
        options.setsTitle = false
        options.forceUTF8 = painter.map { $0 != .ascii } ?? false
        return options
    }

    /// Returns the options of the app that depend on settings and on the terminal.
    package func appOptions(screen: TerminalScreen, in surroundings: Surroundings) -> AppOptions {
        var options = appOptions(in: surroundings)
        if surroundings.isRemote { options.frameInterval = AppOptions.remoteFrameInterval }
        options.colorDepth = screen.colorDepth
        let first = painter ?? screen.painterHint
        options.painters = screen.isUTF8 ? [first] + Painter.allCases.filter { $0 != first } : [.ascii]
        return options
    }

    /// The user's position as a fixed place in the settings; nil if it is not set, or comes from a receiver.
    var place: Coordinate? { if case .place(let place) = here { place } else { nil } }

    /// Returns the source that reads the user's position from a receiver; nil if no receiver is set.
    @MainActor
    func ownPosition(_ time: any TimeSource) -> OwnPosition? {
        if case .receiver(let address) = here { OwnPosition(address, time: time) } else { nil }
    }

    /// Returns the options of the app that do not depend on a terminal.
    package func appOptions(in surroundings: Surroundings) -> AppOptions {
        var options = app
        options.secondsFromGMT = LocalZone.secondsFromGMT
        options.ownPosition = place
        return options
    }

    /// Returns the themes for a screen.
    @MainActor
    package func themes(screen: TerminalScreen, in surroundings: Surroundings) -> ThemePicker {
        ThemePicker(name: theme, depth: screen.colorDepth, background: screen.background, renewal: renewal, surroundings: surroundings)
    }

    /// Returns the themes for printed output.
    ///
    /// - Parameter background: the background colour; nil for the terminal's.
    @MainActor
    func themes(depth: ColorDepth, background: BackgroundTone?, in surroundings: Surroundings) -> ThemePicker {
        ThemePicker(name: theme, depth: depth, background: background, surroundings: surroundings)
    }
}

/// The settings that a running screen takes from the configuration when the configuration is read again.
package struct RenewedLook: Sendable {
    /// Name of the theme; nil for the theme that suits the terminal.
    package var theme: String?
    package var keys: [OwnKeys]
    package var alerts: Alerts
    /// The errors in the configuration, one sentence each.
    package var faults: [String]

    package init(theme: String?, keys: [OwnKeys], alerts: Alerts, faults: [String]) {
        self.theme = theme
        self.keys = keys
        self.alerts = alerts
        self.faults = faults
    }
}

/// The settings of the base map.
package struct BaseMapSettings: Sendable {
    /// The map to show; nil for the command's default.
    package var map: Configuration.BaseMap?
    /// The language codes for names on the map, in order of preference; empty for the locale's languages.
    package var languages: [String]
    /// The user agent for map servers, which consists of the program's name and version.
    package var userAgent: String
    /// The path of a PEM file with CA certificates for map servers. These certificates are used in addition to the system's CA
    /// certificates.
    package var caFile: String?
    /// Whether the configuration sets the map. Errors in the map are then not fatal.
    package var isConfigured = false
    /// Whether to use only tiles from the cache.
    package var isOffline = false
    /// The maximum size of the tile cache, in megabytes; nil for the default.
    package var cacheMegabytes: Int?

    package init(map: Configuration.BaseMap?, languages: [String], userAgent: String = "tripwatch", caFile: String? = nil) {
        (self.map, self.languages) = (map, languages)
        (self.userAgent, self.caFile) = (userAgent, caFile)
    }
}
