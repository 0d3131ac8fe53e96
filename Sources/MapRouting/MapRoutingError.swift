public import Geo
public import Routing
public import VectorTiles

/// The reason why no route was found on the roads of a map. Callers may use a straight line instead; see `FallbackRouter`.
public enum MapRoutingError: Error, Hashable, Sendable {
    /// The request has no destination, or an invalid place.
    case invalidRequest
    /// The map has too little detail for roads: its highest zoom is below ``MapRouter/leastZoom``.
    case tooCoarse(zoom: Int)
    /// No road that cars may use is within ``MapRouter/reachMeters`` of the place.
    case noRoad(near: Coordinate)
    /// No road leads from one place to the other, or the map ends between them.
    case outsideMap
    /// The places are farther apart than ``MapRouter/longestMeters``.
    case tooFar(meters: Double)
    /// The search reached its limit of steps, tiles or bytes, or the route has too many coordinates.
    case tooLong
    /// A tile along the route cannot be read. The reason is for the user.
    case unreadable(TileID, reason: String)
    /// The task was cancelled.
    case cancelled
}

extension MapRoutingError: CustomStringConvertible {
    /// A description of a few words, without a full stop.
    public var description: String {
        switch self {
        case .invalidRequest: "the request has no destination, or an invalid place"
        case .tooCoarse(let zoom): "the map ends at zoom \(zoom), which is too coarse for streets"
        case .noRoad: "the map has no road near one of the places"
        case .outsideMap: "no route was found on the map's roads"
        case .tooFar(let meters): "the places are \(Int(clamping: Int64(min(meters, 1e9) / 1_000))) km apart, too far to route on the map"
        case .tooLong: "the route is too long to compute on the map's roads"
        case .unreadable(let id, let reason): "tile \(id) of the map cannot be read: \(reason)"
        case .cancelled: "the search was stopped"
        }
    }

    /// The error as the common error of all routers. Only a cancelled search is retryable.
    public var routingError: RoutingError { RoutingError("\(self)", isRetryable: self == .cancelled) }
}
