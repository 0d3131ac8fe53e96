import FoundationEssentials
import TerminalCanvas
import TripWatchApp

/// The theme in use, and the way through the others.
@MainActor
final class ThemePicker {
    private(set) var theme: Theme
    let messages: [ThemeMessage]
    private let catalog: ThemeCatalog
    private let background: ThemeBackground?
    private let depth: ColorDepth

    /// - Parameter name: nil takes the one that suits the terminal.
    init(name: String?, environment: [String: String], depth: ColorDepth) {
        let folder = ConfigurationFile(environment: environment).map { $0.folder + "/themes" } ?? ""
        let files = folder.isEmpty ? [] : (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        catalog = ThemeCatalog(userThemes: files.filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(5)) }) { file in
            guard let data = try? Data(contentsOf: URL(filePath: folder + "/" + file)) else { return nil }
            return Array(data.prefix(ThemeCatalog.maximumFileBytes + 1))
        }
        background = ThemeBackground.hint(environment: environment)
        self.depth = depth
        let loaded = catalog.load(name, background: background, depth: depth)
        theme = loaded.theme
        messages = loaded.messages
    }

    /// The next theme of the catalog.
    func next() -> Theme {
        let names = catalog.names
        let index = names.firstIndex(of: theme.name).map { ($0 + 1) % max(1, names.count) } ?? 0
        guard names.indices.contains(index) else { return theme }
        theme = catalog.load(names[index], background: background, depth: depth).theme
        return theme
    }
}
