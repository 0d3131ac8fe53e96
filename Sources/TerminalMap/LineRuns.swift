import TerminalCanvas

/// A stretch of a line that runs in one direction long enough for a name, in cells of the view.
struct LineRun {
    /// Whether the stretch is level enough for the name to lie on it; else the name lies across it.
    var isLevel: Bool
    /// The corners of the stretch; for a level one x only grows or only falls, for a steep one y does.
    var points: [DotPoint]

    /// The extent along its direction, in cells.
    var length: Double {
        guard let first = points.first, let last = points.last else { return 0 }
        return isLevel ? abs(last.x - first.x) : abs(last.y - first.y)
    }

    /// The place where the stretch has reached `position` across (level) or down (steep); nil outside it.
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
    /// A stretch is level where it rises at most this many rows a column.
    private static let greatestLevelSlope = 0.3

    /// Cuts a line into stretches of one direction each.
    static func runs(of line: [DotPoint]) -> [LineRun] {
        var runs: [LineRun] = []
        var isForward = true
        for (start, end) in zip(line, line.dropFirst()) {
            let isLevel = abs(end.y - start.y) <= greatestLevelSlope * abs(end.x - start.x)
            let advances = isLevel ? end.x >= start.x : end.y >= start.y
            if let last = runs.indices.last, runs[last].isLevel == isLevel, isForward == advances {
                runs[last].points.append(end)
            } else {
                runs.append(LineRun(isLevel: isLevel, points: [start, end]))
                isForward = advances
            }
        }
        return runs
    }
}
