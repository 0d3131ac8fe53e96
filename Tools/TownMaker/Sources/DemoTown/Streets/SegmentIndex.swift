/// An index of the segments that pass through each square of the plane.
struct SegmentIndex: Sendable {
    /// A segment in one square. The entry repeats the segment's position, so that a search need not look up most segments.
    struct Entry: Sendable {
        var x: Float
        var y: Float
        var width: Float
        var height: Float
        var segment: Int32
        var road: Int32
        fileprivate var next: Int32
    }

    private let origin: Vector2
    private let cellMeters: Double
    private let columns: Int
    private let rows: Int
    private var heads: [Int32]
    private var entries: [Entry] = []
    /// One bit for each square: whether a segment passes through it. With these bits, a search skips empty squares.
    private var isUsed: [UInt64]
    private let wordsPerRow: Int

    init(box: PlaneBox, cellMeters: Double) {
        origin = box.minimum
        self.cellMeters = cellMeters
        columns = Int((box.maximum.x - box.minimum.x) / cellMeters) + 1
        rows = Int((box.maximum.y - box.minimum.y) / cellMeters) + 1
        heads = [Int32](repeating: -1, count: columns * rows)
        wordsPerRow = (columns + 63) / 64
        isUsed = [UInt64](repeating: 0, count: wordsPerRow * rows)
    }

    private func column(_ x: Double) -> Int { min(max(Int((x - origin.x) / cellMeters), 0), columns - 1) }
    private func row(_ y: Double) -> Int { min(max(Int((y - origin.y) / cellMeters), 0), rows - 1) }

    mutating func insert(_ segment: Int, of road: Int, from start: Vector2, to end: Vector2) {
        var entry = Entry(
            x: Float(start.x), y: Float(start.y), width: Float(end.x - start.x), height: Float(end.y - start.y),
            segment: Int32(truncatingIfNeeded: segment), road: Int32(truncatingIfNeeded: road), next: -1)
        let (firstColumn, lastColumn) = (column(min(start.x, end.x)), column(max(start.x, end.x)))
        for row in row(min(start.y, end.y))...row(max(start.y, end.y)) {
            for column in firstColumn...lastColumn {
                let cell = row * columns + column
                entry.next = heads[cell]
                heads[cell] = Int32(truncatingIfNeeded: entries.count)
                isUsed[row * wordsPerRow + column / 64] |= 1 << UInt64(column % 64)
                entries.append(entry)
            }
        }
    }

    /// Calls `body` with every segment that passes near a box. `body` can get the same segment more than once. The search ends when `body`
    /// returns false.
    ///
    /// A segment that was divided keeps the entries of its old length. Its second half has entries of its own.
    @inline(__always)
    func forEachEntry(from low: Vector2, to high: Vector2, _ body: (Entry) -> Bool) {
        let (firstColumn, lastColumn) = (column(low.x), column(high.x))
        let (firstWord, lastWord) = (firstColumn / 64, lastColumn / 64)
        for row in row(low.y)...row(high.y) {
            for word in firstWord...lastWord {
                var squares = isUsed[row * wordsPerRow + word]
                if word == firstWord { squares &= ~0 << UInt64(firstColumn % 64) }
                if word == lastWord { squares &= ~0 >> UInt64(63 - lastColumn % 64) }
                while squares != 0 {
                    let column = word * 64 + squares.trailingZeroBitCount
                    squares &= squares - 1
                    var place = Int(heads[row * columns + column])
                    while place >= 0 {
                        let entry = entries[place]
                        guard body(entry) else { return }
                        place = Int(entry.next)
                    }
                }
            }
        }
    }

    /// Does the same as `forEachEntry`, but calls `body` with the numbers of the segments.
    @inline(__always)
    func forEach(from low: Vector2, to high: Vector2, _ body: (Int) -> Bool) {
        forEachEntry(from: low, to: high) { body(Int($0.segment)) }
    }
}
