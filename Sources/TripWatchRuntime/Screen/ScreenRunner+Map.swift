import FleetEngine
import Geo
import ProgramSurroundings
import TerminalMap
import TripWatchScreen
import TripWatchWords
import VectorTiles

/// The base map of the screen: its source, tiles, and names of places.
extension ScreenRunner {
    func use(_ source: any TileSource) {
        tiles = source
        streetFinder = StreetFinder(source)
        let remote = source as? any RemoteTileSource
        // Cancels the requests for tiles of the previous map.
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
                dispatch(.notice("Saved in the configuration: basemap = \"\(answer)\"."))
            }
        } catch {
            dispatch(.notice("Not saved: \(error.message)"))
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

    /// The maximum number of simultaneous tile requests over a network. The source may have lower limits of its own.
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
        // Reports only the first unreadable tile, because a damaged file may have many.
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

    /// Reads the names of places on a map, and returns events with the names that are known so far.
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
        // A map server is asked only for visible tiles, so its map is not searched for the names of streets.
        guard let tiles, !(tiles is any RemoteTileSource) else { return }
        Task {
            var found: [Coordinate: String] = [:]
            for place in places { found[place] = await tiles.streetName(near: place) }
            if !found.isEmpty { dispatch(.streets(found)) }
        }
    }

    /// Finds the street of a car: immediately if possible, so that the street appears together with the car's position.
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
