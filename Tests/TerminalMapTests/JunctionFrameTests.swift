import Geo
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

/// Compares whole frames of the made-up junction, and of lines over the whole world, with text files. Look at the files when
/// they change.
@Suite struct JunctionFrameTests {
    private func text(_ scene: MapScene, _ camera: Camera) -> String { SmallTown.draw(scene, camera).canvas.text() }

    @Test("tunnels, bridges, rails, ferry, border and shore without colours", arguments: Painter.allCases)
    func plain(painter: Painter) throws {
        try Frames.expect(text(Junction.scene(painter: painter), Junction.camera(72, 24)), matches: "junction-\(painter.rawValue)-72x24")
    }

    @Test("the same in sixteen and in 256 colours")
    func colors() throws {
        for depth in [ColorDepth.ansi16, .palette256] {
            let canvas = SmallTown.draw(Junction.scene(colors: depth), Junction.camera(60, 20)).canvas
            try Frames.expect(canvas.ansi(colors: depth), matches: "junction-\(depth == .ansi16 ? "16" : "256")-60x20")
        }
    }

    @Test("far away, close up, and in a corner of tmux")
    func zooms() throws {
        try Frames.expect(text(Junction.scene(), Junction.camera(40, 12, zoom: 11)), matches: "junction-far-40x12")
        try Frames.expect(text(Junction.scene(), Junction.camera(72, 24, zoom: 16)), matches: "junction-close-72x24")
        try Frames.expect(text(Junction.scene(painter: .ascii), Junction.camera(24, 6)), matches: "junction-ascii-24x6")
    }

    @Test("cells that are twice as wide as usual show the same place less stretched")
    func squareCells() throws {
        let size = Size(columns: 48, rows: 24)
        let camera = Camera(center: SmallTown.place(2048, 2048), zoom: 13, size: size, cellAspect: 1)
        try Frames.expect(text(Junction.scene(), camera), matches: "junction-square-48x24")
    }

    @Test("a trip without colours: driven, ahead with its traffic, later, stops, vehicle, own position")
    func trip() throws {
        var scene = SmallTown.scene(colors: .none)
        scene.overlays.polylines[0].style.isTrafficEnabled = true
        let line = scene.overlays.polylines[0].route.line
        let meters = line.cumulativeMeters
        scene.overlays.polylines[0].route = RouteLine(
            line,
            traffic: [
                TrafficStretch(startMeters: meters[1], endMeters: meters[2], speed: .slow),
                TrafficStretch(startMeters: meters[2], endMeters: meters[3], speed: .trafficJam),
            ])
        scene.overlays.markers.append(
            MarkerOverlay(id: "me", coordinate: SmallTown.place(1500, 2900), icon: MarkerIcon(text: "✚", ascii: "+"), label: "me"))
        let camera = SmallTown.camera(zoom: 13.5, size: Size(columns: 72, rows: 24), x: 2000, y: 2300)
        for painter in Painter.allCases {
            scene.painter = painter
            try Frames.expect(text(scene, camera), matches: "trip-\(painter.rawValue)-72x24")
        }
    }

    @Test("a great circle over the antimeridian, and the straight line on the map")
    func ocean() throws {
        let ends = [Coordinate(latitude: 35, longitude: 140), Coordinate(latitude: 37, longitude: -122)]
        let lines = [true, false].map { isGeodesic in
            PolylineOverlay(coordinates: ends, role: isGeodesic ? .ahead : .later, style: PolylineStyleOptions(isGeodesic: isGeodesic))
        }
        let scene = MapScene(overlays: MapOverlays(polylines: lines), colorDepth: .none)
        let camera = Camera(center: Coordinate(latitude: 42, longitude: -171), zoom: 1, size: Size(columns: 64, rows: 16))
        let fitted = try camera.fitted(to: #require(BoundingBox(ends)), zoomStep: 0.25)
        try Frames.expect(text(scene, camera.zoomed(to: fitted.zoom)), matches: "ocean-64x16")
    }
}
