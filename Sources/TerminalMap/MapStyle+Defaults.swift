import TerminalCanvas
import VectorTiles

extension MapStyle {
    /// The colours of a default style. They are in the part of the 256-colour palette that terminals do not change.
    private struct Colors {
        var water: UInt8
        var green: UInt8
        var wood: UInt8
        var sand: UInt8
        var built: UInt8
        var building: UInt8
        var wall: UInt8
        var waterLine: UInt8
        var greenLine: UInt8
        /// The colours of roads, from paths to motorways.
        var roads: (path: UInt8, service: UInt8, street: UInt8, tertiary: UInt8, secondary: UInt8, primary: UInt8, motorway: UInt8)
        var surface: UInt8
        var mainSurface: UInt8
        var rail: UInt8
        var boundary: UInt8
        var place: UInt8
        var quarter: UInt8
        var roadName: UInt8
        var waterName: UInt8
        var greenName: UInt8
        var furniture: UInt8
        var grid: UInt8
    }

    /// The style for terminals with a dark background.
    public static let dark = MapStyle(
        .dark,
        Colors(
            water: 17, green: 22, wood: 22, sand: 58, built: 234, building: 236, wall: 241, waterLine: 25, greenLine: 28,
            roads: (237, 238, 240, 243, 246, 249, 252), surface: 238, mainSurface: 240, rail: 96, boundary: 97,
            place: 255, quarter: 250, roadName: 252, waterName: 74, greenName: 71, furniture: 245, grid: 236))

    /// The style for terminals with a light background.
    public static let light = MapStyle(
        .light,
        Colors(
            water: 153, green: 151, wood: 150, sand: 230, built: 255, building: 252, wall: 247, waterLine: 74, greenLine: 71,
            roads: (252, 251, 249, 247, 244, 242, 239), surface: 254, mainSurface: 253, rail: 139, boundary: 133,
            place: 16, quarter: 238, roadName: 236, waterName: 25, greenName: 22, furniture: 242, grid: 252))

    private init(_ tone: BackgroundTone, _ colors: Colors) {
        self.init(areas: Self.areas(colors), lines: Self.lines(colors), labels: Self.labels(colors))
        self.tone = tone
        scale = .palette(colors.furniture)
        attribution = .palette(colors.furniture)
        grid = .palette(colors.grid)
        overlayLabel = .palette(colors.place)
    }

    private static func areas(_ colors: Colors) -> [MapClass: Area] {
        let water = Area(
            color: .palette(colors.water),
            pattern: AreaPattern(
                texture: .waves, coloredTexture: .ripples, hasOutline: true, asciiMark: "~", color: .palette(colors.waterLine)))
        func green(_ color: UInt8, _ texture: DotTexture, from zoom: Double) -> Area {
            Area(
                color: .palette(color), minimumZoom: zoom,
                pattern: AreaPattern(texture: texture, asciiMark: ",", color: .palette(colors.greenLine)))
        }
        return [
            .ocean: water, .water: water, .park: green(colors.green, .sparse, from: 10), .wood: green(colors.wood, .dotted, from: 9),
            .grass: green(colors.green, .sparse, from: 13), .cemetery: green(colors.green, .sparse, from: 12),
            .pitch: green(colors.green, .sparse, from: 15), .sand: Area(color: .palette(colors.sand), minimumZoom: 12),
            .pedestrianArea: Area(color: .palette(colors.surface), minimumZoom: 14.5),
            // The pattern has no outline: on a map without colours, the outlines of buildings would hide the streets.
            .building: Area(
                color: .palette(colors.building), minimumZoom: 15.5, pattern: AreaPattern(color: .palette(colors.wall)),
                outlineZoom: closeZoom),
        ]
    }

    private static func lines(_ colors: Colors) -> [MapClass: Line] {
        func road(_ color: UInt8, from zoom: Double, wide: Double = .infinity, metres: Double = 0, isMain: Bool = false) -> Line {
            Line(
                color: .palette(color), minimumZoom: zoom, wideZoom: wide, plainDashes: isMain ? .solid : .dotted,
                asciiMark: isMain ? nil : ".", surfaceMeters: metres,
                surfaceColor: .palette(isMain ? colors.mainSurface : colors.surface))
        }
        let waterway = Line(color: .palette(colors.waterLine), minimumZoom: 13.5)
        return [
            .stream: waterway, .canal: Line(color: .palette(colors.waterLine), minimumZoom: 12.5, waterDots: 2),
            .river: Line(color: .palette(colors.waterLine), minimumZoom: 8, waterDots: 3),
            .regionBoundary: Line(color: .palette(colors.boundary), minimumZoom: 5.5, dashes: DashPattern(lengths: [2, 4])),
            .countryBoundary: Line(color: .palette(colors.boundary), minimumZoom: 1, dashes: DashPattern(lengths: [4, 2])),
            .pier: road(colors.roads.path, from: 14), .aeroway: road(colors.roads.tertiary, from: 11, wide: 13),
            .path: Line(color: .palette(colors.roads.path), minimumZoom: 15.5, dashes: .dotted, asciiMark: "."),
            .track: Line(color: .palette(colors.roads.path), minimumZoom: 14, dashes: .dashed, asciiMark: "."),
            .service: road(colors.roads.service, from: 15, metres: 4), .pedestrian: road(colors.roads.service, from: 14, metres: 6),
            .street: road(colors.roads.street, from: 13, metres: 8),
            .tertiary: road(colors.roads.tertiary, from: 12, metres: 9, isMain: true),
            .secondary: road(colors.roads.secondary, from: 10.5, wide: 14.5, metres: 11, isMain: true),
            .primary: road(colors.roads.primary, from: 9, wide: 13, metres: 13, isMain: true),
            .trunk: road(colors.roads.primary, from: 6, wide: 12.5, metres: 16, isMain: true),
            .motorway: road(colors.roads.motorway, from: 5, wide: 11, metres: 20, isMain: true),
            .transit: Line(color: .palette(colors.rail), minimumZoom: 14, dashes: DashPattern(lengths: [2, 2])),
            .rail: Line(color: .palette(colors.rail), minimumZoom: 11, dashes: DashPattern(lengths: [3, 1])),
            .ferry: Line(color: .palette(colors.waterLine), minimumZoom: 11, dashes: DashPattern(lengths: [1, 3])),
        ]
    }

    private static func labels(_ colors: Colors) -> [MapClass: Label] {
        func label(_ color: UInt8, _ zooms: ClosedRange<Double>, _ attributes: Attributes = []) -> Label {
            Label(color: .palette(color), attributes: attributes, zooms: zooms)
        }
        return [
            .country: label(colors.place, 1...6, .bold), .region: label(colors.quarter, 5...7),
            .city: label(colors.place, 4...12.5, .bold), .town: label(colors.place, 8...14.5, .bold),
            .village: label(colors.place, 10.5...15), .hamlet: label(colors.quarter, 13...16), .island: label(colors.quarter, 12...16),
            .suburb: label(colors.quarter, 11.5...15.5), .quarter: label(colors.quarter, 12...16.5),
            .waterName: label(colors.waterName, 8...20, .italic), .parkName: label(colors.greenName, 13.5...20),
            .seaName: label(colors.waterName, 1.5...20, .italic), .station: label(colors.roadName, 14...20),
            .tramStop: label(colors.roadName, 15.5...20), .entrance: label(colors.quarter, 17...20),
            .houseNumber: label(colors.quarter, closeZoom...20), .pointOfInterest: label(colors.quarter, 14.5...20),
            .river: label(colors.waterName, 11...20, .italic),
            .canal: label(colors.waterName, 14...20, .italic), .motorway: label(colors.roadName, 6...20),
            .trunk: label(colors.roadName, 11...20), .primary: label(colors.roadName, 11.5...20),
            .secondary: label(colors.roadName, 12...20), .tertiary: label(colors.roadName, 13...20),
            .street: label(colors.roadName, 14...20), .pedestrian: label(colors.roadName, 15...20),
        ]
    }
}
