import ConsumerMap
import FleetEngine
import Geo
import TerminalCanvas
import TerminalMap
import TripWatchSettings
import TripWatchWords

extension AppState {
    /// Opens the search, and reads the names around the view if they are not known. For a network map they are always read again,
    /// since more tiles may have been stored.
    mutating func openSearch() -> [AppEffect] {
        open(.search(PlaceSearch()))
        guard baseMap != nil else { return [] }
        let middle = map.camera.center
        let isAround = names?.isAround(middle) ?? false
        if isAround, mapHost == nil { return [] }
        names = KnownNames(index: isAround ? names?.index ?? PlaceIndex() : PlaceIndex(), middle: middle)
        return [.readNames(near: middle)]
    }

    mutating func applyNames(_ index: PlaceIndex, near middle: Coordinate, isComplete: Bool) {
        guard let known = names, known.middle == middle, isComplete || index.count >= known.index.count else { return }
        names = KnownNames(index: index, middle: middle, isLoading: !isComplete)
        guard case .search(let search) = overlay else { return }
        look(for: search.words)
        // A name that is already selected stays selected.
        guard let chosen = search.chosen, case .search(var renewed) = overlay else { return }
        renewed.focus = renewed.found.firstIndex { $0.name == chosen.name && $0.kind == chosen.kind } ?? 0
        overlay = .search(renewed)
        scrollToChosen()
    }

    /// Handles a key while the search is open. Characters without Ctrl are added to the search text.
    mutating func press(_ key: Key, _ action: AppAction?, in search: PlaceSearch) -> [AppEffect] {
        var search = search
        let isControl = key.modifiers.contains(.control)
        // One line of the previous page stays visible.
        let page = max(1, (OverlayText(self)?.scrolledRows(size) ?? 2) - 1)
        switch key.code {
        case .escape: overlay = nil
        case .enter: goTo(search)
        case .pageUp: move(&search, by: -page)
        case .pageDown: move(&search, by: page)
        case .home: move(&search, by: -PlaceSearch.maximumCount)
        case .end: move(&search, by: PlaceSearch.maximumCount)
        case .up, .backtab: move(&search, by: -1)
        case .down, .tab: move(&search, by: 1)
        case .character("p") where isControl: move(&search, by: -1)
        case .character("n") where isControl: move(&search, by: 1)
        case .character("u") where isControl: look(for: "")
        case .backspace: look(for: String(search.words.dropLast()))
        case .character(let character) where !isControl && search.words.count < PlaceSearch.maximumLength:
            look(for: search.words + String(character))
        default: break
        }
        return []
    }

    /// Stops of the trip in front, named as in the list of stops.
    var tripStops: PlaceIndex {
        var index = PlaceIndex()
        guard let page, let trip = page.trip else { return index }
        func add(_ kind: String, _ name: String, _ place: Coordinate?) {
            guard let place, place.isValid else { return }
            index.addTripStop(name.isEmpty ? kind : "\(kind) \(name)", at: place)
        }
        add(page.kind.stop(.pickup), page.names.pickup, trip.pickupPoint)
        let count = trip.intermediateDestinations.count
        for (number, (place, name)) in zip(trip.intermediateDestinations, page.names.stopPlaces).enumerated() {
            add(count > 1 ? "Stop \(number + 1)" : "Stop", name, place)
        }
        add("Drop-off", page.names.dropoff, trip.dropoffPoint)
        return index
    }

    private mutating func look(for words: String) {
        var search = PlaceSearch(words: words)
        let middle = map.camera.center
        let own = tripStops.search(words, near: middle)
        let others = names?.index.search(words, near: middle, limit: PlaceSearch.maximumCount) ?? []
        search.found = Array((own + others).prefix(PlaceSearch.maximumCount))
        overlay = .search(search)
        scroll = 0
    }

    private mutating func move(_ search: inout PlaceSearch, by step: Int) {
        guard !search.found.isEmpty else { return }
        search.focus = min(max(0, search.focus + step), search.found.count - 1)
        overlay = .search(search)
        scrollToChosen()
    }

    /// Scrolls the results so that the selected one is visible.
    mutating func scrollToChosen() {
        guard case .search(let search) = overlay, let rows = OverlayText(self)?.scrolledRows(size) else { return }
        scroll = min(max(scroll, search.focus - rows + 1), search.focus)
    }

    private mutating func goTo(_ search: PlaceSearch) {
        guard let place = search.chosen else { return }
        overlay = nil
        map.center(on: place.coordinate, minimumZoom: place.zoom)
        remember(place)
        say("\(place.name) ∙ \(place.kind.word)")
    }

    /// Remembers the name for a booking. Names of areas and of water are left out, because they do not tell the driver where to stop.
    private mutating func remember(_ place: NamedPlace) {
        switch place.kind {
        case .place, .water: return
        case .tripStop, .stop, .street, .pointOfInterest: break
        }
        foundPlaces.removeAll { $0 == place }
        foundPlaces.append(place)
    }
}

extension NamedPlace.Kind {
    var word: String {
        switch self {
        case .tripStop: "this trip"
        case .place, .pointOfInterest: "place"
        case .stop: "station or stop"
        case .street: "street"
        case .water: "water"
        }
    }
}
