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
    /// Name of the theme; nil for the theme that suits the terminal.
    package var theme: String?
    /// Characters of the map; nil for the best that the terminal can show.
    package var painter: Painter?
    /// Number of colours; nil to choose by the terminal.
    package var colorDepth: ColorDepth?
    /// Whether to ask the terminal for its background.
    package var asksTerminal = Configuration.TerminalQuestion.auto
    package var map: BaseMapSettings
    package var overlay = OverlaySettings()
    /// Options of the app that follow from settings alone.
    package var app = AppOptions()
    /// The user's own position.
    package var here: Configuration.Here?
    /// Whether the screen cannot change the trip.
    package var isReadOnly = false
    package var allowsClipboard = true
    /// Number of recent rides to keep.
    package var keptRides = 0
    /// Reloads the configuration; nil if it cannot change.
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
        // The alerts decide whether there are notices at all.
        options.notices = .fitting
        options.showsProgress = app.alerts.ways.contains(.progress)
        options.forceUTF8 = painter.map { $0 != .ascii } ?? false
        return try TerminalScreen.open(options: options)
    }

    /// Options of a screen that only shows a wait message, and does not query the terminal.
    package var optionsWhileWaiting: TerminalScreen.Options {
        var options = TerminalScreen.Options()
        options.colorDepth = colorDepth
        options.setsTitle = false
        options.forceUTF8 = painter.map { $0 != .ascii } ?? false
        return options
    }

    /// Options of the app that follow from settings and terminal.
    package func appOptions(screen: TerminalScreen, in surroundings: Surroundings) -> AppOptions {
        var options = appOptions(in: surroundings)
        if surroundings.isRemote { options.frameInterval = AppOptions.remoteFrameInterval }
        options.colorDepth = screen.colorDepth
        let first = painter ?? screen.painterHint
        options.painters = screen.isUTF8 ? [first] + Painter.allCases.filter { $0 != first } : [.ascii]
        return options
    }

    /// The user's given position; nil if it comes from a receiver.
    var place: Coordinate? { if case .place(let place) = here { place } else { nil } }

    /// Receiver for the user's position; nil for none.
    @MainActor
    func ownPosition(_ time: any TimeSource) -> OwnPosition? {
        if case .receiver(let address) = here { OwnPosition(address, time: time) } else { nil }
    }

    /// Options of the app without a terminal.
    package func appOptions(in surroundings: Surroundings) -> AppOptions {
        var options = app
        options.secondsFromGMT = LocalZone.secondsFromGMT
        options.ownPosition = place
        return options
    }

    /// The themes for a screen.
    @MainActor
    package func themes(screen: TerminalScreen, in surroundings: Surroundings) -> ThemePicker {
        ThemePicker(name: theme, depth: screen.colorDepth, background: screen.background, renewal: renewal, surroundings: surroundings)
    }

    /// The themes for printed output.
    ///
    /// - Parameter background: the background; nil for the terminal's.
    @MainActor
    func themes(depth: ColorDepth, background: BackgroundTone?, in surroundings: Surroundings) -> ThemePicker {
        ThemePicker(name: theme, depth: depth, background: background, surroundings: surroundings)
    }
}

/// Settings that a running screen takes from a reloaded configuration.
package struct RenewedLook: Sendable {
    /// Name of the theme; nil for the theme that suits the terminal.
    package var theme: String?
    package var keys: [OwnKeys]
    package var alerts: Alerts
    /// Errors in the configuration, one sentence each.
    package var faults: [String]

    package init(theme: String?, keys: [OwnKeys], alerts: Alerts, faults: [String]) {
        self.theme = theme
        self.keys = keys
        self.alerts = alerts
        self.faults = faults
    }
}

/// The map under the route.
package struct BaseMapSettings: Sendable {
    /// Map to show; nil for the command's default.
    package var map: Configuration.BaseMap?
    /// Language codes of names, in order of preference; empty for the locale's.
    package var languages: [String]
    /// User agent for map servers: the program and its version.
    package var userAgent: String
    /// CA certificates in PEM for map servers, in addition to the system's.
    package var caFile: String?
    /// Whether the map comes from the configuration, so that its errors are not fatal.
    package var isConfigured = false
    /// Whether to use only cached tiles.
    package var isOffline = false
    /// Maximum size of the tile cache, MB; nil for the default.
    package var cacheMegabytes: Int?

    package init(map: Configuration.BaseMap?, languages: [String], userAgent: String = "tripwatch", caFile: String? = nil) {
        (self.map, self.languages) = (map, languages)
        (self.userAgent, self.caFile) = (userAgent, caFile)
    }
}
