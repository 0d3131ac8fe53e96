public import Geo
public import Routing
public import VectorTiles

/// Why the roads of a map give no way. Callers then take the straight line and say so.
public enum MapRoutingError: Error, Hashable, Sendable {
    /// The request has no destination, or a place that is none.
    case invalidRequest
    /// The map has no roads in such detail: its largest zoom is below ``MapRouter/leastZoom``.
    case tooCoarse(zoom: Int)
    /// No road that cars may use is within ``MapRouter/reachMeters`` of the place.
    case noRoad(near: Coordinate)
    /// All roads that lead from the one place are known and none reaches the other, or the map ends between them.
    case outsideMap
    /// The places are farther apart than ``MapRouter/longestMeters``.
    case tooFar(meters: Double)
    /// The search came to its bound of steps, tiles or bytes.
    case tooLong
    /// A tile on the way cannot be read; why, for people.
    case unreadable(TileID, reason: String)
    /// The task was cancelled.
    case cancelled
}

extension MapRoutingError: CustomStringConvertible {
    /// A few words for people, without a full stop.
    public var description: String {
        switch self {
        case .invalidRequest: "a place of the request is none"
        case .tooCoarse(let zoom): "the map ends at zoom \(zoom) and its streets are not in it"
        case .noRoad: "a place is outside the map"
        case .outsideMap: "the way leads outside the map"
        case .tooFar(let meters): "the places are \(Int(clamping: Int64(min(meters, 1e9) / 1_000))) km apart, too far for the map's roads"
        case .tooLong: "the way is too long for the map's roads"
        case .unreadable(let id, let reason): "tile \(id) of the map cannot be read: \(reason)"
        case .cancelled: "the search was stopped"
        }
    }

    /// The same as the one error of all routers; only a cancelled search may be tried again.
    public var routingError: RoutingError { RoutingError("\(self)", isRetryable: self == .cancelled) }
}
