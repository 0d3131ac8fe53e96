/// The reason why a router's answer cannot be a route. Legs and coordinates are counted from 0.
public enum RouteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The route has no legs, for example because the request has no destinations.
    case noLegs
    /// Leg `leg` has no coordinates.
    case emptyPath(leg: Int)
    /// Coordinate `index` of leg `leg` is invalid.
    case invalidCoordinate(leg: Int, index: Int)
    /// The legs together have more than `limit` coordinates.
    case tooManyCoordinates(limit: Int)
    /// The list of durations does not have one entry for each segment of the path.
    case segmentCountMismatch(leg: Int)
    /// A distance or duration is negative, not a number, or longer than any drive.
    case invalidFigure(leg: Int)

    public var description: String {
        switch self {
        case .noLegs: "the route has no legs"
        case .emptyPath(let leg): "leg \(leg) of the route has no coordinates"
        case .invalidCoordinate(let leg, let index): "coordinate \(index) of leg \(leg) is out of range"
        case .tooManyCoordinates(let limit): "the route has more than \(limit) coordinates"
        case .segmentCountMismatch(let leg): "leg \(leg) needs exactly one duration for each segment of its path"
        case .invalidFigure(let leg): "leg \(leg) has an impossible distance or duration"
        }
    }
}
