import Geo
import TerminalCanvas

/// The SVG text of a drawing, to which elements are appended. Path coordinates have at most one decimal, and paths are cut at the edges of
/// the view.
struct DrawingText {
    private(set) var text = ""
    /// Number of vertices that may still be added to the drawing.
    private(set) var verticesLeft: Int

    init(maximumVertices: Int) { verticesLeft = maximumVertices }

    /// Appends markup without escaping it.
    mutating func add(_ markup: String) {
        text += markup
        text += "\n"
    }

    /// Appends a filled circle, if more vertices may be added.
    mutating func addDot(at point: DotPoint, radius: Double, fill: String) {
        guard verticesLeft > 0, point.isFinite else { return }
        verticesLeft -= 1
        let (x, y) = (Self.number(point.x), Self.number(point.y))
        add("<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(Self.number(radius))\" fill=\"\(fill)\"/>")
    }

    /// Returns the path commands of a line, cut at the edges of `box`; empty if the line is outside. The line ends early if no more
    /// vertices may be added.
    mutating func path(along points: [DotPoint], in box: PlaneBox) -> String {
        var path = Path()
        for (start, end) in zip(points, points.dropFirst()) {
            guard verticesLeft > 0 else { break }
            verticesLeft -= 1
            guard start.isFinite, end.isFinite, let part = box.part(ofSegmentFromX: start.x, y: start.y, toX: end.x, y: end.y) else {
                continue
            }
            path.move(to: start.moved(towards: end, by: part.enter))
            path.line(to: start.moved(towards: end, by: part.leave))
        }
        return path.commands
    }

    /// Returns the path commands of a ring, cut at the edges of `box`; empty if the ring is outside, or has more
    /// vertices than may still be added.
    mutating func path(around ring: [DotPoint], in box: PlaneBox) -> String {
        guard verticesLeft > ring.count else { return "" }
        verticesLeft -= ring.count
        guard ring.allSatisfy(\.isFinite) else { return "" }
        let inside = box.clipped(ring: ring)
        guard inside.count > 2, let first = inside.first else { return "" }
        var path = Path()
        path.move(to: first)
        for point in inside.dropFirst() { path.line(to: point) }
        return path.commands + "z"
    }

    /// Returns text escaped for use between tags or in quotes.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
        return result
    }

    /// Returns a number as text with at most one decimal; 0 if the number is not finite.
    static func number(_ value: Double) -> String { tenths(rounded(value)) }

    private static func rounded(_ value: Double) -> Int { value.isFinite ? Int((min(max(value, -1e9), 1e9) * 10).rounded()) : 0 }

    private static func tenths(_ tenths: Int) -> String {
        let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
        return (tenths < 0 ? "-" : "") + String(whole) + (rest == 0 ? "" : "." + String(rest))
    }

    /// The commands of a path. Points are rounded to tenths of a unit, and repeated points are left out.
    private struct Path {
        private(set) var commands = ""
        private var (x, y) = (Int.min, Int.min)

        mutating func move(to point: DotPoint) { go(to: point, by: "M") }
        mutating func line(to point: DotPoint) { go(to: point, by: "L") }

        private mutating func go(to point: DotPoint, by command: String) {
            let (x, y) = (DrawingText.rounded(point.x), DrawingText.rounded(point.y))
            if x == self.x && y == self.y { return }
            (self.x, self.y) = (x, y)
            commands += command
            commands += DrawingText.tenths(x)
            commands += " "
            commands += DrawingText.tenths(y)
        }
    }
}

extension DotPoint {
    fileprivate var isFinite: Bool { x.isFinite && y.isFinite }
}

extension PlaneBox {
    /// Returns the part of an area's ring inside the box (I. Sutherland, G. Hodgman, "Reentrant polygon clipping", Communications of
    /// the ACM 17, 1974). Parts that are connected only outside the box become connected along its edges.
    func clipped(ring: [DotPoint]) -> [DotPoint] {
        var ring = ring
        for (isX, edge, sign) in [(true, minX, 1.0), (true, maxX, -1.0), (false, minY, 1.0), (false, maxY, -1.0)] {
            guard var previous = ring.last else { return [] }
            var kept: [DotPoint] = []
            for point in ring {
                let (before, now) = (sign * ((isX ? previous.x : previous.y) - edge), sign * ((isX ? point.x : point.y) - edge))
                if (before >= 0) != (now >= 0) { kept.append(previous.moved(towards: point, by: before / (before - now))) }
                if now >= 0 { kept.append(point) }
                previous = point
            }
            ring = kept
        }
        return ring
    }
}
