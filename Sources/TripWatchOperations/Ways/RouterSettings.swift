import Logging
import MapRouting
package import ProgramSurroundings
package import Routing
import Synchronization
import TileSources
import TripWatchRuntime
package import TripWatchSettings
package import WebRouting

/// The user's choice of a router, and the settings of that router.
package struct RouterSettings: Sendable {
    /// The routers that a user can choose.
    package enum Choice: Hashable, Sendable {
        /// A router that uses the roads of the base map.
        case map
        /// A router on the network.
        case web(WebRouterAddress)
        /// A router on the network with an invalid address. The address is not shown, because it may contain a key.
        case misaddressed(WebRouterAddress.Kind)
        /// A router on the invented town's roads.
        case demo
        /// A router that draws straight lines.
        case straight

        /// The words that a user types to choose a router.
        package static let words = ["map", "osrm:URL", "valhalla:URL", "straight", "demo"]

        /// Reads a user's choice. Returns nil for text that does not match one of `words`.
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

    /// The chosen router. If nil, the roads of the base map's file are used or, without a file, the roads of the invented town.
    package var choice: Choice?
    /// The base map of the program; nil if none is chosen.
    package var map: Configuration.BaseMap?
    /// CA certificates in PEM for routers on the network, in addition to the system's certificates.
    package var caFile: String?

    package init(choice: Choice? = nil, map: Configuration.BaseMap? = nil, caFile: String? = nil) {
        self.choice = choice
        self.map = map
        self.caFile = caFile
    }

    /// The reason why the choice cannot be used, as a sentence; nil if it can be used.
    package var fault: String? {
        switch choice {
        case .map where path == nil && map != .town: "--router map needs a map with roads: give its file with --basemap."
        case .misaddressed(let kind):
            "--router \(kind.rawValue):URL needs an http or https URL without a user name, as in \(kind.rawValue):http://127.0.0.1:5000."
        default: nil
        }
    }

    /// Whether the base map has roads, which are used if no router is chosen.
    package var hasMapRoads: Bool { path != nil || map == .town }

    private var path: String? { if case .file(let path) = map { path } else { nil } }

    /// Opens the router. In the cases that `cover` selects, a straight line replaces a missing route. Reports go to standard error and to
    /// the log: at the first missing route, and each time the router stops or resumes answering. With `.lasting`, the router of the demo
    /// town has neither straight lines nor reports.
    ///
    /// - Parameter cover: the failures for which a straight line replaces the route. Callers that retry by themselves choose `.lasting`.
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
            // A server draws straight lines itself. A driver (`.any`) needs the fallback: without it, a driver outside the town would wait
            // for a route forever.
            guard cover == .any else { return town }
            let isStandIn = choice == nil && !hasMapRoads
            return FallbackRouter(town, for: cover) { error in news.note(isStandIn && error?.isRetryable == false ? Self.noMap : error) }
        }
    }
}

extension RouterSettings {
    private static let noMap = RoutingError("no map with roads is set; give one with --basemap FILE", isRetryable: false)

    /// Returns a router that uses `router`. At the first route, it reports on standard error and in the log that no map with roads is
    /// set.
    package func straight(_ router: some Router, in surroundings: Surroundings) -> any Router {
        let news = RouterNews(surroundings)
        return AnnouncedRouter(router: router) { news.note(Self.noMap) }
    }
}

/// A router that calls a function before it computes each route.
private struct AnnouncedRouter: Router {
    let router: any Router
    let announce: @Sendable () -> Void

    var name: String { router.name }

    func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        announce()
        return try await router.route(request)
    }
}

/// Reports the reason for straight lines: at the first missing route, and each time the router stops answering. Also reports when
/// the router is answering again.
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
