public import Geo
public import TerminalCanvas

/// A camera's view in dots of one painter. Positions are counted from the view's top left dot.
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

    /// Creates the view of a camera, in the dots of a painter.
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

    /// Creates the view of a block, which may be inside or outside `view`. `part` is in cells from the top left corner of `view`.
    init(_ part: Rectangle, of view: Viewport) {
        let dots = view.painter.dotsPerCell
        size = part.size
        (painter, zoom) = (view.painter, view.zoom)
        (worldWidth, worldHeight) = (view.worldWidth, view.worldHeight)
        originX = view.originX + Double(part.column * dots.columns)
        originY = view.originY + Double(part.row * dots.rows)
    }

    /// The column and row of the view's top left cell in the world's grid.
    var origin: (column: Double, row: Double) {
        let dots = painter.dotsPerCell
        return (originX / Double(dots.columns), originY / Double(dots.rows))
    }

    /// Number of columns of dots.
    public var dotColumns: Int { size.columns * painter.dotsPerCell.columns }
    /// Number of rows of dots.
    public var dotRows: Int { size.rows * painter.dotsPerCell.rows }

    /// Returns the position of a point of the Mercator square. The point is in the copy of the world nearest to the view's middle.
    public func dot(at point: MercatorPoint) -> DotPoint {
        let center = originX + Double(dotColumns) / 2
        let x = point.x * worldWidth
        let copies = ((center - x) / worldWidth).rounded()
        return DotPoint(x: x + copies * worldWidth - originX, y: point.y * worldHeight - originY)
    }

    /// Returns the position of a coordinate, in the copy of the world that is nearest to the view's middle.
    public func dot(at coordinate: Coordinate) -> DotPoint { dot(at: WebMercator.project(coordinate)) }

    /// Returns the coordinate at a dot.
    public func coordinate(at dot: DotPoint) -> Coordinate {
        WebMercator.unproject(MercatorPoint(x: (dot.x + originX) / worldWidth, y: (dot.y + originY) / worldHeight))
    }

    /// Returns the positions of a line's points. Each point is in the copy of the world in which it is nearest to the previous point. This
    /// keeps a line across the antimeridian in one piece. The line as a whole is then moved to the copy nearest to the view.
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

    /// Returns the cell that contains a dot; nil if the dot is outside the view.
    public func cell(of dot: DotPoint) -> Position? {
        let dots = painter.dotsPerCell
        let column = (dot.x / Double(dots.columns)).rounded(.down)
        let row = (dot.y / Double(dots.rows)).rounded(.down)
        guard column >= 0, row >= 0, column < Double(size.columns), row < Double(size.rows) else { return nil }
        return Position(column: Int(column), row: Int(row))
    }
}
