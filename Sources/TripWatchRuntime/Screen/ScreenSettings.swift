import FleetEngine
import Geo
import Navigation
package import ProgramSurroundings
package import TerminalCanvas
package import TerminalScreen
package import TripWatchScreen
package import TripWatchSettings

/// How the screen looks, and what it may do.
package struct ScreenSettings: Sendable {
    /// Nil takes the theme that suits the terminal.
    package var theme: String?
    /// Nil takes what the terminal can show.
    package var painter: Painter?
    /// Nil where the terminal decides.
    package var colorDepth: ColorDepth?
    /// Whether the terminal is asked how its background looks.
    package var asksTerminal = Configuration.TerminalQuestion.auto
    package var map: BaseMapSettings
    package var overlay = OverlaySettings()
    /// What the app is told, as far as it follows from settings alone.
    package var app = AppOptions()
    /// The user's own place.
    package var here: Configuration.Here?
    /// Nothing on the screen can change the trip.
    package var isReadOnly = false
    package var allowsClipboard = true
    /// How many of the last rides are kept.
    package var keptRides = 0
    /// Reads what is configured again; nil where that does not change.
    package var renewal: (@Sendable (Surroundings) throws(Failure) -> RenewedLook)?

    package init(map: BaseMapSettings) { self.map = map }

    /// - Throws: `TerminalScreenError` where there is no terminal that can be drawn on.
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
        // Whether there are any, the alerts say.
        options.notices = .fitting
        options.showsProgress = app.alerts.ways.contains(.progress)
        options.forceUTF8 = painter.map { $0 != .ascii } ?? false
        return try TerminalScreen.open(options: options)
    }

    /// Of a screen that only says what is waited for: the terminal is asked nothing.
    var optionsWhileWaiting: TerminalScreen.Options {
        var options = TerminalScreen.Options()
        options.colorDepth = colorDepth
        options.setsTitle = false
        options.forceUTF8 = painter.map { $0 != .ascii } ?? false
        return options
    }

    /// What the app is told, as far as it follows from settings and terminal.
    package func appOptions(screen: TerminalScreen, in surroundings: Surroundings) -> AppOptions {
        var options = appOptions(in: surroundings)
        if surroundings.isRemote { options.frameInterval = AppOptions.remoteFrameInterval }
        options.colorDepth = screen.colorDepth
        let first = painter ?? screen.painterHint
        options.painters = screen.isUTF8 ? [first] + Painter.allCases.filter { $0 != first } : [.ascii]
        return options
    }

    /// Where the user is, where that was said; nil where a receiver is asked.
    var place: Coordinate? { if case .place(let place) = here { place } else { nil } }

    /// Who tells where the user is; nil where nobody is asked.
    @MainActor
    func ownPosition(_ time: any TimeSource) -> OwnPosition? {
        if case .receiver(let address) = here { OwnPosition(address, time: time) } else { nil }
    }

    /// What the app is told without a terminal.
    func appOptions(in surroundings: Surroundings) -> AppOptions {
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

    /// The themes for what is printed.
    ///
    /// - Parameter background: nil for the terminal's.
    @MainActor
    func themes(depth: ColorDepth, background: BackgroundTone?, in surroundings: Surroundings) -> ThemePicker {
        ThemePicker(name: theme, depth: depth, background: background, surroundings: surroundings)
    }
}

/// What a running screen takes over from a configuration that is read again.
package struct RenewedLook: Sendable {
    /// Nil takes the theme that suits the terminal.
    package var theme: String?
    package var keys: [OwnKeys]
    package var alerts: Alerts
    /// What is wrong with the configuration, a sentence each.
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
    /// Nil takes what the command shows without being asked.
    package var map: Configuration.BaseMap?
    /// Codes of the languages of names, the first choice first; empty takes the locale's.
    package var languages: [String]
    /// Who asks a map's server: the program and its version.
    package var userAgent: String
    /// Certificates in PEM that are trusted at a map's server besides the system's.
    package var caFile: String?
    /// The map is the one of the configuration, whose faults stop nothing.
    package var isConfigured = false
    /// What was fetched before is all that there is.
    package var isOffline = false
    /// The size that the file of fetched tiles has at most, in MB; nil takes the standard.
    package var cacheMegabytes: Int?

    package init(map: Configuration.BaseMap?, languages: [String], userAgent: String = "tripwatch", caFile: String? = nil) {
        (self.map, self.languages) = (map, languages)
        (self.userAgent, self.caFile) = (userAgent, caFile)
    }
}
