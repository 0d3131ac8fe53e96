import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap

extension AppState {
    /// How long a notice stands in the line of events, seconds.
    static let noticeSeconds = 6.0

    /// Takes in an event.
    /// - Returns: what is to be done in the world, in order.
    public mutating func update(_ event: AppEvent) -> [AppEffect] {
        var effects: [AppEffect] = []
        if case .tick(let time) = event { effects += tick(time) } else { revision &+= 1 }
        switch event {
        case .tick: break
        case .key(let key): effects += press(key)
        case .mouse(let mouse): effects += handle(mouse)
        case .resize(let newSize): size = newSize
        case .trip(let update): effects += take(update)
        case .vehicle(let vehicle, let name): take(vehicle, for: name)
        case .cancelResult(let result, let name): effects += take(result, for: name)
        case .themeChanged(let name): themeName = name
        case .colorsChanged(let depth): colorDepth = depth
        case .baseMap(let map):
            baseMap = map
            requestedTiles = []
            searchedPlaces = []
        case .tile(let id, let tile):
            baseMap?.tiles.insert(tile, for: id)
            requestedTiles.remove(id)
        case .streets(let found): take(found)
        case .ownPosition(let place):
            for index in pages.indices { pages[index].map.ownPosition = place }
            freeMap.ownPosition = place
        case .copied(let worked): if !worked { say(shareLine) }
        case .notice(let text): say(text)
        case .quit(let code): effects.append(.quit(code: code))
        }
        layOut()
        return effects + followUps()
    }

    /// Puts a sentence into the line of events for a while.
    mutating func say(_ text: String) {
        notice = Notice(text: sanitised(text, maximumLength: 300), until: now.addingTimeInterval(Self.noticeSeconds))
    }

    private mutating func tick(_ time: Date) -> [AppEffect] {
        now = time
        if let notice, notice.until <= time || notice.until.timeIntervalSince(time) > Self.noticeSeconds { self.notice = nil }
        var effects: [AppEffect] = []
        for index in pages.indices {
            effects += take(pages[index].observer.tick(now: time), page: index, at: time)
            pages[index].advance(to: time)
        }
        return effects
    }

    /// What follows from the new state, whatever led to it: another title, tiles that are to be seen now, stops without a name.
    private mutating func followUps() -> [AppEffect] {
        var effects: [AppEffect] = []
        if windowTitle != shownTitle {
            shownTitle = windowTitle
            effects.append(.setTitle(windowTitle))
        }
        if let baseMap, showsBaseMap {
            let visible = Viewport(camera: map.camera, painter: painter).tiles(zoomRange: baseMap.zoomRange)
            let wanted = baseMap.tiles.missing(visible).filter { !requestedTiles.contains($0) }
            if !wanted.isEmpty {
                requestedTiles.formUnion(wanted)
                effects.append(.loadTiles(wanted))
            }
            self.baseMap?.tiles.touch(visible)
        }
        if baseMap != nil {
            let places = unnamedPlaces.filter { searchedPlaces.insert($0).inserted }
            if !places.isEmpty { effects.append(.findStreets(places)) }
        }
        return effects
    }
}
