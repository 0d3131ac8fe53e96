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

    private var decoded: [String: [Coordinate]] = [:]

    /// The places of `path`; none for a text that is no path.
    mutating func coordinates(of path: RecordedPath) -> [Coordinate] {
        switch path {
        case .points(let points): return Self.limited(points)
        case .encoded(let text):
            if let known = decoded[text] { return known }
            let coordinates = Self.limited((try? S2Polyline.decode(text)) ?? [])
            decoded[text] = coordinates
            return coordinates
        }
    }

    private static func limited(_ points: [Coordinate]) -> [Coordinate] { points.count <= maximumPointCount ? points : [] }
}
