import Geo
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

@Suite struct MarkerAndLabelTests {
    private let size = Size(columns: 80, rows: 24)

    private func text(_ canvas: Canvas, _ cells: Rectangle) -> String {
        canvas.cropped(cells).text()
    }

    @Test("names are whole, apart from each other, never twice, and off the route and the markers", arguments: [12.0, 13, 14, 15, 16, 17])
    func labels(zoom: Double) {
        let camera = SmallTown.camera(zoom: zoom, size: size)
        let (canvas, frame) = SmallTown.draw(SmallTown.scene(), camera)
        let bare = SmallTown.draw(SmallTown.scene(showsLabels: false), camera).canvas
        #expect(Set(frame.labels.map(\.text)).count == frame.labels.count)
        for (index, label) in frame.labels.enumerated() {
            #expect(text(canvas, label.cells) == label.text)
            for other in frame.labels[(index + 1)...] { #expect(label.cells.intersection(other.cells).isEmpty) }
            for marker in frame.markers { #expect(label.cells.intersection(marker.cells).isEmpty) }
            for column in label.cells.column..<label.cells.endColumn where label.text != "you" {
                #expect(bare[column, label.cells.row].style.foreground != .palette(215), "\(label.text) lies on the route")
            }
        }
    }

    @Test("the streets of the route get their labels first")
    func routeStreetFirst() {
        let (_, frame) = SmallTown.draw(SmallTown.scene(), SmallTown.camera(zoom: 14, size: Size(columns: 60, rows: 16)))
        let names = frame.labels.map(\.text).filter { $0 != "you" }
        #expect(names.first == "Long Road")
    }

    @Test("few names on a small map, more on a large one")
    func budget() {
        for (columns, rows, most) in [(40, 12, 4), (54, 20, 6), (80, 24, 8)] {
            let size = Size(columns: columns, rows: rows)
            let (_, frame) = SmallTown.draw(SmallTown.scene(), SmallTown.camera(zoom: 14.5, size: size))
            #expect(frame.labels.filter { $0.text != "you" }.count <= most)
        }
    }

    @Test("if there are only places, they use the room that streets would have")
    func placesOnly() {
        var builder = VectorTileBuilder(id: SmallTown.tileID)
        for index in 0..<16 {
            let spot = (Int32(400 + index % 4 * 1000), Int32(400 + index / 4 * 1000))
            builder.addFeature(.city, kind: .point, rank: UInt8(index), name: "City \(index)", vertices: [spot])
        }
        var scene = SmallTown.scene(overlays: MapOverlays())
        scene.base?.tiles.insert(builder.finish(), for: SmallTown.tileID)
        let camera = SmallTown.camera(zoom: 12.5, size: size, x: 2048, y: 2048)
        let labels = SmallTown.draw(scene, camera).frame.labels.map(\.text)
        #expect(labels.count == 7 && labels.contains("City 0") && !labels.contains("City 15"))
    }

    @Test("names stay where they are while the map is panned")
    func stableLabels() {
        let renderer = MapRenderer()
        var camera = SmallTown.camera(zoom: 14.2, size: size)
        var before: [String: Position] = [:]
        var kept = 0
        var moved = 0
        for _ in 0..<12 {
            var canvas = Canvas(size: size)
            let frame = renderer.draw(SmallTown.scene(overlays: MapOverlays()), camera: camera, into: &canvas, at: Rectangle(size))
            for label in frame.labels {
                guard let place = before[label.text] else { continue }
                if place == Position(column: label.cells.column + 1, row: label.cells.row) { kept += 1 } else { moved += 1 }
            }
            before = Dictionary(uniqueKeysWithValues: frame.labels.map { ($0.text, $0.cells.origin) })
            camera = camera.panned(columns: 1, rows: 0)
        }
        #expect(kept > 40 && moved <= 2, "kept \(kept), moved \(moved)")
    }

    @Test("a name from outside cannot send control characters, and ASCII terminals get ASCII")
    func hostileNames() {
        var builder = VectorTileBuilder(id: SmallTown.tileID)
        builder.addFeature(.town, kind: .point, name: "Bad\u{1b}[2J\u{7}\u{202e}Tøwn", vertices: [(2048, 2048)])
        builder.addFeature(.town, kind: .point, name: String(repeating: "long ", count: 50), vertices: [(1000, 1000)])
        var scene = SmallTown.scene(overlays: MapOverlays())
        scene.base?.tiles.insert(builder.finish(), for: SmallTown.tileID)
        let camera = SmallTown.camera(zoom: 13, size: size)
        #expect(SmallTown.draw(scene, camera).frame.labels.map(\.text) == ["Bad[2JTøwn"])
        builder = VectorTileBuilder(id: SmallTown.tileID)
        builder.addFeature(.town, kind: .point, name: "Bad\u{1b}[2J\u{7}\u{202e}Tøwn", vertices: [(2048, 2048)])
        builder.addFeature(.town, kind: .point, name: "港町", vertices: [(1000, 1000)])
        scene.base?.tiles.insert(builder.finish(), for: SmallTown.tileID)
        #expect(Set(SmallTown.draw(scene, camera).frame.labels.map(\.text)) == ["Bad[2JTøwn", "港町"])
        // A name in letters that ASCII does not have is left out, because question marks would be useless.
        scene.painter = .ascii
        let (canvas, frame) = SmallTown.draw(scene, camera)
        #expect(frame.labels.map(\.text) == ["Bad[2JTown"])
        #expect(canvas.text().unicodeScalars.allSatisfy { $0.isASCII } && canvas.text().contains("(c) nobody"))
    }

    @Test("the vehicle lies over everything and turns with its heading", arguments: 0..<8)
    func vehicle(sector: Int) throws {
        var overlays = SmallTown.overlays
        overlays.markers[0].headingDegrees = Double(sector) * 45 + 10
        overlays.markers.append(MarkerOverlay(id: "other", coordinate: overlays.markers[0].coordinate, style: .init(zIndex: 99)))
        let (canvas, frame) = SmallTown.draw(SmallTown.scene(overlays: overlays), SmallTown.camera(zoom: 13, size: size))
        let place = try #require(frame.markers.last)
        #expect(place.id == "vehicle")
        let cell = canvas[place.cells.column, place.cells.row]
        #expect(String(cell.glyph.base) == MarkerIcon.vehicle.headings?[sector] && cell.style.background == .palette(215))
    }

    @Test(
        "the vehicle has its own colours if there are colours, and stands out without them", arguments: ColorDepth.allCases, [true, false])
    func vehicleColors(depth: ColorDepth, fillsAreas: Bool) throws {
        var scene = SmallTown.scene(overlays: SmallTown.overlays)
        (scene.colorDepth, scene.fillsAreas) = (depth, fillsAreas)
        let (canvas, frame) = SmallTown.draw(scene, SmallTown.camera(zoom: 13, size: size))
        let place = try #require(frame.markers.first { $0.id == "vehicle" })
        let style = canvas[place.cells.column, place.cells.row].style
        #expect(style.background == .palette(215) && style.attributes.contains(.reverse) == (depth == .none))
    }

    @Test("an icon that is not flat, or has no heading, does not turn")
    func flatness() {
        func glyph(_ isFlat: Bool, _ heading: Double?, painter: Painter = .braille) -> String {
            let marker = MarkerOverlay(
                id: "v", coordinate: SmallTown.place(1700, 1900), headingDegrees: heading, icon: .vehicle, style: .init(isFlat: isFlat))
            let (canvas, frame) = SmallTown.draw(
                SmallTown.scene(overlays: MapOverlays(markers: [marker]), painter: painter), SmallTown.camera(zoom: 14, size: size))
            return frame.markers.first.map { text(canvas, $0.cells) } ?? ""
        }
        #expect(glyph(false, 90) == "◍" && glyph(true, nil) == "◍" && glyph(true, .nan) == "◍")
        #expect(glyph(true, 90) == "▸" && glyph(true, 90, painter: .ascii) == ">" && glyph(false, 90, painter: .ascii) == "@")
    }

    @Test("the anchor is the point of the icon that lies on the coordinate")
    func anchors() throws {
        let camera = SmallTown.camera(zoom: 14, size: size)
        let coordinate = camera.coordinate(at: Position(column: 30, row: 10))
        func cells(_ x: Double, _ y: Double, _ icon: String) throws -> Rectangle {
            let style = MarkerStyleOptions(
                icon: MarkerIcon(text: icon, ascii: icon), groundAnchor: GroundAnchor(x: x, y: y))
            let scene = SmallTown.scene(overlays: MapOverlays(markers: [MarkerOverlay(id: "m", coordinate: coordinate, style: style)]))
            return try #require(SmallTown.draw(scene, camera).frame.markers.first).cells
        }
        #expect(try cells(0.5, 0.5, "#") == Rectangle(column: 30, row: 10, columns: 1, rows: 1))
        #expect(try cells(0.5, 1.5, "#").row == 9)
        #expect(try cells(0.5, 0.5, "abc") == Rectangle(column: 29, row: 10, columns: 3, rows: 1))
        #expect(try cells(0.1, 0.5, "abc").column == 30)
        #expect(try cells(0.5, 0.5, "much too long").columns == 4)
        #expect(try cells(.nan, .infinity, "#") == Rectangle(column: 30, row: 10, columns: 1, rows: 1))
    }

    @Test("a tap finds the marker at or beside the cell, the topmost of two")
    func hitTest() throws {
        let place = SmallTown.place(1700, 1900)
        let overlays = MapOverlays(markers: [
            MarkerOverlay(id: "low", coordinate: place), MarkerOverlay(id: "high", coordinate: place, style: .init(zIndex: 5)),
            MarkerOverlay(id: "hidden", coordinate: place, style: .init(isVisible: false, zIndex: 9)),
        ])
        let frame = SmallTown.draw(SmallTown.scene(overlays: overlays), SmallTown.camera(zoom: 14, size: size)).frame
        let cell = try #require(frame.markers.first).cells.origin
        #expect(frame.marker(at: cell) == "high")
        #expect(frame.marker(at: Position(column: cell.column + 1, row: cell.row - 1)) == "high")
        #expect(frame.marker(at: Position(column: cell.column + 2, row: cell.row)) == nil)
        #expect(frame.marker(at: Position(column: cell.column + 2, row: cell.row), tolerance: 2) == "high")
        #expect(frame.marker(at: Position(column: .min, row: .max)) == nil)
    }

    @Test("icons are characters that DejaVu Sans Mono has and that are one cell wide everywhere")
    func icons() {
        // These characters were checked in the font and in the table of East Asian widths, where all of them are neutral.
        let known = Set("▴⬈▸⬊▾⬋◂⬉▵◹▹◿▿◺◃◸◍◌◉▪⚑".unicodeScalars)
        for icon in [MarkerIcon.vehicle, .vehicleNotLive, .pickup, .stop, .destination] {
            for text in [icon.text] + (icon.headings ?? []) { #expect(known.isSuperset(of: text.unicodeScalars), "\(text)") }
            let ascii = [icon.ascii] + (icon.asciiHeadings ?? [])
            #expect(ascii.allSatisfy { $0.utf8.allSatisfy { (0x21..<0x7f).contains($0) } })
            if let headings = icon.headings { #expect(Set(headings).count == 8) }
        }
    }

    @Test(
        "a tap on any cell of the icon finds it, however wide it is and wherever its anchor lies",
        arguments: [Painter.braille, .halfBlock, .ascii])
    func wideIcons(painter: Painter) throws {
        let camera = SmallTown.camera(zoom: 14, size: size)
        let place = camera.coordinate(at: Position(column: 30, row: 10))
        let style = MarkerStyleOptions(icon: MarkerIcon(text: "DROP", ascii: "DROP"), groundAnchor: GroundAnchor(x: 0, y: 1))
        let cut = camera.coordinate(at: Position(column: 78, row: 3))
        let overlays = MapOverlays(markers: [
            MarkerOverlay(id: "wide", coordinate: place, style: style), MarkerOverlay(id: "cut", coordinate: cut, style: style),
            MarkerOverlay(id: "hidden", coordinate: place, style: .init(isVisible: false)),
        ])
        let frame = SmallTown.draw(SmallTown.scene(overlays: overlays, painter: painter), camera).frame
        #expect(frame.markers == overlays.placedMarkers(camera: camera, painter: painter))
        let cells = try #require(frame.markers.first).cells
        #expect(frame.markers.map(\.id) == ["wide"] && cells.columns == 4)
        for column in cells.column..<cells.endColumn { #expect(frame.marker(at: Position(column: column, row: cells.row)) == "wide") }
        #expect(frame.marker(at: Position(column: cells.endColumn + 1, row: cells.row)) == nil)
        #expect(frame.marker(at: Position(column: 78, row: 3)) == nil)
    }

    @Test("if a marker is in its way, the attribution does not cover the route instead")
    func attributionBesideRoute() {
        let camera = SmallTown.camera(zoom: 14, size: Size(columns: 41, rows: 5))
        let path = [0, 40].map { camera.coordinate(at: Position(column: $0, row: 3)) }
        let route = PolylineOverlay(coordinates: path, role: .ahead, style: PolylineStyleOptions(strokeWidth: 1))
        let marker = MarkerOverlay(id: "m", coordinate: camera.coordinate(at: Position(column: 30, row: 4)), icon: .pickup)
        for (overlays, row) in [(MapOverlays(polylines: [route], markers: [marker]), 2), (MapOverlays(markers: [marker]), 3)] {
            let lines = SmallTown.draw(SmallTown.scene(overlays: overlays), camera).canvas.text()
                .split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[row].contains("© nobody: a made-up town"), "\(lines)")
        }
    }

    @Test("no marker covers the attribution or the scale: they give way, the attribution no further than necessary")
    func furnitureGivesWay() {
        let size = Size(columns: 41, rows: 5)
        let camera = SmallTown.camera(zoom: 14, size: size)
        let attribution = "© nobody: a made-up town"
        for row in 0..<5 {
            for column in 0..<41 {
                let marker = MarkerOverlay(id: "m", coordinate: camera.coordinate(at: Position(column: column, row: row)), icon: .pickup)
                let (canvas, frame) = SmallTown.draw(SmallTown.scene(overlays: MapOverlays(markers: [marker])), camera)
                let lines = canvas.text().split(separator: "\n", omittingEmptySubsequences: false)
                let isInTheWay = row == 4 && column >= 41 - attribution.count
                #expect(lines[isInTheWay ? 3 : 4].contains(attribution), "\(column) \(row)")
                #expect(frame.markers.count == 1)
                let isUnderScale = lines.contains { $0.contains("⣇") && $0.contains("m ") && $0.contains("◉⣀") }
                #expect(!isUnderScale)
            }
        }
    }

    @Test(
        "what is written in the corners has a cell of the ground on either side",
        arguments: [12.5, 13, 13.25, 13.5, 14, 14.5, 15.25, 16])
    func furnitureStandsApart(zoom: Double) throws {
        let camera = SmallTown.camera(zoom: zoom, size: Size(columns: 72, rows: 24), x: 900, y: 1500)
        let lines = SmallTown.draw(SmallTown.scene(), camera).canvas.text().split(separator: "\n", omittingEmptySubsequences: false)
        let last = Array(try #require(lines.last))
        let attribution = try #require(last.firstIndex(of: "©"))
        #expect(last[attribution - 1] == " ")
        let unit = try #require(last[..<attribution].lastIndex(of: "m"))
        #expect(last[unit + 1] == " " && last[0] == " ", "\(String(last))")
    }

    @Test("the attribution is on every map that has room for it")
    func attribution() {
        for columns in 1...60 {
            for rows in [1, 2, 5, 12] {
                let size = Size(columns: columns, rows: rows)
                let canvas = SmallTown.draw(SmallTown.scene(), SmallTown.camera(zoom: 14, size: size)).canvas
                let whole = "© nobody: a made-up town"
                let last = canvas.text().split(separator: "\n", omittingEmptySubsequences: false).last.map(String.init) ?? ""
                #expect(last.contains(String(whole.prefix(columns)).trimmingSpaces))
            }
        }
        var scene = SmallTown.scene()
        scene.base?.attribution = "© OpenMapTiles © OpenStreetMap contributors"
        let narrow = SmallTown.draw(scene, SmallTown.camera(zoom: 14, size: Size(columns: 34, rows: 12))).canvas.text()
        #expect(narrow.contains("© OpenMapTiles\n") && narrow.hasSuffix("© OpenStreetMap contributors"))
    }

    @Test("if no part of the map is in view, no attribution is needed")
    func noAttribution() {
        let camera = SmallTown.camera(zoom: 14, size: Size(columns: 60, rows: 12)).panned(columns: 0, rows: 5_000)
        #expect(!SmallTown.draw(SmallTown.scene(), camera).canvas.text().contains("nobody"))
    }
}

extension String {
    /// The text without the spaces at its end.
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
