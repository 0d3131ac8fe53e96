/// Runs the commands of a feature's geometry (specification 4.3).
struct GeometryReader {
    private enum Command {
        static let moveTo: UInt64 = 1
        static let lineTo: UInt64 = 2
        static let closePath: UInt64 = 7
    }

    private var numbers: ProtobufReader
    private let kind: GeometryKind
    private let extent: Int64
    // A tile of at most 2^30 bytes cannot move a 64-bit cursor by 32-bit steps as far as its end.
    private var x: Int64 = 0
    private var y: Int64 = 0

    init(_ numbers: ProtobufReader, kind: GeometryKind, extent: Int32) {
        self.numbers = numbers
        self.kind = kind
        self.extent = Int64(extent)
    }

    /// Runs all commands, handing parts and vertices to `sink` in units of ``VectorTileBuilder/defaultExtent``.
    mutating func run(into sink: inout some GeometrySink) throws(VectorTileError) {
        var isDrawing = false
        while !numbers.isAtEnd {
            let offset = numbers.position
            let command = try numbers.readVarint()
            let count = command >> 3
            switch command & 7 {
            case Command.moveTo:
                guard count >= 1, kind == .point || count == 1 else { throw VectorTileError(.invalidCommand, at: offset) }
                try readVertices(count, newPartEach: true, into: &sink)
                isDrawing = kind != .point
            case Command.lineTo:
                guard count >= 1, isDrawing else { throw VectorTileError(.invalidCommand, at: offset) }
                try readVertices(count, newPartEach: false, into: &sink)
            case Command.closePath:
                guard count == 1, isDrawing, kind == .polygon else { throw VectorTileError(.invalidCommand, at: offset) }
                isDrawing = false
            default:
                throw VectorTileError(.invalidCommand, at: offset)
            }
        }
    }

    private mutating func readVertices(
        _ count: UInt64, newPartEach: Bool, into sink: inout some GeometrySink
    ) throws(VectorTileError) {
        guard count <= UInt64(numbers.end - numbers.position) / 2 else {
            throw VectorTileError(.missingParameters, at: numbers.position)
        }
        for _ in 0..<count {
            x += Self.unzigzag(try numbers.readVarint())
            y += Self.unzigzag(try numbers.readVarint())
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
        return overflow ? (value < 0 ? .min : .max) : Int32(clamping: product / extent)
    }
}

/// Takes the parts and vertices of a geometry.
protocol GeometrySink {
    mutating func beginPart()
    mutating func addVertex(x: Int32, y: Int32)
}

extension VectorTileBuilder: GeometrySink {}

/// Counts vertices and keeps none.
struct CountingSink: GeometrySink {
    var vertexCount = 0
    mutating func beginPart() {}
    mutating func addVertex(x: Int32, y: Int32) { vertexCount += 1 }
}
