import ProgramSurroundings
import TerminalCanvas
package import TripWatchSettings

/// The theme in use, and the way through the others.
@MainActor
package final class ThemePicker {
    package private(set) var theme: Theme
    /// What is wrong with the theme in use, and with those that were passed over on the way to it.
    private(set) var messages: [ThemeMessage]
    /// Everything that was found wrong so far.
    private(set) var allMessages: [ThemeMessage]
    private var catalog: ThemeCatalog
    private var background: BackgroundTone?
    /// The terminal or the environment has said what the background is.
    private var isBackgroundKnown: Bool
    /// The user has named a theme, or gone to another one.
    private var isChosen: Bool
    /// The user has gone to it.
    private var isPicked = false
    private let depth: ColorDepth
    private let renewal: (@Sendable (Surroundings) throws(Failure) -> RenewedLook)?
    private let surroundings: Surroundings

    /// - Parameters:
    ///   - name: nil takes the one that suits the terminal.
    ///   - background: what the terminal has said of it; nil for what the environment says.
    ///   - renewal: reads the configuration again.
    init(
        name: String?, depth: ColorDepth, background said: BackgroundTone?,
        renewal: (@Sendable (Surroundings) throws(Failure) -> RenewedLook)? = nil, surroundings: Surroundings
    ) {
        catalog = ThemeFolder(surroundings).catalog
        background = said ?? BackgroundTone.hint(environment: surroundings.environment)
        isBackgroundKnown = background != nil
        self.depth = depth
        isChosen = name != nil
        (self.renewal, self.surroundings) = (renewal, surroundings)
        let loaded = catalog.load(name, background: background, depth: depth)
        theme = loaded.theme
        messages = loaded.messages
        allMessages = loaded.messages
    }

    /// The terminal's background has changed: takes the theme for it, unless the user has chosen one.
    /// - Returns: whether it is another one.
    func adapt(to background: BackgroundTone) -> Bool {
        isBackgroundKnown = true
        return switchTheme(for: background)
    }

    /// Takes the theme that suits a light outside, unless the user has chosen one or the background is known.
    /// - Returns: whether it is another one.
    func suggest(_ background: BackgroundTone) -> Bool { !isBackgroundKnown && switchTheme(for: background) }

    private func switchTheme(for background: BackgroundTone) -> Bool {
        self.background = background
        guard !isChosen else { return false }
        let loaded = catalog.load(nil, background: background, depth: depth)
        guard loaded.theme.name != theme.name else { return false }
        theme = loaded.theme
        messages = loaded.messages
        return true
    }

    /// Goes to the next theme of the catalog that can be read.
    func next() {
        (isChosen, isPicked) = (true, true)
        let names = catalog.names
        let start = names.firstIndex(of: theme.name).map { $0 + 1 } ?? 0
        messages = []
        for offset in names.indices {
            let name = names[(start + offset) % names.count]
            let loaded = catalog.load(name, background: background, depth: depth)
            messages += loaded.messages
            guard loaded.theme.name == name else { continue }
            theme = loaded.theme
            break
        }
        allMessages += messages.filter { !allMessages.contains($0) }
    }

    /// Reads the configuration and the themes again. A theme that the user has gone to stays.
    /// - Returns: the configuration's other news; nil where none is read.
    func renew() throws(Failure) -> RenewedLook? {
        guard let look = try renewal?(surroundings) else { return nil }
        catalog = ThemeFolder(surroundings).catalog
        let name = isPicked ? theme.name : look.theme
        isChosen = name != nil
        let loaded = catalog.load(name, background: background, depth: depth)
        (theme, messages) = (loaded.theme, loaded.messages)
        allMessages += messages.filter { !allMessages.contains($0) }
        return look
    }

    /// Tells on stderr what was found wrong. Not while a screen is up.
    package func tellMessages() {
        for message in allMessages { surroundings.streams.say("tripwatch: " + sentence("\(message)")) }
    }
}
