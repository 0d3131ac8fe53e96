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
        apply(.baseMap(BaseMap(tiles: TileCache(), zoomRange: source.zoomRange, attribution: source.attribution)))
        if let remote { Task { await listen(to: remote) } }
    }

    func answer(_ question: MapQuestion, _ consent: MapConsent) {
        do throws(Failure) {
            if consent != .once {
                let answer = consent == .always ? "osm" : "none"
                try question.remember(answer)
                send(.notice("Kept in the configuration: basemap = \"\(answer)\"."))
            }
        } catch {
            send(.notice("Not remembered: \(error.message)"))
        }
        guard consent != .never else { return }
        do throws(Failure) {
            let supply = try question.open()
            if let host = supply.host { send(.mapAllowed(host: host)) }
            if let tiles = supply.tiles { use(tiles) }
        } catch {
            send(.notice(error.message))
        }
    }

    /// How many tiles are asked for at once over a network; their source has limits of its own below.
    private static let requestsInFlight = 6

    private func listen(to source: any RemoteTileSource) async {
        for await news in source.news where ending == nil {
            switch news {
            case .askAgain: loader?.retry()
            case .notice(let text): apply(.notice(text))
            case .remark(let text): apply(.mapRemark(text))
            case .trouble(let trouble):
                // Where nothing else moves the clock has stood still.
                for effect in state.update(clock) { perform(effect) }
                apply(.mapTrouble(trouble))
            case .details:
                let tiles = state.baseMap?.tiles ?? TileCache()
                apply(.baseMap(BaseMap(tiles: tiles, zoomRange: source.zoomRange, attribution: source.attribution)))
            }
        }
    }

    private func add(_ loaded: LoadedTiles) {
        for (id, tile) in loaded.tiles where ending == nil { apply(.tile(id, tile)) }
        if let late = loaded.late, ending == nil { apply(.tileIsLate(late)) }
        // One is told: a broken file would fill the line of events.
        guard let problem = loaded.problem, !isBadTileTold else { return }
        isBadTileTold = true
        apply(.notice(problem))
    }

    func readNames(near middle: Coordinate) {
        naming?.cancel()
        guard let tiles else { return }
        let input = input
        naming = Task.detached {
            let index = await PlaceIndex.load(from: tiles, near: middle) { input.yield(.names($0, near: middle, isComplete: false)) }
            if !Task.isCancelled { input.yield(.names(index, near: middle)) }
        }
    }

    func findStreets(_ places: [Coordinate]) {
        // A server is asked for nothing but what is seen.
        guard let tiles, !(tiles is any RemoteTileSource) else { return }
        let input = input
        Task.detached {
            var found: [Coordinate: String] = [:]
            for place in places { found[place] = await tiles.streetName(near: place) }
            if !found.isEmpty { input.yield(.streets(found)) }
        }
    }

    /// Answered at once where that can be: then it is drawn with the place that it is of.
    func findStreet(of car: CarPlace, for trip: TripName) {
        guard let streetFinder else { return }
        let (input, shown) = (input, state.baseMap?.tiles)
        if case .name(let street) = streetFinder.find(of: car, among: shown) {
            guard let street else { return }
            for effect in state.update(.street(street, of: car, for: trip)) { perform(effect) }
            return
        }
        Task {
            if let street = await streetFinder.street(of: car, among: shown) { input.yield(.street(street, of: car, for: trip)) }
        }
    }
}
