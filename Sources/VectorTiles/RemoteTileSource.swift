/// A source whose tiles come over a network. Tiles may be late, and the server may refuse them.
///
/// The source's attribution and zoom levels may be unknown at first. ``TileNews/details`` reports that they have become known.
public protocol RemoteTileSource: TileSource {
    /// Events of the source, for a single listener.
    var news: AsyncStream<TileNews> { get }
    /// Whether only stored tiles are available. Callers then load no tiles ahead of the view.
    var isOffline: Bool { get }
    /// Returns the nearest ancestor available without the network, to show until the tile arrives. Nil without such an
    /// ancestor, or if the tile itself is available.
    func standIn(for id: TileID) async -> VectorTile?
    /// Returns the tile if it is available without the network; otherwise nil.
    func kept(_ id: TileID) async -> VectorTile?
    /// Returns the addresses of at most `limit` tiles available without the network, most recently used first. The tiles may be gone
    /// when they are requested.
    func keptTiles(limit: Int) async -> [TileID]
    /// Cuts short the waits before the next requests, so that all servers are asked again now.
    func askNow() async
}

/// An event of a source whose tiles come over a network.
public enum TileNews: Sendable {
    /// The reason why tiles do not arrive; nil when they arrive again.
    case trouble(TileTrouble?)
    /// Tiles answered with ``TileAnswer/notYet`` can be requested again.
    case askAgain
    /// The attribution and zoom levels are known now, or have changed.
    case details
    /// A message to show once, as one sentence.
    case notice(String)
    /// A message about a problem that does not prevent drawing. It is shown among the map's details.
    case remark(String)
}

/// The reason why tiles do not arrive over the network.
public struct TileTrouble: Sendable, Hashable {
    /// The kind of a problem.
    public enum Kind: Sendable, Hashable {
        /// No connection, an unknown host name, or no answer in time.
        case offline
        /// The server's certificate was not accepted, so no request was sent.
        case certificate
        /// The server refuses the request with this HTTP status.
        case refused(Int)
        /// The server fails with this HTTP status.
        case failed(Int)
        /// The server asks to retry later, with this HTTP status.
        case busy(Int)
        /// The server does not support range requests.
        case noRanges
        /// The server answers with web pages, invalid data, too much data, or too many redirects.
        case notATileServer
    }

    /// The kind of the problem.
    public var kind: Kind
    /// The server's host, followed by the port unless it is the default port; never a path or a query.
    public var host: String
    /// A description of the failure in printable characters. It continues a sentence that begins with the server's name.
    public var words: String
    /// Time from the failure to the next try, in seconds.
    public var retrySeconds: Double

    /// Creates the description of a problem with a host, including the time until the next request to the host.
    public init(_ kind: Kind, host: String, words: String, retrySeconds: Double) {
        self.kind = kind
        self.host = host
        self.words = words
        self.retrySeconds = retrySeconds
    }
}
