/// A point or a displacement on the town's plane: metres east (`x`) and north (`y`) of the market square.
struct Vector2: Equatable, Sendable {
    var x: Double
    var y: Double

    static let zero = Vector2(x: 0, y: 0)

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Creates the vector of this length in the direction `angle`, radians counterclockwise from east.
    init(angle: Double, length: Double = 1) {
        let (sine, cosine) = SteadyMath.sineAndCosine(angle)
        self.init(x: cosine * length, y: sine * length)
    }

    static func + (left: Vector2, right: Vector2) -> Vector2 { Vector2(x: left.x + right.x, y: left.y + right.y) }
    static func - (left: Vector2, right: Vector2) -> Vector2 { Vector2(x: left.x - right.x, y: left.y - right.y) }
    static func * (left: Vector2, right: Double) -> Vector2 { Vector2(x: left.x * right, y: left.y * right) }
    static prefix func - (vector: Vector2) -> Vector2 { Vector2(x: -vector.x, y: -vector.y) }
    static func += (left: inout Vector2, right: Vector2) { left = left + right }

    func dot(_ other: Vector2) -> Double { x * other.x + y * other.y }

    /// Returns the cross product, which is positive if `other` points to the left of this vector.
    func cross(_ other: Vector2) -> Double { x * other.y - y * other.x }

    var lengthSquared: Double { x * x + y * y }
    var length: Double { lengthSquared.squareRoot() }

    func distance(to other: Vector2) -> Double { (other - self).length }

    /// The same direction with length 1; a vector of length 0 is returned unchanged.
    var normalized: Vector2 {
        let length = self.length
        return length > 0 ? self * (1 / length) : self
    }

    /// The vector, turned counterclockwise by 90°.
    var left: Vector2 { Vector2(x: -y, y: x) }

    /// The direction in radians, counterclockwise from east, in (-π, π].
    var angle: Double { SteadyMath.arcTangent(y: y, x: x) }

    /// Returns the vector turned counterclockwise by `angle`, in radians.
    func rotated(by angle: Double) -> Vector2 {
        let (sine, cosine) = SteadyMath.sineAndCosine(angle)
        return Vector2(x: x * cosine - y * sine, y: x * sine + y * cosine)
    }

    func interpolated(to other: Vector2, fraction: Double) -> Vector2 { self + (other - self) * fraction }
}

/// An axis-parallel rectangle on the plane, in metres.
struct PlaneBox: Equatable, Sendable {
    var minimum: Vector2
    var maximum: Vector2

    func contains(_ point: Vector2) -> Bool {
        point.x >= minimum.x && point.x <= maximum.x && point.y >= minimum.y && point.y <= maximum.y
    }

    func padded(by metres: Double) -> PlaneBox {
        PlaneBox(
            minimum: minimum - Vector2(x: metres, y: metres),
            maximum: maximum + Vector2(x: metres, y: metres))
    }
}
