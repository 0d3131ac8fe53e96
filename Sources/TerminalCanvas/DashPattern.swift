/// The dash pattern of a line: lengths in dots that are alternately drawn and left out, beginning with a drawn length.
public struct DashPattern: Hashable, Sendable {
    /// The end of each part, counted from the start of the pattern; empty for a solid line.
    let ends: [Double]

    /// A line without gaps.
    public static let solid = DashPattern(lengths: [])
    /// One dot drawn, one left out.
    public static let dotted = DashPattern(lengths: [1, 1])
    /// One dot drawn, two left out.
    public static let sparse = DashPattern(lengths: [1, 2])
    /// Five dots drawn, three left out.
    public static let dashed = DashPattern(lengths: [5, 3])

    /// A pattern of up to eight lengths, each over 0 and up to 10⁶ dots, with a sum of at least one dot. Other lengths give a solid line.
    /// If the number of lengths is odd, they are repeated once, so that drawn and empty parts alternate.
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

    /// The lengths in dots, alternately drawn and left out; empty for a solid line.
    public var lengths: [Double] { zip(ends, [0] + ends).map { $0 - $1 } }

    /// The length of the whole pattern in dots; 0 for a solid line.
    var period: Double { ends.last ?? 0 }

    /// A distance along the line as a position 0 ..< ``period`` within the pattern.
    func place(_ distance: Double) -> Double {
        guard period > 0, distance.isFinite else { return 0 }
        let rest = distance.truncatingRemainder(dividingBy: period)
        return rest < 0 ? rest + period : rest
    }

    /// The index of the part at a position; parts with an even index are drawn.
    @inline(__always)
    func part(at place: Double) -> Int {
        var index = 0
        while index < ends.count - 1 && place >= ends[index] { index += 1 }
        return index
    }
}
