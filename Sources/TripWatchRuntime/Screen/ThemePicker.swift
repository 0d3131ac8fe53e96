import ProgramSurroundings
import TerminalCanvas
package import TripWatchSettings

/// The current theme, with commands that switch to another one.
@MainActor
package final class ThemePicker {
    package private(set) var theme: Theme
    /// The errors in the current theme, and in themes that were skipped because they cannot be read.
    private(set) var messages: [ThemeMessage]
    /// All errors that have been found so far.
    private(set) var allMessages: [ThemeMessage]
    private var catalog: ThemeCatalog
    private var background: BackgroundTone?
    /// Whether the terminal or the environment has reported the background colour.
    private var isBackgroundKnown: Bool
    /// Whether the user has set a theme, or switched to one with a key.
    private var isChosen: Bool
    /// Whether the user has switched to the current theme with a key.
    private var isPicked = false
    private let depth: ColorDepth
    private let renewal: (@Sendable (Surroundings) throws(Failure) -> RenewedLook)?
    private let surroundings: Surroundings

    /// - Parameters:
    ///   - name: the name of the theme; nil for the theme that suits the terminal.
    ///   - background: the background colour that the terminal reported; nil to read it from the environment.
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

    /// Switches to the theme that suits a new background colour of the terminal, unless the user has chosen a theme.
    /// - Returns: whether the theme has changed.
    func adapt(to background: BackgroundTone) -> Bool {
        isBackgroundKnown = true
        return switchTheme(for: background)
    }

    /// Switches to the theme for day or night, unless the user has chosen a theme or the background colour is known.
    /// - Returns: whether the theme has changed.
    func suggest(_ background: BackgroundTone) -> Bool { !isBackgroundKnown && switchTheme(for: background) }

    private func switchTheme(for background: BackgroundTone) -> Bool {
        self.background = background
        guard !isChosen else { return false }
        let loaded = catalog.load(nil, background: background, depth: depth)
        guard loaded.theme.name != theme.name else { return false }
        theme = loaded.theme
        messages = loaded.messages
        allMessages += messages.filter { !allMessages.contains($0) }
        return true
    }

    /// Switches to the next theme in the catalog that can be read.
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

    /// Reads the configuration and the themes again. A theme that the user chose with a key is kept.
    /// - Returns: the other settings that may have changed; nil if there is no function that reads the configuration again.
    /// - Throws: `Failure` if this function fails, for example because the file cannot be read.
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

    /// Prints all errors on standard error. Must not be called while a screen is open.
    package func tellMessages() {
        for message in allMessages { surroundings.streams.say("tripwatch: " + sentence("\(message)")) }
    }
}
