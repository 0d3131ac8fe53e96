/// Runs the commands of a feature's geometry (specification 4.3).
struct GeometryReader {
    private enum Command {
        static let moveTo: UInt64 = 1
        static let lineTo: UInt64 = 2
        static let closePath: UInt64 = 7
    }

    private let kind: GeometryKind
    private let extent: Int64
    // The current position. It cannot overflow: a tile has at most 2^24 bytes, and each step is a 32-bit number.
    private var x: Int64 = 0
    private var y: Int64 = 0

    init(kind: GeometryKind, extent: Int32) {
        self.kind = kind
        self.extent = Int64(extent)
    }

    /// Runs all commands, and passes the parts and vertices to `sink`. Coordinates are in units of ``VectorTileBuilder/defaultExtent``.
    /// Some encoders write a LineTo without vertices, or a ClosePath whose count is not 1. Only a strict reader refuses these.
    ///
    /// - Parameter reader: a reader of the tile; its position changes.
    mutating func run(
        _ numbers: ProtobufReader.Numbers, reader: inout ProtobufReader, into sink: inout some GeometrySink
    ) throws(VectorTileError) {
        try reader.move(to: numbers)
        var isDrawing = false
        while !reader.isAtEnd {
            let offset = reader.position
            let command = try reader.readNumber()
            let count = command >> 3
            switch command & 7 {
            case Command.moveTo:
                guard count >= 1, kind == .point || count == 1 else { throw VectorTileError(.invalidCommand, at: offset) }
                try readVertices(count, newPartEach: true, reader: &reader, into: &sink)
                isDrawing = kind != .point
            case Command.lineTo:
                guard count >= 1 || !reader.isStrict, isDrawing else { throw VectorTileError(.invalidCommand, at: offset) }
                try readVertices(count, newPartEach: false, reader: &reader, into: &sink)
            case Command.closePath:
                guard count == 1 || !reader.isStrict, isDrawing, kind == .polygon else {
                    throw VectorTileError(.invalidCommand, at: offset)
                }
                isDrawing = false
            default:
                throw VectorTileError(.invalidCommand, at: offset)
            }
        }
    }

    private mutating func readVertices(
        _ count: UInt64, newPartEach: Bool, reader: inout ProtobufReader, into sink: inout some GeometrySink
    ) throws(VectorTileError) {
        guard count <= UInt64(reader.end - reader.position) / 2 else {
            throw VectorTileError(.missingParameters, at: reader.position)
        }
        if reader.isLoose {
            for _ in 0..<count {
                x += Self.unzigzag(try reader.readNumber())
                y += Self.unzigzag(try reader.readNumber())
                if newPartEach { sink.beginPart() }
                sink.addVertex(x: scaled(x), y: scaled(y))
            }
            return
        }
        // Nearly all tiles have packed numbers, for which the faster `readVarint` is enough.
        for _ in 0..<count {
            x += Self.unzigzag(try reader.readVarint())
            y += Self.unzigzag(try reader.readVarint())
            if newPartEach { sink.beginPart() }
            sink.addVertex(x: scaled(x), y: scaled(y))
        }
    }

    @inline(__always)
    private static func unzigzag(_ number: UInt64) -> Int64 {
        let value = UInt32(truncatingIfNeeded: number)
        return Int64(Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1))
    }

    @inline(__always)
    private func scaled(_ value: Int64) -> Int32 {
        let target = Int64(VectorTileBuilder.defaultExtent)
        if extent == target { return Int32(clamping: value) }
        let (product, overflow) = value.multipliedReportingOverflow(by: target)
        if overflow { return value < 0 ? .min : .max }
        // Negative numbers are also rounded down, so that a point outside the tile does not move onto its edge.
        return Int32(clamping: (product - (product < 0 ? extent - 1 : 0)) / extent)
    }
}

/// A receiver of the parts and vertices of a geometry.
protocol GeometrySink {
    mutating func beginPart()
    mutating func addVertex(x: Int32, y: Int32)
}

extension VectorTileBuilder: GeometrySink {}

/// Counts vertices without keeping them.
struct CountingSink: GeometrySink {
    var vertexCount = 0
    mutating func beginPart() {}
    mutating func addVertex(x: Int32, y: Int32) { vertexCount += 1 }
}
