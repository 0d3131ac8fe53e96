/// Reads the parts of an S2 polyline, in the order in which `S2Polyline` lists them.
extension ByteReader {
    typealias FaceRun = (face: UInt8, end: Int)

    mutating func faceRuns(count: Int) throws(PolylineError) -> [FaceRun] {
        var runs: [FaceRun] = []
        var covered = 0
        while covered < count {
            let start = offset
            let (length, face) = try varint().quotientAndRemainder(dividingBy: 6)
            guard length > 0, length <= UInt64(count - covered) else { throw .invalidFaceRun(offset: start) }
            covered += Int(truncatingIfNeeded: length)
            runs.append((UInt8(truncatingIfNeeded: face), covered))
        }
        return runs
    }

    mutating func vertices(count: Int, level: Int, runs: [FaceRun]) throws(PolylineError) -> [Coordinate] {
        var coordinates: [Coordinate] = []
        coordinates.reserveCapacity(count)
        var columns = SecondDifferences()
        var rows = SecondDifferences()
        for run in runs {
            while coordinates.count < run.end {
                let isFirst = coordinates.isEmpty
                let bits = isFirst ? try littleEndian(byteCount: (level + 7) / 8 * 2) : try varint()
                let pair = BitPair(interleaved: bits)
                let column = columns.undo(isFirst ? Int32(bitPattern: pair.even) : ZigZag.decode(pair.even))
                let row = rows.undo(isFirst ? Int32(bitPattern: pair.odd) : ZigZag.decode(pair.odd))
                guard let cell = S2Cell(face: run.face, column: column, row: row, level: level) else {
                    throw .vertexOutsideFace(index: coordinates.count)
                }
                coordinates.append(cell.center)
            }
        }
        return coordinates
    }

    mutating func replaceOffCenterPoints(in coordinates: inout [Coordinate]) throws(PolylineError) {
        let announced = try varint()
        guard announced <= UInt64(remaining / 25) else { throw .tooManyPoints(announced: announced) }
        for _ in 0..<announced {
            let position = try varint()
            guard position < UInt64(coordinates.count) else { throw .offCenterIndexOutOfRange(position) }
            let index = Int(truncatingIfNeeded: position)
            coordinates[index] = try coordinate(index: index)
        }
    }

    /// Reads three doubles, the components of a vector of any length from the centre of the earth.
    mutating func coordinate(index: Int) throws(PolylineError) -> Coordinate {
        let x = Double(bitPattern: try littleEndian(byteCount: 8))
        let y = Double(bitPattern: try littleEndian(byteCount: 8))
        let z = Double(bitPattern: try littleEndian(byteCount: 8))
        guard let coordinate = S2Vector(x: x, y: y, z: z).coordinate else { throw .invalidPoint(index: index) }
        return coordinate
    }
}

/// Writes the compressed form of an S2 polyline, with its fields in the order in which `S2Polyline` lists them.
struct S2ByteWriter {
    var cells: [S2Cell]
    var bytes: [UInt8] = []

    init(cells: [S2Cell]) {
        self.cells = cells
        bytes.reserveCapacity(cells.count * 3 + 16)
    }

    mutating func compressed(level: Int) -> [UInt8] {
        bytes = [2, UInt8(truncatingIfNeeded: level)]
        appendVarint(UInt64(cells.count))
        appendFaceRuns()
        appendVertices(level: level)
        appendVarint(0)
        return bytes
    }

    private mutating func appendFaceRuns() {
        var run = (face: cells.first?.face ?? 0, length: UInt64(0))
        for cell in cells {
            if cell.face != run.face {
                appendVarint(6 * run.length + UInt64(run.face))
                run = (cell.face, 0)
            }
            run.length += 1
        }
        if run.length > 0 { appendVarint(6 * run.length + UInt64(run.face)) }
    }

    private mutating func appendVertices(level: Int) {
        var columns = SecondDifferences()
        var rows = SecondDifferences()
        for (index, cell) in cells.enumerated() {
            let column = columns.apply(cell.column)
            let row = rows.apply(cell.row)
            if index == 0 {
                let bits = BitPair(even: UInt32(bitPattern: column), odd: UInt32(bitPattern: row)).interleaved
                for byte in 0..<(level + 7) / 8 * 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * byte))) }
            } else {
                appendVarint(BitPair(even: ZigZag.encode(column), odd: ZigZag.encode(row)).interleaved)
            }
        }
    }

    private mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
