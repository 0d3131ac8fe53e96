import TOMLText
import TerminalCanvas

/// The contents of a theme file as written: colours are still words, and the styles of parent themes are not included yet.
struct ThemeFile: Hashable, Sendable {
    /// A file's entry for one scope.
    struct Entry: Hashable, Sendable {
        /// The style; nil if the entry has only options. In this case, the style comes from a parent scope or a parent theme.
        var style: StyleWords?
        var options = ThemeOptions()
    }

    /// The colours and attributes of a style, as written.
    struct StyleWords: Hashable, Sendable {
        var foreground: TOMLDocument.Value?
        var background: TOMLDocument.Value?
        var attributes: Attributes = []
        /// Name of the file, for messages.
        var file: String
    }

    /// The terminal backgrounds for which a theme file can be made.
    enum Background: Hashable, Sendable {
        case any
        case only(BackgroundTone)
    }

    private static let attributes: [String: Attributes] = [
        "bold": .bold, "dim": .dim, "underline": .underline, "reverse": .reverse, "italic": .italic,
    ]
    private static let styleKeys = ["fg", "bg", "bold", "dim", "underline", "reverse", "italic"]
    private static let ownKeys = ["inherits", "background", "about", "palette", "palette16", "palette_direct"]

    let fileName: String
    private(set) var parent: String?
    private(set) var background: Background?
    /// Description of the theme in one line.
    private(set) var about = ""
    private(set) var palettes = ThemePalette.Tables()
    /// The entries. The key is the name of a scope, or a prefix of such a name.
    private(set) var entries: [String: Entry] = [:]

    /// Reads a parsed document. Invalid parts are reported and ignored.
    init(_ document: TOMLDocument, fileName: String, messages: inout ThemeMessages) {
        self.fileName = fileName
        for (key, value) in document.table.sorted(by: { $0.key < $1.key }) {
            switch key {
            case "inherits": readParent(value, &messages)
            case "background": readBackground(value, &messages)
            case "about": readAbout(value, &messages)
            case "palette": palettes.full = colors(value, key: key, &messages)
            case "palette16": palettes.sixteen = colors(value, key: key, &messages)
            case "palette_direct": palettes.direct = colors(value, key: key, &messages)
            default: read(value, for: key, &messages)
            }
        }
    }
}

// MARK: - Description of the theme

extension ThemeFile {
    private mutating func readParent(_ value: TOMLDocument.Value, _ messages: inout ThemeMessages) {
        if case .string(let name) = value {
            parent = name
        } else {
            messages.add(file: fileName, key: "inherits", "\(value.shown) is not allowed; use the name of a theme")
        }
    }

    private mutating func readBackground(_ value: TOMLDocument.Value, _ messages: inout ThemeMessages) {
        switch value {
        case .string("any"): background = .any
        case .string("dark"): background = .only(.dark)
        case .string("light"): background = .only(.light)
        default: messages.add(file: fileName, key: "background", "\(value.shown) is not allowed; use \"dark\", \"light\" or \"any\"")
        }
    }

    private mutating func readAbout(_ value: TOMLDocument.Value, _ messages: inout ThemeMessages) {
        if case .string(let text) = value {
            about = sanitised(text, maximumLength: 120)
        } else {
            messages.add(file: fileName, key: "about", "\(value.shown) is not allowed; use a line of text")
        }
    }

    private func colors(
        _ value: TOMLDocument.Value, key: String, _ messages: inout ThemeMessages
    ) -> [String: ThemePalette.Entry] {
        guard case .table(let table) = value else {
            messages.add(file: fileName, key: key, "\(value.shown) is not allowed; use a table of names and colours")
            return [:]
        }
        return table.mapValues { ThemePalette.Entry(value: $0, file: fileName) }
    }
}

// MARK: - Scopes

extension ThemeFile {
    /// Reads the style of a scope: a colour word, or a table of style keys and nested scopes.
    private mutating func read(_ value: TOMLDocument.Value, for scope: String, _ messages: inout ThemeMessages) {
        guard ThemeScope.knownNames.contains(scope) else {
            messages.add(file: fileName, key: scope, Self.unknown(scope))
            return
        }
        switch value {
        case .string, .integer:
            entries[scope, default: Entry()].style = StyleWords(foreground: value, file: fileName)
        case .table(let table):
            if table.isEmpty { entries[scope, default: Entry()].style = StyleWords(file: fileName) }
            for (key, value) in table.sorted(by: { $0.key < $1.key }) { read(value, for: key, in: scope, &messages) }
        default:
            messages.add(
                file: fileName, key: scope,
                "\(value.shown) is not allowed; use a colour or a table like { fg = \"red\", bold = true }")
        }
    }

    private mutating func read(_ value: TOMLDocument.Value, for key: String, in scope: String, _ messages: inout ThemeMessages) {
        let options = ThemeOptions.keys(of: scope)
        if key == "fg" || key == "bg" || Self.attributes[key] != nil {
            readStyle(value, for: key, in: scope, &messages)
        } else if options.contains(key) {
            if let allowed = entries[scope, default: Entry()].options.set(value, for: key) {
                messages.add(file: fileName, key: scope + "." + key, "\(value.shown) is not allowed; use \(allowed)")
            }
        } else if ThemeScope.knownNames.contains(scope + "." + key) {
            read(value, for: scope + "." + key, &messages)
        } else {
            messages.add(file: fileName, key: scope + "." + key, Self.unknown(key, in: scope, options: options))
        }
    }

    private mutating func readStyle(_ value: TOMLDocument.Value, for key: String, in scope: String, _ messages: inout ThemeMessages) {
        var style = entries[scope]?.style ?? StyleWords(file: fileName)
        switch (key, value) {
        case ("fg", _): style.foreground = value
        case ("bg", _): style.background = value
        case (_, .boolean(true)): style.attributes.formUnion(Self.attributes[key] ?? [])
        case (_, .boolean(false)): break
        default: messages.add(file: fileName, key: scope + "." + key, "\(value.shown) is not allowed; use true or false")
        }
        entries[scope, default: Entry()].style = style
    }

    /// Returns a message about an unknown scope. It suggests the most similar name, or lists all names.
    private static func unknown(_ scope: String) -> String {
        let names = ThemeScope.knownNames.sorted()
        if let near = Nearest.match(scope, among: names + ownKeys) { return "there is no such key; did you mean \(quoted(near))?" }
        let known = names.filter { name in scope.hasPrefix(name + ".") }.max { $0.count < $1.count }
        if let known {
            let below = names.filter { $0.hasPrefix(known + ".") && !$0.dropFirst(known.count + 1).contains(".") }
            if !below.isEmpty { return "there is no such key; the keys under \(known) are " + below.joined(separator: ", ") }
        }
        return "there is no such key; the keys are " + (ownKeys + names.filter { !$0.contains(".") }).joined(separator: ", ")
    }

    private static func unknown(_ key: String, in scope: String, options: [String]) -> String {
        let below = ThemeScope.knownNames.filter { $0.hasPrefix(scope + ".") }.map { String($0.dropFirst(scope.count + 1)) }.sorted()
        let keys = styleKeys + options + below
        if let near = Nearest.match(key, among: keys) { return "there is no such key; did you mean \(quoted(near))?" }
        return "there is no such key; use " + keys.joined(separator: ", ")
    }
}
