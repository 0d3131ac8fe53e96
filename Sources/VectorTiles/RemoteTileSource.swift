/// A source whose tiles come over a network: they may be late, and the server may say no.
///
/// Its attribution and zooms may become known only after a while; ``TileNews/details`` tells that they did.
public protocol RemoteTileSource: TileSource {
    /// What happens, for one listener.
    var news: AsyncStream<TileNews> { get }
    /// Whether nothing is fetched that is not kept; then nothing is asked for ahead.
    var isOffline: Bool { get }
    /// The nearest ancestor that is at hand without the network, for the time until the tile itself is there; nil where the tile itself is at
    /// hand, or nothing is.
    func standIn(for id: TileID) async -> VectorTile?
    /// The tile where it is at hand without the network.
    func kept(_ id: TileID) async -> VectorTile?
    /// The addresses of tiles that are at hand without the network, the last used first, at most `limit` of them. They may be gone by the time
    /// they are asked for.
    func keptTiles(limit: Int) async -> [TileID]
    /// Forgets how long servers are to be left alone: they are asked again now.
    func askNow() async
}

/// News of a source whose tiles come over a network.
public enum TileNews: Sendable {
    /// Why tiles do not come; nil when they come again.
    case trouble(TileTrouble?)
    /// What was answered with ``TileAnswer/notYet`` can be asked for again.
    case askAgain
    /// Attribution and zooms have become known, or others.
    case details
    /// Something to tell once, in a sentence.
    case notice(String)
    /// Something that does not keep the map from being drawn, for those who look into its details.
    case remark(String)
}

/// Why tiles do not come over the network.
public struct TileTrouble: Sendable, Hashable {
    /// What can be the matter.
    public enum Kind: Sendable, Hashable {
        /// No connection, no such name, no answer in time.
        case offline
        /// Its certificate is not accepted, and so it was asked for nothing.
        case certificate
        /// The server says no, with this HTTP status.
        case refused(Int)
        /// The server fails, with this HTTP status.
        case failed(Int)
        /// The server wants to be asked later, with this HTTP status.
        case busy(Int)
        /// The server does not give parts of a file.
        case noRanges
        /// It answers with pages, garbage, too much, or from one address to the next.
        case notATileServer
    }

    /// What is the matter.
    public var kind: Kind
    /// The server's host, with its port where that is not the usual one; never a path or a query.
    public var host: String
    /// What happened, in printable words that continue a sentence about the server.
    public var words: String
    /// From the failure to the next try, seconds.
    public var retrySeconds: Double

    /// What is the matter with a host, and when it is asked again.
    public init(_ kind: Kind, host: String, words: String, retrySeconds: Double) {
        self.kind = kind
        self.host = host
        self.words = words
        self.retrySeconds = retrySeconds
    }
}
