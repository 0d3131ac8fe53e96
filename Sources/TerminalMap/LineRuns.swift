import TerminalCanvas

/// A stretch of a line that keeps to one direction, so that a name can be written along it or across it. Positions are in cells.
struct LineRun {
    /// Whether the stretch is level enough for a name along it. If false, a name is written across it.
    let isLevel: Bool
    /// The vertices of the stretch. On a level stretch, x only increases or only decreases; on a steep stretch, y does so.
    let points: ArraySlice<DotPoint>

    /// Length of the stretch: in columns if it is level, in rows if it is steep.
    var length: Double {
        guard let first = points.first, let last = points.last else { return 0 }
        return isLevel ? abs(last.x - first.x) : abs(last.y - first.y)
    }

    /// Returns the point of the stretch at a column (level stretch) or a row (steep stretch). Returns nil if `position` is beyond the ends.
    func point(at position: Double) -> DotPoint? {
        for (start, end) in zip(points, points.dropFirst()) {
            let (from, to) = isLevel ? (start.x, end.x) : (start.y, end.y)
            guard position >= min(from, to), position <= max(from, to), from != to else { continue }
            let share = (position - from) / (to - from)
            return DotPoint(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
        }
        return nil
    }
}

extension LineRun {
    /// Largest slope of a level stretch, in rows per column.
    private static let greatestLevelSlope = 0.3

    /// Splits a line into stretches with one direction each.
    static func runs(of line: [DotPoint]) -> [LineRun] {
        var runs: [LineRun] = []
        var (first, isLevel, isForward) = (0, true, true)
        func end(at last: Int) {
            if first < last { runs.append(LineRun(isLevel: isLevel, points: line[first...last])) }
        }
        for index in line.indices.dropLast() {
            let (acrossX, downY) = (line[index + 1].x - line[index].x, line[index + 1].y - line[index].y)
            let isNowLevel = abs(downY) <= greatestLevelSlope * abs(acrossX)
            let isNowForward = isNowLevel ? acrossX >= 0 : downY >= 0
            if index > 0 && isNowLevel == isLevel && isNowForward == isForward { continue }
            end(at: index)
            first = index
            isLevel = isNowLevel
            isForward = isNowForward
        }
        end(at: line.count - 1)
        return runs
    }
}
