public import Geo
public import TerminalCanvas

/// Areas, lines and named places that a user lays over the base map. They are drawn under trips and do not change.
///
/// The overlay is painted and kept together with the base map. A frame in which only the vehicle moves takes no longer to draw with an
/// overlay than without one, even if the overlay has a hundred thousand points.
public final class GroundOverlay: Sendable {
    /// A line, or an area inside rings (by the even-odd rule).
    public struct Shape: Sendable {
        /// The line or lines, or the rings of an area. The rings need not be closed.
        public var paths: [[Coordinate]]
        /// The fill of an area; nil for no fill. Lines have no fill.
        public var fill: Fill?
        /// The colour of the line or of the area's edge; nil for the theme's colour.
        public var stroke: Color?
        /// The width of the line or of the area's edge in dots; 0 for no edge.
        public var strokeWidth: Double
        /// Whether the paths are the rings of an area. If false, they are lines.
        public var isArea: Bool
        /// The name that a click on the shape shows; empty for no name.
        public var name: String

        /// Creates a shape, by default in the theme's colours.
        public init(
            paths: [[Coordinate]], isArea: Bool, fill: Fill? = nil, stroke: Color? = nil, strokeWidth: Double = 2, name: String = ""
        ) {
            self.paths = paths
            self.isArea = isArea
            self.fill = fill
            self.stroke = stroke
            self.strokeWidth = strokeWidth
            self.name = name
        }
    }

    /// The fill of an area.
    public struct Fill: Sendable, Hashable {
        /// The colour; nil for the colour of the edge.
        public var color: Color?
        /// Opacity of the fill, 0...1.
        public var opacity: Double

        /// Creates a fill. An opacity below 0 becomes 0, and one above 1 becomes 1. An opacity that is not finite becomes 0.6.
        public init(color: Color?, opacity: Double = 0.6) {
            (self.color, self.opacity) = (color, opacity.isFinite ? min(max(opacity, 0), 1) : 0.6)
        }
    }

    /// A point on the map, with or without a name.
    public struct Place: Sendable {
        /// The place's position.
        public var coordinate: Coordinate
        /// The name written beside the place; empty for no name.
        public var name: String
        /// The colour; nil for the theme's colour.
        public var color: Color?

        /// Creates a place, by default without a name and in the theme's colour.
        public init(coordinate: Coordinate, name: String = "", color: Color? = nil) {
            self.coordinate = coordinate
            self.name = name
            self.color = color
        }
    }

    let shapes: [FlatShape]
    let places: [FlatPlace]
    /// The distinct fills, in the order of their numbers in an ``AreaPlane``.
    let fills: [FlatFill]

    /// Creates an overlay. Later shapes lie on top of earlier ones. Invalid coordinates are left out.
    public init(shapes: [Shape] = [], places: [Place] = []) {
        var fills: [FlatFill] = []
        self.shapes = shapes.compactMap { FlatShape($0, fills: &fills) }
        self.fills = fills
        self.places = places.filter(\.coordinate.isValid).map {
            FlatPlace(point: WebMercator.project($0.coordinate), name: $0.name, color: $0.color)
        }
    }

    /// Whether the overlay has no shapes and no places.
    public var isEmpty: Bool { shapes.isEmpty && places.isEmpty }

    /// The box around all shapes and places; nil if the overlay is empty.
    public var boundingBox: BoundingBox? {
        var corners: [Coordinate] = places.map { WebMercator.unproject($0.point) }
        for shape in shapes {
            corners.append(WebMercator.unproject(MercatorPoint(x: shape.box.minX, y: shape.box.minY)))
            corners.append(WebMercator.unproject(MercatorPoint(x: shape.box.maxX, y: shape.box.maxY)))
        }
        return BoundingBox(corners)
    }
}

/// A shape on the Mercator square. A path across the antimeridian continues beyond the square's edge, so it stays in one piece.
struct FlatShape: Sendable {
    let paths: [[MercatorPoint]]
    /// The stretches of each path. A view can skip stretches that are far away.
    let stretches: [[Stretch]]
    let box: PlaneBox
    let isArea: Bool
    /// Index of the fill in the overlay's list of fills; nil for no fill.
    let fill: Int?
    let stroke: Color?
    let strokeWidth: Double
    let name: String

    /// A run of consecutive points of a path. The last point of a stretch is the first point of the next one.
    struct Stretch: Sendable {
        let indices: ClosedRange<Int>
        let box: PlaneBox

        /// Largest number of points in a stretch, not counting the last one, which is also the first point of the next stretch.
        private static let pointCount = 64

        static func all(of path: [MercatorPoint]) -> [Stretch] {
            stride(from: 0, to: max(1, path.count - 1), by: pointCount).map { start in
                let indices = start...min(start + pointCount, path.count - 1)
                var box = PlaneBox.empty
                for index in indices { box.include(x: path[index].x, y: path[index].y) }
                return Stretch(indices: indices, box: box)
            }
        }
    }

    /// Projects a shape. Returns nil if the shape has no valid point.
    init?(_ shape: GroundOverlay.Shape, fills: inout [FlatFill]) {
        var box = PlaneBox.empty
        var anchor: Double?
        paths = shape.paths.map { path in
            var previous = anchor
            return path.filter(\.isValid).map { coordinate in
                var point = WebMercator.project(coordinate)
                if let previous { point.x -= (point.x - previous).rounded() }
                previous = point.x
                anchor = anchor ?? point.x
                box.include(x: point.x, y: point.y)
                return point
            }
        }.filter { !$0.isEmpty }
        guard !paths.isEmpty else { return nil }
        stretches = paths.map(Stretch.all)
        self.box = box
        isArea = shape.isArea
        stroke = shape.stroke
        name = shape.name
        strokeWidth = shape.strokeWidth.isFinite ? min(max(shape.strokeWidth, 0), 20) : 2
        fill = shape.isArea ? shape.fill.flatMap { FlatFill.number(of: $0, stroke: shape.stroke, among: &fills) } : nil
    }
}

struct FlatPlace: Sendable {
    let point: MercatorPoint
    let name: String
    let color: Color?
}

/// The fill colour and opacity of areas.
struct FlatFill: Sendable, Hashable {
    /// The first fill's number in an ``AreaPlane``; classes of the base map have lower numbers.
    static let firstNumber: UInt8 = 128
    /// Largest number of different fills in an overlay. Further fills look like the fill with the highest number.
    private static let maximumCount = 120

    let color: Color?
    let opacity: Double

    static func number(of fill: GroundOverlay.Fill, stroke: Color?, among fills: inout [FlatFill]) -> Int? {
        guard fill.opacity > 0 else { return nil }
        let flat = FlatFill(color: fill.color ?? stroke, opacity: fill.opacity)
        if let known = fills.firstIndex(of: flat) { return known }
        if fills.count < maximumCount { fills.append(flat) }
        return fills.count - 1
    }
}
