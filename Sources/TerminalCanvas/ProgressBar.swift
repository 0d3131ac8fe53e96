/// A progress bar of one row.
public struct ProgressBar: Sendable {
    /// The progress, 0 ... 1; `nil` if it is not known.
    public let fraction: Double?
    /// The painter, which determines the characters of the bar.
    public let painter: Painter

    /// Creates a bar. A fraction below 0 becomes 0, and a fraction above 1 becomes 1. If the fraction is not a number, the progress is not
    /// known.
    public init(fraction: Double?, painter: Painter = .braille) {
        self.painter = painter
        self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
    }

    /// Returns the bar as `columns` characters. The bar is completely full only at 1. In ASCII, it has brackets and needs at least three
    /// columns.
    public func text(columns: Int) -> String {
        let (done, rest) = parts(columns: columns)
        return done + rest
    }

    /// Draws the bar. Returns the number of columns that it takes.
    @discardableResult
    public func draw(into canvas: inout Canvas, column: Int, row: Int, columns: Int, done: Style, rest: Style) -> Int {
        let (first, second) = parts(columns: columns)
        let used = canvas.write(first, column: column, row: row, style: done)
        return used + canvas.write(second, column: saturatingSum(column, used), row: row, style: rest)
    }

    private func parts(columns: Int) -> (done: String, rest: String) {
        let width = min(max(0, columns), Canvas.largestDimension)
        switch painter {
        case .braille: return filled(width, full: "⠶", half: "⠆", empty: "⠄")
        case .sextant, .halfBlock: return filled(width, full: "▬", half: nil, empty: "∙")
        case .ascii:
            guard width > 2 else { return ("", String(repeating: " ", count: width)) }
            let inner = filled(width - 2, full: "#", half: nil, empty: ".")
            return ("[" + inner.done, inner.rest + "]")
        }
    }

    private func filled(_ width: Int, full: Character, half: Character?, empty: Character) -> (done: String, rest: String) {
        let steps = half == nil ? 1 : 2
        let count = Int((fraction ?? 0) * Double(width * steps))
        var done = String(repeating: full, count: count / steps)
        if let half, count % steps != 0 { done.append(half) }
        return (done, String(repeating: empty, count: width - (count + steps - 1) / steps))
    }
}
