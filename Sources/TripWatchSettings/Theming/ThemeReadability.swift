import TOMLText
import TerminalCanvas

/// Checks whether a theme is readable. Text needs a contrast ratio of 4.5 to 1; the route and other symbols need 3 to 1. Outside
/// the map, a scope that has a background also needs a foreground. No part of the route may have the colour of water.
struct ThemeReadability {
    private static let leastForText = 4.5
    private static let leastForSigns = 3.0
    private static let signs: [ThemeScope] = [
        .routeAhead, .routeLater, .routeTrafficUnknown, .routeTrafficNormal, .routeTrafficSlow, .routeTrafficJam, .etaNumber, .progressDone,
    ]
    private static let routes: [ThemeScope] = [
        .routeAhead, .routeLater, .routeBehind, .routeTrafficUnknown, .routeTrafficNormal, .routeTrafficSlow, .routeTrafficJam,
    ]
    /// Scopes that should be unobtrusive. Their contrast is therefore not checked.
    private static let quiet: [ThemeScope] = [.rule, .progressLeft, .etaHistory, .routeBehind, .other]

    let theme: Theme
    let source: ThemeSource
    /// Returns whether a theme file belongs to the user.
    let isOwn: (String) -> Bool

    /// Adds a message for each scope that is hard to read and whose look the user's file sets. Each line of a file gets at most one
    /// message.
    func check(_ messages: inout ThemeMessages) {
        var told: Set<String> = []
        let themes = [ColorDepth.palette256, .direct].map { theme.reduced(to: $0) }
        for scope in ThemeScope.allCases {
            let faults = themes.map { fault(of: scope, in: $0) ?? likeness(of: scope, in: $0) }
            guard let found = faults.compactMap({ $0 }).first, let place = place(of: scope, part: found.part) else { continue }
            guard told.insert(place.file + ":" + place.key).inserted else { continue }
            let depth = faults.first.flatMap { $0 } == nil ? "on terminals with direct (24-bit) colours, " : ""
            messages.add(
                file: place.file, key: place.key, place.isPalette ? "\(scope.rawValue): " + depth + found.words : depth + found.words)
        }
    }

    private struct Fault: Hashable {
        var words: String
        /// The last part of the key that is at fault: `fg` or `bg`.
        var part: String
    }

    private func fault(of scope: ThemeScope, in theme: Theme) -> Fault? {
        let style = theme.style(scope)
        if !scope.isMap, style.background != .default, style.foreground == .default {
            return Fault(
                words: "a background without a foreground: the terminal's own text colour may be unreadable on it; add fg", part: "bg")
        }
        guard let least = least(scope), !style.foreground.isTerminalsOwn else { return nil }
        let ground = ground(of: scope, style, theme)
        if !ground.isTerminalsOwn {
            guard let contrast = style.foreground.contrast(with: ground), contrast < least else { return nil }
            return Fault(
                words: "the contrast with its background is \(Self.ratio(contrast)) to 1, but must be at least \(Self.ratio(least)); "
                    + "choose colours that differ more in brightness", part: "fg")
        }
        guard ground == .default else { return nil }
        let tones = theme.background.map { [$0] } ?? BackgroundTone.allCases
        let worst = tones.compactMap { tone in
            tone.grounds.compactMap { style.foreground.contrast(with: $0) }.min().map { (tone: tone, contrast: $0) }
        }.min { $0.contrast < $1.contrast }
        guard let worst, worst.contrast < least else { return nil }
        let remedy =
            theme.background == nil
            ? "choose another colour, add a bg, or set background = \"\(worst.tone == .dark ? "light" : "dark")\""
            : "choose a \(worst.tone == .dark ? "lighter" : "darker") colour"
        return Fault(
            words: "the contrast on \(worst.tone.rawValue) backgrounds is \(Self.ratio(worst.contrast)) to 1, but must be at least "
                + "\(Self.ratio(least)); \(remedy)", part: "fg")
    }

    /// Returns a fault if water and a part of the route have the same colour. The fault is returned for either of the two
    /// scopes, because the user's file may set only one of them.
    private func likeness(of scope: ThemeScope, in theme: Theme) -> Fault? {
        let others: [ThemeScope] = scope == .mapWater ? Self.routes : Self.routes.contains(scope) ? [.mapWater] : []
        let own = shades(of: scope, in: theme)
        for other in others {
            let same = shades(of: other, in: theme).map(\.color)
            guard let part = own.first(where: { same.contains($0.color) })?.part else { continue }
            let words = "\(other.rawValue) has the same colour, so the route cannot be seen on water; choose another colour"
            return Fault(words: words, part: part)
        }
        return nil
    }

    /// Returns the colours of a route or of water, except the terminal's own. Direct colours are replaced by similar ones of the palette,
    /// so that equal colours compare as equal.
    private func shades(of scope: ThemeScope, in theme: Theme) -> [(color: Color, part: String)] {
        let style = theme.style(scope)
        let all = [(color: style.foreground, part: "fg")] + (scope == .mapWater ? [(color: style.background, part: "bg")] : [])
        return all.filter { !$0.color.isTerminalsOwn }.map { (color: $0.color.reduced(to: .palette256), part: $0.part) }
    }

    /// Returns the background colour on which a scope is drawn. Keys are drawn on the footer. Map labels are checked against
    /// the terminal's default background.
    private func ground(of scope: ThemeScope, _ style: Style, _ theme: Theme) -> Color {
        switch scope {
        case .key, .keyDisabled: theme.style(.footer).background
        default: scope.isMap ? .default : style.background
        }
    }

    /// Returns the minimum contrast ratio of a scope; nil if its contrast is not checked.
    private func least(_ scope: ThemeScope) -> Double? {
        if Self.signs.contains(scope) || ThemeMarker.allCases.contains(where: { $0.scope == scope }) {
            return Self.quiet.contains(scope) ? nil : Self.leastForSigns
        }
        let isName = scope.rawValue.hasPrefix("map.label") || scope == .mapAttribution || scope == .mapScale
        return Self.quiet.contains(scope) || scope.isMap && !isName ? nil : Self.leastForText
    }

    /// Returns the entry in the user's file that sets a scope's look: the scope's own style, or a palette colour that the style
    /// uses. Returns nil if no entry in the user's file sets the look.
    private func place(of scope: ThemeScope, part: String) -> (file: String, key: String, isPalette: Bool)? {
        guard let (name, words) = source.words(for: scope) else { return nil }
        if isOwn(words.file) { return (words.file, name + "." + part, false) }
        for case .string(let color)? in [words.foreground, words.background] {
            if let file = source.paletteFile(of: color), isOwn(file) { return (file, "palette." + color, true) }
        }
        return nil
    }

    /// Returns the ratio as text, rounded down.
    private static func ratio(_ contrast: Double) -> String { ((contrast * 10).rounded(.down) / 10).fixed(decimals: 1) }
}
