import Geo
import TerminalCanvas
import TerminalMap
import TripWatchSettings
import TripWatchWords

/// The rows above the map while a ride is booked.
struct BookingView {
    let state: AppState

    /// Number of columns left free at each side.
    static let indent = 1

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        guard !area.isEmpty else { return }
        sheet.fill(area, .dialog)
        let columns = area.columns - 2 * Self.indent
        for (index, line) in state.bookingLines(columns: columns).prefix(area.rows).enumerated() {
            sheet.put(line, column: area.column + Self.indent, row: area.row + index, .dialog, columns: columns)
        }
    }

    /// Returns the marker of the location that Enter selects.
    static func crosshair(at place: Coordinate, style: MarkerStyleOptions) -> MarkerOverlay {
        var style = style
        // The style's icon is meant for the user's own position.
        style.icon = nil
        style.isVisible = true
        return MarkerOverlay(
            id: "crosshair", coordinate: place, icon: MarkerIcon(text: "✛", ascii: "+"), style: style, strength: .vehicle)
    }
}
