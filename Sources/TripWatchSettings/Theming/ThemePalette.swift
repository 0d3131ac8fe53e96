import TOMLText
import TerminalCanvas

/// A theme colour, and its replacements for terminals with direct colours or with at most sixteen colours.
struct ThemeColor: Hashable, Sendable {
    var full: Color
    /// The colour for terminals with at most sixteen colours; nil to use the one of them that is nearest to ``full``.
    var sixteen: Color?
    /// The colour for terminals with direct colours; nil to use ``full``.
    var direct: Color?

    static let `default` = ThemeColor(full: .default)

    func reduced(to depth: ColorDepth) -> Color {
        switch depth {
        case .ansi8, .ansi16: (sixteen ?? full).reduced(to: depth)
        case .direct: direct ?? full
        case .none, .palette256: full.reduced(to: depth)
        }
    }
}

/// The named colours of a theme.
struct ThemePalette {
    /// A value of a palette, and the name of the file that sets it.
    struct Entry: Hashable, Sendable {
        var value: TOMLDocument.Value
        var file: String
    }

    /// The palettes of a file.
    struct Tables: Hashable, Sendable {
        /// `[palette]`: the palette's names and colours.
        var full: [String: Entry] = [:]
        /// `[palette16]`: replacements for terminals with sixteen colours.
        var sixteen: [String: Entry] = [:]
        /// `[palette_direct]`: replacements for terminals with direct colours.
        var direct: [String: Entry] = [:]

        /// Adds the other file's colours that this file does not set. For a colour that this file sets, replacements in the other file
        /// are ignored.
        mutating func inherit(_ other: Tables) {
            sixteen.merge(other.sixteen.filter { full[$0.key] == nil }) { own, _ in own }
            direct.merge(other.direct.filter { full[$0.key] == nil }) { own, _ in own }
            full.merge(other.full) { own, _ in own }
        }
    }

    private var colors: [String: ThemeColor] = [:]
    /// The names that refer to other names, each with the name that it refers to.
    private var aliases: [String: String] = [:]
    /// The names whose errors have already been reported.
    private var broken: Set<String> = []

    /// Resolves names that refer to other names. Names that are undefined or form a cycle are reported and ignored.
    init(_ tables: Tables, messages: inout ThemeMessages) {
        let entries = tables.full
        let names = entries.keys.sorted()
        for name in names {
            guard let entry = entries[name] else { continue }
            let key = "palette." + name
            if name == "default" {
                messages.add(file: entry.file, key: key, "\"default\" is always the terminal's own colour; choose another name")
            } else if case .string(let word) = entry.value, word != name, word != "default", entries[word] != nil {
                aliases[name] = word
            } else if let color = ColorWord.color(entry.value) {
                colors[name] = ThemeColor(
                    full: color, sixteen: Self.sixteen(tables.sixteen[name], named: name, &messages),
                    direct: Self.direct(tables.direct[name], named: name, &messages))
            } else {
                broken.insert(name)
                messages.add(file: entry.file, key: key, ColorWord.refusal(of: entry.value, names: names.filter { $0 != name }))
            }
        }
        for name in names where aliases[name] != nil { follow(name, tables, &messages) }
        for (key, siblings) in [("palette16.", tables.sixteen), ("palette_direct.", tables.direct)] {
            for (name, entry) in siblings.sorted(by: { $0.key < $1.key }) where entries[name] == nil {
                Self.refuse(entry, key + name, among: names, &messages)
            }
        }
    }

    private static func refuse(_ entry: Entry, _ key: String, among names: [String], _ messages: inout ThemeMessages) {
        let name = String(key.drop { $0 != "." }.dropFirst())
        messages.add(
            file: entry.file, key: key,
            "there is no such name in [palette]" + (Nearest.match(name, among: names).map { "; did you mean \(quoted($0))?" } ?? ""))
    }

    /// Follows the chain of names that starts at `name`, and sets the colour of each name in it. If the chain does not end at a colour, its
    /// names are dropped. If it ends in a cycle, the cycle is reported.
    private mutating func follow(_ name: String, _ tables: Tables, _ messages: inout ThemeMessages) {
        var chain: [String] = []
        var isInChain: Set<String> = []
        var next = name
        while colors[next] == nil, let target = aliases[next], isInChain.insert(next).inserted {
            chain.append(next)
            next = target
        }
        guard var color = colors[next] else {
            if isInChain.contains(next), let entry = tables.full[next] {
                let circle = chain.drop { $0 != next }.prefix(6) + [next]
                messages.add(
                    file: entry.file, key: "palette." + next,
                    "these names refer only to each other: " + circle.map(quoted).joined(separator: ", ") + "; give one of them a colour")
            }
            for link in chain { aliases[link] = nil }
            broken.formUnion(chain)
            return
        }
        for link in chain.reversed() {
            color.sixteen = Self.sixteen(tables.sixteen[link], named: link, &messages) ?? color.sixteen
            color.direct = Self.direct(tables.direct[link], named: link, &messages) ?? color.direct
            colors[link] = color
        }
    }

    private static func sixteen(_ entry: Entry?, named name: String, _ messages: inout ThemeMessages) -> Color? {
        guard let entry else { return nil }
        if let color = ColorWord.color(entry.value), color == color.reduced(to: .ansi16) { return color }
        messages.add(
            file: entry.file, key: "palette16." + name,
            "\(entry.value.shown) is not one of the sixteen colours; use " + ColorWord.allowedSixteen)
        return nil
    }

    private static func direct(_ entry: Entry?, named name: String, _ messages: inout ThemeMessages) -> Color? {
        guard let entry else { return nil }
        if let color = ColorWord.color(entry.value) { return color }
        messages.add(file: entry.file, key: "palette_direct." + name, ColorWord.refusal(of: entry.value, names: nil))
        return nil
    }

    /// Returns the colour of a value; nil for an invalid value, with a message unless the error has already been reported. Palette names
    /// take precedence over colour words, except over `default`.
    func color(_ value: TOMLDocument.Value, file: String, key: String, messages: inout ThemeMessages) -> ThemeColor? {
        if case .string(let word) = value, word != "default", let color = colors[word] { return color }
        if let color = ColorWord.color(value) { return ThemeColor(full: color) }
        if case .string(let word) = value, broken.contains(word) { return nil }
        messages.add(file: file, key: key, ColorWord.refusal(of: value, names: colors.keys.sorted()))
        return nil
    }
}
