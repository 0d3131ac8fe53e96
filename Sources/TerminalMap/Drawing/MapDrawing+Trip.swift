import Geo
import TerminalCanvas
import VectorTiles

extension MapDrawing {
    /// Draws the user's overlay on the base map.
    func drawOverlay(_ pass: MapPass, into text: inout DrawingText, view: PlaneBox) {
        guard let overlay = pass.scene.ground else { return }
        let window = GroundWindow(pass.viewport)
        let margin = 40.0
        let box = PlaneBox(
            minX: view.minX - margin, minY: view.minY - margin, maxX: view.maxX + margin, maxY: view.maxY + margin)
        for shape in overlay.shapes {
            guard let shift = window.shift(of: shape.box) else { continue }
            let paths = shape.paths.map { path in
                path.map { point in
                    let dot = window.dot(point, shift)
                    return DotPoint(x: dot.x * Self.dot, y: dot.y * Self.dot)
                }
            }
            let color = palette.ink(shape.stroke ?? pass.style.overlayLabel)
            if let fill = shape.fill, overlay.fills.indices.contains(fill) {
                let area = paths.map { text.path(around: $0, in: box) }.joined()
                let look = overlay.fills[fill]
                text.add(
                    "<path d=\"\(area)\" fill=\"\(palette.ink(look.color ?? pass.style.overlayLabel))\" "
                        + "fill-opacity=\"\(DrawingText.number(look.opacity))\" fill-rule=\"evenodd\"/>")
            }
            guard shape.strokeWidth > 0 else { continue }
            let line = paths.map { text.path(along: $0 + (shape.isArea ? $0.prefix(1) : []), in: box) }.joined()
            text.add(Self.line(line, color: color, width: shape.strokeWidth * 1.5, dashes: ""))
        }
        for place in overlay.placesWithoutIcon(in: window) {
            let dot = window.dot(place.point)
            let point = DotPoint(x: dot.x * Self.dot, y: dot.y * Self.dot)
            text.addDot(at: point, radius: 2, fill: palette.ink(place.color ?? pass.style.overlayLabel))
        }
    }

    /// Draws the lines of the trip from the lowest to the topmost. The route ahead has edges in the background colour of the map.
    func drawTrip(_ pass: MapPass, into text: inout DrawingText, view: PlaneBox) {
        let margin = 24.0
        let box = PlaneBox(
            minX: view.minX - margin, minY: view.minY - margin, maxX: view.maxX + margin, maxY: view.maxY + margin)
        for line in pass.scene.overlays.visiblePolylines {
            let pieces = line.pieces.map { piece in
                let points = piece.dots(in: pass.viewport).map { DotPoint(x: $0.x * Self.dot, y: $0.y * Self.dot) }
                return (piece: piece, path: text.path(along: points, in: box))
            }.filter { !$0.path.isEmpty }
            for (piece, path) in pieces where line.role == .ahead {
                text.add(Self.line(path, color: palette.ground, width: Self.width(piece) + 3, dashes: ""))
            }
            for (piece, path) in pieces {
                text.add(
                    Self.line(path, color: palette.ink(piece.color), width: Self.width(piece), dashes: line.role.drawnDashes))
            }
        }
    }

    /// Draws the names of the trip and of the base map, at the same positions as on the map in the terminal.
    func drawNames(_ pass: MapPass, into text: inout DrawingText) {
        var canvas = Canvas(size: pass.area.size)
        var scene = pass.scene
        // The user's overlay is left out, because its places have already been added to the markers.
        scene.ground = nil
        let frame = MapRenderer().draw(scene, camera: pass.camera, into: &canvas, at: pass.area)
        for label in frame.labels + frame.signs {
            let style = canvas[label.cells.column, label.cells.row].style
            let x = (Double(label.cells.column) + Double(label.cells.columns) / 2) * Self.cellWidth
            let y = (Double(label.cells.row) + 0.78) * Self.cellHeight
            text.add(
                words(
                    label.text, x: x, y: y, anchor: "middle", color: style.foreground,
                    attributes: (style.attributes.contains(.bold) ? " font-weight=\"bold\"" : "")
                        + (style.attributes.contains(.italic) ? " font-style=\"italic\"" : "")))
        }
    }

    /// Draws the markers: a vehicle with a known direction as an arrow, all others as their icons.
    func drawMarkers(_ pass: MapPass, into text: inout DrawingText) {
        for place in pass.scene.overlays.places(in: pass.viewport) {
            let spot = pass.viewport.dot(at: place.marker.coordinate)
            let (x, y) = (DrawingText.number(spot.x * Self.dot), DrawingText.number(spot.y * Self.dot))
            let color = palette.ink(place.marker.style.color)
            let disc = palette.area(place.marker.style.background) ?? palette.ground
            text.add("<g transform=\"translate(\(x) \(y))\">")
            text.add("<circle r=\"10\" fill=\"\(disc)\" stroke=\"\(color)\" stroke-width=\"1.5\"/>")
            if place.marker.strength == .vehicle, place.marker.style.isFlat, let heading = place.marker.headingDegrees, heading.isFinite {
                text.add(
                    "<path transform=\"rotate(\(DrawingText.number(heading)))\" d=\"M0 -7L5 6L0 3L-5 6z\" fill=\"\(color)\"/>")
            } else {
                text.add(
                    "<text y=\"4.5\" text-anchor=\"middle\" font-size=\"13\" fill=\"\(color)\">"
                        + "\(DrawingText.escaped(place.text))</text>")
            }
            text.add("</g>")
        }
    }

    /// Draws the attribution and the scale.
    func drawFurniture(_ pass: MapPass, isMapShown: Bool, into text: inout DrawingText, view: PlaneBox) {
        let baseline = view.maxY - 5
        if isMapShown, let owed = pass.scene.base.map({ pass.text($0.attribution, maximumLength: 200) }), !owed.isEmpty {
            let line = words(
                owed, x: view.maxX - 5, y: baseline, anchor: "end", color: pass.style.attribution, attributes: " font-size=\"10\"")
            let isLinked = owed.contains("OpenStreetMap")
            text.add(isLinked ? "<a href=\"https://www.openstreetmap.org/copyright\">\(line)</a>" : line)
        }
        let longest = min(14, pass.area.columns / 5)
        guard pass.scene.showsScale,
            let bar = ScaleBar(metersPerCell: pass.camera.metersPerColumn, maximumCells: longest, units: pass.scene.units)
        else { return }
        let end = 6 + Double(bar.halfCells) * Self.cellWidth / 2
        let (top, bottom) = (DrawingText.number(baseline - 6), DrawingText.number(baseline))
        // In a narrow picture, the bottom line has room only for the attribution.
        let lift = pass.area.columns < 70 ? "-16" : "0"
        text.add("<g transform=\"translate(0 \(lift))\">")
        text.add(
            "<path d=\"M6 \(top)L6 \(bottom)L\(DrawingText.number(end)) \(bottom)L\(DrawingText.number(end)) \(top)\" fill=\"none\" "
                + "stroke=\"\(palette.ink(pass.style.scale))\" stroke-width=\"1.5\"/>")
        text.add(
            words(bar.label, x: end + 6, y: baseline, anchor: "start", color: pass.style.scale, attributes: " font-size=\"10\""))
        text.add("</g>")
    }

    /// Returns a text element. The text has an outline in the background colour of the map, so that it is readable on every area.
    private func words(_ words: String, x: Double, y: Double, anchor: String, color: Color, attributes: String = "") -> String {
        "<text x=\"\(DrawingText.number(x))\" y=\"\(DrawingText.number(y))\" text-anchor=\"\(anchor)\" fill=\"\(palette.ink(color))\" "
            + "stroke=\"\(palette.ground)\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"\(attributes)>"
            + "\(DrawingText.escaped(words))</text>"
    }

    /// Returns the width of a piece in units of the drawing.
    private static func width(_ piece: PolylineOverlay.Piece) -> Double { min(max(2 + piece.width * 1.5, 2), 40) }

    private static func line(_ path: String, color: String, width: Double, dashes: String) -> String {
        "<path d=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(DrawingText.number(width))\" "
            + "stroke-linecap=\"round\" stroke-linejoin=\"round\"\(dashes)/>"
    }
}

extension RouteRole {
    /// The dash pattern for the role, as an SVG attribute.
    fileprivate var drawnDashes: String {
        switch self {
        case .ahead: ""
        case .behind: " stroke-dasharray=\"0.1 9\""
        case .later: " stroke-dasharray=\"12 10\""
        }
    }
}
