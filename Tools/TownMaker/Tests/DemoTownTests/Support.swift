import Geo

@testable import DemoTown

/// Towns that all tests share, because a debug build needs a second to make one.
enum Towns {
    static let standard = DemoTown()
    static let other = DemoTown(seed: 7)

    #if DEBUG
        static let few = [standard, other]
        /// Number of times that a test repeats its steps at random places.
        static let tries = 10
    #else
        static let few = [standard, other] + [0, 17, 23, 4242, 0xdead_beef, .max].map { DemoTown(seed: $0) }
        static let tries = 150
    #endif

    static func town(_ seed: UInt64) -> DemoTown { few.first { $0.seed == seed } ?? DemoTown(seed: seed) }
}

/// A point on the town's plane, computed independently of the code under test.
struct Spot: Equatable {
    var x: Double
    var y: Double

    private static let frame = LocalFrame(latitude: DemoTown.marketSquare.latitude)

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    init(_ coordinate: Coordinate) {
        let offset = Self.frame.offsetMeters(from: DemoTown.marketSquare, to: coordinate)
        self.init(x: offset.east, y: offset.north)
    }

    func distance(to other: Spot) -> Double { ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot() }

    func distance(toSegment start: Spot, _ end: Spot) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let squared = dx * dx + dy * dy
        let share = squared > 0 ? min(max(((x - start.x) * dx + (y - start.y) * dy) / squared, 0), 1) : 0
        return distance(to: Spot(x: start.x + dx * share, y: start.y + dy * share))
    }
}

extension Spot {
    /// Whether the point is inside a ring, by the even-odd rule.
    func isInside(_ ring: [Spot]) -> Bool {
        zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(false) { isInside, side in
            let (a, b) = side
            guard (a.y > y) != (b.y > y) else { return isInside }
            return isInside != (x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x))
        }
    }
}

/// A straight segment of a road or another line.
struct Segment {
    var start: Spot
    var end: Spot
    /// The number of the line to which the segment belongs.
    var owner: Int

    /// Whether two segments cross at a point that is an end of neither.
    func crosses(_ other: Segment) -> Bool {
        func side(_ a: Spot, _ b: Spot, _ c: Spot) -> Double { (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) }
        let (first, second) = (side(start, end, other.start), side(start, end, other.end))
        let (third, fourth) = (side(other.start, other.end, start), side(other.start, other.end, end))
        return first * second < 0 && third * fourth < 0
    }

    func touches(_ other: Segment) -> Bool { [other.start, other.end].contains(start) || [other.start, other.end].contains(end) }
}

/// An index for finding all pairs of segments that may meet, by squares of 50 m.
struct SegmentPairs {
    private var squares: [Int: [Int]] = [:]
    let segments: [Segment]

    init(_ segments: [Segment]) {
        self.segments = segments
        for index in segments.indices {
            for key in Self.keys(segments[index]) { squares[key, default: []].append(index) }
        }
    }

    private static func keys(_ segment: Segment) -> [Int] {
        func span(_ a: Double, _ b: Double) -> ClosedRange<Int> {
            Int((min(a, b) / 50).rounded(.down))...Int((max(a, b) / 50).rounded(.down))
        }
        return span(segment.start.x, segment.end.x).flatMap { column in
            span(segment.start.y, segment.end.y).map { column * 100_000 + $0 }
        }
    }

    /// Returns the segments that share a square with the given segment.
    func near(_ segment: Segment) -> [Segment] {
        Set(Self.keys(segment).flatMap { squares[$0] ?? [] }).map { segments[$0] }
    }

    /// Returns each pair of crossing segments once.
    func crossings() -> [(Segment, Segment)] {
        var found: [(Segment, Segment)] = []
        for (number, segment) in segments.enumerated() {
            let others = Set(Self.keys(segment).flatMap { squares[$0] ?? [] })
            for other in others where other > number && segment.crosses(segments[other]) { found.append((segment, segments[other])) }
        }
        return found
    }
}

extension RoadGraph {
    /// Returns the segments of the roads that satisfy a condition. The segments of a two-way road are returned once.
    func segments(where condition: (Edge) -> Bool = { _ in true }) -> [Segment] {
        edges.indices.flatMap { index -> [Segment] in
            let edge = edges[index]
            guard edge.isForward || edge.reverse == nil, condition(edge) else { return [] }
            let line = geometry(ofEdge: index).map { Spot($0) }
            return zip(line, line.dropFirst()).map { Segment(start: $0, end: $1, owner: edge.piece) }
        }
    }
}

extension DemoTown.Feature {
    var rings: [[Coordinate]] {
        if case .polygon(let rings) = geometry { return rings }
        return []
    }

    var coordinates: [Coordinate] {
        switch geometry {
        case .point(let coordinate): [coordinate]
        case .line(let line): line
        case .polygon(let rings): rings.flatMap { $0 }
        }
    }
}
