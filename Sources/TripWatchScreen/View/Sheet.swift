import TerminalCanvas
import TripWatchSettings
import TripWatchWords

/// A canvas with a theme and a set of glyphs, on which views draw.
struct Sheet {
    private(set) var canvas: Canvas
    let theme: Theme
    let tier: GlyphTier
    let painter: Painter
    /// The cells of the names on the map.
    var mapNames: [Rectangle] = []

    init(size: Size, theme: Theme, painter: Painter) {
        canvas = Canvas(size: size, fill: Cell(" ", style: theme.style(.text)))
        self.theme = theme
        self.painter = painter
        tier = GlyphTier(painter)
    }

    func style(_ scope: ThemeScope) -> Style { theme.style(scope) }

    /// Returns the style of a scope on the background of another scope.
    func style(_ scope: ThemeScope, on ground: ThemeScope) -> Style {
        var style = theme.style(scope)
        let under = theme.style(ground)
        style.background = under.background
        if style.foreground == .default { style.foreground = under.foreground }
        if under.attributes.contains(.reverse) {
            style.attributes.insert(.reverse)
        } else if scope == .key || scope == .keyDisabled, theme.style(.footer).attributes.contains(.reverse) {
            // The key styles inherit reverse video from the footer, but this background does not use it.
            style.attributes.remove(.reverse)
        }
        return style
    }

    /// Writes a text, sanitised and cut to `columns`. If the style has no background, the text gets the background of its first cell. If
    /// the style has no text colour either, and that cell is a blank with a background, the text gets the text colour of the cell too.
    /// - Returns: the number of columns used.
    @discardableResult
    mutating func put(_ text: String, column: Int, row: Int, _ scope: ThemeScope, columns: Int) -> Int {
        put(text, column: column, row: row, style: style(scope), columns: columns)
    }

    @discardableResult
    mutating func put(_ text: String, column: Int, row: Int, style: Style, columns: Int) -> Int {
        let shown = fitted(tier.text(text), columns: columns, ellipsis: tier.ellipsis)
        let width = displayWidth(shown)
        var style = style
        if style.background == .default {
            let ground = canvas[column, row]
            style.background = ground.style.background
            if style.foreground == .default, style.background != .default, ground.glyph == .space {
                style.foreground = ground.style.foreground
            }
        }
        canvas.write(shown, column: column, row: row, style: style, limit: columns)
        return width
    }

    /// Writes text that ends before `endColumn`.
    @discardableResult
    mutating func putRight(_ text: String, endColumn: Int, row: Int, _ scope: ThemeScope, columns: Int) -> Int {
        putRight(text, endColumn: endColumn, row: row, style: style(scope), columns: columns)
    }

    /// Writes text that ends before `endColumn`.
    @discardableResult
    mutating func putRight(_ text: String, endColumn: Int, row: Int, style: Style, columns: Int) -> Int {
        let shown = fitted(tier.text(text), columns: columns, ellipsis: tier.ellipsis)
        return put(shown, column: endColumn - displayWidth(shown), row: row, style: style, columns: columns)
    }

    /// Returns the width of a text on this sheet, in columns.
    func width(_ text: String) -> Int { displayWidth(tier.text(text)) }

    mutating func rule(row: Int) {
        canvas.writeRule(tier.rule, column: 0, row: row, length: canvas.size.columns, style: style(.rule))
    }

    mutating func fill(_ area: Rectangle, _ scope: ThemeScope) {
        canvas.fill(area, with: Cell(" ", style: style(scope)))
    }

    /// Passes the canvas to a drawing function.
    mutating func draw<Result>(_ body: (inout Canvas) -> Result) -> Result { body(&canvas) }

    /// Draws an empty box with a frame and returns the area inside the frame.
    mutating func box(_ area: Rectangle, _ scope: ThemeScope) -> Rectangle {
        fill(area, scope)
        let style = style(scope)
        guard area.columns >= 2, area.rows >= 2 else { return .zero }
        let (right, bottom) = (area.endColumn - 1, area.endRow - 1)
        canvas.writeRule(tier.frame[1], column: area.column, row: area.row, length: area.columns, style: style)
        canvas.writeRule(tier.frame[5], column: area.column, row: bottom, length: area.columns, style: style)
        for row in area.row + 1..<bottom {
            canvas[area.column, row] = Cell(tier.frame[7], style: style)
            canvas[right, row] = Cell(tier.frame[3], style: style)
        }
        for (corner, column, row) in [(0, area.column, area.row), (2, right, area.row), (4, right, bottom), (6, area.column, bottom)] {
            canvas[column, row] = Cell(tier.frame[corner], style: style)
        }
        return area.inset(columns: 1, rows: 1)
    }

    /// Removes the names on the map that an area covers, even in part: the rest of a name would look like a word.
    mutating func clearMapNames(under area: Rectangle) {
        for name in mapNames where !name.intersection(area).isEmpty {
            for column in name.column..<name.endColumn {
                canvas[column, name.row] = Cell(glyph: .space, style: Style(background: canvas[column, name.row].style.background))
            }
        }
    }

    /// Returns the finished canvas; with the ASCII painter it contains only ASCII.
    func finished() -> Canvas {
        guard tier.isASCII else { return canvas }
        var result = canvas
        result.reduceToASCII()
        return result
    }
}
