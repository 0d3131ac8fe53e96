import FleetEngine
import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// The link to the shown trip or shipment, with its QR code if there is room. The view covers only the map, so that the trip's data stays
/// visible. If the map is too small, the view covers the whole screen.
struct LinkView {
    /// Minimum width of the text beside the code, in columns.
    private static let narrowest = 13
    /// Smallest number of map rows in which the link fits.
    private static let fewestRows = 3

    private struct Line {
        var text: String
        var scope = ThemeScope.dialog
    }

    /// A part of the text, in forms of decreasing length.
    private struct Part {
        var forms: [String]
        var scope = ThemeScope.dialog
        /// Whether this part is shown instead of the heading if there is no room for both.
        var isImportant = false
    }

    private let link: TripLink
    /// Whether the clipboard contains the link.
    private let isCopied: Bool
    /// The word for what the link shows: `trip`, `order` or `shipment`.
    private let noun: String
    /// The hints for the keys that close the panel and that ask for the link again; empty without a key.
    private let closing: String
    private let retrying: String
    private let area: Rectangle

    /// Creates the view; nil if the page has no link.
    init?(_ state: AppState) {
        guard let link = state.frontLink else { return nil }
        self.link = link
        let isServed = if case .served = link { true } else { false }
        isCopied = if case .served(let served) = link { state.copied == served.address } else { false }
        noun = state.shipment != nil ? "shipment" : state.page?.kind == .order ? "order" : "trip"
        // The key that ends the link cannot close its panel.
        closing = state.closingKey(except: isServed ? AppState.linkEndKey : nil).map { "\($0) closes" } ?? ""
        retrying = state.naming(.shareLink) { "\($0) tries again" }
        let map = ScreenLayout(state, page: state.page).map
        area = map.rows >= Self.fewestRows ? map : Rectangle(state.size)
    }

    func draw(into sheet: inout Sheet) {
        sheet.fill(area, .dialog)
        let inside = area.inset(columns: area.columns > 30 ? 1 : 0)
        guard let code = qrCode(sheet), code.columns <= area.columns else { return draw(lines(inside.size), into: &sheet, in: inside) }
        if code.columns <= inside.columns, code.rows + rows(columns: inside.columns) <= area.rows {
            let (top, rest) = inside.split(top: code.rows)
            draw(code, into: &sheet, in: top)
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

    /// Returns the link's QR code; nil without a link, with the ASCII painter, or if the address is too long for a code.
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

    /// Returns the number of rows that the whole text needs.
    private func rows(columns: Int) -> Int {
        parts.reduce(0) { $0 + wrapped($1.forms.first ?? "", columns: max(1, columns)).count }
    }

    /// Returns the lines of the text. The heading is left out if it takes the place of an important part.
    private func lines(_ room: Size) -> [Line] {
        let whole = lines(parts, room)
        if whole.hasImportant { return whole.lines }
        let bare = lines(Array(parts.dropFirst()), room)
        return bare.hasImportant ? bare.lines : whole.lines
    }

    /// Returns the lines of some parts, with blank lines between the parts if there is room, and whether all important parts are shown.
    /// Each part is shown in its longest form that fits. A part that does not fit in any form is left out, because its first lines could
    /// be mistaken for all of it.
    private func lines(_ parts: [Part], _ room: Size) -> (lines: [Line], hasImportant: Bool) {
        var (shown, hasImportant): ([[Line]], Bool) = ([], true)
        var free = room.rows
        for part in parts {
            let forms = part.forms.map { wrapped($0, columns: max(1, room.columns)) }
            guard let form = forms.first(where: { $0.count <= free }) else {
                hasImportant = hasImportant && !part.isImportant
                continue
            }
            shown.append(form.map { Line(text: $0, scope: part.scope) })
            free -= form.count
        }
        let lines = free < shown.count - 1 ? Array(shown.joined()) : Array(shown.joined(separator: [Line(text: "")]))
        return (lines, hasImportant)
    }

    /// Parts of the panel's text, from top to bottom. A part gets its room before the parts below it.
    private var parts: [Part] {
        switch link {
        case .starting:
            return [
                Part(forms: ["LINK"], scope: .etaCaption), Part(forms: ["Asking for a link …"]),
                Part(forms: [closing], scope: .textQuiet),
            ]
        case .failed(let reason):
            return [
                Part(forms: ["NO LINK"], scope: .etaCaption), Part(forms: [reason] + Self.brief(reason)),
                Part(forms: [Self.joined([closing, retrying]), closing], scope: .textQuiet),
            ]
        case .served(let link):
            let instead = isCopied ? "The link was copied" : "Screen too small to show the link"
            var parts = [
                Part(forms: ["LINK"], scope: .etaCaption), Part(forms: [link.address, instead]),
                Part(forms: [Self.joined(["D ends link", closing]), Self.joined(["D ends", closing])], scope: .textQuiet),
            ]
            // The text before the semicolon says where the link opens. The rest says how to change that, and is left out if there is no
            // room.
            if let clause = link.remark.split(separator: ";").first {
                parts.append(Part(forms: [link.remark, "\(clause)."], isImportant: true))
            }
            parts.append(Part(forms: ["The link stops working when the \(noun) ends or this screen closes."], scope: .textQuiet))
            return parts
        }
    }

    private static func joined(_ hints: [String]) -> String { hints.filter { !$0.isEmpty }.joined(separator: " ∙ ") }

    /// Returns short forms of a reason, the longest first. The first form is the first sentence of the reason, with advice to set the
    /// settings that the reason names. The second form is this advice alone. A reason with a single sentence has only the second form. The
    /// advice leaves out `share_plaintext`, because it does not always help. If the reason names no settings, the only form is a hint to
    /// enlarge the terminal.
    private static func brief(_ reason: String) -> [String] {
        let settings = reason.split { !$0.isLetter && $0 != "_" }.filter { $0.hasPrefix("share_") && $0 != "share_plaintext" }
        guard !settings.isEmpty else { return ["Enlarge the terminal to see the reason"] }
        let advice = "Set \(settings.joined(separator: " or "))"
        let sentences = reason.split(separator: ". ")
        return (sentences.count > 1 ? sentences.prefix(1).map { "\($0). \(advice)" } : []) + [advice]
    }
}
