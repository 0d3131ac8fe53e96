import CNCurses
import TerminalCanvas

/// Draws canvases through ncurses: passes each changed row to ncurses, and collects the bytes that ncurses writes.
///
/// Only one renderer may exist at a time, and only the thread that created it may use it.
final class CanvasRenderer {
    private(set) var size: Size
    private var preparation: RowPreparation
    private var pairs = PairNumbers()
    /// The canvas that the terminal shows; `nil` if the terminal's contents are not known.
    private var shown: Canvas?
    /// The bytes that reset all attributes and colours.
    private let reset = TerminalLifeCycle.string("sgr0") + TerminalLifeCycle.string("op")

    /// Creates a renderer that treats the terminal's contents as unknown. ncurses must be open.
    init(profile: TerminalProfile, size: Size) {
        self.size = size
        let looks = LookTable(depth: profile.colorDepth, numbersDirectly: profile.numbersDirectly)
        preparation = RowPreparation(looks: looks, rules: .ofNCurses(isUTF8: profile.isUTF8))
        cncurses_resize(Int32(clamping: size.rows), Int32(clamping: size.columns))
    }

    func resize(to size: Size) {
        guard size != self.size else { return }
        self.size = size
        cncurses_resize(Int32(clamping: size.rows), Int32(clamping: size.columns))
        shown = nil
    }

    /// Makes the renderer paint the next canvas in full, because the terminal no longer shows the last one.
    func invalidate() {
        cncurses_invalidate()
        shown = nil
    }

    /// Returns the bytes that change the terminal from the last canvas to this canvas; empty if they are equal, or if ncurses's bytes
    /// cannot be collected. A canvas whose size differs from the renderer's is cropped, or padded with blanks.
    func bytes(for canvas: Canvas) -> [UInt8] {
        let fitted = fit(canvas)
        guard fitted != shown else { return [] }
        // Another program may have left colours on, unknown to ncurses. Clearing would then fill the screen with them.
        let start = shown == nil ? reset : []
        tell(fitted)
        if pairs.isFull {
            // Frees all pair numbers, so that they can be assigned to the pairs that this canvas needs.
            pairs.reset()
            invalidate()
            tell(fitted)
        }
        shown = fitted
        if let bytes = collect() { return start + bytes }
        invalidate()
        return []
    }

    private func fit(_ canvas: Canvas) -> Canvas {
        guard canvas.size != size else { return canvas }
        var fitted = Canvas(size: size)
        for row in 0..<min(size.rows, canvas.size.rows) {
            for column in 0..<min(size.columns, canvas.size.columns) where canvas[column, row].width > 0 {
                fitted[column, row] = canvas[column, row]
            }
        }
        return fitted
    }

    // MARK: Passing rows to ncurses

    private func tell(_ canvas: Canvas) {
        let moved = shown.map { moveFirst(from: $0, to: canvas) } ?? []
        for row in 0..<size.rows {
            if let shown, !moved.contains(row), shown.row(row) == canvas.row(row) { continue }
            put(canvas, row: row)
        }
    }

    /// Moves the rows of a map that has scrolled east, so that ncurses deletes characters instead of rewriting the rows. By itself,
    /// ncurses detects only rows that moved up or down.
    ///
    /// - Returns: the indexes of the moved rows.
    private func moveFirst(from old: Canvas, to new: Canvas) -> Set<Int> {
        guard let move = LeftMove(from: old, to: new) else { return [] }
        var moved: Set<Int> = []
        for row in move.rows where cncurses_shift_left(Int32(clamping: row), Int32(clamping: move.columns)) { moved.insert(row) }
        cncurses_update()
        return moved
    }

    private func put(_ canvas: Canvas, row: Int) {
        let cells = pairs.numbered(preparation.prepare(canvas, row: row))
        cncurses_put_row(Int32(clamping: row), cells, cells.count)
    }

    private func collect() -> [UInt8]? {
        let count = cncurses_update()
        var isTaken = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            isTaken = cncurses_take(buffer.baseAddress, count)
            length = isTaken ? count : 0
        }
        return isTaken ? bytes : nil
    }
}

extension GlyphRules {
    /// Returns the rules for the terminal type that ncurses has open.
    fileprivate static func ofNCurses(isUTF8: Bool) -> GlyphRules {
        let wraps = cncurses_has_flag("am")
        return GlyphRules(
            isUTF8: isUTF8, wrapsAtOnce: wraps && !cncurses_has_flag("xenl"),
            insertsLastCell: wraps && !(cncurses_has_string("rmam") && cncurses_has_string("smam")),
            libraryWidth: { Int(cncurses_width($0)) })
    }
}
