import FoundationEssentials
package import ProgramSurroundings
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// Lists, prints and checks themes.
package struct ThemesRun: Sendable {
    private let folder: ThemeFolder
    private let surroundings: Surroundings

    package init(in surroundings: Surroundings) {
        folder = ThemeFolder(surroundings)
        self.surroundings = surroundings
    }

    /// The names of all themes.
    package var names: [String] { folder.catalog.names }

    /// A row of the list of themes.
    private struct Row: Encodable {
        var name: String
        var about: String
        /// The background that the theme suits: dark, light or any.
        var background: String
        /// The path of the theme's file; nil for a built-in theme.
        var file: String?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(about, forKey: .about)
            try container.encode(background, forKey: .background)
            try container.encode(file, forKey: .file)
        }

        private enum CodingKeys: CodingKey {
            case name, about, background, file
        }
    }

    /// Prints all themes. For the user's own themes, also prints the path of the file.
    package func list(asJSON: Bool) throws -> ProgramEnd {
        let catalog = folder.catalog
        let rows = catalog.names.map { name in
            let theme = catalog.load(name, depth: .direct).theme
            // If a theme cannot be read, the catalog returns another theme.
            let about = theme.name == name ? theme.about : "cannot be read: 'tripwatch themes check \(name)' lists its errors"
            return Row(name: name, about: about, background: theme.background?.rawValue ?? "any", file: folder.file(of: name + ".toml"))
        }
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            surroundings.streams.print(String(decoding: try encoder.encode(rows), as: UTF8.self))
        } else {
            let columns = rows.map { displayWidth($0.name) }.max() ?? 0
            for row in rows {
                let words = [row.about, row.file.map { "(\(printable($0)))" }].compactMap { $0 }.filter { !$0.isEmpty }
                let kind = row.background + String(repeating: " ", count: max(0, 5 - row.background.count))
                surroundings.streams.print(
                    row.name + String(repeating: " ", count: columns - displayWidth(row.name)) + "  \(kind)  "
                        + words.joined(separator: " "))
            }
        }
        return .success
    }

    /// Prints a theme's file.
    package func show(_ name: String) throws -> ProgramEnd {
        guard let text = folder.catalog.text(of: name) else { throw missing(name) }
        surroundings.streams.print(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        return .success
    }

    /// Prints all errors in a theme or in a file, one per line.
    package func check(_ word: String) throws -> ProgramEnd {
        let isFile = word.contains("/") || word.hasSuffix(".toml")
        let catalog = folder.catalog
        var faults: [ThemeMessage]
        var path: (ThemeMessage) -> String = { folder.file(of: $0.file) ?? $0.file }
        if isFile {
            let full = surroundings.absolute(word)
            guard let bytes = ThemeFolder.bytes(full) else {
                throw Failure(message: "\(printable(word)) cannot be read: check that the file exists.", exitCode: ExitCodes.failed)
            }
            let stem = word.split(separator: "/").last.map { String($0.hasSuffix(".toml") ? $0.dropLast(5) : $0) } ?? ""
            let name = ThemeCatalog.isName(stem) ? stem : "theme"
            faults = catalog.adding(name, bytes).faults(of: name)
            path = { $0.file == name + ".toml" ? printable(word) : folder.file(of: $0.file) ?? $0.file }
            if name != stem { surroundings.streams.say("tripwatch: \(printable(stem)) is not a theme name: use letters, digits, - and _.") }
        } else {
            guard catalog.names.contains(word) else { throw missing(word) }
            faults = catalog.faults(of: word)
        }
        for fault in faults { surroundings.streams.print(fault.text(path: path(fault))) }
        return faults.isEmpty ? .success : .code(ExitCodes.failed)
    }

    /// Returns the errors in a theme, for other commands. Each error is a sentence without its full stop. A missing theme is also an error.
    package func faults(of name: String) -> [String] {
        let catalog = folder.catalog
        guard catalog.names.contains(name) else { return [catalog.missing(name)] }
        return catalog.faults(of: name).map { $0.text(path: folder.file(of: $0.file) ?? $0.file) }
    }

    private func missing(_ name: String) -> Failure {
        Failure(message: "\(folder.catalog.missing(name)).", exitCode: ExitCodes.failed)
    }
}
