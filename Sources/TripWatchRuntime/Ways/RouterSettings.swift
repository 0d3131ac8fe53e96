import Logging
import MapRouting
package import Routing
import Synchronization
import TileSources
package import TripWatchApp

/// Where ways come from.
package struct RouterSettings: Sendable {
    /// What can be asked for.
    package enum Choice: String, CaseIterable, Sendable {
        /// The roads of the base map.
        case map
        /// The invented town's roads.
        case demo
        /// Straight lines.
        case straight
    }

    /// Nil takes the map where there is a file of it, else the invented town.
    package var choice: Choice?
    /// The base map that the program was given.
    package var map: Configuration.BaseMap?

    package init(choice: Choice? = nil, map: Configuration.BaseMap? = nil) {
        (self.choice, self.map) = (choice, map)
    }

    /// Whether the choice lacks its map.
    package var lacksMap: Bool { choice == .map && path == nil && map != .town }

    private var path: String? { if case .file(let path) = map { path } else { nil } }

    /// The router. Where the map has no way the straight line stands in, told once on standard error and in the log.
    /// - Throws: `Failure` for a file that is no map.
    package func open(in surroundings: Surroundings) throws(Failure) -> any Router {
        switch (choice, path) {
        case (.straight, _): return StraightLineRouter()
        case (.map, let path?), (nil, let path?): return try Self.router(on: path, in: surroundings)
        case (.demo, _), (_, nil): return MapRouter(source: try BaseMapFile.openTown())
        }
    }

    private static func router(on path: String, in surroundings: Surroundings) throws(Failure) -> any Router {
        let file = try BaseMapFile.open(path)
        let isTold = Told()
        let (streams, log) = (surroundings.streams, surroundings.log)
        return FallbackRouter(MapRouter(source: file)) { error in
            guard isTold.isFirst() else { return }
            let words = "straight line: \(printable(error.description))"
            streams.say("tripwatch: \(words)")
            log.warning("\(words)")
        }
    }
}

/// Says once that something is the first time.
private final class Told: Sendable {
    private let isTold = Mutex(false)

    func isFirst() -> Bool {
        isTold.withLock { isTold in
            defer { isTold = true }
            return !isTold
        }
    }
}
