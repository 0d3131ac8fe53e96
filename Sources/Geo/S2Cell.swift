import Glibc

/// A cell of Google's S2 grid. The sphere of the earth is projected onto a cube, and every face is divided into 2^level columns and rows
/// (https://s2geometry.io/devguide/s2cell_hierarchy; the quadratic projection). Geodetic latitudes are used unchanged, as if the earth were
/// a sphere.
struct S2Cell: Hashable {
    /// Number of the face, 0...5: +x, +y, +z, −x, −y, −z.
    let face: UInt8
    /// Column on the face, 0..<2^level.
    let column: Int32
    /// Row on the face, 0..<2^level.
    let row: Int32
    /// Level of the cell, 0...30.
    let level: Int

    /// Creates a cell; nil if the face, column, row or level does not exist.
    init?(face: UInt8, column: Int32, row: Int32, level: Int) {
        guard (0...30).contains(level), face < 6 else { return nil }
        let size = Int32(1) << Int32(level)
        guard column >= 0, column < size, row >= 0, row < size else { return nil }
        self.face = face
        self.column = column
        self.row = row
        self.level = level
    }

    /// Creates the cell that contains a valid coordinate.
    init(coordinate: Coordinate, level: Int) {
        let (face, u, v) = S2Vector(coordinate).facePosition
        self.face = face
        self.level = min(30, max(0, level))
        column = Self.index(u, level: self.level)
        row = Self.index(v, level: self.level)
    }

    var center: Coordinate {
        let scale = Double(1 << level)
        let u = Self.unstretched((Double(column) + 0.5) / scale)
        let v = Self.unstretched((Double(row) + 0.5) / scale)
        return S2Vector(face: face, u: u, v: v).coordinate ?? Coordinate(latitude: 0, longitude: 0)
    }

    private static func index(_ position: Double, level: Int) -> Int32 {
        let size = Double(1 << level)
        let scaled = (stretched(position) * size).rounded(.down)
        return Int32(exactly: min(size - 1, max(0, scaled))) ?? 0
    }

    /// Maps a position on the face from −1...1 to 0...1, so that cells become more equal in area (S2's quadratic UV → ST).
    private static func stretched(_ u: Double) -> Double {
        u >= 0 ? 0.5 * (1 + 3 * u).squareRoot() : 1 - 0.5 * (1 - 3 * u).squareRoot()
    }

    /// Returns the inverse of `stretched`.
    private static func unstretched(_ s: Double) -> Double {
        s >= 0.5 ? (4 * s * s - 1) / 3 : (1 - 4 * (1 - s) * (1 - s)) / 3
    }
}

/// A direction from the centre of the earth, of any length.
struct S2Vector {
    var x: Double
    var y: Double
    var z: Double

    init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    init(_ coordinate: Coordinate) {
        let latitude = coordinate.latitude * Ellipsoid.radiansPerDegree
        let longitude = coordinate.longitude * Ellipsoid.radiansPerDegree
        self.init(x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
    }

    init(face: UInt8, u: Double, v: Double) {
        switch face {
        case 0: self.init(x: 1, y: u, z: v)
        case 1: self.init(x: -u, y: 1, z: v)
        case 2: self.init(x: -u, y: -v, z: 1)
        case 3: self.init(x: -1, y: -v, z: -u)
        case 4: self.init(x: v, y: -1, z: -u)
        default: self.init(x: v, y: u, z: -1)
        }
    }

    /// The cube face to which the direction points, and the position on that face, −1...1 each.
    var facePosition: (face: UInt8, u: Double, v: Double) {
        let (sizeX, sizeY, sizeZ) = (abs(x), abs(y), abs(z))
        if sizeX > sizeY && sizeX > sizeZ { return x > 0 ? (0, y / x, z / x) : (3, z / x, y / x) }
        if sizeX <= sizeY && sizeY > sizeZ { return y > 0 ? (1, -x / y, z / y) : (4, z / y, -x / y) }
        return z > 0 ? (2, -x / z, -y / z) : (5, -y / z, -x / z)
    }

    /// The coordinate in this direction; nil for a vector that is not finite or has no direction.
    var coordinate: Coordinate? {
        guard x.isFinite, y.isFinite, z.isFinite, x != 0 || y != 0 || z != 0 else { return nil }
        let latitude = atan2(z, hypot(x, y)) / Ellipsoid.radiansPerDegree
        let longitude = atan2(y, x) / Ellipsoid.radiansPerDegree
        return Coordinate(latitude: Coordinate.clampedLatitude(latitude), longitude: min(180, max(-180, longitude)))
    }
}
