import FoundationEssentials
import TerminalCanvas
import TripWatchApp

/// The theme in use, and the way through the others.
@MainActor
final class ThemePicker {
    private(set) var theme: Theme
    /// What is wrong with the theme in use, and with those that were passed over on the way to it.
    private(set) var messages: [ThemeMessage]
    /// Everything that was found wrong so far.
    private(set) var allMessages: [ThemeMessage]
    private let catalog: ThemeCatalog
    private var background: ThemeBackground?
    /// The user has named a theme, or gone to another one.
    private var isChosen: Bool
    private let depth: ColorDepth
    private let streams: StandardStreams

    /// - Parameter name: nil takes the one that suits the terminal.
    init(name: String?, depth: ColorDepth, surroundings: Surroundings) {
        let folder = surroundings.configurationFile.map { $0.folder + "/themes" } ?? ""
        let files = folder.isEmpty ? [] : (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        catalog = ThemeCatalog(userThemes: files.filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(5)) }) { file in
            guard let data = try? Data(contentsOf: URL(filePath: folder + "/" + file)) else { return nil }
            return Array(data.prefix(ThemeCatalog.maximumFileBytes + 1))
        }
        background = ThemeBackground.hint(environment: surroundings.environment)
        self.depth = depth
        isChosen = name != nil
        streams = surroundings.streams
        let loaded = catalog.load(name, background: background, depth: depth)
        theme = loaded.theme
        messages = loaded.messages
        allMessages = loaded.messages
    }

    /// Takes the theme that suits a background, unless the user has chosen one.
    /// - Returns: whether it is another one.
    func suggest(_ background: ThemeBackground) -> Bool {
        guard !isChosen else { return false }
        self.background = background
        let loaded = catalog.load(nil, background: background, depth: depth)
        guard loaded.theme.name != theme.name else { return false }
        theme = loaded.theme
        messages = loaded.messages
        return true
    }

    /// Goes to the next theme of the catalog that can be read.
    func next() {
        isChosen = true
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

    /// Tells on stderr what was found wrong. Not while a screen is up.
    func tellMessages() {
        for message in allMessages { streams.say("tripwatch: \(message).") }
    }
}
