/// Fleet Engine's encoded route (`current_route_segment`, `encoded_path_to_waypoint`): a polyline of Google's S2 library as URL-safe base64.
///
/// The compressed form (version 2) moves every vertex to the centre of an S2 cell. Its fields, in order:
///
/// - 1 byte: version, 2.
/// - 1 byte: level of the cells, 0...30. Fleet Engine uses level 22, with cells of about 2 m.
/// - Varint: number of vertices n.
/// - Varints: runs of cube faces, 6 · length + face, until n vertices are covered.
/// - 2 · ⌈level / 8⌉ bytes: first vertex, the bits of its column and row on the face interleaved, little endian.
/// - n − 1 varints: later vertices, as zig-zag differences of column and row with their bits interleaved. The second vertex has first
///   differences; all later vertices have second differences.
/// - Varint: number of off-centre points.
/// - For each off-centre point: varint index, then x, y, z as little-endian doubles, which replace that vertex.
///
/// The lossless form also begins with 1 byte: version, 1. A little-endian 32-bit number of vertices follows, then x, y, z of each vertex as
/// little-endian doubles.
public enum S2Polyline {
    /// The cell level that `encode` writes. Fleet Engine uses the same level.
    static let encodedLevel = 22

    /// Encodes coordinates in the compressed form at level 22, as padded URL-safe base64. Each coordinate is moved to the centre of its
    /// cell, by at most about 1.9 m. Invalid coordinates are left out.
    public static func encode(_ coordinates: [Coordinate]) -> String {
        let cells = coordinates.lazy.filter(\.isValid).map { S2Cell(coordinate: $0, level: encodedLevel) }
        var writer = S2ByteWriter(cells: Array(cells))
        return URLSafeBase64.encode(writer.compressed(level: encodedLevel))
    }

    /// Decodes the coordinates in a string. Padding may be missing, and the alphabet of plain base64 is also accepted.
    ///
    /// The memory used depends only on the length of `text`, even if the text announces more points than it contains.
    /// - Parameter maximumCount: the largest number of points.
    /// - Throws: any `PolylineError`.
    public static func decode(_ text: String, maximumCount: Int = .max) throws(PolylineError) -> [Coordinate] {
        var reader = ByteReader(bytes: try URLSafeBase64.decode(text))
        let coordinates: [Coordinate]
        switch try reader.byte() {
        case 1: coordinates = try decodeLossless(&reader, maximumCount)
        case 2: coordinates = try decodeCompressed(&reader, maximumCount)
        case let version: throw .unsupportedVersion(version)
        }
        guard reader.remaining == 0 else { throw .trailingBytes(count: reader.remaining) }
        return coordinates
    }

    private static func decodeLossless(_ reader: inout ByteReader, _ maximumCount: Int) throws(PolylineError) -> [Coordinate] {
        let announced = try reader.littleEndian(byteCount: 4)
        guard announced <= UInt64(min(reader.remaining / 24, maximumCount)) else { throw .tooManyPoints(announced: announced) }
        var coordinates: [Coordinate] = []
        coordinates.reserveCapacity(reader.remaining / 24)
        for index in 0..<Int(truncatingIfNeeded: announced) {
            coordinates.append(try reader.coordinate(index: index))
        }
        return coordinates
    }

    private static func decodeCompressed(_ reader: inout ByteReader, _ maximumCount: Int) throws(PolylineError) -> [Coordinate] {
        let levelByte = try reader.byte()
        guard levelByte <= 30 else { throw .invalidLevel(levelByte) }
        let announced = try reader.varint()
        // Every vertex except the first takes at least a byte; the first may take no byte (at level 0).
        guard announced <= UInt64(min(reader.remaining + 1, maximumCount)) else { throw .tooManyPoints(announced: announced) }
        let count = Int(truncatingIfNeeded: announced)
        if count == 0 && reader.remaining == 0 { return [] }
        let runs = try reader.faceRuns(count: count)
        var coordinates = try reader.vertices(count: count, level: Int(levelByte), runs: runs)
        try reader.replaceOffCenterPoints(in: &coordinates)
        return coordinates
    }
}
