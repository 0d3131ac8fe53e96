extension DotRaster {
    /// Draws the dots of an area in the foreground, thinned out by a texture. Rings close themselves; even-odd rule; clipped exactly.
    ///
    /// A dot is drawn when its centre is inside.
    public mutating func fillPolygon(_ rings: some Sequence<some Sequence<DotPoint>>, texture: DotTexture = .solid, ink: Ink) {
        guard dotColumns > 0, dotRows > 0 else { return }
        scratch.prepare(columns: dotColumns, rows: dotRows)
        scratch.add(rings, scaleX: 1, scaleY: 1)
        var bitmap = CoverageBitmap()
        swap(&bitmap, &scratch)
        let isASCII = painter == .ascii
        withPlotter(ink) { plotter in
            for row in bitmap.touchedRows {
                for word in bitmap.touchedWords {
                    var bits = bitmap.words[row * bitmap.wordsPerRow + word]
                    while bits != 0 {
                        let column = word * 64 + bits.trailingZeroBitCount
                        bits &= bits &- 1
                        guard texture.covers(column, row) else { continue }
                        if isASCII { plotter.mark(column, row, .point) } else { plotter.plot(column, row) }
                    }
                }
            }
        }
        bitmap.removeAll()
        swap(&bitmap, &scratch)
    }

    /// Gives a background colour to the cells of an area: those of which it covers at least half, measured at 2 × 4 places a cell. Rings
    /// close themselves; even-odd rule; clipped exactly. A cell that belongs to a stronger area keeps its colour.
    public mutating func fillCells(_ rings: some Sequence<some Sequence<DotPoint>>, color: Color, priority: UInt8) {
        guard size.columns > 0, size.rows > 0 else { return }
        let dots = painter.dotsPerCell
        scratch.prepare(columns: size.columns * 2, rows: size.rows * 4)
        scratch.add(rings, scaleX: 2 / Double(dots.columns), scaleY: 4 / Double(dots.rows))
        let rank = UInt16(priority) + 1
        if !scratch.touchedRows.isEmpty {
            for row in scratch.touchedRows.lowerBound / 4...(scratch.touchedRows.upperBound - 1) / 4 {
                for word in scratch.touchedWords {
                    var covered = scratch.halfCovered(row: row, word: word)
                    while covered != 0 {
                        let column = word * 32 + covered.trailingZeroBitCount / 2
                        covered &= covered &- 1
                        let index = row * size.columns + column
                        if background[index].rank <= rank { background[index] = BackgroundCell(color: color, rank: rank) }
                    }
                }
            }
        }
        scratch.removeAll()
    }

    /// Gives the whole background one colour that every area covers.
    public mutating func fillBackground(_ color: Color) {
        for index in background.indices where background[index].rank == 0 { background[index].color = color }
    }
}

extension CoverageBitmap {
    /// Two bits a cell, the lower one set where at least four of its 2 × 4 samples are inside, for the 32 cells of one word.
    func halfCovered(row: Int, word: Int) -> UInt64 {
        var even: UInt64 = 0
        var odd: UInt64 = 0
        for line in 0..<4 {
            let bits = words[(row * 4 + line) * wordsPerRow + word]
            let pairs = (bits & 0x5555_5555_5555_5555) + (bits >> 1 & 0x5555_5555_5555_5555)
            even += pairs & 0x3333_3333_3333_3333
            odd += pairs >> 2 & 0x3333_3333_3333_3333
        }
        let enough: UInt64 = 0x4444_4444_4444_4444
        let high: UInt64 = 0x8888_8888_8888_8888
        return ((even + enough) & high) >> 3 | ((odd + enough) & high) >> 1
    }
}
