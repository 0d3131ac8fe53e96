public import FleetEngine

/// How a map's servers are asked.
public struct OnlineSettings: Sendable {
    /// Who asks: the program and its version.
    public var userAgent: String
    /// Certificates in PEM that are trusted besides the system's.
    public var caFile: String?
    /// Codes of the languages of names, the first choice first.
    public var languages: [String] = []
    /// What is taken from a server, how much at once and for how long.
    public var limits = OnlineLimits()
    /// What was fetched before; nil keeps nothing.
    public var store: TileStore?
    /// Nothing is asked over the network: what is in the store is all there is.
    public var isOffline = false
    /// The clock of limits and pauses; the real one unless a test drives it.
    public var time: any TimeSource = SystemTimeSource()

    public init(userAgent: String) { self.userAgent = userAgent }
}
