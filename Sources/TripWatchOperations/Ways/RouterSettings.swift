import Logging
import MapRouting
package import ProgramSurroundings
package import Routing
import Synchronization
import TileSources
import TripWatchRuntime
package import TripWatchSettings
package import WebRouting

/// Where ways come from.
package struct RouterSettings: Sendable {
    /// What can be asked for.
    package enum Choice: Hashable, Sendable {
        /// The roads of the base map.
        case map
        /// A router on the network.
        case web(WebRouterAddress)
        /// A router on the network at an address that cannot be used, and that is not shown: a key may stand in it.
        case misaddressed(WebRouterAddress.Kind)
        /// The invented town's roads.
        case demo
        /// Straight lines.
        case straight

        /// The words for the choices.
        package static let words = ["map", "osrm:URL", "valhalla:URL", "straight", "demo"]

        /// Nil for what is none of `words`.
        package init?(_ text: String) {
            switch text {
            case "map": self = .map
            case "demo": self = .demo
            case "straight": self = .straight
            default:
                let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, let kind = WebRouterAddress.Kind(rawValue: String(parts[0])) else { return nil }
                self = WebRouterAddress(kind, url: String(parts[1])).map { .web($0) } ?? .misaddressed(kind)
            }
        }
    }

    /// Nil takes the map where there is a file of it, else the invented town.
    package var choice: Choice?
    /// The base map that the program was given.
    package var map: Configuration.BaseMap?
    /// Certificates in PEM that are trusted besides the system's, for routers on the network.
    package var caFile: String?

    package init(choice: Choice? = nil, map: Configuration.BaseMap? = nil, caFile: String? = nil) {
        self.choice = choice
        self.map = map
        self.caFile = caFile
    }

    /// Why the choice cannot be taken, as a sentence for people.
    package var fault: String? {
        switch choice {
        case .map where path == nil && map != .town: "--router map needs a map: name its file with --basemap."
        case .misaddressed(let kind):
            "--router \(kind.rawValue):URL needs an http or https address such as \(kind.rawValue):http://127.0.0.1:5000, without a name in it."
        default: nil
        }
    }

    /// Whether the base map has roads that are taken where no router is chosen.
    package var hasMapRoads: Bool { path != nil || map == .town }

    private var path: String? { if case .file(let path) = map { path } else { nil } }

    /// The router. Where it has no way the straight line stands in, told once on standard error and in the log; so is a router that does not
    /// answer, each time when that begins and ends.
    ///
    /// - Parameter cover: whether callers ask again by themselves while the router does not answer.
    /// - Throws: `Failure` for a file that is no map.
    package func open(for cover: FallbackRouter.Cover, in surroundings: Surroundings) throws(Failure) -> any Router {
        let news = RouterNews(surroundings)
        switch (choice, path) {
        case (.straight, _): return StraightLineRouter()
        case (.web(let address), _):
            return FallbackRouter(WebRouter(address, caFile: caFile), for: cover) { news.note($0) }
        case (.map, let path?), (nil, let path?):
            return FallbackRouter(MapRouter(source: try BaseMapFile.open(path)), for: cover) { news.note($0) }
        case (.demo, _), (.misaddressed, _), (_, nil):
            let town = MapRouter(source: try BaseMapFile.openTown())
            // An engine has straight lines of its own, and most of what it serves lies elsewhere; a driver would wait for a way for ever.
            return cover == .any ? FallbackRouter(town, for: cover) { news.note($0) } : town
        }
    }
}

extension RouterSettings {
    /// A router that knows no roads because no map has been given; its first way says so, on standard error and in the log.
    package func straight(_ router: some Router, in surroundings: Surroundings) -> any Router {
        let news = RouterNews(surroundings)
        return AnnouncedRouter(router: router) {
            news.note(RoutingError("no map with roads is given (--basemap FILE)", isRetryable: false))
        }
    }
}

/// Says something before each of its ways.
private struct AnnouncedRouter: Router {
    let router: any Router
    let announce: @Sendable () -> Void

    var name: String { router.name }

    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        announce()
        return try await router.route(request)
    }
}

/// Tells people why the straight line stands in for a router's ways: once where the router has none, and whenever it stops answering and
/// answers again.
private final class RouterNews: Sendable {
    private struct Told {
        var straightLine = false
        var silence = false
    }

    private let told = Mutex(Told())
    private let streams: StandardStreams
    private let log: Logger

    init(_ surroundings: Surroundings) {
        (streams, log) = (surroundings.streams, surroundings.log)
    }

    func note(_ error: RoutingError?) {
        let words: String? = told.withLock { told in
            guard let error else {
                defer { told.silence = false }
                return told.silence ? "the router answers again" : nil
            }
            let isNews = error.isRetryable ? !told.silence : !told.straightLine
            if error.isRetryable { told.silence = true } else { told.straightLine = true }
            return isNews ? "straight line: \(printable(error.description))" : nil
        }
        guard let words else { return }
        streams.say("tripwatch: \(words)")
        log.warning("\(words)")
    }
}
