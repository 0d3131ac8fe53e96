import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

@testable import TripWatchSettings

@Suite("Themes in use")
struct ThemeUseTests {
    private func theme(_ text: String, depth: ColorDepth = .direct) -> Theme {
        let loaded = catalog(["mine": text]).load("mine", depth: depth)
        #expect(loaded.messages == [])
        return loaded.theme
    }

    /// Returns all colours in a value, each with the path of its property.
    private func colors(in value: Any, path: String = "") -> [(path: String, color: Color)] {
        if let color = value as? Color { return [(path, color)] }
        return Mirror(reflecting: value).children.flatMap { child in colors(in: child.value, path: path + "." + (child.label ?? "")) }
    }

    @Test("A theme fills every colour that the map and its style options have")
    func everything() {
        let roots = Set(ThemeScope.allCases.compactMap { $0.rawValue.split(separator: ".").first.map(String.init) })
        let all = roots.sorted().map { "\($0) = { fg = 201, bg = 202 }" }.joined(separator: "\n")
        let theme = theme(all)
        for scope in ThemeScope.allCases {
            #expect(theme.style(scope) == Style(foreground: .palette(201), background: .palette(202)), "\(scope.rawValue)")
        }
        let map = colors(in: theme.mapStyle)
        #expect(map.count > 60)
        let options =
            RouteRole.allCases.flatMap { colors(in: theme.polylineStyle($0)) }
            + ThemeMarker.allCases.flatMap { colors(in: theme.markerStyle($0)) }
        #expect(options.count == RouteRole.allCases.count * 5 + ThemeMarker.allCases.count * 2)
        for (path, color) in map + options { #expect(color == .palette(201) || color == .palette(202), "\(path): \(color)") }
    }

    @Test("The map knows the background that the theme is made for", arguments: ["dark", "light", "any"])
    func tone(word: String) {
        #expect(theme("background = \"\(word)\"").mapStyle.tone == BackgroundTone(rawValue: word))
    }

    @Test("The map keeps its own zooms, dash patterns and attributes; label attributes come from the theme")
    func structure() {
        let style = theme("\"map.label.water\" = { fg = 5, bold = true }\n\"map.road.primary\" = { fg = 6, bg = 7 }").mapStyle
        #expect(style[line: .primary]?.minimumZoom == MapStyle.dark[line: .primary]?.minimumZoom)
        #expect(style[line: .primary]?.surfaceMeters == MapStyle.dark[line: .primary]?.surfaceMeters)
        #expect(style[line: .primary]?.color == .palette(6))
        #expect(style[line: .trunk]?.surfaceColor == .palette(7))
        #expect(style[label: .waterName]?.attributes == .bold)
        #expect(style[label: .waterName]?.zooms == MapStyle.dark[label: .waterName]?.zooms)
        #expect(style[area: .residential] == nil)
        #expect(theme("\"map.built_up\" = { bg = 9 }").mapStyle[area: .residential]?.color == .palette(9))
    }

    @Test("Without a background for water, the map is textured, and roads keep their surfaces for it")
    func textures() {
        for name in ["harbour", "harbour-dark", "harbour-light"] {
            for depth in [ColorDepth.palette256, .direct] { #expect(BundledThemeTests.theme(name, depth: depth).fillsMapAreas) }
        }
        #expect(!BundledThemeTests.theme("harbour-dark", depth: .ansi16).fillsMapAreas)
        for name in ["mono", "terminal-16"] {
            let theme = BundledThemeTests.theme(name)
            #expect(!theme.fillsMapAreas)
            #expect((theme.mapStyle[line: .primary]?.surfaceMeters ?? 0) > 0)
            #expect(theme.mapStyle[area: .water]?.color == nil)
        }
        // Even if areas are filled, a road without a surface colour stays a line.
        #expect(theme("\"map.road\" = 4\n\"map.road.primary\" = 4").mapStyle[line: .primary]?.surfaceMeters == 0)
    }

    @Test("Routes have the SDK's defaults with the theme's changes")
    func polylines() {
        let plain = theme("background = \"any\"")
        for role in RouteRole.allCases {
            let wanted = PolylineStyleOptions(
                strokeColor: .default,
                trafficColors: TrafficColors(noData: .default, normal: .default, slow: .default, trafficJam: .default))
            #expect(plain.polylineStyle(role) == wanted)
        }
        let text = """
            background = "any"
            route = { fg = 1, width = 3.5, traffic = true, z = 7 }
            "route.later" = { visible = false, geodesic = true, width = 0 }
            "route.behind" = { fg = 2 }
            "route.traffic" = 3
            "route.traffic.jam" = 4
            """
        let theme = theme(text)
        let traffic = TrafficColors(noData: .palette(3), normal: .palette(3), slow: .palette(3), trafficJam: .palette(4))
        var wanted = PolylineStyleOptions(
            strokeWidth: 3.5, strokeColor: .palette(1), zIndex: 7, isTrafficEnabled: true, trafficColors: traffic)
        #expect(theme.polylineStyle(.ahead) == wanted)
        wanted.strokeColor = .palette(2)
        #expect(theme.polylineStyle(.behind) == wanted)
        (wanted.strokeColor, wanted.isVisible, wanted.isGeodesic, wanted.strokeWidth) = (.palette(1), false, true, 0)
        #expect(theme.polylineStyle(.later) == wanted)
    }

    @Test("Markers have the SDK's defaults, vehicles turn, and the theme can change all of it")
    func markers() {
        let plain = theme("background = \"any\"")
        for marker in ThemeMarker.allCases {
            #expect(plain.markerStyle(marker) == MarkerStyleOptions(isFlat: marker.isVehicle, attributes: []))
        }
        let text = """
            vehicle = { fg = 1, bg = 2, bold = true, flat = false, z = 5, anchor = [0, 1.0], icon = "=>" }
            "vehicle.stale" = { flat = true }
            pickup = { icon = { text = "◉", ascii = "@" }, visible = false }
            stop = { icon = { text = "▴", ascii = "A", headings = ["1", "2", "3", "4", "5", "6", "7", "8"] } }
            dropoff.icon = "⚑"
            """
        let theme = theme(text)
        let vehicle = theme.markerStyle(.vehicle)
        let wanted = MarkerStyleOptions(
            icon: MarkerIcon(text: "=>", ascii: "=>"), groundAnchor: GroundAnchor(x: 0, y: 1), zIndex: 5, color: .palette(1),
            background: .palette(2), attributes: .bold)
        #expect(vehicle == wanted)
        let stale = theme.markerStyle(.vehicleStale)
        #expect(stale.isFlat && stale.zIndex == 5 && stale.color == .palette(1))
        #expect(theme.markerStyle(.pickup).icon == MarkerIcon(text: "◉", ascii: "@"))
        #expect(!theme.markerStyle(.pickup).isVisible)
        #expect(theme.markerStyle(.stop).icon?.headings == ["1", "2", "3", "4", "5", "6", "7", "8"])
        #expect(theme.markerStyle(.dropoff).icon?.ascii == "*")
        #expect(theme.markerStyle(.dropoff).attributes == .bold)
    }

    @Test(
        "Reducing a theme is the same as loading it for that depth, and can be undone", arguments: BundledThemeTests.names,
        ColorDepth.allCases)
    func reduction(name: String, depth: ColorDepth) {
        let full = BundledThemeTests.theme(name, depth: .direct)
        let reduced = full.reduced(to: depth)
        #expect(reduced == BundledThemeTests.theme(name, depth: depth))
        #expect(reduced.reduced(to: .direct) == full)
        for scope in ThemeScope.allCases {
            let style = reduced.style(scope)
            #expect(style.foreground == style.foreground.reduced(to: depth))
            #expect(style.background == style.background.reduced(to: depth))
        }
        for (path, color) in colors(in: reduced.mapStyle) { #expect(color == color.reduced(to: depth), "\(path)") }
    }

    @Test("A background for which no colour is left becomes reverse video, except on the map")
    func reversal() {
        let theme = theme(
            "stop = { fg = 1, bg = 2 }\n\"map.label.road\" = { fg = 1, bg = 2 }\ncard = { fg = 1, reverse = true }", depth: .none)
        #expect(theme.style(.stop) == Style(attributes: .reverse))
        #expect(theme.style(.mapLabelRoad) == .plain)
        #expect(theme.style(.card) == Style(attributes: .reverse))
    }

    @Test(
        "The background is guessed from the user's setting, or else from COLORFGBG",
        arguments: [
            ("15;0", BackgroundTone.dark), ("0;15", .light), ("0;default;15", .light), ("12;8", .dark), ("0;7", .light), ("7;6", .dark),
            ("0;9", .light), ("15;default", nil), ("", nil), ("15", nil), ("15;", nil), ("0;16", nil), ("0;-1", nil), ("a;b", nil),
            (";0", .dark),
            ("0;99999999999999999999", nil),
        ])
    func hints(value: String, background: BackgroundTone?) {
        #expect(BackgroundTone.hint(environment: ["COLORFGBG": value]) == background)
        #expect(BackgroundTone.hint(environment: ["COLORFGBG": value], flag: .light) == .light)
        #expect(BackgroundTone.hint(environment: [:]) == nil)
    }

    @Test("Without a chosen theme, the theme follows from background and colours")
    func standard() {
        #expect(ThemeCatalog.defaultName(background: nil, depth: .palette256) == "harbour")
        #expect(ThemeCatalog.defaultName(background: .dark, depth: .direct) == "harbour-dark")
        #expect(ThemeCatalog.defaultName(background: .light, depth: .palette256) == "harbour-light")
        #expect(ThemeCatalog.defaultName(background: .light, depth: .ansi8) == "terminal-16")
        #expect(ThemeCatalog.defaultName(background: nil, depth: .none) == "mono")
        for depth in ColorDepth.allCases {
            for background in [nil, .dark, .light] as [BackgroundTone?] {
                let loaded = ThemeCatalog().load(background: background, depth: depth)
                #expect(loaded.messages == [])
                #expect(loaded.theme.name == ThemeCatalog.defaultName(background: background, depth: depth))
            }
        }
    }

    @Test("Every class of the base map has its scopes")
    func classes() {
        for mapClass in MapClass.allCases {
            for scope in [ThemeScope.area(mapClass), .line(mapClass), .label(mapClass)] { #expect(scope.isMap) }
        }
        #expect(ThemeScope.area(.building) == .mapBuilding)
        #expect(ThemeScope.line(.trunk) == .mapRoadPrimary)
        #expect(ThemeScope.label(.canal) == .mapLabelWater)
    }
}
