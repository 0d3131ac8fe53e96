import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The link to the page in front, with its QR code if there is room. It covers only the map, so the page's data stays visible.
struct LinkView {
    /// Minimum width of the text beside the code, in columns.
    private static let narrowest = 13
    /// Smallest number of map rows in which the link fits.
    private static let fewestRows = 3

    private struct Line {
        var text: String
        var scope = ThemeScope.dialog
    }

    private let link: TripLink
    /// The word for what the link shows: `trip` or `shipment`.
    private let noun: String
    private let area: Rectangle

    /// Creates the view; nil if the page has no link.
    init?(_ state: AppState) {
        guard let link = state.frontLink else { return nil }
        self.link = link
        noun = state.shipment == nil ? "trip" : "shipment"
        let map = ScreenLayout(state, page: state.page).map
        area = map.rows >= Self.fewestRows ? map : Rectangle(state.size)
    }

    func draw(into sheet: inout Sheet) {
        sheet.fill(area, .dialog)
        let inside = area.inset(columns: area.columns > 30 ? 1 : 0)
        guard let code = qrCode(sheet), code.columns <= area.columns else { return draw(lines(inside.size), into: &sheet, in: inside) }
        let dense = lines(Size(columns: inside.columns, rows: 0))
        if code.rows + dense.count <= area.rows {
            let (top, rest) = inside.split(top: code.rows)
            draw(code, into: &sheet, in: top.centred(Size(columns: code.columns, rows: code.rows)))
            draw(lines(rest.size), into: &sheet, in: rest)
        } else if code.rows <= area.rows, code.columns + Self.narrowest + 1 <= area.columns {
            let (left, rest) = area.split(left: code.columns)
            draw(code, into: &sheet, in: left.centred(Size(columns: code.columns, rows: code.rows)))
            let beside = rest.split(left: 1).rest
            draw(lines(beside.size), into: &sheet, in: beside)
        } else {
            draw(lines(inside.size), into: &sheet, in: inside)
        }
    }

    /// Returns the link's QR code; nil if there is no link or the terminal cannot show the code.
    private func qrCode(_ sheet: Sheet) -> QRCode? {
        guard case .served(let link) = link, !sheet.tier.isASCII else { return nil }
        return QRCode(link.address)
    }

    /// Draws the code in black on white if the terminal has colours, because cameras read it best that way.
    private func draw(_ code: QRCode, into sheet: inout Sheet, in area: Rectangle) {
        let depth = sheet.theme.depth
        let style =
            depth == .none
            ? sheet.style(.dialog) : Style(foreground: .palette(0), background: .palette(depth == .ansi8 ? 7 : 15))
        for (index, line) in code.blocks(drawsDark: depth != .none).enumerated() {
            sheet.put(line, column: area.column, row: area.row + index, style: style, columns: area.columns)
        }
    }

    private func draw(_ lines: [Line], into sheet: inout Sheet, in area: Rectangle) {
        for (index, line) in lines.prefix(area.rows).enumerated() {
            sheet.put(line.text, column: area.column, row: area.row + index, line.scope, columns: area.columns)
        }
    }

    /// Returns the lines of the text, with blank lines between its parts if there is room.
    private func lines(_ room: Size) -> [Line] {
        let parts = self.parts.map { part in wrapped(part.text, columns: max(1, room.columns)).map { Line(text: $0, scope: part.scope) } }
        let dense = Array(parts.joined())
        guard dense.count + parts.count - 1 <= room.rows else { return dense }
        return Array(parts.joined(separator: [Line(text: "")]))
    }

    /// Texts of the panel, the most important first.
    private var parts: [Line] {
        switch link {
        case .starting:
            return [Line(text: "LINK", scope: .etaCaption), Line(text: "Asking for a link …"), Line(text: "Esc closes", scope: .textQuiet)]
        case .failed(let reason):
            return [
                Line(text: "NO LINK", scope: .etaCaption), Line(text: reason), Line(text: "Esc closes ∙ S tries again", scope: .textQuiet),
            ]
        case .served(let link):
            let remark = link.remark.isEmpty ? [] : [Line(text: link.remark)]
            return [
                Line(text: "LINK", scope: .etaCaption), Line(text: link.address), Line(text: "D ends it ∙ Esc closes", scope: .textQuiet),
            ] + remark + [Line(text: "The link stops working when the \(noun) ends or this screen closes.", scope: .textQuiet)]
        }
    }
}
