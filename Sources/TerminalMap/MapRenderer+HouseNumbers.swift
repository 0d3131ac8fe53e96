import Geo
import TerminalCanvas
import VectorTiles

extension MapRenderer {
    /// Largest distance between a stop and a house whose number is shown, in metres.
    private static let houseReachMeters = 60.0
    /// At most this many house numbers are shown around one stop.
    private static let housesPerStop = 10
    /// Longest house number, in characters. Longer texts are lists of several houses.
    private static let longestHouseNumber = 7

    /// A house near a stop.
    private struct House {
        let text: String
        /// Position in cells of the view.
        let place: DotPoint
        /// Distance from the stop, in columns.
        let distance: Double
    }

    /// Writes house numbers around the stops of the trip, if names have left room. The houses nearest to a stop come first.
    func drawHouseNumbers(_ choice: TileChoice, _ pass: MapPass, into canvas: inout Canvas, frame: inout MapFrame) {
        guard let look = pass.style[label: .houseNumber], look.zooms.contains(pass.camera.zoom) else { return }
        let stops = pass.scene.overlays.markers.filter {
            $0.strength == .place && !$0.id.isEmpty && $0.style.isVisible && $0.coordinate.isValid
        }
        guard !stops.isEmpty else { return }
        let style = Style(foreground: look.color, background: pass.background, attributes: look.attributes)
        for stop in stops {
            let houses = choice.placed.indices.flatMap { self.houses(near: stop.coordinate, of: $0, choice, pass) }.sorted {
                ($0.distance, $0.text) < ($1.distance, $1.text)
            }
            for house in houses.prefix(Self.housesPerStop) {
                guard let column = Int(exactly: house.place.x.rounded(.down)), let row = Int(exactly: house.place.y.rounded(.down))
                else { continue }
                let text = pass.text(house.text)
                let width = displayWidth(text)
                let candidate = LabelCandidate(
                    name: stock.number(of: text), width: width, kind: .other, score: 0, style: style,
                    places: [Position(column: column - width / 2, row: row)])
                // The list of written names prevents repetition. Here it starts empty for each house, because the same number may
                // occur in several streets.
                var written: [Int] = []
                write(candidate, pass, into: &canvas, frame: &frame, written: &written)
            }
        }
    }

    private func houses(near stop: Coordinate, of number: Int, _ choice: TileChoice, _ pass: MapPass) -> [House] {
        let dots = pass.viewport.painter.dotsPerCell
        let dot = pass.viewport.dot(at: stop)
        let (x, y) = (dot.x / Double(dots.columns), dot.y / Double(dots.rows))
        let reach = Self.houseReachMeters / pass.camera.metersPerColumn
        let placed = choice.placed[number]
        guard reach.isFinite, pass.viewport.reaches(placed, x: x, y: y, within: reach) else { return [] }
        let tile = stock.houses(of: number)
        let view = pass.viewport.view(of: PlacedTile(tile: tile, place: placed.place, share: placed.share), widestMeters: 0)
        let numbers = tile.features(of: .houseNumber)
        guard effortLeft.names > numbers.count else { return [] }
        effortLeft.names -= numbers.count
        var houses: [House] = []
        for feature in numbers {
            let bounds = tile.bounds[feature]
            let place = view.cells.point(x: bounds.minX, y: bounds.minY)
            let (right, down) = (place.x - x, 2 * (place.y - y))
            let distance = (right * right + down * down).squareRoot()
            guard distance <= reach, view.owns(x: bounds.minX, y: bounds.minY), let text = tile.name(of: feature),
                text.unicodeScalars.count <= Self.longestHouseNumber
            else { continue }
            houses.append(House(text: text, place: place, distance: distance))
        }
        return houses
    }
}

extension Viewport {
    /// Whether a tile can have visible houses near a stop. `x` and `y` are the stop's position in cells, and `reach` is in columns.
    fileprivate func reaches(_ placed: PlacedTile, x: Double, y: Double, within reach: Double) -> Bool {
        let (frame, dots) = (frame(of: placed.share ?? placed.place), painter.dotsPerCell)
        let (left, right) = (max(0, frame.left / Double(dots.columns)), min(Double(size.columns), frame.right / Double(dots.columns)))
        let (top, bottom) = (max(0, frame.top / Double(dots.rows)), min(Double(size.rows), frame.bottom / Double(dots.rows)))
        return x + reach > left && x - reach < right && y + reach > top && y - reach < bottom
    }
}
