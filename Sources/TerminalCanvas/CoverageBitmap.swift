/// Which samples of a grid lie inside an area, by the even-odd rule.
///
/// Every edge flips one bit a row, at the first sample to its right; the inside is then the running exclusive-or along the row. That
/// needs no sorting, no active edges and no memory beyond the bitmap, whatever the polygon.
struct CoverageBitmap: Sendable {
    private(set) var wordsPerRow = 0
    private var columns = 0.0
    private var rows = 0.0
    private(set) var words: [UInt64] = []
    /// The rows and words touched since the last ``removeAll()``.
    private(set) var touchedRows = 0..<0
    private(set) var touchedWords = 0..<0

    /// Prepares for an area of at most this many samples across and down. All bits are zero afterwards.
    mutating func prepare(columns: Int, rows: Int) {
        let perRow = (columns + 63) / 64
        if perRow != wordsPerRow || words.count != perRow * rows {
            wordsPerRow = perRow
            words = Array(repeating: 0, count: perRow * rows)
        }
        self.columns = Double(columns)
        self.rows = Double(rows)
        touchedRows = 0..<0
        touchedWords = 0..<0
    }

    /// Flips the bits along the border of the rings, scaled from dots to samples. Each ring closes itself; points without a place are left
    /// out.
    mutating func add(_ rings: some Sequence<some Sequence<DotPoint>>, scaleX: Double, scaleY: Double) {
        var bounds = TouchedBounds()
        let (columns, rows, perRow) = (columns, rows, wordsPerRow)
        words.withUnsafeMutableBufferPointer { words in
            for ring in rings {
                var first: DotPoint?
                var previous: DotPoint?
                for point in ring {
                    guard let point = point.bounded else { continue }
                    let sample = DotPoint(x: point.x * scaleX, y: point.y * scaleY)
                    if let previous {
                        CoverageBitmap.flip(previous, sample, columns, rows, perRow, words, &bounds)
                    } else {
                        first = sample
                    }
                    previous = sample
                }
                if let previous, let first { CoverageBitmap.flip(previous, first, columns, rows, perRow, words, &bounds) }
            }
        }
        touchedRows = bounds.firstRow < bounds.endRow ? bounds.firstRow..<bounds.endRow : 0..<0
        touchedWords = bounds.firstWord < bounds.endWord ? bounds.firstWord..<bounds.endWord : 0..<0
        fillRows()
    }

    /// Flips one bit in every row whose centre line the edge crosses.
    private static func flip(
        _ a: DotPoint, _ b: DotPoint, _ columns: Double, _ rows: Double, _ perRow: Int, _ words: UnsafeMutableBufferPointer<UInt64>,
        _ bounds: inout TouchedBounds
    ) {
        let (upper, lower) = a.y <= b.y ? (a, b) : (b, a)
        let top = min(max((upper.y - 0.5).rounded(.up), 0), rows)
        let bottom = min(max((lower.y - 0.5).rounded(.up), 0), rows)
        guard top < bottom else { return }
        let (firstRow, endRow) = (Int(top), Int(bottom))
        let height = lower.y - upper.y
        let width = lower.x - upper.x
        bounds.firstRow = min(bounds.firstRow, firstRow)
        bounds.endRow = max(bounds.endRow, endRow)
        for row in firstRow..<endRow {
            let x = upper.x + (Double(row) + 0.5 - upper.y) / height * width
            let sample = (x - 0.5).rounded(.up)
            guard sample < columns else { continue }
            let column = sample > 0 ? Int(sample) : 0
            words[row * perRow + column >> 6] ^= 1 << UInt64(truncatingIfNeeded: column & 63)
            bounds.firstWord = min(bounds.firstWord, column >> 6)
        }
        let rightmost = max(upper.x, lower.x)
        bounds.endWord = max(bounds.endWord, rightmost >= columns ? perRow : Int(max(0, rightmost)) / 64 + 1)
    }

    /// Turns flips into insides: each bit becomes the exclusive-or of all bits to its left and itself.
    private mutating func fillRows() {
        let (rows, span, perRow) = (touchedRows, touchedWords, wordsPerRow)
        let tail = Int(columns) & 63
        let tailMask: UInt64 = tail == 0 ? .max : 1 << UInt64(truncatingIfNeeded: tail) - 1
        words.withUnsafeMutableBufferPointer { words in
            for row in rows {
                var carry: UInt64 = 0
                for word in span {
                    var bits = words[row * perRow + word]
                    bits ^= bits << 1
                    bits ^= bits << 2
                    bits ^= bits << 4
                    bits ^= bits << 8
                    bits ^= bits << 16
                    bits ^= bits << 32
                    bits ^= carry
                    carry = 0 &- (bits >> 63)
                    words[row * perRow + word] = word == perRow - 1 ? bits & tailMask : bits
                }
            }
        }
    }

    /// Clears what was touched.
    mutating func removeAll() {
        for row in touchedRows {
            for word in touchedWords { words[row * wordsPerRow + word] = 0 }
        }
        touchedRows = 0..<0
        touchedWords = 0..<0
    }
}

/// The rows and words of a bitmap that edges have touched.
private struct TouchedBounds {
    var firstRow = Int.max
    var endRow = 0
    var firstWord = Int.max
    var endWord = 0
}
