import TerminalCanvas
import Testing

@testable import TripWatchSettings

@Suite("Colours of the bundled themes")
struct ThemeColorTests {
    /// Common background colours of terminals. Dark: black, near black, Mocha, One Dark, Solarized, Nord. Light: white,
    /// paper, Solarized, Latte, light grey.
    static let grounds: [BackgroundTone: [Color]] = [
        .dark: [.rgb(0, 0, 0), .rgb(16, 20, 28), .rgb(30, 30, 46), .rgb(40, 44, 52), .rgb(0, 43, 54), .rgb(46, 52, 64)],
        .light: [.rgb(255, 255, 255), .rgb(252, 250, 245), .rgb(253, 246, 227), .rgb(239, 241, 245), .rgb(238, 238, 238)],
    ]
    static let names = BundledThemeTests.names.filter { $0 != "mono" && $0 != "terminal-16" }
    static let depths: [ColorDepth] = [.palette256, .direct]
    /// The scopes of text that must be readable.
    static let texts: [ThemeScope] = ThemeScope.allCases.filter { scope in
        let marks: [ThemeScope] = [.rule, .progressLeft, .progressDone, .etaHistory, .etaNumber, .other]
        return !marks.contains(scope) && (scope.rawValue.hasPrefix("map.label") || scope == .mapAttribution || scope == .mapScale)
            || (!scope.isMap && !marks.contains(scope) && !scope.rawValue.hasPrefix("route"))
    }

    /// Returns the contrast ratio of a style's text on the style's own background. If the style has no background, returns the lowest
    /// ratio on common terminal backgrounds. Nil if the text has the terminal's own colour.
    ///
    /// - Parameter background: the tone of the terminal's background; nil for both.
    static func contrast(_ style: Style, on background: BackgroundTone?) -> Double? {
        guard let text = style.foreground.linear else { return nil }
        let all = (background.map { [$0] } ?? BackgroundTone.allCases).flatMap { grounds[$0] ?? [] }.compactMap(\.linear)
        return (style.background.linear.map { [$0] } ?? all).map { text.contrast(with: $0) }.min()
    }

    @Test("Text has a contrast of at least 4.5 to 1; in the themes with high contrast, 7 to 1", arguments: names, depths)
    func text(name: String, depth: ColorDepth) throws {
        let theme = BundledThemeTests.theme(name, depth: depth)
        let background = theme.background
        let least = name.hasPrefix("high-contrast") ? 7.0 : 4.5
        for scope in Self.texts {
            var style = theme.style(scope)
            if scope.isMap { style.background = .default }
            guard let contrast = Self.contrast(style, on: background) else { continue }
            // The markers of vehicles and places are symbols, so less contrast is enough for them than for text.
            let isSign = ThemeMarker.allCases.contains { $0.scope == scope }
            #expect(contrast >= (isSign ? min(least, 3) : least), "\(scope.rawValue): \(contrast)")
        }
    }

    @Test("Routes, progress and the large number have at least 3 to 1, the driven part 2 to 1", arguments: names, depths)
    func graphics(name: String, depth: ColorDepth) throws {
        let theme = BundledThemeTests.theme(name, depth: depth)
        let background = theme.background
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

    @Test(
        "With sixteen colours, as Tango and xterm show them, text and route have 3 to 1 on black and on white, other lines 1.9",
        arguments: names + ["terminal-16"], SixteenColors.all)
    func sixteen(name: String, colors: SixteenColors) {
        let theme = BundledThemeTests.theme(name, depth: .ansi16)
        let grounds: [Color] = theme.background.map { $0 == .dark ? [.rgb(0, 0, 0)] : [.rgb(255, 255, 255)] } ?? []
        for scope in ThemeScope.allCases {
            let style = theme.style(scope)
            guard let ink = colors.linear(style.foreground) else { continue }
            let isWay = scope.rawValue.hasPrefix("route")
            guard isWay || Self.texts.contains(scope) else { continue }
            for ground in colors.linear(style.background).map({ [$0] }) ?? grounds.compactMap(\.linear) {
                let contrast = ink.contrast(with: ground)
                #expect(contrast >= (isWay && scope != .routeAhead ? 1.9 : 3), "\(scope.rawValue): \(contrast)")
            }
        }
    }

    @Test("Names can be read on water and parks too, and the route can be seen there", arguments: names, depths)
    func fills(name: String, depth: ColorDepth) throws {
        let theme = BundledThemeTests.theme(name, depth: depth)
        for ground in [ThemeScope.mapWater, .mapPark, .mapWood, .mapGrass, .mapBuilding, .mapRoadPrimary] {
            guard let fill = theme.style(ground).background.linear else { continue }
            for label in [ThemeScope.mapLabelRoad, .mapLabelWater, .mapLabelPark, .mapLabelQuarter, .mapLabelStation] {
                // A theme that fills areas has a colour for each of these labels.
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

    @Test(
        "The base map is weaker than the route, land and water weaker than roads, and railways weaker than main roads",
        arguments: ["harbour-dark", "harbour-light", "colour-blind", "colour-blind-light"], depths)
    func quiet(name: String, depth: ColorDepth) throws {
        let theme = BundledThemeTests.theme(name, depth: depth)
        let background = try #require(theme.background)
        let paper = try #require(Self.grounds[background]?.dropFirst().first?.linear)
        let route = try #require(theme.style(.routeAhead).foreground.linear)
        for scope in ThemeScope.allCases where scope.rawValue.hasPrefix("map.road") || scope == .mapPath || scope == .mapRail {
            let line = try #require(theme.style(scope).foreground.linear)
            #expect(line.difference(from: paper) < route.difference(from: paper), "\(scope.rawValue)")
            #expect(line.difference(from: route) > 30, "\(scope.rawValue)")
        }
        let main = try #require(theme.style(.mapRoadPrimary).foreground.linear).difference(from: paper)
        for scope in [ThemeScope.mapRail, .mapTransit] {
            #expect(try #require(theme.style(scope).foreground.linear).difference(from: paper) < main, "\(scope.rawValue)")
        }
    }

    @Test(
        "Water and land are quieter than anything on them: soft fills or dots, with few colours always dots",
        arguments: names, ColorDepth.allCases)
    func softGround(name: String, depth: ColorDepth) throws {
        let theme = BundledThemeTests.theme(name, depth: depth)
        let tone = theme.background ?? .dark
        let paper = try #require(Self.grounds[tone]?.dropFirst().first?.linear)
        for scope in [ThemeScope.mapWater, .mapPark, .mapWood, .mapGrass, .mapSand, .mapIce, .mapBuiltUp, .mapBuilding, .mapPlaza] {
            let fill = theme.style(scope).background
            guard fill != .default else { continue }
            #expect(depth == .palette256 || depth == .direct, "\(scope.rawValue)")
            let difference = try #require(fill.linear).difference(from: paper)
            #expect(difference < 25, "\(scope.rawValue): \(difference)")
        }
    }

    @Test(
        "Route, slow, jam, the next leg and water can be distinguished with every kind of colour vision",
        arguments: names.flatMap { name in depths.map { (name: name, depth: $0) } }, Sight.allCases)
    func sights(look: (name: String, depth: ColorDepth), sight: Sight) throws {
        let name = look.name
        let theme = BundledThemeTests.theme(name, depth: look.depth)
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
        let water = try #require(theme.style(.mapWater).foreground.linear).seen(by: sight)
        for scope in scopes + [.routeLater] {
            let difference = try #require(theme.style(scope).foreground.linear).seen(by: sight).difference(from: water)
            #expect(difference >= 10, "\(scope.rawValue) and water: \(difference)")
        }
    }

    @Test("The formulas give the published values")
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

/// The first sixteen palette colours of a common terminal.
struct SixteenColors: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The sixteen colours. Each is a number with red, green and blue: 0xRRGGBB.
    var colors: [UInt32]

    static let all = [
        SixteenColors(
            testDescription: "Tango",
            colors: [
                0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b, 0x06989a, 0xd3d7cf, 0x555753, 0xef2929, 0x8ae234, 0xfce94f,
                0x729fcf,
                0xad7fa8, 0x34e2e2, 0xeeeeec,
            ]),
        SixteenColors(
            testDescription: "xterm",
            colors: [
                0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                0x5c5cff,
                0xff00ff, 0x00ffff, 0xffffff,
            ]),
    ]

    func linear(_ color: Color) -> LinearRGB? {
        guard case .palette(let index) = color.kind, index < 16 else { return nil }
        let value = colors[Int(index)]
        return LinearRGB((UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)))
    }
}
