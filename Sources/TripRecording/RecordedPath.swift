import Geo

/// A path as a log has it.
enum RecordedPath: Hashable, Sendable {
    /// An S2 polyline in base64.
    case encoded(String)
    case points([Coordinate])
}

/// Decodes paths once: a driver's route stands in every answer until the next one.
struct PathCache {
    /// A path of more points is taken for none.
    private static let maximumPointCount = 50_000

    private var decoded: [String: Polyline] = [:]

    /// The line along `path`; an empty one for a text that is no path.
    mutating func line(of path: RecordedPath) -> Polyline {
        switch path {
        case .points(let points): return Self.limited(points)
        case .encoded(let text):
            if let known = decoded[text] { return known }
            let line = Self.limited((try? S2Polyline.decode(text)) ?? [])
            decoded[text] = line
            return line
        }
    }

    private static func limited(_ points: [Coordinate]) -> Polyline { Polyline(points.count <= maximumPointCount ? points : []) }
}
