import FleetEngine
import Geo
import ProgramSurroundings
import TerminalMap
import TripWatchScreen
import VectorTiles

/// The base map of the screen: where it comes from, its tiles, and the names on it.
extension ScreenRunner {
    func use(_ source: any TileSource) {
        tiles = source
        streetFinder = StreetFinder(source)
        let remote = source as? any RemoteTileSource
        // What another map still loads is none of this one's.
        loader?.load([])
        loader = TileLoader(source: source, limit: remote.map { _ in Self.requestsInFlight }) { [weak self] in self?.add($0) }
        dispatch(.baseMap(BaseMap(tiles: TileCache(), zoomRange: source.zoomRange, attribution: source.attribution)))
        if let remote { Task { await listen(to: remote) } }
    }

    func answer(_ question: MapQuestion, _ consent: MapConsent) {
        do throws(Failure) {
            if consent != .once {
                let answer = consent == .always ? "osm" : "none"
                try question.remember(answer)
                dispatch(.notice("Kept in the configuration: basemap = \"\(answer)\"."))
            }
        } catch {
            dispatch(.notice("Not remembered: \(error.message)"))
        }
        guard consent != .never else { return }
        do throws(Failure) {
            let supply = try question.open()
            if let host = supply.host { dispatch(.mapAllowed(host: host)) }
            if let tiles = supply.tiles { use(tiles) }
        } catch {
            dispatch(.notice(error.message))
        }
    }

    /// How many tiles are asked for at once over a network; their source has limits of its own below.
    private static let requestsInFlight = 6

    private func listen(to source: any RemoteTileSource) async {
        for await news in source.news where ending == nil {
            switch news {
            case .askAgain: loader?.retry()
            case .notice(let text): dispatch(.notice(text))
            case .remark(let text): dispatch(.mapRemark(text))
            case .trouble(let trouble): dispatch(.mapTrouble(trouble))
            case .details:
                let tiles = state.baseMap?.tiles ?? TileCache()
                dispatch(.baseMap(BaseMap(tiles: tiles, zoomRange: source.zoomRange, attribution: source.attribution)))
            }
        }
    }

    private func add(_ loaded: LoadedTiles) {
        for (id, tile) in loaded.tiles { dispatch(.tile(id, tile)) }
        if let late = loaded.late { dispatch(.tileIsLate(late)) }
        // One is told: a broken file would fill the line of events.
        guard let problem = loaded.problem, !isBadTileTold else { return }
        isBadTileTold = true
        dispatch(.notice(problem))
    }

    func readNames(near middle: Coordinate) {
        naming?.cancel()
        guard let tiles else { return }
        naming = Task { [weak self] in
            for await event in Self.names(of: tiles, near: middle) { self?.dispatch(event) }
        }
    }

    /// What is known of a map's names as it is read.
    private static func names(of tiles: any TileSource, near middle: Coordinate) -> AsyncStream<AppEvent> {
        AsyncStream { known in
            let reading = Task.detached {
                let index = await PlaceIndex.load(from: tiles, near: middle) { known.yield(.names($0, near: middle, isComplete: false)) }
                known.yield(.names(index, near: middle))
                known.finish()
            }
            known.onTermination = { _ in reading.cancel() }
        }
    }

    func findStreets(_ places: [Coordinate]) {
        // A server is asked for nothing but what is seen.
        guard let tiles, !(tiles is any RemoteTileSource) else { return }
        Task {
            var found: [Coordinate: String] = [:]
            for place in places { found[place] = await tiles.streetName(near: place) }
            if !found.isEmpty { dispatch(.streets(found)) }
        }
    }

    /// Answered at once where that can be: then it is drawn with the place that it is of.
    func findStreet(of car: CarPlace, for trip: TripName) {
        guard let streetFinder else { return }
        let shown = state.baseMap?.tiles
        if case .name(let street) = streetFinder.find(of: car, among: shown) {
            if let street { dispatch(.street(street, of: car, for: trip)) }
            return
        }
        Task {
            if let street = await streetFinder.street(of: car, among: shown) { dispatch(.street(street, of: car, for: trip)) }
        }
    }
}
