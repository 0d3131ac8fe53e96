extension ScalarGrid {
    /// Returns the closed lines along which the function equals `level`. Lower values are to their left. The first point of a line is not
    /// repeated.
    ///
    /// The algorithm is marching squares. The values at the outermost points of the lattice are treated as higher than `level`, so that
    /// every line closes.
    func contours(at level: Double) -> [[Vector2]] {
        var chains = ContourChains(edgeCount: columns * rows * 2)
        let limit = Float(level)
        for row in 0..<rows - 1 {
            let base = row * columns
            let inside: UInt8 = (row > 0 ? 1 : 0) | (row < rows - 2 ? 2 : 0)
            // `west` and `east` have one bit for each corner on their side of a square. In most squares, all corners are low or all
            // are high. No line crosses such a square, so it is skipped.
            var west: UInt8 = 0
            for index in base + 1..<base + columns {
                var east: UInt8 = (values[index] < limit ? 1 : 0) | (values[index + columns] < limit ? 2 : 0)
                east = index < base + columns - 1 ? east & inside : 0
                if west != east || west == 1 || west == 2 {
                    march(square: index - 1, corners: Int(west & 1 | east << 1 & 6 | west << 2 & 8), into: &chains)
                }
                west = east
            }
        }
        return chains.loops().map { loop in loop.map { crossing(onEdge: $0, level: level) } }
    }

    /// Follows the lines through one square: links the edge at which a line enters the square to the edge at which it leaves. The edges
    /// from point p have the numbers 2p (to the east) and 2p + 1 (to the north).
    ///
    /// - Parameter corners: a bit for each low corner: 1 south-west, 2 south-east, 4 north-east, 8 north-west.
    private func march(square: Int, corners: Int, into chains: inout ContourChains) {
        let south = square * 2
        let (west, north, east) = (south + 1, south + columns * 2, south + 3)
        switch corners {
        case 1: chains.link(south, west)
        case 2: chains.link(east, south)
        case 3: chains.link(east, west)
        case 4: chains.link(north, east)
        case 5:
            chains.link(south, west)
            chains.link(north, east)
        case 6: chains.link(north, south)
        case 7: chains.link(north, west)
        case 8: chains.link(west, north)
        case 9: chains.link(south, north)
        case 10:
            chains.link(east, south)
            chains.link(west, north)
        case 11: chains.link(east, north)
        case 12: chains.link(west, east)
        case 13: chains.link(south, east)
        default: chains.link(west, south)
        }
    }

    private func crossing(onEdge edge: Int, level: Double) -> Vector2 {
        let (column, row) = ((edge / 2) % columns, (edge / 2) / columns)
        let (nextColumn, nextRow) = edge.isMultiple(of: 2) ? (column + 1, row) : (column, row + 1)
        let (start, end) = (self[column, row], self[nextColumn, nextRow])
        let share = start == end ? 0.5 : min(max((level - start) / (end - start), 0.01), 0.99)
        return position(column: column, row: row).interpolated(to: position(column: nextColumn, row: nextRow), fraction: share)
    }
}

/// The links from each lattice edge to the next. An edge has at most one successor.
private struct ContourChains {
    private var next: [Int32]
    private var starts: [Int32] = []

    init(edgeCount: Int) { next = [Int32](repeating: -1, count: edgeCount) }

    mutating func link(_ from: Int, _ to: Int) {
        next[from] = Int32(truncatingIfNeeded: to)
        starts.append(Int32(truncatingIfNeeded: from))
    }

    mutating func loops() -> [[Int]] {
        var found: [[Int]] = []
        for start in starts where next[Int(start)] >= 0 {
            var loop: [Int] = []
            var edge = Int(start)
            while next[edge] >= 0 {
                loop.append(edge)
                let following = Int(next[edge])
                next[edge] = -1
                edge = following
            }
            found.append(loop)
        }
        return found
    }
}
