/// Trigonometric functions that use only additions, multiplications, divisions and square roots.
///
/// IEEE 754 rounds these operations the same way on all machines. The results of the C library's `sin` and similar functions may change
/// in the last bit from one release to the next. A seed must always give the same town, and one bit can decide whether two streets meet.
enum SteadyMath {
    /// Returns the sine and cosine of an angle in radians, with an error of at most 1e-13 for |angle| ≤ 1000.
    static func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
        let turns = Int(angle * (2 / Double.pi) + (angle < 0 ? -0.5 : 0.5))
        let (sine, cosine) = series(angle - Double(turns) * (Double.pi / 2))
        switch turns & 3 {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }

    static func sine(_ angle: Double) -> Double { sineAndCosine(angle).sine }

    static func cosine(_ angle: Double) -> Double { sineAndCosine(angle).cosine }

    /// Returns the sine and cosine by their Taylor series, for |angle| ≤ π/4.
    private static func series(_ angle: Double) -> (sine: Double, cosine: Double) {
        let z = angle * angle
        let sineHigh = 1 / 362_880.0 + z * (-1 / 39_916_800.0 + z * (1 / 6_227_020_800.0 - z / 1_307_674_368_000))
        let sine = 1 + z * (-1 / 6.0 + z * (1 / 120.0 + z * (-1 / 5040.0 + z * sineHigh)))
        let cosineHigh = 1 / 40_320.0 + z * (-1 / 3_628_800.0 + z * (1 / 479_001_600.0 - z / 87_178_291_200))
        let cosine = 1 + z * (-1 / 2.0 + z * (1 / 24.0 + z * (-1 / 720.0 + z * cosineHigh)))
        return (sine * angle, cosine)
    }

    /// Returns the angle of the direction (x, y) in radians, in (-π, π]; 0 for (0, 0). The error is at most 1e-15.
    static func arcTangent(y: Double, x: Double) -> Double {
        let (absoluteX, absoluteY) = (abs(x), abs(y))
        guard absoluteX + absoluteY > 0 else { return 0 }
        let steep = absoluteY > absoluteX
        let first = arcTangentOfFraction(steep ? absoluteX / absoluteY : absoluteY / absoluteX)
        let octant = steep ? Double.pi / 2 - first : first
        let half = x < 0 ? Double.pi - octant : octant
        return y < 0 ? -half : half
    }

    /// Returns the arc tangent of a value in 0...1. Two half-angle steps make the value smaller than 0.2; then a series is used.
    private static func arcTangentOfFraction(_ value: Double) -> Double {
        let half = value / (1 + (1 + value * value).squareRoot())
        let quarter = half / (1 + (1 + half * half).squareRoot())
        let z = quarter * quarter
        let tail = 1 / 13.0 + z * (-1 / 15.0 + z * (1 / 17.0 + z * (-1 / 19.0 + z * (1 / 21.0))))
        let middle = 1 / 7.0 + z * (-1 / 9.0 + z * (1 / 11.0 - z * tail))
        return 4 * quarter * (1 + z * (-1 / 3.0 + z * (1 / 5.0 - z * middle)))
    }

    /// Returns the same direction as an angle in -π...π.
    static func wrapped(_ angle: Double) -> Double { angle.remainder(dividingBy: 2 * Double.pi) }
}
