/// Finds the dots of a thin line from one dot to another, clipped to a raster. Each step goes to the next dot along the line's major axis.
///
/// The line starts and ends at the centres of dots, so that neighbouring segments meet in the same dot. Clipping leaves out steps, but does
/// not change the remaining ones.
struct LineWalk {
    /// Whether the line is taller than it is wide.
    private let isSteep: Bool
    /// The first and the last step, as positions along the major axis, in dots from the raster's edge.
    private let first: Int
    private let last: Int
    /// The position along the minor axis at the first step, and its change per step. Both are in dots, with 32 fractional bits.
    private let minorAtFirst: Int64
    private let slope: Int64
    /// The direction at the first dot. Each dot after the first has the direction of the step that leads to it.
    private let startDirection: LineDirection
    /// The distance from the start of the line to `first`, in steps, and its change per step, which is 1 or -1.
    let distanceAtFirst: Double
    let distanceStep: Double

    /// A small offset, so that no position lies exactly on the border between two dots. It is larger than the sum of all rounding
    /// errors, so a clipped line has the same dots as the whole line.
    private static let tieBreak = 0x1p-16

    /// Returns the number of steps in the whole line, including clipped ones.
    static func length(from start: DotPoint, to end: DotPoint) -> Double {
        max(abs(end.x.rounded(.down) - start.x.rounded(.down)), abs(end.y.rounded(.down) - start.y.rounded(.down)))
    }

    /// Creates the steps of a line; `nil` if the line has no dot on the raster. No coordinate may exceed ±``DotPoint/farthest``.
    init?(from start: DotPoint, to end: DotPoint, columns: Int, rows: Int) {
        let (ax, ay) = (start.x.rounded(.down), start.y.rounded(.down))
        let (bx, by) = (end.x.rounded(.down), end.y.rounded(.down))
        let steep = abs(by - ay) > abs(bx - ax)
        let (aMajor, aMinor, bMajor, bMinor) = steep ? (ay, ax, by, bx) : (ax, ay, bx, by)
        let isForward = aMajor <= bMajor
        let (fromMajor, fromMinor) = isForward ? (aMajor, aMinor) : (bMajor, bMinor)
        let (toMajor, toMinor) = isForward ? (bMajor, bMinor) : (aMajor, aMinor)
        let span = toMajor - fromMajor
        let ratio = span > 0 ? (toMinor - fromMinor) / span : 0
        let (majorCount, minorCount) = steep ? (Double(rows), Double(columns)) : (Double(columns), Double(rows))

        var low = max(fromMajor, 0)
        var high = min(toMajor, majorCount - 1)
        if ratio != 0 {
            let atStart = fromMajor + (-1 - fromMinor) / ratio
            let atEnd = fromMajor + (minorCount - fromMinor) / ratio
            low = max(low, (min(atStart, atEnd) - 1).rounded(.down))
            high = min(high, (max(atStart, atEnd) + 1).rounded(.up))
        }
        guard low <= high else { return nil }
        let minor = fromMinor + 0.5 + (low - fromMajor) * ratio
        guard ratio != 0 || (minor >= 0 && minor < minorCount) else { return nil }

        isSteep = steep
        first = Int(low)
        last = Int(high)
        minorAtFirst = Int64((min(max(minor, -16), minorCount + 16) + LineWalk.tieBreak) * 0x1p32)
        slope = Int64(ratio * 0x1p32)
        startDirection = LineWalk.direction(isSteep: steep, ratio: ratio, span: span)
        distanceAtFirst = abs(low - aMajor)
        distanceStep = isForward ? 1 : -1
    }

    private static func direction(isSteep: Bool, ratio: Double, span: Double) -> LineDirection {
        if span == 0 { return .point }
        if ratio > 0.75 { return .falling }
        if ratio < -0.75 { return .rising }
        return isSteep ? .upright : .level
    }

    /// Calls `body` with each dot and the line's direction at that dot. A few dots may lie just outside the raster.
    @inline(__always)
    func forEach(_ body: (_ x: Int, _ y: Int, _ direction: LineDirection) -> Void) {
        var minor = minorAtFirst
        var previous = Int(truncatingIfNeeded: minor >> 32)
        var direction = startDirection
        for major in first...last {
            let place = Int(truncatingIfNeeded: minor >> 32)
            if place != previous {
                direction = place > previous ? .falling : .rising
            } else if major != first {
                direction = isSteep ? .upright : .level
            }
            previous = place
            minor &+= slope
            if isSteep { body(place, major, direction) } else { body(major, place, direction) }
        }
    }
}
