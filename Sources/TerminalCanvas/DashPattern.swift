/// The dash pattern of a line: alternating lengths of dashes and gaps, in dots. The first length is that of a dash.
public struct DashPattern: Hashable, Sendable {
    /// The ends of the dashes and gaps, in dots from the start of the pattern; empty for a solid line.
    let ends: [Double]

    /// A line without gaps.
    public static let solid = DashPattern(lengths: [])
    /// Dashes of one dot, with gaps of one dot.
    public static let dotted = DashPattern(lengths: [1, 1])
    /// Dashes of one dot, with gaps of two dots.
    public static let sparse = DashPattern(lengths: [1, 2])
    /// Dashes of five dots, with gaps of three dots.
    public static let dashed = DashPattern(lengths: [5, 3])

    /// Creates a pattern of up to eight lengths. Each length is more than 0 and at most 10⁶ dots, and their sum is at least one dot. Other
    /// lengths give a solid line. If the number of lengths is odd, they are repeated once, so that dashes and gaps alternate.
    public init(lengths: [Double]) {
        guard !lengths.isEmpty, lengths.count <= 8, lengths.allSatisfy({ $0 > 0 && $0 <= 1e6 }), lengths.reduce(0, +) >= 1 else {
            ends = []
            return
        }
        var sum = 0.0
        ends = (lengths.count % 2 == 0 ? lengths : lengths + lengths).map { length in
            sum += length
            return sum
        }
    }

    /// Whether the line has no gaps.
    public var isSolid: Bool { ends.isEmpty }

    /// The alternating lengths of dashes and gaps, in dots; empty for a solid line.
    public var lengths: [Double] { zip(ends, [0] + ends).map { $0 - $1 } }

    /// The length of the whole pattern, in dots; 0 for a solid line.
    var period: Double { ends.last ?? 0 }

    /// Converts a distance along the line to a position 0 ..< ``period`` within the pattern, in dots.
    func place(_ distance: Double) -> Double {
        guard period > 0, distance.isFinite else { return 0 }
        let rest = distance.truncatingRemainder(dividingBy: period)
        return rest < 0 ? rest + period : rest
    }

    /// Returns the index of the dash or gap at a position within the pattern. Dashes have even indices.
    @inline(__always)
    func part(at place: Double) -> Int {
        var index = 0
        while index < ends.count - 1 && place >= ends[index] { index += 1 }
        return index
    }
}
