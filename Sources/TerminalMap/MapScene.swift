public import TerminalCanvas
public import VectorTiles

/// The units of a scale bar.
public enum ScaleUnits: Sendable, Hashable, CaseIterable {
    /// Metres and kilometres.
    case metric
    /// Feet and miles.
    case imperial
}

/// A base map: the loaded tiles and their attribution.
public struct BaseMap: Sendable {
    /// The tiles loaded so far.
    public var tiles: TileCache
    /// The zooms for which the source has tiles.
    public var zoomRange: ClosedRange<Int>
    /// The attribution. It is always shown with the map.
    public var attribution: String

    /// Creates a base map from tiles that the caller has loaded.
    public init(tiles: TileCache, zoomRange: ClosedRange<Int>, attribution: String) {
        self.tiles = tiles
        self.zoomRange = zoomRange
        self.attribution = attribution
    }

    /// Returns the tiles of a view that have not been loaded, the most important first.
    public func missingTiles(for camera: Camera) -> [TileID] {
        tiles.missing(Viewport(camera: camera, painter: .braille).tiles(zoomRange: zoomRange))
    }
}

/// The contents of a map and how they are drawn, without the camera.
public struct MapScene: Sendable {
    /// The base map; nil for an empty grid.
    public var base: BaseMap?
    /// The user's overlay. It is drawn over the base map and below the other overlays, and stays the same from frame to frame.
    public var ground: GroundOverlay?
    /// The lines, markers and texts that are drawn over the base map.
    public var overlays: MapOverlays
    /// The colours of the base map.
    public var style: MapStyle
    /// The painter, which draws lines as characters.
    public var painter: Painter
    /// The number of available colours. If there are too few, areas have textures and outlines instead of background colours.
    public var colorDepth: ColorDepth
    /// Whether areas may have background colours, if there are enough colours. If false, they have textures and outlines.
    public var fillsAreas: Bool
    /// The units of the scale bar.
    public var units: ScaleUnits
    /// Whether names are written.
    public var showsLabels: Bool
    /// Whether the scale bar is drawn.
    public var showsScale: Bool
    /// Whether an arrow that points north is drawn.
    public var showsNorth: Bool
    /// A note in the corner about the base map, for example that it is loading; nil for no note.
    public var note: String?

    /// Creates a scene, by default with an empty grid in the dark style.
    public init(
        base: BaseMap? = nil, ground: GroundOverlay? = nil, overlays: MapOverlays = MapOverlays(), style: MapStyle = .dark,
        painter: Painter = .braille, colorDepth: ColorDepth = .palette256, fillsAreas: Bool = true,
        units: ScaleUnits = .metric, showsLabels: Bool = true, showsScale: Bool = true, showsNorth: Bool = false, note: String? = nil
    ) {
        self.base = base
        self.ground = ground
        self.overlays = overlays
        self.style = style
        self.painter = painter
        self.colorDepth = colorDepth
        self.fillsAreas = fillsAreas
        self.units = units
        self.showsLabels = showsLabels
        self.showsScale = showsScale
        self.showsNorth = showsNorth
        self.note = note
    }

    /// The areas that have background colours instead of textures. With 8 or 16 colours, only water has one, because these palettes have
    /// no dark green and no muted grey.
    var fills: AreaFills {
        guard painter != .ascii, fillsAreas else { return .none }
        switch colorDepth {
        case .none: return .none
        case .ansi8, .ansi16: return .water
        case .palette256, .direct: return .all
        }
    }
}

/// The choice of areas that have a background colour.
enum AreaFills {
    case none
    case water
    case all

    func contains(_ mapClass: MapClass) -> Bool {
        switch self {
        case .none: false
        case .water: mapClass.isWaterArea
        case .all: true
        }
    }
}

/// The positions of markers, names and signs in a frame.
public struct MapFrame: Sendable, Hashable {
    /// A marker on the canvas.
    public struct PlacedMarker: Sendable, Hashable {
        /// The id of the marker.
        public var id: String
        /// The canvas cells that the marker takes.
        public var cells: Rectangle

        /// Creates a placed marker.
        public init(id: String, cells: Rectangle) {
            self.id = id
            self.cells = cells
        }
    }

    /// A name on the canvas.
    public struct PlacedLabel: Sendable, Hashable {
        /// The name as it is written.
        public var text: String
        /// The canvas cells that the name occupies.
        public var cells: Rectangle

        /// Creates a placed name.
        public init(text: String, cells: Rectangle) {
            self.text = text
            self.cells = cells
        }
    }

    /// The visible markers, the topmost last.
    public var markers: [PlacedMarker] = []
    /// The visible names.
    public var labels: [PlacedLabel] = []
    /// The visible symbols: arrows on one-way streets, and symbols at station entrances.
    public var signs: [PlacedLabel] = []
    /// Whether all tiles of the base map for this view were loaded.
    public var isComplete = true

    /// Creates a frame without markers and names.
    public init() {}

    /// Returns the id of the marker nearest to a cell of the canvas. Returns nil if no marker is within `tolerance` cells. If several
    /// markers are equally near, returns the id of the topmost one.
    public func marker(at position: Position, tolerance: Int = 1) -> String? {
        // The distance is limited so that a position far outside the canvas causes no overflow.
        let beyond = 2 * Canvas.largestDimension
        let position = Position(
            column: min(max(position.column, -beyond), beyond), row: min(max(position.row, -beyond), beyond))
        var best: (id: String, distance: Int)?
        for marker in markers {
            let right = max(marker.cells.column - position.column, position.column - (marker.cells.endColumn - 1), 0)
            let down = max(marker.cells.row - position.row, position.row - (marker.cells.endRow - 1), 0)
            let distance = max(right, down)
            if distance <= tolerance, distance <= best?.distance ?? .max { best = (marker.id, distance) }
        }
        return best?.id
    }
}
