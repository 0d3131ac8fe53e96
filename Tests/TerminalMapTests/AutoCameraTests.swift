import Geo
import TerminalCanvas
import TerminalMap
import Testing

@Suite struct AutoCameraTests {
    private let start = Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 3, size: Size(columns: 60, rows: 20))
    private let stop = Coordinate(latitude: 10, longitude: 20.05)

    /// Returns the positions of a vehicle that drives straight to the stop.
    private func drive(steps: Int) -> [Coordinate] {
        (0...steps).map { Coordinate(latitude: 10, longitude: 20 + 0.05 * Double($0) / Double(steps)) }
    }

    @Test("the first update shows the vehicle, the stop and the path between them")
    func firstFit() {
        var auto = AutoCamera()
        let detour = Coordinate(latitude: 10.02, longitude: 20.02)
        let camera = auto.camera(
            for: AutoCamera.Target(vehicle: drive(steps: 1)[0], nextStop: stop, routeAhead: [detour]), from: start)
        for coordinate in [drive(steps: 1)[0], stop, detour] { #expect(camera.cell(at: coordinate) != nil) }
    }

    @Test("on the way to a stop, the camera moves only a few times, and vehicle and stop are always in view")
    func steps() {
        var auto = AutoCamera()
        var camera = start
        var moves = 0
        for vehicle in drive(steps: 300) {
            let next = auto.camera(for: AutoCamera.Target(vehicle: vehicle, nextStop: stop), from: camera)
            if next != camera { moves += 1 }
            camera = next
            #expect(camera.cell(at: vehicle) != nil && camera.cell(at: stop) != nil)
        }
        #expect((3...9).contains(moves))
        #expect(camera.zoom == auto.maximumZoom)
    }

    @Test("without a stop the vehicle stays in the middle third")
    func following() throws {
        var auto = AutoCamera()
        var camera = start
        var moves = 0
        for vehicle in drive(steps: 200) {
            let next = auto.camera(for: AutoCamera.Target(vehicle: vehicle), from: camera)
            if next != camera { moves += 1 }
            camera = next
            let cell = try #require(camera.cell(at: vehicle))
            #expect((20..<40).contains(cell.column) && (6..<14).contains(cell.row))
        }
        #expect(camera.zoom == auto.vehicleZoom && moves > 1 && moves < 60)
    }

    @Test("more is visible ahead of a vehicle than behind it, so the camera moves less often")
    func lookAhead() throws {
        func drive(heading: Double?) throws -> (moves: Int, columns: [Int]) {
            var auto = AutoCamera()
            var camera = start
            var moves = 0
            var columns: [Int] = []
            for vehicle in self.drive(steps: 200) {
                let next = auto.camera(for: AutoCamera.Target(vehicle: vehicle, headingDegrees: heading), from: camera)
                let cell = try #require(next.cell(at: vehicle))
                #expect((20..<40).contains(cell.column) && (6..<14).contains(cell.row))
                if next != camera {
                    moves += 1
                    columns.append(cell.column)
                }
                camera = next
            }
            return (moves, columns)
        }
        let (ahead, centered) = (try drive(heading: 90), try drive(heading: nil))
        #expect(ahead.columns.allSatisfy { $0 < 27 } && centered.columns.allSatisfy { (28...31).contains($0) })
        #expect(ahead.moves < centered.moves)
        let (unknown, turned) = (try drive(heading: .nan), try drive(heading: 90 - 720))
        #expect(unknown.columns == centered.columns && turned.columns == ahead.columns)
    }

    @Test("a manual move switches automatic following off, and a reset fits the view again")
    func manual() {
        var auto = AutoCamera()
        let target = AutoCamera.Target(vehicle: drive(steps: 1)[0], nextStop: stop)
        let fitted = auto.camera(for: target, from: start)
        auto.noteManualMove()
        let panned = fitted.panned(columns: 40, rows: 3)
        #expect(!auto.isEnabled && auto.camera(for: target, from: panned) == panned)
        auto.reset()
        #expect(auto.camera(for: target, from: panned) == fitted)
        auto.isEnabled = false
        auto.isEnabled = true
        #expect(auto.camera(for: target, from: panned) == fitted)
    }

    @Test("nothing to show, invalid places and no room change nothing")
    func edges() {
        var auto = AutoCamera()
        #expect(auto.camera(for: AutoCamera.Target(), from: start) == start)
        let invalid = Coordinate(latitude: .nan, longitude: 0)
        #expect(auto.camera(for: AutoCamera.Target(vehicle: invalid, nextStop: invalid), from: start) == start)
        let none = start.resized(to: .zero)
        #expect(auto.camera(for: AutoCamera.Target(vehicle: stop), from: none) == none)
        let stops = AutoCamera.Target(others: [stop, drive(steps: 1)[0]])
        #expect(auto.camera(for: stops, from: start).cell(at: stop) != nil)
    }

    @Test("a route that does not fit at the lowest zoom leaves the vehicle in view; on a larger map, the stop is in view too")
    func aroundTheWorld() {
        let (vehicle, stop) = (Coordinate(latitude: -34.6, longitude: -58.4), Coordinate(latitude: 55.75, longitude: 37.6))
        for (size, hasStop) in [(Size(columns: 60, rows: 20), false), (Size(columns: 300, rows: 130), true)] {
            var auto = AutoCamera()
            let camera = auto.camera(for: AutoCamera.Target(vehicle: vehicle, nextStop: stop), from: start.resized(to: size))
            #expect(camera.cell(at: vehicle) != nil && (camera.cell(at: stop) != nil) == hasStop, "\(size)")
        }
    }

    @Test("headings change with hysteresis")
    func headings() {
        #expect(HeadingSector(degrees: 359)?.index == 0 && HeadingSector(degrees: -90)?.index == 6)
        #expect(HeadingSector(degrees: 765)?.index == 1 && HeadingSector(degrees: .nan) == nil)
        let east = HeadingSector(degrees: 90)
        #expect(HeadingSector(degrees: 90 + 27, previous: east) == east)
        #expect(HeadingSector(degrees: 90 + 28, previous: east)?.index == 3)
        #expect(HeadingSector(degrees: 350, previous: HeadingSector(degrees: 0))?.index == 0)
        #expect(HeadingSector(degrees: 10, previous: nil)?.index == 0)
    }
}
