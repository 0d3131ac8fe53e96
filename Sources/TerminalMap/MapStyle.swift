public import TerminalCanvas
public import VectorTiles

/// What a base map looks like: one entry for every class, as plain values that a theme can set.
public struct MapStyle: Sendable, Hashable {
    /// How an area looks.
    public struct Area: Sendable, Hashable {
        /// The background of its cells; nil leaves the ground as it is.
        public var color: Color?
        /// The first zoom it is drawn at.
        public var minimumZoom: Double
        /// What stands for it where there is no background colour.
        public var pattern: AreaPattern
        /// Whether that stands for it beside other areas with a background colour too.
        public var isTextured = false
        /// From this zoom on its edge is drawn in the pattern's colour, whatever its background is.
        public var outlineZoom: Double

        /// The look of an area; it has an outline at no zoom unless given.
        public init(
            color: Color?, minimumZoom: Double = 0, pattern: AreaPattern = AreaPattern(), outlineZoom: Double = .infinity
        ) {
            self.color = color
            self.minimumZoom = minimumZoom
            self.pattern = pattern
            self.outlineZoom = outlineZoom
        }
    }

    /// How an area looks without a background colour.
    public struct AreaPattern: Sendable, Hashable {
        /// The dots in it where they have the terminal's own colour; nil for none.
        public var texture: DotTexture?
        /// The dots in it where their colour tells it from others as well; nil for the same.
        public var coloredTexture: DotTexture?
        /// Whether its edge is drawn as a line.
        public var hasOutline: Bool
        /// What the ASCII painter fills it with, here and there; nil for nothing.
        public var asciiMark: Unicode.Scalar?
        /// The colour of dots, edge and character.
        public var color: Color

        /// A pattern; without arguments an area is left blank.
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

    /// How a line looks.
    public struct Line: Sendable, Hashable {
        /// The colour of its dots.
        public var color: Color
        /// The first zoom it is drawn at.
        public var minimumZoom: Double
        /// From this zoom on it is two dots wide instead of one.
        public var wideZoom: Double
        /// The rhythm of its dots; tunnels have their own.
        public var dashes: DashPattern
        /// The rhythm where there are no colours to tell it from a route; all such lines are one dot wide.
        public var plainDashes: DashPattern
        /// What the ASCII painter draws; nil for a character that follows the direction.
        public var asciiMark: Unicode.Scalar?
        /// For rivers and canals: painted on the ground as water of at least this many Braille dots, so that they run on without a gap where they are too
        /// narrow for an area; 0 for a mere line.
        public var waterDots: Double
        /// For roads: the width of the surface in metres, drawn to scale from ``MapStyle/surfaceZoom`` on; 0 for a mere line.
        public var surfaceMeters: Double
        /// The background colour of the surface.
        public var surfaceColor: Color

        /// The look of a line; it is a mere line unless widths are given.
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

    /// How a name looks.
    public struct Label: Sendable, Hashable {
        /// The colour of the name.
        public var color: Color
        /// How the name's characters are drawn, colour apart.
        public var attributes: Attributes
        /// The zooms it is written at.
        public var zooms: ClosedRange<Double>

        /// The look of a name.
        public init(color: Color, attributes: Attributes = [], zooms: ClosedRange<Double>) {
            self.color = color
            self.attributes = attributes
            self.zooms = zooms
        }
    }

    /// The ground where no area lies.
    public var background = Color.default
    /// The rhythm of ways under the ground.
    public var tunnelDashes = DashPattern(lengths: [1, 2])
    /// From this zoom on roads are surfaces of their true width.
    public var surfaceZoom = 15.75
    /// From this zoom on houses have walls and numbers, and stations their entrances.
    static let closeZoom = 16.5
    /// From this zoom on one-way streets have arrows.
    public var arrowZoom = 17.0
    /// Up to this zoom the map is an atlas: of countries and their capitals.
    static let atlasZoom = 5.5
    /// The scale bar.
    public var scale = Color.default
    /// Whom the map is owed to.
    public var attribution = Color.default
    /// The dots of the empty grid that is drawn where there is no base map.
    public var grid = Color.default
    /// Names that the caller puts on the map.
    public var overlayLabel = Color.default

    private var areas: [MapClass: Area]
    private var lines: [MapClass: Line]
    private var labels: [MapClass: Label]

    /// A style; classes that are left out are not drawn.
    public init(areas: [MapClass: Area] = [:], lines: [MapClass: Line] = [:], labels: [MapClass: Label] = [:]) {
        self.areas = areas
        self.lines = lines
        self.labels = labels
    }

    /// The width of the widest road, in metres.
    var widestSurfaceMeters: Double { lines.values.map(\.surfaceMeters).filter(\.isFinite).max() ?? 0 }

    /// How the areas of a class look; nil for not at all.
    public subscript(area mapClass: MapClass) -> Area? {
        get { areas[mapClass] }
        set { areas[mapClass] = newValue }
    }

    /// How the lines of a class look; nil for not at all.
    public subscript(line mapClass: MapClass) -> Line? {
        get { lines[mapClass] }
        set { lines[mapClass] = newValue }
    }

    /// How the names of a class look; nil for not at all.
    public subscript(label mapClass: MapClass) -> Label? {
        get { labels[mapClass] }
        set { labels[mapClass] = newValue }
    }
}
