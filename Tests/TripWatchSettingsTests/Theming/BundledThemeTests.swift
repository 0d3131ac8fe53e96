import Synchronization
import TOMLText
import TerminalCanvas
import TerminalMap
import Testing
import Themes

@testable import TripWatchSettings

@Suite("Bundled themes")
struct BundledThemeTests {
    static let names = [
        "colour-blind", "colour-blind-light", "harbour", "harbour-dark", "harbour-light", "high-contrast", "high-contrast-light", "mono",
        "terminal-16",
    ]

    /// The themes that were already loaded. Many tests use the same themes, and loading is slow in a debug build.
    private static let loaded = Mutex<[String: Theme]>([:])

    static func theme(_ name: String, depth: ColorDepth = .palette256) -> Theme {
        let key = "\(name), \(depth)"
        if let theme = loaded.withLock({ $0[key] }) { return theme }
        let theme = ThemeCatalog().load(name, depth: depth).theme
        loaded.withLock { $0[key] = theme }
        return theme
    }

    @Test("All are in the binary")
    func embedded() {
        #expect(ThemeCatalog.embeddedNames == Self.names)
        #expect(ThemeCatalog().names == Self.names)
    }

    @Test("Every theme loads without a message, at every depth", arguments: names, ColorDepth.allCases)
    func silent(name: String, depth: ColorDepth) {
        let loaded = ThemeCatalog().load(name, depth: depth)
        #expect(loaded.messages.map(\.description) == [])
        #expect(loaded.theme.name == name)
        #expect(loaded.theme.depth == depth)
        #expect(!loaded.theme.about.isEmpty)
    }

    @Test("The two default themes, and those for any background, set every scope themselves", arguments: names)
    func complete(name: String) throws {
        let theme = Self.theme(name)
        guard theme.background == nil || name.hasPrefix("harbour") else { return }
        var messages = ThemeMessages()
        let source = try #require(ThemeCatalog().source(name, isEmbedded: true, &messages)).source
        for scope in ThemeScope.allCases { #expect(source.hasStyle(for: scope), "\(scope.rawValue)") }
    }

    @Test("Every entry of [palette] is used, and has its counterpart among the sixteen colours")
    func palettes() throws {
        for name in ["harbour", "harbour-dark", "harbour-light"] {
            let document = try TOMLDocument(utf8: try #require(EmbeddedThemes.all[name]))
            guard case .table(let palette)? = document.table["palette"], case .table(let sixteen)? = document.table["palette16"],
                case .table(let direct)? = document.table["palette_direct"]
            else {
                Issue.record("no palettes")
                return
            }
            #expect(palette.keys.sorted() == sixteen.keys.sorted())
            // Direct colours replace only some of the palette's colours.
            #expect(Set(direct.keys).isSubset(of: palette.keys) && direct.count >= 5)
            let text = try #require(ThemeCatalog().text(of: name))
            for color in palette.keys { #expect(text.contains("\"\(color)\""), "\(color) is not used") }
        }
    }

    @Test(
        "The styles of the main scopes",
        arguments: [
            ("harbour-dark", ThemeScope.text, Style.plain),
            ("harbour-dark", .etaNumber, Style(foreground: .palette(215), attributes: .bold)),
            ("harbour-dark", .routeAhead, Style(foreground: .palette(215))),
            ("harbour-dark", .routeTrafficNormal, Style(foreground: .palette(215))),
            ("harbour-dark", .routeTrafficJam, Style(foreground: .palette(199))),
            ("harbour-dark", .vehicle, Style(foreground: .palette(16), background: .palette(215), attributes: .bold)),
            ("harbour-dark", .mapWater, Style(foreground: .palette(24))),
            ("harbour-dark", .mapRoadStreet, Style(foreground: .palette(239), background: .palette(236))),
            ("harbour-light", .routeAhead, Style(foreground: .palette(130))),
            ("harbour-light", .mapWater, Style(foreground: .palette(110))),
            ("terminal-16", .routeAhead, Style(foreground: .palette(5))),
            ("terminal-16", .title, Style(attributes: .reverse)),
            ("mono", .freshnessStopped, Style(attributes: [.bold, .reverse])),
            ("high-contrast", .etaNumber, Style(foreground: .palette(226), attributes: .bold)),
            ("colour-blind", .routeAhead, Style(foreground: .palette(75))),
            ("colour-blind-light", .routeTrafficJam, Style(foreground: .palette(52))),
        ])
    func golden(name: String, scope: ThemeScope, style: Style) {
        #expect(Self.theme(name).style(scope) == style)
    }

    @Test("The route ahead is the widest line, the driven part the thinnest, and traffic is shown only ahead", arguments: names)
    func widths(name: String) {
        let theme = Self.theme(name)
        let (ahead, later, behind) = (theme.polylineStyle(.ahead), theme.polylineStyle(.later), theme.polylineStyle(.behind))
        #expect(ahead.strokeWidth > later.strokeWidth && later.strokeWidth > behind.strokeWidth)
        #expect(ahead.isTrafficEnabled && !later.isTrafficEnabled && !behind.isTrafficEnabled)
    }

    @Test("Of the map's names, those of towns stand out: no other name is bold", arguments: names)
    func boldNames(name: String) {
        let theme = Self.theme(name)
        let labels = ThemeScope.allCases.filter { $0.rawValue.hasPrefix("map.label") && $0 != .mapLabelTrip }
        #expect(labels.filter { theme.style($0).attributes.contains(.bold) } == [.mapLabelPlace])
    }

    @Test("All colours are from the palette that the theme promises", arguments: names)
    func colors(name: String) {
        let theme = Self.theme(name)
        for scope in ThemeScope.allCases {
            let style = theme.style(scope)
            for color in [style.foreground, style.background] {
                switch (name, color.kind) {
                case (_, .default): break
                case ("terminal-16", .palette(let index)): #expect(index < 16, "\(scope.rawValue)")
                case ("mono", _): Issue.record("\(scope.rawValue) has a colour")
                case (_, .palette(let index)): #expect(index >= 16, "\(scope.rawValue)")
                case (_, .rgb): Issue.record("\(scope.rawValue) is not of the palette")
                }
            }
        }
    }

    @Test("Every background of the screen comes with a foreground, and plain text has neither", arguments: names)
    func pairs(name: String) {
        let theme = Self.theme(name)
        for scope in ThemeScope.allCases where !scope.isMap && theme.style(scope).background != .default {
            #expect(theme.style(scope).foreground != .default, "\(scope.rawValue)")
        }
        #expect(theme.style(.text) == .plain)
        #expect(theme.style(.event) == .plain)
    }

    @Test("Route, stops and every word for freshness differ without colour too", arguments: names)
    func withoutColor(name: String) {
        let theme = Self.theme(name, depth: .none)
        for scope in ThemeScope.allCases {
            #expect(theme.style(scope).foreground == .default && theme.style(scope).background == .default)
        }
        #expect(theme.style(.dialogFocus) != theme.style(.dialog))
        #expect(theme.style(.selection) != theme.style(.text))
        #expect(theme.style(.bannerAction) != theme.style(.bannerRetry))
        #expect(theme.markerStyle(.vehicle).attributes.contains(.reverse))
        #expect(!theme.markerStyle(.vehicleStale).attributes.contains(.reverse))
    }
}

extension ThemeSource {
    /// Returns whether the theme's own files have a style for a scope.
    fileprivate func hasStyle(for scope: ThemeScope) -> Bool { scope.names.contains { styledNames.contains($0) } }
}
