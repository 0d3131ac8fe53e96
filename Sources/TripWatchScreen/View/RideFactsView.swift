import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The part of a wide screen beside the events. It shows facts for the rider: the car, its delay, the walk, and the stops with names and
/// times.
struct RideFactsView {
    let page: TripPage
    let state: AppState

    /// Width of the column of row titles.
    private static let titleColumns = 9

    func draw(into sheet: inout Sheet, in area: Rectangle) {
        var row = area.row
        let walk = walk(rows: area.rows).map { [("Walk", $0)] } ?? []
        for (title, text) in facts(columns: area.columns - Self.titleColumns) + walk where row < area.endRow {
            put(title, text, title == page.kind.vehicleTitle ? .card : .text, columns: area.columns, into: &sheet, in: area, row: row)
            row += 1
        }
        for stop in stops(rows: area.endRow - row) {
            let scope: ThemeScope = stop.isNext ? .timelineNow : .text
            let used = sheet.putRight(stop.right, endColumn: area.endColumn, row: row, scope, columns: area.columns / 2)
            // Riders do not know a place by its coordinates. The list of stops still has them.
            put(stop.title, stop.isNamed ? stop.name : "", scope, columns: area.columns - used - 1, into: &sheet, in: area, row: row)
            row += 1
        }
    }

    private func put(
        _ title: String, _ text: String, _ scope: ThemeScope, columns: Int, into sheet: inout Sheet, in area: Rectangle, row: Int
    ) {
        sheet.put(title, column: area.column, row: row, .textQuiet, columns: Self.titleColumns - 1)
        sheet.put(text, column: area.column + Self.titleColumns, row: row, scope, columns: columns - Self.titleColumns)
    }

    private func facts(columns: Int) -> [(String, String)] {
        [(page.kind.vehicleTitle, car), ("Delay", state.delayWords(page, columns: columns) ?? "")].filter { !$0.1.isEmpty }
    }

    /// Returns the walk to the pickup, such as `120 m north`; nil if there is no walk, or if the panel shows it. The panel shows the walk
    /// if no row is free here, if the car is at a stop, or if the user is at the pickup.
    func walk(rows: Int) -> String? {
        let words = state.walkWords(page)
        guard !page.isAtStop, words.count > 1 else { return nil }
        let used = facts(columns: state.size.columns).count + StopList(page, state).stops.count
        return used < rows ? words.last : nil
    }

    private var car: String {
        guard let card = page.card else { return "" }
        let known = [card.plate, card.looks, card.driver].filter { !$0.isEmpty }
        return known.isEmpty ? card.id : known.joined(separator: " ∙ ")
    }

    /// Returns the stops that fit. If there are too many, the list starts at the row about other riders' stops. If there is no such row,
    /// the list starts at the next stop. It starts earlier if rows would stay empty. The last row always shows the last stop.
    private func stops(rows: Int) -> [StopList.Stop] {
        let all = StopList(page, state).stops
        guard rows > 0, all.count > rows, let last = all.last else { return rows > 0 ? all : [] }
        let next = all.firstIndex(where: \.isNext) ?? 0
        let start = min(all.first?.title == "Before" ? 0 : next, all.count - rows)
        return Array(all[start...].prefix(rows - 1)) + [last]
    }
}
