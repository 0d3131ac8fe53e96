public import Geo
import Glibc
public import TerminalCanvas

/// The view of a map: its centre, its zoom and its size in cells.
///
/// Zooms have the same meaning as on web maps. At zoom `z` the world is 256 · 2^z Braille dots wide, which is 128 · 2^z cells, whichever
/// painter is used. At each zoom the world has a fixed grid of cells, and a view always shows whole cells of it. Panning therefore moves
/// every dot by whole cells and does not change the shapes.
public struct Camera: Sendable, Hashable {
    /// The supported zooms.
    public static let zoomRange: ClosedRange<Double> = 1...20
    /// The default for ``cellAspect``, used if the terminal does not report the size of its cells.
    public static let defaultCellAspect = 2.0

    /// Size of the map in cells.
    public let size: Size
    /// Height of a cell divided by its width, 0.5…4.
    public let cellAspect: Double
    /// The zoom, within ``zoomRange``; fractions are allowed.
    public private(set) var zoom: Double
    /// The centre of the view on the Web Mercator square; `x` is wrapped into 0..<1.
    private(set) var middle: MercatorPoint

    /// Creates a camera centred on `center`.
    ///
    /// The zoom, the aspect and the size are clamped to their ranges. A centre that is not finite becomes 0° N 0° E. If the view would
    /// extend beyond a pole, the centre moves away from that pole. If the view is at least as tall as the world, the centre is on the
    /// equator.
    public init(center: Coordinate, zoom: Double, size: Size, cellAspect: Double = Camera.defaultCellAspect) {
        let isFinite = center.latitude.isFinite && center.longitude.isFinite
        self.init(
            middle: WebMercator.project(isFinite ? center : Coordinate(latitude: 0, longitude: 0)), zoom: zoom, size: size,
            cellAspect: cellAspect)
    }

    init(middle: MercatorPoint, zoom: Double, size: Size, cellAspect: Double) {
        self.size = Size(
            columns: min(max(0, size.columns), Canvas.largestDimension), rows: min(max(0, size.rows), Canvas.largestDimension))
        self.cellAspect = cellAspect.isFinite ? min(max(cellAspect, 0.5), 4) : Self.defaultCellAspect
        self.zoom = Self.clampedZoom(zoom)
        self.middle = middle
        normalise()
    }

    /// The coordinate at the centre of the view.
    public var center: Coordinate { WebMercator.unproject(middle) }

    /// Width of the whole world in cells.
    public var worldColumns: Double { 128 * exp2(zoom) }

    /// Height of the whole world in cells.
    public var worldRows: Double { worldColumns / cellAspect }

    /// Distance on the ground from one column to the next at the centre, in metres.
    public var metersPerColumn: Double { WebMercator.metersPerUnit(atLatitude: center.latitude) / worldColumns }

    static func clampedZoom(_ zoom: Double) -> Double {
        zoom.isFinite ? min(max(zoom, zoomRange.lowerBound), zoomRange.upperBound) : zoomRange.lowerBound
    }

    /// Wraps the centre at the antimeridian. If the world is taller than the view, keeps the view between the poles.
    private mutating func normalise() {
        middle.x -= middle.x.rounded(.down)
        if !(middle.x >= 0 && middle.x < 1) { middle.x = 0 }
        let half = Double(size.rows) / worldRows / 2
        middle.y = half >= 0.5 || !middle.y.isFinite ? 0.5 : min(max(middle.y, half), 1 - half)
    }
}

extension Camera {
    /// Returns a camera with the same centre and zoom for another map size or cell aspect.
    public func resized(to size: Size, cellAspect: Double? = nil) -> Camera {
        Camera(middle: middle, zoom: zoom, size: size, cellAspect: cellAspect ?? self.cellAspect)
    }

    /// Returns a camera with another centre and the same size and zoom.
    public func centered(on center: Coordinate) -> Camera {
        Camera(center: center, zoom: zoom, size: size, cellAspect: cellAspect)
    }

    /// Returns a camera that is moved by whole cells: to the east for positive columns, to the south for positive rows.
    public func panned(columns: Int, rows: Int) -> Camera {
        let point = MercatorPoint(x: middle.x + Double(columns) / worldColumns, y: middle.y + Double(rows) / worldRows)
        return Camera(middle: point, zoom: zoom, size: size, cellAspect: cellAspect)
    }

    /// Returns a camera with another zoom and the same centre.
    public func zoomed(to zoom: Double) -> Camera {
        Camera(middle: middle, zoom: zoom, size: size, cellAspect: cellAspect)
    }

    /// Returns a camera with another zoom. The coordinate under the given cell stays under it.
    public func zoomed(to zoom: Double, about position: Position) -> Camera {
        let target = Self.clampedZoom(zoom)
        let right = Double(position.column) + 0.5 - Double(size.columns) / 2
        let down = Double(position.row) + 0.5 - Double(size.rows) / 2
        let rest = 1 - exp2(self.zoom - target)
        let point = MercatorPoint(x: middle.x + right / worldColumns * rest, y: middle.y + down / worldRows * rest)
        return Camera(middle: point, zoom: target, size: size, cellAspect: cellAspect)
    }

    /// The margins of the map that are kept free, in cells.
    public struct Margins: Sendable, Hashable {
        /// Columns at the left edge.
        public var left: Int
        /// Columns at the right edge.
        public var right: Int
        /// Rows at the upper edge.
        public var top: Int
        /// Rows at the lower edge.
        public var bottom: Int

        /// Creates margins from numbers of cells, by default 0.
        public init(left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0) {
            self.left = left
            self.right = right
            self.top = top
            self.bottom = bottom
        }

        /// Creates margins with the same number of cells on all sides.
        public init(all cells: Int) { self.init(left: cells, right: cells, top: cells, bottom: cells) }
    }

    /// Returns the camera with the highest zoom that shows all of `box` inside the margins. The zoom is at most `maximumZoom`. The box is
    /// centred in the space between the margins.
    ///
    /// - Parameter zoomStep: the zoom is rounded down to a multiple of this; 0 for any zoom.
    public func fitted(
        to box: BoundingBox, margins: Margins = Margins(all: 1), maximumZoom: Double = 17, zoomStep: Double = 0
    ) -> Camera {
        let northWest = WebMercator.project(Coordinate(latitude: box.north, longitude: box.west))
        let southEast = WebMercator.project(Coordinate(latitude: box.south, longitude: box.east))
        let (left, right) = (Double(max(0, margins.left)), Double(max(0, margins.right)))
        let (top, bottom) = (Double(max(0, margins.top)), Double(max(0, margins.bottom)))
        // The grid may shift the view by half a cell each way, so one cell fewer is available.
        let columns = max(1, Double(size.columns) - left - right - 1)
        let rows = max(1, Double(size.rows) - top - bottom - 1)
        let width = max(0, southEast.x - northWest.x)
        let height = max(0, southEast.y - northWest.y)
        var scale = Double.infinity
        if width > 0 { scale = min(scale, columns / (width * 128)) }
        if height > 0 { scale = min(scale, rows * cellAspect / (height * 128)) }
        var zoom = scale.isFinite ? min(log2(scale), maximumZoom) : maximumZoom
        if zoomStep > 0 { zoom = (zoom / zoomStep).rounded(.down) * zoomStep }
        let fitted = zoomed(to: zoom)
        let shiftX = (left - right) / 2 / fitted.worldColumns
        let shiftY = (top - bottom) / 2 / fitted.worldRows
        let middle = MercatorPoint(x: (northWest.x + southEast.x) / 2 - shiftX, y: (northWest.y + southEast.y) / 2 - shiftY)
        return Camera(middle: middle, zoom: zoom, size: size, cellAspect: cellAspect)
    }
}

extension Camera {
    /// Returns a camera centred on a place if this camera has the lowest zoom and does not show the place. Otherwise, returns this camera.
    public func keeping(_ place: Coordinate?) -> Camera {
        guard zoom <= Self.zoomRange.lowerBound, let place, place.isValid, cell(at: place) == nil else { return self }
        return centered(on: place)
    }

    /// The column and row of the view's top left cell in the world's grid.
    var origin: (column: Double, row: Double) {
        let row = (middle.y * worldRows - Double(size.rows) / 2).rounded()
        let highest = (worldRows - Double(size.rows)).rounded(.down)
        return ((middle.x * worldColumns - Double(size.columns) / 2).rounded(), highest >= 0 ? min(max(row, 0), highest) : row)
    }

    /// Returns the cell that contains a coordinate; nil if the coordinate is outside the view.
    public func cell(at coordinate: Coordinate) -> Position? {
        let place = Viewport(camera: self, painter: .ascii).dot(at: coordinate)
        guard place.x >= 0, place.y >= 0, place.x < Double(size.columns), place.y < Double(size.rows) else { return nil }
        return Position(column: Int(place.x), row: Int(place.y))
    }

    /// Returns the coordinate at the middle of a cell, which may be outside the view.
    public func coordinate(at cell: Position) -> Coordinate {
        let place = DotPoint(x: Double(cell.column) + 0.5, y: Double(cell.row) + 0.5)
        return Viewport(camera: self, painter: .ascii).coordinate(at: place)
    }
}
