import Geo
import TerminalCanvas
import TerminalMap
import Testing

@Suite struct CameraTests {
    private let size = Size(columns: 80, rows: 24)

    private func randomCamera(_ random: inout SeededRandom) -> Camera {
        let center = Coordinate(latitude: random.double(in: -84...84), longitude: random.double(in: -180...180))
        let size = Size(columns: random.int(in: 1...200), rows: random.int(in: 1...60))
        return Camera(center: center, zoom: random.double(in: 1...20), size: size, cellAspect: random.double(in: 1.6...2.4))
    }

    @Test("the place under a cell is found again in that cell", arguments: 0..<20)
    func roundTrip(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            let camera = randomCamera(&random)
            let cell = Position(column: random.int(in: 0...camera.size.columns - 1), row: random.int(in: 0...camera.size.rows - 1))
            let coordinate = camera.coordinate(at: cell)
            // Skips cells at or beyond the map's northern and southern edges, and views that show the world more than once.
            guard abs(coordinate.latitude) < 85, camera.worldColumns > Double(camera.size.columns) else { continue }
            #expect(camera.cell(at: coordinate) == cell)
        }
    }

    @Test("the centre is in the middle cell, give or take the grid")
    func centre() throws {
        for zoom in stride(from: 2.0, through: 20, by: 0.37) {
            let camera = Camera(center: Coordinate(latitude: 51.5, longitude: -0.1), zoom: zoom, size: size)
            let cell = try #require(camera.cell(at: camera.center))
            #expect(abs(cell.column - 40) <= 1 && abs(cell.row - 12) <= 1)
        }
    }

    @Test("panning by cells moves the ground by exactly those cells", arguments: 0..<20)
    func panning(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let camera = Camera(
                center: Coordinate(latitude: random.double(in: -60...60), longitude: random.double(in: -170...170)),
                zoom: random.double(in: 8...18), size: size)
            let (right, down) = (random.int(in: -30...30), random.int(in: -10...10))
            let moved = camera.panned(columns: right, rows: down)
            let coordinate = camera.coordinate(at: Position(column: 40, row: 12))
            #expect(moved.cell(at: coordinate) == Position(column: 40 - right, row: 12 - down))
        }
    }

    @Test("zooming about a cell keeps what is under it")
    func zoomAbout() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<100 {
            let camera = Camera(
                center: Coordinate(latitude: random.double(in: -60...60), longitude: random.double(in: -180...180)),
                zoom: random.double(in: 8...18), size: size)
            let cell = Position(column: random.int(in: 4...75), row: random.int(in: 4...19))
            let coordinate = camera.coordinate(at: cell)
            let found = try #require(camera.zoomed(to: camera.zoom + 1.5, about: cell).cell(at: coordinate))
            #expect(abs(found.column - cell.column) <= 2 && abs(found.row - cell.row) <= 2)
        }
    }

    @Test("a fitted box lies inside the margins and fills what they leave", arguments: 0..<20)
    func fitting(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let (south, west) = (random.double(in: -70...60), random.double(in: -180...180))
            let box = BoundingBox(
                south: south, west: west, north: south + random.double(in: 0.001...5), east: west + random.double(in: 0.001...20))
            let margins = Camera.Margins(
                left: random.int(in: 0...12), right: random.int(in: 0...12), top: random.int(in: 0...4), bottom: random.int(in: 0...4))
            let camera = Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 3, size: size)
                .fitted(to: box, margins: margins, maximumZoom: 20)
            let northWest = try #require(camera.cell(at: Coordinate(latitude: box.north, longitude: box.west)))
            let east = Coordinate.wrappedLongitude(box.east)
            let southEast = try #require(camera.cell(at: Coordinate(latitude: box.south, longitude: east)))
            #expect(northWest.column >= margins.left && northWest.row >= margins.top)
            #expect(southEast.column < 80 - margins.right && southEast.row < 24 - margins.bottom)
            let slack = (
                80 - margins.left - margins.right - (southEast.column - northWest.column),
                24 - margins.top - margins.bottom - (southEast.row - northWest.row)
            )
            #expect(slack.0 <= 4 || slack.1 <= 4)
        }
    }

    @Test("a box over the antimeridian is seen in one piece")
    func antimeridian() throws {
        let box = BoundingBox(south: -18, west: 176, north: -16, east: 182)
        let camera = Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 3, size: size).fitted(to: box)
        #expect(abs(abs(camera.center.longitude) - 179) < 0.1)
        let west = try #require(camera.cell(at: Coordinate(latitude: -17, longitude: 177)))
        let east = try #require(camera.cell(at: Coordinate(latitude: -17, longitude: -179)))
        #expect(west.column < east.column)
    }

    @Test("the view ends at the poles if the world is higher than the view")
    func poles() {
        let camera = Camera(center: Coordinate(latitude: 90, longitude: 0), zoom: 6, size: size)
        #expect(camera.cell(at: Coordinate(latitude: 85.05, longitude: 0))?.row == 0)
        #expect(camera.panned(columns: 0, rows: -1000) == camera.panned(columns: 0, rows: -5))
        let small = Camera(center: Coordinate(latitude: 80, longitude: 0), zoom: 1, size: Size(columns: 300, rows: 200))
        #expect(abs(small.center.latitude) < 1e-9)
    }

    @Test("values that are not numbers are replaced by numbers")
    func hostile() {
        let camera = Camera(
            center: Coordinate(latitude: .nan, longitude: .infinity), zoom: .nan, size: Size(columns: -5, rows: .max), cellAspect: 0)
        #expect(camera.center.isValid && camera.zoom == 1 && camera.size.columns == 0 && camera.cellAspect == 0.5)
        let moved = camera.panned(columns: .max, rows: .min).zoomed(to: .infinity, about: Position(column: .min, row: .max))
        #expect(moved.center.isValid && Camera.zoomRange.contains(moved.zoom))
        #expect(camera.cell(at: Coordinate(latitude: .nan, longitude: 0)) == nil)
        let box = BoundingBox(south: 1, west: 1, north: 2, east: 2)
        for cells in [Int.min, .max] {
            for zoomStep in [Double.nan, .infinity, .leastNonzeroMagnitude] {
                let margins = Camera.Margins(left: cells, right: .max, top: cells, bottom: .max)
                let fitted = Camera(center: box.center, zoom: 9, size: size).fitted(
                    to: box, margins: margins, maximumZoom: .nan, zoomStep: zoomStep)
                #expect(fitted.center.isValid && Camera.zoomRange.contains(fitted.zoom))
            }
        }
    }

    @Test("zoom counts as on web maps: 256 Braille dots for the world at zoom 0")
    func zoomMeaning() {
        let camera = Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 10, size: size)
        #expect(camera.worldColumns == 128 * 1024)
        #expect(Viewport(camera: camera, painter: .braille).worldWidth == 256 * 1024)
        #expect(abs(camera.metersPerColumn - 40_075_016.686 / 131_072) < 0.01)
    }
}
