/// Smooth noise over the plane: random values on a square lattice, blended with K. Perlin's fade curve. Values are in -1...1.
struct LatticeNoise: Sendable {
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    /// Returns the noise at a point.
    /// - Parameter scale: metres from one lattice point to the next, about half a wavelength.
    func value(at point: Vector2, scale: Double) -> Double {
        let (x, y) = (point.x / scale, point.y / scale)
        let (column, row) = (Self.floor(x), Self.floor(y))
        let (u, v) = (fade(x - Double(column)), fade(y - Double(row)))
        let low = corner(column, row) * (1 - u) + corner(column &+ 1, row) * u
        let high = corner(column, row &+ 1) * (1 - u) + corner(column &+ 1, row &+ 1) * u
        return low * (1 - v) + high * v
    }

    private static func floor(_ value: Double) -> Int64 {
        let whole = Int64(value)
        return value < Double(whole) ? whole - 1 : whole
    }

    private func fade(_ t: Double) -> Double { t * t * t * (t * (t * 6 - 15) + 10) }

    private func corner(_ column: Int64, _ row: Int64) -> Double {
        var bits = seed ^ (UInt64(bitPattern: column) &* 0x9e37_79b9_7f4a_7c15)
        bits = (bits ^ (bits >> 32)) &* 0xd6e8_feb8_6659_fd93
        bits ^= UInt64(bitPattern: row) &* 0xc2b2_ae3d_27d4_eb4f
        bits = (bits ^ (bits >> 32)) &* 0xd6e8_feb8_6659_fd93
        bits ^= bits >> 32
        return Double(Int64(bitPattern: bits >> 11)) * 0x1p-52 - 1
    }
}
