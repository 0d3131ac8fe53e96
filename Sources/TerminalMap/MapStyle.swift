public import TerminalCanvas
public import VectorTiles

/// The look of a base map, with an entry for each class that is drawn. It consists of plain values that a theme can set.
public struct MapStyle: Sendable, Hashable {
    /// The look of an area.
    public struct Area: Sendable, Hashable {
        /// The background colour of the area's cells; nil for no background of its own.
        public var color: Color?
        /// The lowest zoom at which the area is drawn.
        public var minimumZoom: Double
        /// The pattern drawn on maps without background colours.
        public var pattern: AreaPattern
        /// Whether the pattern is also drawn on maps whose areas have background colours.
        public var isTextured = false
        /// The lowest zoom at which the area's edge is drawn even if the area has a background colour. The edge has the pattern's colour.
        /// `outlineZoom` has no effect if this colour is the terminal's own, if the map has no colours, or if the scene's `fillsAreas` is
        /// false.
        public var outlineZoom: Double

        /// Creates the look of an area, by default without an edge.
        public init(
            color: Color?, minimumZoom: Double = 0, pattern: AreaPattern = AreaPattern(), outlineZoom: Double = .infinity
        ) {
            self.color = color
            self.minimumZoom = minimumZoom
            self.pattern = pattern
            self.outlineZoom = outlineZoom
        }
    }

    /// The look of an area without a background colour.
    public struct AreaPattern: Sendable, Hashable {
        /// The texture that is drawn in the terminal's own colour; nil for none.
        public var texture: DotTexture?
        /// The texture that replaces ``texture`` if ``color`` is not the terminal's own colour; nil to keep ``texture``.
        public var coloredTexture: DotTexture?
        /// Whether the area's edge is drawn as a line.
        public var hasOutline: Bool
        /// The character that the ASCII painter scatters over the area; nil for none.
        public var asciiMark: Unicode.Scalar?
        /// The colour of the texture, the edge and the character.
        public var color: Color

        /// Creates a pattern, by default an empty one.
        public init(
            texture: DotTexture? = nil, coloredTexture: DotTexture? = nil, hasOutline: Bool = false, asciiMark: Unicode.Scalar? = nil,
            color: Color = .default
        ) {
            self.texture = texture
            self.coloredTexture = coloredTexture
            self.hasOutline = hasOutline
            self.asciiMark = asciiMark
            self.color = color
        }
    }

    /// The look of a line.
    public struct Line: Sendable, Hashable {
        /// The colour of the line's dots.
        public var color: Color
        /// The lowest zoom at which the line is drawn.
        public var minimumZoom: Double
        /// The lowest zoom at which the line is two dots wide instead of one.
        public var wideZoom: Double
        /// The dash pattern of the line, except in tunnels.
        public var dashes: DashPattern
        /// The dash pattern on a map without colours, where it distinguishes the line from a route. Every line is one dot wide on such a
        /// map.
        public var plainDashes: DashPattern
        /// The character of the line in ASCII; nil for characters that follow the line's direction.
        public var asciiMark: Unicode.Scalar?
        /// Width of the water along rivers and canals, in Braille dots; 0 for a plain line. Base maps contain narrow rivers only as lines,
        /// not as areas.
        public var waterDots: Double
        /// Width of a road's surface in metres, drawn to scale at ``MapStyle/surfaceZoom`` and above; 0 for a plain line.
        public var surfaceMeters: Double
        /// The background colour of the surface.
        public var surfaceColor: Color

        /// Creates the look of a line, by default without a surface and without water.
        public init(
            color: Color, minimumZoom: Double, wideZoom: Double = .infinity, dashes: DashPattern = .solid,
            plainDashes: DashPattern? = nil, asciiMark: Unicode.Scalar? = nil, waterDots: Double = 0, surfaceMeters: Double = 0,
            surfaceColor: Color = .default
        ) {
            self.color = color
            self.minimumZoom = minimumZoom
            self.wideZoom = wideZoom
            self.dashes = dashes
            self.plainDashes = plainDashes ?? dashes
            self.asciiMark = asciiMark
            self.waterDots = waterDots
            self.surfaceMeters = surfaceMeters
            self.surfaceColor = surfaceColor
        }
    }

    /// The look of a name.
    public struct Label: Sendable, Hashable {
        /// The colour of the name.
        public var color: Color
        /// Text attributes, such as bold.
        public var attributes: Attributes
        /// The zooms at which the name is written.
        public var zooms: ClosedRange<Double>

        /// Creates the look of a name.
        public init(color: Color, attributes: Attributes = [], zooms: ClosedRange<Double>) {
            self.color = color
            self.attributes = attributes
            self.zooms = zooms
        }
    }

    /// The background colour where there are no areas.
    public var background = Color.default
    /// Whether the terminal's background is dark or light; nil if it is not known.
    public var tone: BackgroundTone?
    /// The dash pattern of tunnels.
    public var tunnelDashes = DashPattern(lengths: [1, 2])
    /// The lowest zoom at which roads are drawn as surfaces of their true width.
    public var surfaceZoom = 15.75
    /// The lowest zoom at which building walls, house numbers and station entrances are drawn.
    static let closeZoom = 16.5
    /// The lowest zoom at which one-way streets have arrows.
    public var arrowZoom = 17.0
    /// The highest zoom at which the map looks like an atlas, in which countries and their capitals are emphasised.
    static let atlasZoom = 5.5
    /// The colour of the scale bar.
    public var scale = Color.default
    /// The colour of the attribution.
    public var attribution = Color.default
    /// The colour of the dots in the grid that replaces a missing base map.
    public var grid = Color.default
    /// The colour of the names of markers and overlays.
    public var overlayLabel = Color.default

    private var areas: [MapClass: Area]
    private var lines: [MapClass: Line]
    private var labels: [MapClass: Label]

    /// Creates a style. Classes without an entry are not drawn.
    public init(areas: [MapClass: Area] = [:], lines: [MapClass: Line] = [:], labels: [MapClass: Label] = [:]) {
        self.areas = areas
        self.lines = lines
        self.labels = labels
    }

    /// The width of the widest road surface, in metres.
    var widestSurfaceMeters: Double { lines.values.map(\.surfaceMeters).filter(\.isFinite).max() ?? 0 }

    /// The look of a class's areas; nil if they are not drawn.
    public subscript(area mapClass: MapClass) -> Area? {
        get { areas[mapClass] }
        set { areas[mapClass] = newValue }
    }

    /// The look of a class's lines; nil if they are not drawn.
    public subscript(line mapClass: MapClass) -> Line? {
        get { lines[mapClass] }
        set { lines[mapClass] = newValue }
    }

    /// The look of a class's names; nil if they are not drawn.
    public subscript(label mapClass: MapClass) -> Label? {
        get { labels[mapClass] }
        set { labels[mapClass] = newValue }
    }
}
