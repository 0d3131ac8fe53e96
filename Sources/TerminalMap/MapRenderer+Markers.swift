import Geo
import TerminalCanvas

/// A marker with the place and the text it gets in one frame.
struct MarkerPlace {
    let marker: MarkerOverlay
    let text: String
    /// Column and row of its first cell, counted from the map's top left.
    let column: Int
    let row: Int
    let width: Int
}

extension MapRenderer {
    /// No icon is wider than this, in cells.
    private static let maximumIconWidth = 4

    /// Finds the places of all visible markers, the weakest first, and takes their cells in the raster.
    func placeMarkers(_ pass: MapPass) -> [MarkerPlace] {
        let visible = pass.scene.overlays.markers.filter { $0.style.isVisible && $0.coordinate.isValid }
        let sorted = visible.enumerated().sorted {
            ($0.element.strength.rawValue, $0.element.style.zIndex, $0.offset)
                < ($1.element.strength.rawValue, $1.element.style.zIndex, $1.offset)
        }
        let places = sorted.compactMap { place(of: $0.element, pass) }
        for place in places {
            let priority = place.marker.strength == .vehicle ? DrawOrder.vehicle : DrawOrder.marker
            for column in place.column..<place.column + place.width {
                raster.reserve(column: column, row: place.row, priority: priority)
            }
        }
        return places
    }

    private func place(of marker: MarkerOverlay, _ pass: MapPass) -> MarkerPlace? {
        let text = fitted(
            pass.text(marker.iconText(isASCII: pass.isASCII), maximumLength: 16), columns: Self.maximumIconWidth, ellipsis: "")
        let width = displayWidth(text)
        guard width > 0 else { return nil }
        let dot = pass.viewport.dot(at: marker.coordinate)
        let dots = pass.scene.painter.dotsPerCell
        let anchor = marker.style.groundAnchor
        let left = dot.x / Double(dots.columns) - clamped(anchor.x) * Double(width)
        let top = dot.y / Double(dots.rows) - clamped(anchor.y)
        guard let column = Int(exactly: left.rounded()), let row = Int(exactly: top.rounded()),
            row >= 0, row < pass.area.rows, column > -width, column < pass.area.columns
        else { return nil }
        return MarkerPlace(marker: marker, text: text, column: column, row: row, width: width)
    }

    private func clamped(_ fraction: Double) -> Double { fraction.isFinite ? min(max(fraction, -4), 4) : 0.5 }

    /// Writes the icons and notes where they are.
    func drawMarkers(_ places: [MarkerPlace], _ pass: MapPass, into canvas: inout Canvas, frame: inout MapFrame) {
        for place in places {
            let cells = Rectangle(
                column: pass.area.column + place.column, row: pass.area.row + place.row, columns: place.width, rows: 1)
            let seen = cells.intersection(pass.area)
            guard seen == cells else { continue }
            let options = place.marker.style
            let ground = canvas[cells.column, cells.row].style.background
            let background = options.background == .default ? ground : options.background
            var style = Style(foreground: options.color, background: background, attributes: options.attributes)
            if pass.isPlain && options.background != .default { style.attributes.insert(.reverse) }
            canvas.write(place.text, column: cells.column, row: cells.row, style: style, limit: place.width)
            frame.markers.append(MapFrame.PlacedMarker(id: place.marker.id, cells: cells))
        }
    }
}

extension MarkerOverlay {
    /// The text of the icon, turned to the heading if it lies flat.
    func iconText(isASCII: Bool) -> String {
        let icon = style.icon ?? icon
        let plain = isASCII ? icon.ascii : icon.text
        guard style.isFlat, let heading = headingDegrees, let directions = isASCII ? icon.asciiHeadings : icon.headings,
            let sector = HeadingSector(degrees: heading), sector.index < directions.count
        else { return plain }
        return directions[sector.index]
    }
}
