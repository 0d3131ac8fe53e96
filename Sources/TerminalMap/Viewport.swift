public import Geo
public import TerminalCanvas

/// A camera's view in the dots of one painter, counted from the top left dot.
public struct Viewport: Sendable, Hashable {
    /// Size of the view in cells.
    public let size: Size
    /// The painter to which the dots belong.
    public let painter: Painter
    /// Width of the whole world in dots.
    public let worldWidth: Double
    /// Height of the whole world in dots.
    public let worldHeight: Double
    /// The zoom of the camera.
    public let zoom: Double
    /// The view's top left corner, in whole dots from the top left corner of the world.
    let originX: Double
    let originY: Double

    /// The view of a camera, in the dots of a painter.
    public init(camera: Camera, painter: Painter) {
        let dots = painter.dotsPerCell
        let origin = camera.origin
        size = camera.size
        self.painter = painter
        zoom = camera.zoom
        worldWidth = camera.worldColumns * Double(dots.columns)
        worldHeight = camera.worldRows * Double(dots.rows)
        originX = origin.column * Double(dots.columns)
        originY = origin.row * Double(dots.rows)
    }

    /// The view of a block inside or outside another view; `part` is in cells from that view's top left.
    init(_ part: Rectangle, of view: Viewport) {
        let dots = view.painter.dotsPerCell
        size = part.size
        (painter, zoom) = (view.painter, view.zoom)
        (worldWidth, worldHeight) = (view.worldWidth, view.worldHeight)
        originX = view.originX + Double(part.column * dots.columns)
        originY = view.originY + Double(part.row * dots.rows)
    }

    /// The column and row of the world's grid under the top left cell.
    var origin: (column: Double, row: Double) {
        let dots = painter.dotsPerCell
        return (originX / Double(dots.columns), originY / Double(dots.rows))
    }

    /// Number of columns of dots.
    public var dotColumns: Int { size.columns * painter.dotsPerCell.columns }
    /// Number of rows of dots.
    public var dotRows: Int { size.rows * painter.dotsPerCell.rows }

    /// Position of a point of the Mercator square, in the copy of the world nearest to the view's middle.
    public func dot(at point: MercatorPoint) -> DotPoint {
        let center = originX + Double(dotColumns) / 2
        let x = point.x * worldWidth
        let copies = ((center - x) / worldWidth).rounded()
        return DotPoint(x: x + copies * worldWidth - originX, y: point.y * worldHeight - originY)
    }

    /// Position of a coordinate, in the copy of the world nearest to the view's middle.
    public func dot(at coordinate: Coordinate) -> DotPoint { dot(at: WebMercator.project(coordinate)) }

    /// The coordinate at a dot.
    public func coordinate(at dot: DotPoint) -> Coordinate {
        WebMercator.unproject(MercatorPoint(x: (dot.x + originX) / worldWidth, y: (dot.y + originY) / worldHeight))
    }

    /// Positions of the points of a line. Each point is in the copy of the world where it is nearest to the previous point, so that a line
    /// over the antimeridian stays in one piece. The line as a whole is in the copy nearest to the view.
    public func dots(along points: [MercatorPoint]) -> [DotPoint] {
        guard let first = points.first else { return [] }
        var result: [DotPoint] = []
        result.reserveCapacity(points.count)
        var previous = first.x
        var (west, east) = (first.x, first.x)
        for point in points {
            var x = point.x
            x -= (x - previous).rounded()
            previous = x
            west = min(west, x)
            east = max(east, x)
            result.append(DotPoint(x: x * worldWidth - originX, y: point.y * worldHeight - originY))
        }
        let middle = (originX + Double(dotColumns) / 2) / worldWidth
        let shift = (middle - (west + east) / 2).rounded() * worldWidth
        if shift != 0 { for index in result.indices { result[index].x += shift } }
        return result
    }

    /// The cell that a dot lies in; nil outside the view.
    public func cell(of dot: DotPoint) -> Position? {
        let dots = painter.dotsPerCell
        let column = (dot.x / Double(dots.columns)).rounded(.down)
        let row = (dot.y / Double(dots.rows)).rounded(.down)
        guard column >= 0, row >= 0, column < Double(size.columns), row < Double(size.rows) else { return nil }
        return Position(column: Int(column), row: Int(row))
    }
}
