import TOMLText
package import TerminalCanvas
import Themes

/// A theme and its errors.
package struct LoadedTheme: Sendable, Hashable {
    package let theme: Theme
    /// The messages about the theme's own file and about the files from which it inherits.
    package let messages: [ThemeMessage]
}

/// All themes: those in the binary and those of the user. A user's theme replaces a theme in the binary that has the same name.
package struct ThemeCatalog: Sendable {
    /// Reads a file of the user's theme directory by its name ("my-theme.toml"); nil if it is missing.
    ///
    /// A file longer than ``maximumFileBytes`` is refused, so the closure may return only the first `maximumFileBytes` + 1
    /// bytes.
    package typealias Reader = @Sendable (_ fileName: String) throws -> [UInt8]?

    /// Maximum size of a theme file, in bytes.
    package static let maximumFileBytes = TOMLDocument.maximumBytes
    /// Names of the themes in the binary.
    package static let embeddedNames = EmbeddedThemes.all.keys.sorted()

    /// The names of all themes, in the order in which the user's theme key cycles through them.
    package let names: [String]
    let readUserTheme: Reader

    /// - Parameters:
    ///   - userThemes: names of the files in the user's theme directory, without ".toml"; invalid names are ignored.
    ///   - readUserTheme: reads one of these files.
    package init(userThemes: [String] = [], readUserTheme: @escaping Reader = { _ in nil }) {
        names = Set(Self.embeddedNames + userThemes.filter(Self.isName)).sorted()
        self.readUserTheme = readUserTheme
    }

    /// Returns whether a name consists of 1 to 64 ASCII letters, digits, hyphens and underscores. Such a name cannot lead out of the theme
    /// directory.
    package static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-" || $0 == "_")
            }
    }

    /// Loads a theme and reports its errors.
    ///
    /// The function always returns a theme. Invalid parts are ignored, and a missing or unreadable theme is replaced by the default theme.
    ///
    /// - Parameters:
    ///   - name: the theme's name; nil for the default.
    ///   - background: the terminal's background; see ``BackgroundTone/hint(environment:flag:)``.
    package func load(_ name: String? = nil, background: BackgroundTone? = nil, depth: ColorDepth) -> LoadedTheme {
        let standard = Self.defaultName(background: background, depth: depth)
        var messages = ThemeMessages()
        if let name, let theme = theme(name, hint: background, isEmbedded: false, depth: depth, &messages) {
            return LoadedTheme(theme: theme, messages: messages.finished)
        }
        let theme = theme(standard, hint: background, isEmbedded: name != nil, depth: depth, &messages)
        return LoadedTheme(theme: theme ?? Theme(name: standard, looks: [:], depth: depth), messages: messages.finished)
    }

    /// Returns all errors in a theme and in the themes from which it inherits. The theme's own errors come first. The errors of
    /// a file are in the order of its lines.
    package func faults(of name: String) -> [ThemeMessage] {
        var messages = ThemeMessages(isThorough: true)
        let theme = theme(name, hint: nil, isEmbedded: false, depth: .direct, &messages)
        var known = ThemeMessages()
        if let theme, let source = source(name, isEmbedded: false, &known)?.source {
            ThemeReadability(theme: theme, source: source) { ((try? readUserTheme($0)) ?? nil) != nil }.check(&messages)
        }
        return messages.finished.enumerated().sorted { one, two in
            let (first, second) = (one.element, two.element)
            if first.file != second.file {
                return first.file == name + ".toml" || second.file != name + ".toml" && first.file < second.file
            }
            return (first.line ?? 0, one.offset) < (second.line ?? 0, two.offset)
        }.map(\.element)
    }

    /// Returns this catalog with a theme added. The theme may replace one of the user's themes.
    package func adding(_ name: String, _ bytes: [UInt8]) -> ThemeCatalog {
        let read = readUserTheme
        return ThemeCatalog(userThemes: names + [name]) { file in file == name + ".toml" ? bytes : try read(file) }
    }

    /// Returns the text of a theme file, for display or as a template; nil if the theme does not exist.
    package func text(of name: String) -> String? {
        guard Self.isName(name) else { return nil }
        let own = (try? readUserTheme(name + ".toml")) ?? nil
        return (own ?? EmbeddedThemes.all[name]).map { String(decoding: $0.prefix(Self.maximumFileBytes), as: UTF8.self) }
    }

    private func theme(
        _ name: String, hint: BackgroundTone?, isEmbedded: Bool, depth: ColorDepth, _ messages: inout ThemeMessages
    ) -> Theme? {
        guard let (source, isFromBinary) = source(name, isEmbedded: isEmbedded, &messages) else { return nil }
        var background = hint ?? .dark
        var base: Theme?
        switch source.background {
        case .any, nil: break
        case .only(let own): background = own
        }
        let baseName = Self.baseName(background)
        if source.background != .any, baseName != name || !isFromBinary {
            base = theme(baseName, hint: background, isEmbedded: true, depth: .direct, &messages)
        }
        return Theme(
            name: name, about: source.about, background: source.background == .any ? nil : background,
            looks: source.looks(base: base, messages: &messages), depth: depth)
    }
}
