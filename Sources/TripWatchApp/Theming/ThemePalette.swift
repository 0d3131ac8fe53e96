import TOMLText
import TerminalCanvas

/// A colour of a theme, and the one chosen by hand for terminals with sixteen or fewer.
struct ThemeColor: Hashable, Sendable {
    var full: Color
    /// Nil for the nearest that there is.
    var sixteen: Color?

    static let `default` = ThemeColor(full: .default)

    func reduced(to depth: ColorDepth) -> Color {
        switch depth {
        case .ansi8, .ansi16: (sixteen ?? full).reduced(to: depth)
        case .none, .palette256, .direct: full.reduced(to: depth)
        }
    }
}

/// The named colours of a theme.
struct ThemePalette {
    /// A value of `[palette]` or `[palette16]` and the file it stands in.
    struct Entry: Hashable, Sendable {
        var value: TOMLDocument.Value
        var file: String
    }

    private var colors: [String: ThemeColor] = [:]
    /// Names that stand for other names.
    private var aliases: [String: String] = [:]
    /// Names that were complained of already.
    private var broken: Set<String> = []

    /// Follows names that stand for other names. Names that lead nowhere or round in a circle are reported and left out.
    init(_ entries: [String: Entry], sixteen: [String: Entry], messages: inout ThemeMessages) {
        let names = entries.keys.sorted()
        for name in names {
            guard let entry = entries[name] else { continue }
            let key = "palette." + name
            if name == "default" {
                messages.add(file: entry.file, key: key, "default is always the terminal's own colour; choose another name")
            } else if case .string(let word) = entry.value, word != name, word != "default", entries[word] != nil {
                aliases[name] = word
            } else if let color = ColorWord.color(entry.value) {
                colors[name] = ThemeColor(full: color, sixteen: Self.sixteen(sixteen[name], named: name, &messages))
            } else {
                broken.insert(name)
                messages.add(file: entry.file, key: key, ColorWord.refusal(of: entry.value, names: names.filter { $0 != name }))
            }
        }
        for name in names where aliases[name] != nil { follow(name, entries, sixteen: sixteen, &messages) }
        for name in sixteen.keys.sorted() where entries[name] == nil {
            guard let entry = sixteen[name] else { continue }
            messages.add(
                file: entry.file, key: "palette16." + name,
                "there is no such name in [palette]" + (Nearest.match(name, among: names).map { "; did you mean \(quoted($0))?" } ?? ""))
        }
    }

    /// Gives the names from this one on the colour that they all stand for.
    private mutating func follow(_ name: String, _ entries: [String: Entry], sixteen: [String: Entry], _ messages: inout ThemeMessages) {
        var chain: [String] = []
        var isInChain: Set<String> = []
        var next = name
        while colors[next] == nil, let target = aliases[next], isInChain.insert(next).inserted {
            chain.append(next)
            next = target
        }
        guard var color = colors[next] else {
            if isInChain.contains(next), let entry = entries[next] {
                let circle = chain.drop { $0 != next }.prefix(6) + [next]
                messages.add(
                    file: entry.file, key: "palette." + next,
                    "these names stand only for each other: " + circle.map(quoted).joined(separator: ", "))
            }
            for link in chain { aliases[link] = nil }
            broken.formUnion(chain)
            return
        }
        for link in chain.reversed() {
            color.sixteen = Self.sixteen(sixteen[link], named: link, &messages) ?? color.sixteen
            colors[link] = color
        }
    }

    private static func sixteen(_ entry: Entry?, named name: String, _ messages: inout ThemeMessages) -> Color? {
        guard let entry else { return nil }
        if let color = ColorWord.color(entry.value), color == color.reduced(to: .ansi16) { return color }
        messages.add(
            file: entry.file, key: "palette16." + name,
            "\(entry.value.shown) is none of the sixteen colours; allowed are " + ColorWord.allowedSixteen)
        return nil
    }

    /// The colour of a value; nil, with a message, for anything else. Of equal names the palette's come first, `default` excepted.
    func color(_ value: TOMLDocument.Value, file: String, key: String, messages: inout ThemeMessages) -> ThemeColor? {
        if case .string(let word) = value, word != "default", let color = colors[word] { return color }
        if let color = ColorWord.color(value) { return ThemeColor(full: color) }
        if case .string(let word) = value, broken.contains(word) { return nil }
        messages.add(file: file, key: key, ColorWord.refusal(of: value, names: colors.keys.sorted()))
        return nil
    }
}
