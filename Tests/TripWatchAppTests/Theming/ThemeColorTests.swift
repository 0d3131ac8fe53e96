import TerminalCanvas
import Testing

@testable import TripWatchApp

@Suite("Colours of the bundled themes")
struct ThemeColorTests {
    /// Backgrounds that people have: black, near black, One Dark, Solarized, Nord; white, paper, Solarized, Latte, light grey.
    static let grounds: [ThemeBackground: [Color]] = [
        .dark: [.rgb(0, 0, 0), .rgb(16, 20, 28), .rgb(30, 30, 46), .rgb(40, 44, 52), .rgb(0, 43, 54), .rgb(46, 52, 64)],
        .light: [.rgb(255, 255, 255), .rgb(252, 250, 245), .rgb(253, 246, 227), .rgb(239, 241, 245), .rgb(238, 238, 238)],
    ]
    static let names = BundledThemeTests.names.filter { $0 != "mono" && $0 != "terminal-16" }
    /// Text that is read rather than looked at.
    static let texts: [ThemeScope] = ThemeScope.allCases.filter { scope in
        let marks: [ThemeScope] = [.rule, .progressLeft, .progressDone, .etaHistory, .etaNumber, .other]
        return !marks.contains(scope) && (scope.rawValue.hasPrefix("map.label") || scope == .mapAttribution || scope == .mapScale)
            || (!scope.isMap && !marks.contains(scope) && !scope.rawValue.hasPrefix("route"))
    }

    /// The least contrast of a style on its own background, or on any that the theme may meet.
    static func contrast(_ style: Style, on background: ThemeBackground) -> Double? {
        guard let text = style.foreground.linear else { return nil }
        let grounds = style.background.linear.map { [$0] } ?? (grounds[background] ?? []).compactMap(\.linear)
        return grounds.map { text.contrast(with: $0) }.min()
    }

    @Test("Text has a contrast of 4.5 to 1 at least; in the themes for strong contrast 7 to 1", arguments: names)
    func text(name: String) throws {
        let theme = BundledThemeTests.theme(name)
        let background = try #require(theme.background)
        let least = name.hasPrefix("high-contrast") ? 7.0 : 4.5
        for scope in Self.texts {
            var style = theme.style(scope)
            if scope.isMap { style.background = .default }
            guard let contrast = Self.contrast(style, on: background) else { continue }
            // A vehicle is a sign on its own ground, a stop a sign on the map.
            let isSign = ThemeMarker.allCases.contains { $0.scope == scope }
            #expect(contrast >= (isSign ? min(least, 3) : least), "\(scope.rawValue): \(contrast)")
        }
    }

    @Test("Routes, progress and the large number have 3 to 1 at least, what was driven 2 to 1", arguments: names)
    func graphics(name: String) throws {
        let theme = BundledThemeTests.theme(name)
        let background = try #require(theme.background)
        for scope in [
            ThemeScope.routeAhead, .routeLater, .routeTrafficSlow, .routeTrafficJam, .routeTrafficNormal, .routeTrafficUnknown, .etaNumber,
            .progressDone, .etaHistory,
        ] {
            let contrast = try #require(Self.contrast(theme.style(scope), on: background))
            #expect(contrast >= 3, "\(scope.rawValue): \(contrast)")
        }
        let behind = try #require(Self.contrast(theme.style(.routeBehind), on: background))
        #expect(behind >= 2)
    }

    @Test("Names are read on water and parks too, and the route is seen there", arguments: names)
    func fills(name: String) throws {
        let theme = BundledThemeTests.theme(name)
        for ground in [ThemeScope.mapWater, .mapPark, .mapWood, .mapGrass, .mapBuilding, .mapRoadPrimary] {
            guard let fill = theme.style(ground).background.linear else { continue }
            for label in [ThemeScope.mapLabelRoad, .mapLabelWater, .mapLabelPark, .mapLabelQuarter, .mapLabelStation] {
                let ink = try #require(theme.style(label).foreground.linear, "\(label.rawValue)")
                let isAtHome = (label, ground) == (.mapLabelWater, .mapWater) || (label, ground) == (.mapLabelPark, .mapPark)
                let contrast = ink.contrast(with: fill)
                #expect(contrast >= (isAtHome ? 4.5 : 3), "\(label.rawValue) on \(ground.rawValue): \(contrast)")
            }
            for line in [ThemeScope.routeAhead, .routeTrafficSlow, .routeTrafficJam] {
                let ink = try #require(theme.style(line).foreground.linear)
                #expect(ink.difference(from: fill) > 30, "\(line.rawValue) on \(ground.rawValue)")
            }
        }
    }

    @Test("The base map steps back behind the route", arguments: ["harbour-dark", "harbour-light", "colour-blind", "colour-blind-light"])
    func quiet(name: String) throws {
        let theme = BundledThemeTests.theme(name)
        let background = try #require(theme.background)
        let paper = try #require(Self.grounds[background]?.dropFirst().first?.linear)
        let route = try #require(theme.style(.routeAhead).foreground.linear)
        for scope in ThemeScope.allCases where scope.rawValue.hasPrefix("map.road") || scope == .mapPath || scope == .mapRail {
            let line = try #require(theme.style(scope).foreground.linear)
            #expect(line.difference(from: paper) < route.difference(from: paper), "\(scope.rawValue)")
            #expect(line.difference(from: route) > 30, "\(scope.rawValue)")
        }
    }

    @Test("Route, slow, jam and the next leg are told apart by every kind of eye", arguments: names, Sight.allCases)
    func sights(name: String, sight: Sight) throws {
        let theme = BundledThemeTests.theme(name)
        let least = name.hasPrefix("colour-blind") ? 25.0 : 10
        let scopes: [ThemeScope] = [.routeAhead, .routeTrafficSlow, .routeTrafficJam]
        for (index, one) in scopes.enumerated() {
            for two in scopes[(index + 1)...] {
                let left = try #require(theme.style(one).foreground.linear).seen(by: sight)
                let right = try #require(theme.style(two).foreground.linear).seen(by: sight)
                let difference = left.difference(from: right)
                #expect(difference >= least, "\(one.rawValue) and \(two.rawValue): \(difference)")
            }
        }
        if name.hasPrefix("colour-blind") {
            let later = try #require(theme.style(.routeLater).foreground.linear).seen(by: sight)
            let ahead = try #require(theme.style(.routeAhead).foreground.linear).seen(by: sight)
            #expect(later.difference(from: ahead) >= 20)
        }
    }

    @Test("The formulas give what others publish")
    func formulas() throws {
        let white = try #require(Color.rgb(255, 255, 255).linear)
        let black = try #require(Color.rgb(0, 0, 0).linear)
        let grey = try #require(Color.rgb(119, 119, 119).linear)
        let red = try #require(Color.rgb(255, 0, 0).linear)
        let green = try #require(Color.rgb(0, 255, 0).linear)
        #expect(abs(white.contrast(with: black) - 21) < 1e-9)
        #expect(abs(white.contrast(with: grey) - 4.478) < 0.001)
        #expect(abs(red.difference(from: green) - 170.58) < 0.1)
        #expect(red.seen(by: .withoutGreen).difference(from: green.seen(by: .withoutGreen)) < 100)
    }
}
