import Geo
public import TerminalCanvas

/// A marker, its text, and the cells that it takes in one frame.
struct MarkerPlace {
    let marker: MarkerOverlay
    let text: String
    /// The cells of the marker, counted from the map's top left.
    let cells: Rectangle
}

extension MapOverlays {
    /// Largest width of an icon, in cells.
    private static let maximumIconWidth = 4

    /// Returns the cells of the markers as a `MapRenderer` draws them, counted from the view's top left corner. The topmost marker is last.
    ///
    /// Markers that are not visible, and icons that would extend beyond the view's edge, are left out.
    public func placedMarkers(camera: Camera, painter: Painter) -> [MapFrame.PlacedMarker] {
        let view = Rectangle(camera.size)
        return places(in: Viewport(camera: camera, painter: painter))
            .filter { $0.cells.intersection(view) == $0.cells }
            .map { MapFrame.PlacedMarker(id: $0.marker.id, cells: $0.cells) }
    }

    /// Returns the cells of all visible markers, the topmost marker last.
    func places(in viewport: Viewport) -> [MarkerPlace] {
        let visible = markers.filter { $0.style.isVisible && $0.coordinate.isValid }
        let sorted = visible.enumerated().sorted {
            ($0.element.strength.rawValue, $0.element.style.zIndex, $0.offset)
                < ($1.element.strength.rawValue, $1.element.style.zIndex, $1.offset)
        }
        return sorted.compactMap { Self.place(of: $0.element, in: viewport) }
    }

    private static func place(of marker: MarkerOverlay, in viewport: Viewport) -> MarkerPlace? {
        let isASCII = viewport.painter == .ascii
        let icon = MapPass.shown(marker.iconText(isASCII: isASCII), isASCII: isASCII, maximumLength: 16)
        let text = fitted(icon, columns: maximumIconWidth, ellipsis: "")
        let width = displayWidth(text)
        guard width > 0 else { return nil }
        let dot = viewport.dot(at: marker.coordinate)
        let dots = viewport.painter.dotsPerCell
        let anchor = marker.style.groundAnchor
        let left = dot.x / Double(dots.columns) - clamped(anchor.x) * Double(width)
        let top = dot.y / Double(dots.rows) - clamped(anchor.y)
        guard let column = Int(exactly: left.rounded()), let row = Int(exactly: top.rounded()),
            row >= 0, row < viewport.size.rows, column > -width, column < viewport.size.columns
        else { return nil }
        return MarkerPlace(marker: marker, text: text, cells: Rectangle(column: column, row: row, columns: width, rows: 1))
    }

    private static func clamped(_ fraction: Double) -> Double { fraction.isFinite ? min(max(fraction, -4), 4) : 0.5 }
}

extension MapRenderer {
    /// Returns the cells of all visible markers, the topmost marker last. Reserves these cells in the trip's raster.
    func placeMarkers(_ pass: MapPass) -> [MarkerPlace] {
        let places = pass.scene.overlays.places(in: pass.viewport)
        for place in places {
            let priority = place.marker.strength == .vehicle ? DrawOrder.vehicle : DrawOrder.marker
            for column in place.cells.column..<place.cells.endColumn {
                trip.reserve(column: column, row: place.cells.row, priority: priority)
            }
            if place.marker.strength == .vehicle, pass.scene.painter.hasBlocks { clearRoute(around: place.cells) }
        }
        return places
    }

    /// Removes routes from the cells around a vehicle. A vehicle often has the colour of its route. If the route is drawn in blocks, which
    /// fill whole cells, a vehicle next to them would look like a part of the route.
    private func clearRoute(around cells: Rectangle) {
        for row in cells.row - 1...cells.row + 1 {
            for column in cells.column - 1...cells.endColumn where trip.isTaken(column: column, row: row, from: DrawOrder.firstOverlay) {
                trip.reserve(column: column, row: row, priority: DrawOrder.vehicle)
            }
        }
    }

    /// Draws the icons, and records the cells that they take.
    func drawMarkers(_ places: [MarkerPlace], _ pass: MapPass, into canvas: inout Canvas, frame: inout MapFrame) {
        for place in places {
            var cells = place.cells
            cells.column += pass.area.column
            cells.row += pass.area.row
            let seen = cells.intersection(pass.area)
            guard seen == cells else { continue }
            let options = place.marker.style
            let ground = canvas[cells.column, cells.row].style.background
            let background = options.background == .default ? ground : options.background
            var style = Style(foreground: options.color, background: background, attributes: options.attributes)
            if pass.scene.colorDepth == .none && options.background != .default { style.attributes.insert(.reverse) }
            canvas.write(place.text, column: cells.column, row: cells.row, style: style, limit: cells.columns)
            // Places of the user's overlay are drawn as markers without an id.
            guard !place.marker.id.isEmpty else { continue }
            frame.markers.append(MapFrame.PlacedMarker(id: place.marker.id, cells: cells))
        }
    }
}

extension Painter {
    /// Whether the painter's dots are blocks, which together fill a whole cell.
    fileprivate var hasBlocks: Bool { self == .sextant || self == .halfBlock }
}

extension MarkerOverlay {
    /// Returns the text of the icon. If the icon lies flat, it is turned to the heading.
    func iconText(isASCII: Bool) -> String {
        let icon = style.icon ?? icon
        let plain = isASCII ? icon.ascii : icon.text
        guard style.isFlat, let heading = headingDegrees, let directions = isASCII ? icon.asciiHeadings : icon.headings,
            let sector = HeadingSector(degrees: heading), sector.index < directions.count
        else { return plain }
        return directions[sector.index]
    }
}
