/// A small curve of values over time. If the values do not change, the curve is flat.
public struct Sparkline: Sendable {
    private let values: [Double?]
    private let minimumSpan: Double
    private let painter: Painter

    /// - Parameters:
    ///   - values: the values at equal intervals, oldest first. `nil` and values that are not finite leave a gap.
    ///   - minimumSpan: the smallest range of values that the full height shows. It prevents small changes from looking large.
    public init(values: [Double?], minimumSpan: Double = 0, painter: Painter = .braille) {
        self.values = values.map { $0.flatMap { $0.isFinite ? min(max($0, -1e15), 1e15) : nil } }
        self.minimumSpan = minimumSpan.isFinite ? min(max(0, minimumSpan), 1e15) : 0
        self.painter = painter
    }

    /// Draws the curve into a block, with the last value at the right edge. With more values than columns of dots, each column shows
    /// the newest of its values. With fewer values, each value takes several columns.
    public func draw(into canvas: inout Canvas, in area: Rectangle, style: Style) {
        let target = Rectangle(column: 0, row: 0, columns: area.columns, rows: area.rows).intersection(Rectangle(canvas.size))
        guard !target.isEmpty, let (low, span) = scale() else { return }
        if painter == .ascii && target.rows == 1 {
            drawLine(into: &canvas, in: area, low: low, span: span, style: style)
            return
        }
        var raster = DotRaster(size: target.size, painter: painter)
        let ink = Ink(priority: 0, style: style)
        var previous: Double?
        for column in 0..<raster.dotColumns {
            guard let value = value(at: column, of: raster.dotColumns) else {
                previous = nil
                continue
            }
            let level = ((value - low) / span * Double(raster.dotRows - 1)).rounded()
            let y = Double(raster.dotRows - 1) - level
            let x = Double(column)
            mark(x: x, y: y, from: previous, ink: ink, into: &raster)
            previous = y
        }
        raster.paint(into: &canvas, at: area.origin)
    }

    private func mark(x: Double, y: Double, from previous: Double?, ink: Ink, into raster: inout DotRaster) {
        guard painter != .ascii else {
            raster.plot(DotPoint(x: x, y: y), ink: Ink(priority: ink.priority, style: ink.style, asciiMark: previous == y ? "-" : "*"))
            return
        }
        raster.plot(DotPoint(x: x, y: y), ink: ink)
        guard let previous, abs(previous - y) > 1 else { return }
        let towards = previous + (previous < y ? 1 : -1)
        raster.line(from: DotPoint(x: x, y: towards), to: DotPoint(x: x, y: y), ink: ink)
    }

    /// Draws the curve in one row of ASCII characters, with three levels.
    private func drawLine(into canvas: inout Canvas, in area: Rectangle, low: Double, span: Double, style: Style) {
        let columns = min(area.columns, canvas.size.columns)
        var line = ""
        for column in 0..<columns {
            guard let value = value(at: column, of: columns) else {
                line += " "
                continue
            }
            let level = (value - low) / span
            line += level < 1 / 3 ? "_" : level > 2 / 3 ? "^" : "-"
        }
        canvas.write(line, column: area.column, row: area.row, style: style)
    }

    private func value(at column: Int, of count: Int) -> Double? {
        let end = (column + 1) * values.count
        return values[(end + count - 1) / count - 1]
    }

    /// Returns the lower end of the scale and its span; nil without values. If the values span less than `minimumSpan`, they are in the
    /// middle of the scale.
    private func scale() -> (low: Double, span: Double)? {
        let known = values.compactMap { $0 }
        guard let low = known.min(), let high = known.max() else { return nil }
        let span = max(high - low, minimumSpan)
        return span > 0 ? ((low + high - span) / 2, span) : (low - 0.5, 1)
    }
}
