import TerminalCanvas

/// The areas of a map as a plane of samples. Each cell has 2 × 4 samples, whichever painter is used. The value of a sample is the
/// number of the area there.
///
/// Areas painted later cover earlier ones. The numbers become colours or textures when the plane is laid under the lines.
struct AreaPlane {
    /// Number of samples across and down in one cell.
    static let samplesAcross = 2
    static let samplesDown = 4
    /// The number of a sample that is not covered by an area.
    static let nothing: UInt8 = 0

    private(set) var columns = 0
    private(set) var rows = 0
    /// The numbers of the samples, row by row from the top left.
    private(set) var samples: [UInt8] = []
    private var isEmpty = true
    /// The work budget that is left: rows crossed by edges, plus samples tested for lines. At 0, painting stops.
    private var effortLeft = 0
    /// One bit per sample, flipped by the edges of the current polygon. All bits are zero between two polygons.
    private var flips: [UInt64] = []
    private var wordsPerRow = 0
    private var touchedRows = Touched()
    private var touchedWords = Touched()
    /// The range of samples in which painting is allowed.
    private var clipColumns = 0..<0
    private var clipRows = 0..<0

    /// Memory used for one cell, in bytes.
    static let bytesPerCell = samplesAcross * samplesDown + samplesAcross * samplesDown / 8
    /// Whether some areas or lines were not painted because the allowed work was used up.
    var isSpent: Bool { effortLeft <= 0 }

    /// A rectangle of samples.
    struct Clip {
        var left: Double
        var top: Double
        var right: Double
        var bottom: Double
    }

    private struct Touched {
        var first = Int.max
        var end = 0

        mutating func include(_ index: Int) {
            first = min(first, index)
            end = max(end, index + 1)
        }

        var range: Range<Int> { first < end ? first..<end : 0..<0 }
    }

    /// Empties the plane and sets its size in cells. Reuses its memory if possible.
    mutating func prepare(_ size: Size, effort: Int = DrawingEffort().areas) {
        let newColumns = max(0, size.columns) * Self.samplesAcross
        let newRows = max(0, size.rows) * Self.samplesDown
        if newColumns != columns || newRows != rows {
            (columns, rows) = (newColumns, newRows)
            wordsPerRow = (columns + 63) / 64
            samples = Array(repeating: Self.nothing, count: columns * rows)
            flips = Array(repeating: 0, count: wordsPerRow * rows)
        } else if !isEmpty {
            for index in samples.indices { samples[index] = Self.nothing }
        }
        isEmpty = true
        effortLeft = effort
        clip(to: nil)
    }

    /// Restricts painting to a part of the plane from now on; nil allows all of it.
    mutating func clip(to clip: Clip?) {
        func range(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
            let first = min(max(low.rounded(), 0), Double(count))
            let end = min(max(high.rounded(), 0), Double(count))
            return first < end ? Int(first)..<Int(end) : 0..<0
        }
        clipColumns = clip.map { range($0.left, $0.right, columns) } ?? 0..<columns
        clipRows = clip.map { range($0.top, $0.bottom, rows) } ?? 0..<rows
    }

    /// Returns the eight samples of a cell, in reading order from the lowest byte. For a cell outside the plane they are ``nothing``.
    @inline(__always)
    func samples(column: Int, row: Int) -> UInt64 {
        guard column >= 0, row >= 0, column < columns / Self.samplesAcross, row < rows / Self.samplesDown else { return 0 }
        let start = row &* Self.samplesDown &* columns &+ column &* Self.samplesAcross
        let columns = columns
        return samples.withUnsafeBytes { bytes in
            func pair(_ line: Int) -> UInt64 {
                UInt64(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: start &+ line &* columns, as: UInt16.self)))
            }
            return pair(0) | pair(1) << 16 | pair(2) << 32 | pair(3) << 48
        }
    }

    /// Whether all samples of a cell are the same.
    @inline(__always)
    static func isUniform(_ samples: UInt64) -> Bool { samples == (samples & 0xff) &* 0x0101_0101_0101_0101 }

    /// Returns which samples of a cell differ from `number`: one bit each, in reading order from the lowest bit.
    @inline(__always)
    static func samples(_ samples: UInt64, otherThan number: UInt8) -> UInt8 {
        let difference = samples ^ UInt64(number) &* 0x0101_0101_0101_0101
        let low = difference & 0x7f7f_7f7f_7f7f_7f7f
        // Marks the highest bit of each byte that is not zero, then moves those bits next to each other.
        let marks = ((low &+ 0x7f7f_7f7f_7f7f_7f7f) | difference) & 0x8080_8080_8080_8080
        return UInt8(truncatingIfNeeded: (marks >> 7) &* 0x0102_0408_1020_4080 >> 56)
    }

    /// Returns the number of a sample; ``nothing`` outside the plane.
    func sample(_ x: Int, _ y: Int) -> UInt8 {
        guard x >= 0, y >= 0, x < columns, y < rows else { return Self.nothing }
        return samples[y * columns + x]
    }
}

// MARK: - Polygons

extension AreaPlane {
    /// Adds an edge to the current polygon, in samples. The edges may be added in any order, but together they must form closed rings.
    ///
    /// Each edge flips one bit in every row whose centre line it crosses: the bit of the first sample to its right. A running exclusive-or
    /// along the row then marks the samples inside the polygon. This is the even-odd rule without sorting.
    mutating func addEdge(fromX startX: Double, y startY: Double, toX endX: Double, y endY: Double) {
        let isDown = startY <= endY
        let (upperX, upperY) = isDown ? (startX, startY) : (endX, endY)
        let (lowerX, lowerY) = isDown ? (endX, endY) : (startX, startY)
        let top = min(max((upperY - 0.5).rounded(.up), 0), Double(rows))
        let bottom = min(max((lowerY - 0.5).rounded(.up), 0), Double(rows))
        guard top < bottom, columns > 0, effortLeft > 0 else { return }
        effortLeft -= Int(bottom) - Int(top)
        let slope = (lowerX - upperX) / (lowerY - upperY)
        let limit = Double(columns)
        for row in Int(top)..<Int(bottom) {
            let sample = (upperX + TilePlacement.gridded((Double(row) + 0.5 - upperY) * slope) - 0.5).rounded(.up)
            guard sample < limit else { continue }
            let column = sample > 0 ? Int(sample) : 0
            flips[row * wordsPerRow + column >> 6] ^= 1 << UInt64(truncatingIfNeeded: column & 63)
            touchedRows.include(row)
            touchedWords.include(column >> 6)
        }
    }

    /// Paints the inside of the polygon whose edges were added, and begins the next polygon. A polygon whose edges use up the allowed
    /// work is not painted.
    mutating func paintPolygon(_ number: UInt8) {
        let words = touchedWords.range.isEmpty ? 0..<0 : touchedWords.first..<wordsPerRow
        for row in touchedRows.range {
            var carry: UInt64 = 0
            for word in words {
                // Beyond the last flip, samples are inside the polygon only if the carry is set.
                if word >= touchedWords.end && carry == 0 { break }
                var bits = flips[row * wordsPerRow + word]
                flips[row * wordsPerRow + word] = 0
                if bits == 0 && carry == 0 { continue }
                bits ^= bits << 1
                bits ^= bits << 2
                bits ^= bits << 4
                bits ^= bits << 8
                bits ^= bits << 16
                bits ^= bits << 32
                bits ^= carry
                carry = 0 &- (bits >> 63)
                if effortLeft > 0 { paint(bits, row: row, word: word, number: number) }
            }
        }
        (touchedRows, touchedWords) = (Touched(), Touched())
    }

    private mutating func paint(_ bits: UInt64, row: Int, word: Int, number: UInt8) {
        guard clipRows.contains(row) else { return }
        isEmpty = false
        let first = word * 64
        let start = row * columns + first
        let count = min(64, clipColumns.upperBound - first)
        var bits = bits
        if clipColumns.lowerBound > first {
            bits &= clipColumns.lowerBound - first >= 64 ? 0 : .max << UInt64(clipColumns.lowerBound - first)
        }
        if bits == .max && count == 64 {
            for index in start..<start + 64 { samples[index] = number }
            return
        }
        while bits != 0 {
            let column = bits.trailingZeroBitCount
            guard column < count else { return }
            samples[start + column] = number
            bits &= bits &- 1
        }
    }
}

// MARK: - Wide lines

extension AreaPlane {
    /// Paints all samples that are at most `radius` from a segment. All lengths are in samples. The ends are round, so segments that meet
    /// need no separate join.
    mutating func paintLine(fromX startX: Double, y startY: Double, toX endX: Double, y endY: Double, radius: Double, number: UInt8) {
        guard columns > 0, radius > 0, (startX + startY + endX + endY).isFinite, effortLeft > 0 else { return }
        let left = max(Double(clipColumns.lowerBound), (min(startX, endX) - radius).rounded(.down))
        let right = min(Double(clipColumns.upperBound), (max(startX, endX) + radius).rounded(.up))
        let top = max(Double(clipRows.lowerBound), (min(startY, endY) - radius).rounded(.down))
        let bottom = min(Double(clipRows.upperBound), (max(startY, endY) + radius).rounded(.up))
        guard left < right, top < bottom else { return }
        isEmpty = false
        let (alongX, alongY) = (endX - startX, endY - startY)
        let lengthSquared = alongX * alongX + alongY * alongY
        let inverse = lengthSquared > 0 ? 1 / lengthSquared : 0
        let radiusSquared = radius * radius
        // Half the width of the line along a row, plus one sample.
        let reach = alongY == 0 ? Double.infinity : radius * lengthSquared.squareRoot() / abs(alongY) + 1
        for row in Int(top)..<Int(bottom) {
            let offsetY = Double(row) + 0.5 - startY
            let middle = alongY == 0 ? startX : startX + offsetY / alongY * alongX
            let first = max(left, (middle - reach).rounded(.down))
            let last = min(right, (middle + reach).rounded(.up))
            guard first < last else { continue }
            effortLeft -= 1 + Int(last) - Int(first)
            for column in Int(first)..<Int(last) {
                let offsetX = Double(column) + 0.5 - startX
                let share = min(1, max(0, (offsetX * alongX + offsetY * alongY) * inverse))
                let distanceX = offsetX - share * alongX
                let distanceY = offsetY - share * alongY
                if distanceX * distanceX + distanceY * distanceY <= radiusSquared { samples[row * columns + column] = number }
            }
        }
    }
}
