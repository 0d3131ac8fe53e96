import Logging
import MapRouting
package import ProgramSurroundings
package import Routing
import Synchronization
import TileSources
import TripWatchRuntime
package import TripWatchSettings
package import WebRouting

/// The source of routes.
package struct RouterSettings: Sendable {
    /// The routers that a user can choose.
    package enum Choice: Hashable, Sendable {
        /// The roads of the base map.
        case map
        /// A network router.
        case web(WebRouterAddress)
        /// A network router with an invalid address, which is not shown because it may contain a key.
        case misaddressed(WebRouterAddress.Kind)
        /// The invented town's roads.
        case demo
        /// Straight lines.
        case straight

        /// The words for the choices.
        package static let words = ["map", "osrm:URL", "valhalla:URL", "straight", "demo"]

        /// Returns nil for a text that does not match any of `words`.
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

    /// The chosen router; nil for the roads of the map if it is a file, or else of the invented town.
    package var choice: Choice?
    /// The base map of the program.
    package var map: Configuration.BaseMap?
    /// CA certificates in PEM for network routers, in addition to the system's.
    package var caFile: String?

    package init(choice: Choice? = nil, map: Configuration.BaseMap? = nil, caFile: String? = nil) {
        self.choice = choice
        self.map = map
        self.caFile = caFile
    }

    /// The reason why the choice cannot be used, as a sentence.
    package var fault: String? {
        switch choice {
        case .map where path == nil && map != .town: "--router map needs a map with roads: give its file with --basemap."
        case .misaddressed(let kind):
            "--router \(kind.rawValue):URL needs an http or https address such as \(kind.rawValue):http://127.0.0.1:5000, without a user name."
        default: nil
        }
    }

    /// Whether the base map has roads, which are used if no router is chosen.
    package var hasMapRoads: Bool { path != nil || map == .town }

    private var path: String? { if case .file(let path) = map { path } else { nil } }

    /// Opens the router. A straight line replaces a missing route. Standard error and the log report the first missing route, and each time
    /// that the router stops or resumes answering.
    ///
    /// - Parameter cover: whether callers themselves retry while the router does not answer.
    /// - Throws: `Failure` for a file that is not a map.
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
            // A server draws straight lines itself, and most of its trips are outside the town. A driver without a fallback would wait for
            // a route forever.
            return cover == .any ? FallbackRouter(town, for: cover) { news.note($0) } : town
        }
    }
}

extension RouterSettings {
    /// Wraps a router that has no roads, because there is no map. The wrapper reports this with the first route, on standard error and in
    /// the log.
    package func straight(_ router: some Router, in surroundings: Surroundings) -> any Router {
        let news = RouterNews(surroundings)
        return AnnouncedRouter(router: router) {
            news.note(RoutingError("no map with roads is set; give one with --basemap FILE", isRetryable: false))
        }
    }
}

/// Calls a function before each route.
private struct AnnouncedRouter: Router {
    let router: any Router
    let announce: @Sendable () -> Void

    var name: String { router.name }

    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        announce()
        return try await router.route(request)
    }
}

/// Reports why a straight line replaces a router's routes: once if the router has no route, and whenever it stops or resumes answering.
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
            return isNews ? "the route is a straight line: \(printable(error.description))" : nil
        }
        guard let words else { return }
        streams.say("tripwatch: \(words)")
        log.warning("\(words)")
    }
}
