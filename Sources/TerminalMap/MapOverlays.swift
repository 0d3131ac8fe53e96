public import Geo
public import TerminalCanvas

/// The part of a trip that a line shows. Each part has its own dash pattern, so that the parts can be distinguished without colours.
///
/// If lines have the same ``PolylineStyleOptions/zIndex``, the route ahead lies over later legs, and later legs lie over the route already
/// driven.
public enum RouteRole: Sendable, Hashable, CaseIterable {
    /// The route to the next stop: a solid line.
    case ahead
    /// The route already driven: a dotted line.
    case behind
    /// The legs after the next stop: a dashed line.
    case later
}

/// The colours of traffic on a route.
public struct TrafficColors: Sendable, Hashable {
    /// The colour of stretches with unknown traffic.
    public var noData: Color
    /// The colour of stretches with free-flowing traffic.
    public var normal: Color
    /// The colour of stretches with slow traffic.
    public var slow: Color
    /// The colour of stretches with a traffic jam.
    public var trafficJam: Color

    /// Creates a set of colours, one for each state of the traffic.
    public init(
        noData: Color = .palette(245), normal: Color = .palette(39), slow: Color = .palette(220), trafficJam: Color = .palette(196)
    ) {
        self.noData = noData
        self.normal = normal
        self.slow = slow
        self.trafficJam = trafficJam
    }

    /// Returns the colour for a speed.
    public subscript(speed: TrafficSpeed) -> Color {
        switch speed {
        case .noData: noData
        case .normal: normal
        case .slow: slow
        case .trafficJam: trafficJam
        }
    }
}

/// The style of a route, with the Consumer SDK's names and defaults.
public struct PolylineStyleOptions: Sendable, Hashable {
    /// The default width of a line, in dots.
    public static let defaultStrokeWidth = 2.0

    /// The width in dots. If the width is negative or not a number, the line has ``defaultStrokeWidth``.
    public var strokeWidth: Double
    /// The colour of the line if no traffic is shown.
    public var strokeColor: Color
    /// Whether the line is drawn.
    public var isVisible: Bool
    /// Order of the lines. A line with a higher index lies on top, whatever its role.
    public var zIndex: Int
    /// Whether the line follows the great circle between its points. If false, it is straight on the map.
    public var isGeodesic: Bool
    /// Whether stretches show their traffic by colour and width: the line is one dot wider in slow traffic, and two dots wider in a jam.
    public var isTrafficEnabled: Bool
    /// The colours of the stretches, used if ``isTrafficEnabled``.
    public var trafficColors: TrafficColors

    /// Creates the style of a line. Without arguments, it is the Consumer SDK's default.
    public init(
        strokeWidth: Double = PolylineStyleOptions.defaultStrokeWidth, strokeColor: Color = .palette(33), isVisible: Bool = true,
        zIndex: Int = 10, isGeodesic: Bool = false, isTrafficEnabled: Bool = false, trafficColors: TrafficColors = TrafficColors()
    ) {
        self.strokeWidth = strokeWidth
        self.strokeColor = strokeColor
        self.isVisible = isVisible
        self.zIndex = zIndex
        self.isGeodesic = isGeodesic
        self.isTrafficEnabled = isTrafficEnabled
        self.trafficColors = trafficColors
    }

    /// The width that is drawn, in dots.
    var effectiveStrokeWidth: Double { strokeWidth >= 0 ? strokeWidth : Self.defaultStrokeWidth }
}

/// A line on the map.
public struct PolylineOverlay: Sendable, Hashable {
    /// The points of the line, and the traffic on it.
    public var route: RouteLine
    /// The part of the trip that the line shows. It determines the dash pattern.
    public var role: RouteRole
    /// Width, colours and order of the line.
    public var style: PolylineStyleOptions

    /// Creates a line from a route and its traffic.
    public init(route: RouteLine, role: RouteRole = .ahead, style: PolylineStyleOptions = PolylineStyleOptions()) {
        self.route = route
        self.role = role
        self.style = style
    }

    /// Creates a line through `coordinates`. Invalid coordinates are left out.
    /// - Parameter traffic: stretches of traffic, in metres from the start of the line. If stretches overlap, the line shows the worse
    ///   traffic.
    public init(
        coordinates: [Coordinate], role: RouteRole = .ahead, style: PolylineStyleOptions = PolylineStyleOptions(),
        traffic: [TrafficStretch] = []
    ) {
        self.init(route: RouteLine(coordinates, traffic: traffic), role: role, style: style)
    }
}

/// A point on a marker's icon, as fractions of the icon's width and height from its top left corner.
public struct GroundAnchor: Sendable, Hashable {
    /// Distance from the left edge: 0 at that edge, 1 at the right edge.
    public var x: Double
    /// Distance from the upper edge: 0 at that edge, 1 at the lower edge.
    public var y: Double

    /// Creates an anchor from fractions of the icon's width and height.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The icon's middle.
    public static let center = GroundAnchor(x: 0.5, y: 0.5)
}

/// The symbol of a marker: a short text, and an ASCII version for terminals without Unicode.
///
/// The DejaVu Sans Mono font contains the icons defined here. They are one cell wide on every terminal, even on terminals that show
/// characters of ambiguous width in two cells.
public struct MarkerIcon: Sendable, Hashable {
    /// One to four cells of text; only the beginning of a longer text is shown.
    public var text: String
    /// The ASCII version of the text.
    public var ascii: String
    /// Eight texts for the directions clockwise from north, for an icon that turns; nil for an icon that looks the same in every direction.
    public var headings: [String]?
    /// The ASCII versions of the eight texts.
    public var asciiHeadings: [String]?

    /// Creates an icon. A direction that has no text shows `text`.
    public init(text: String, ascii: String, headings: [String]? = nil, asciiHeadings: [String]? = nil) {
        self.text = text
        self.ascii = ascii
        self.headings = headings
        self.asciiHeadings = asciiHeadings
    }

    /// A vehicle whose position is live.
    public static let vehicle = MarkerIcon(
        text: "◍", ascii: "@", headings: ["▴", "⬈", "▸", "⬊", "▾", "⬋", "◂", "⬉"],
        asciiHeadings: ["^", ">", ">", ">", "v", "<", "<", "<"])
    /// A vehicle whose position is not live.
    public static let vehicleNotLive = MarkerIcon(
        text: "◌", ascii: "?", headings: ["▵", "◹", "▹", "◿", "▿", "◺", "◃", "◸"],
        asciiHeadings: ["?", "?", "?", "?", "?", "?", "?", "?"])
    /// The pickup point.
    public static let pickup = MarkerIcon(text: "◉", ascii: "@")
    /// An intermediate stop.
    public static let stop = MarkerIcon(text: "▪", ascii: "o")
    /// The end of the trip.
    public static let destination = MarkerIcon(text: "⚑", ascii: "F")
}

/// The style of a marker, with the Consumer SDK's names and defaults.
public struct MarkerStyleOptions: Sendable, Hashable {
    /// The icon; nil for the icon of the marker itself.
    public var icon: MarkerIcon?
    /// The point of the icon that lies on the marker's coordinate.
    public var groundAnchor: GroundAnchor
    /// Whether the marker is drawn.
    public var isVisible: Bool
    /// Order of markers of the same rank: a cell shows the marker with the highest index.
    public var zIndex: Int
    /// Whether the icon turns with the heading, as if it lay flat on the map.
    public var isFlat: Bool
    /// The colour of the icon.
    public var color: Color
    /// The background colour of the icon's cells. With ``TerminalCanvas/Color/default`` the map's colours are kept.
    public var background: Color
    /// Text attributes of the icon, such as bold.
    public var attributes: Attributes

    /// Creates the style of a marker. Without arguments the marker has its own icon, bold and in the terminal's colours.
    public init(
        icon: MarkerIcon? = nil, groundAnchor: GroundAnchor = .center, isVisible: Bool = true, zIndex: Int = 0, isFlat: Bool = false,
        color: Color = .default, background: Color = .default, attributes: Attributes = .bold
    ) {
        self.icon = icon
        self.groundAnchor = groundAnchor
        self.isVisible = isVisible
        self.zIndex = zIndex
        self.isFlat = isFlat
        self.color = color
        self.background = background
        self.attributes = attributes
    }
}

/// A marker on the map.
public struct MarkerOverlay: Sendable, Hashable, Identifiable {
    /// The rank of a kind of marker. Of two markers in the same cell, the one with the higher rank is shown.
    public enum Strength: Int, Sendable, Hashable, Comparable {
        /// A stop, a pin or another marker that does not move.
        case place
        /// A vehicle, drawn in front of places.
        case vehicle

        public static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }
    }

    /// The id by which a program recognises the marker, for example after a click on it.
    public var id: String
    /// The marker's position.
    public var coordinate: Coordinate
    /// Heading in degrees clockwise from north; nil if it is not known.
    public var headingDegrees: Double?
    /// The icon that is shown if the style has none.
    public var icon: MarkerIcon
    /// The marker's style.
    public var style: MarkerStyleOptions
    /// The rank among markers in the same cell. It takes precedence over `zIndex`.
    public var strength: Strength
    /// The text beside the marker; empty for none.
    public var label: String

    /// Creates a marker, by default with the look of a stop.
    public init(
        id: String, coordinate: Coordinate, headingDegrees: Double? = nil, icon: MarkerIcon = .stop,
        style: MarkerStyleOptions = MarkerStyleOptions(), strength: Strength = .place, label: String = ""
    ) {
        self.id = id
        self.coordinate = coordinate
        self.headingDegrees = headingDegrees
        self.icon = icon
        self.style = style
        self.strength = strength
        self.label = label
    }
}

/// A text on the map without a marker.
public struct LabelOverlay: Sendable, Hashable {
    /// The text's position.
    public var coordinate: Coordinate
    /// The text, on one line.
    public var text: String
    /// The text's colour; nil for the label colour of the map's style.
    public var color: Color?
    /// Text attributes, such as bold.
    public var attributes: Attributes

    /// Creates a text at a coordinate.
    public init(coordinate: Coordinate, text: String, color: Color? = nil, attributes: Attributes = []) {
        self.coordinate = coordinate
        self.text = text
        self.color = color
        self.attributes = attributes
    }
}

/// The lines, markers and texts that are drawn over the base map.
public struct MapOverlays: Sendable, Hashable {
    /// Lines, painted in the order of their index and role.
    public var polylines: [PolylineOverlay]
    /// Markers, painted in the order of their strength and index.
    public var markers: [MarkerOverlay]
    /// Texts without a marker.
    public var labels: [LabelOverlay]

    /// Creates overlays, by default none.
    public init(polylines: [PolylineOverlay] = [], markers: [MarkerOverlay] = [], labels: [LabelOverlay] = []) {
        self.polylines = polylines
        self.markers = markers
        self.labels = labels
    }

    /// Whether there are no overlays.
    var isEmpty: Bool { polylines.isEmpty && markers.isEmpty && labels.isEmpty }
}
