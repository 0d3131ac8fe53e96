/// A theme file combined with the files from which it inherits.
struct ThemeSource {
    private(set) var background: ThemeFile.Background?
    private(set) var about: String
    private var palettes: ThemePalette.Tables
    private var entries: [String: ThemeFile.Entry]

    init(_ file: ThemeFile) {
        background = file.background
        about = file.about
        palettes = file.palettes
        entries = file.entries
    }

    /// Copies from another file everything that is not set yet, except the description of the theme.
    mutating func inherit(_ file: ThemeFile) {
        background = background ?? file.background
        palettes.inherit(file.palettes)
        for (name, entry) in file.entries {
            entries[name, default: ThemeFile.Entry()].style = entries[name]?.style ?? entry.style
            entries[name, default: ThemeFile.Entry()].options = (entries[name]?.options ?? ThemeOptions()).filled(from: entry.options)
        }
    }

    /// The names of scopes, and the prefixes of such names, that have a style.
    var styledNames: Set<String> { Set(entries.filter { $0.value.style != nil }.keys) }

    /// Returns a scope's style, and the name that the style is set for. This name is the longest prefix of the scope's name that has
    /// a style. Returns nil if no prefix has a style.
    func words(for scope: ThemeScope) -> (name: String, words: ThemeFile.StyleWords)? {
        scope.names.lazy.compactMap { name in entries[name]?.style.map { (name, $0) } }.first
    }

    /// Returns the name of the file that defines a palette colour.
    func paletteFile(of name: String) -> String? { palettes.full[name]?.file }

    /// Returns the look of every scope. A scope takes its style from the longest prefix of its name that has one, or else from `base`. Each
    /// option comes from the longest prefix that sets it, or else from `base`.
    func looks(base: Theme?, messages: inout ThemeMessages) -> [ThemeScope: Theme.Look] {
        let palette = ThemePalette(palettes, messages: &messages)
        let named = entries.sorted { $0.key < $1.key }.reduce(into: [String: Theme.Look]()) { named, entry in
            named[entry.key] = entry.value.style.map { Self.look($0, scope: entry.key, palette, &messages) }
        }
        var looks: [ThemeScope: Theme.Look] = [:]
        for scope in ThemeScope.allCases {
            let names = scope.names
            var look = names.lazy.compactMap { named[$0] }.first ?? base?.looks[scope] ?? Theme.Look()
            look.options = names.reduce(ThemeOptions()) { $0.filled(from: entries[$1]?.options ?? ThemeOptions()) }
                .filled(from: base?.looks[scope]?.options ?? ThemeOptions())
            looks[scope] = look
        }
        return looks
    }

    private static func look(
        _ words: ThemeFile.StyleWords, scope: String, _ palette: ThemePalette, _ messages: inout ThemeMessages
    ) -> Theme.Look {
        let foreground = words.foreground.flatMap { palette.color($0, file: words.file, key: scope + ".fg", messages: &messages) }
        let background = words.background.flatMap { palette.color($0, file: words.file, key: scope + ".bg", messages: &messages) }
        return Theme.Look(foreground: foreground ?? .default, background: background ?? .default, attributes: words.attributes)
    }
}
