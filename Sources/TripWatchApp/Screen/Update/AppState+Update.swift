import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap

extension AppState {
    /// How long a notice stands in the line of events, seconds of real time.
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
        case .themeChanged(let theme): take(theme)
        case .themeFaults(let faults): take(themeFaults: faults)
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
        // The text is there to be selected by hand too: whether a terminal takes it nobody knows.
        case .copied(let text, let wasSent): say(wasSent ? "Copied: \(text)" : text)
        case .notice(let text): say(text)
        case .noticeEnded(let number): if notice?.number == number { notice = nil }
        case .quit(let code): effects.append(.quit(code: code))
        }
        layOut()
        return effects + followUps()
    }

    private mutating func take(_ theme: Theme) {
        self.theme = theme
        themeName = theme.name
        themeFaults = []
        say("Theme: \(theme.name)")
    }

    /// One fault is told at once, with how many there are; the list of events has them all.
    private mutating func take(themeFaults faults: [String]) {
        themeFaults = faults
        guard let first = faults.first else { return }
        let rest = faults.count > 1 ? " +\(faults.count - 1) more" : ""
        let isWide = ScreenLayout(self, page: page).kind == .wide
        let columns = isWide ? WideBottomView.detailsColumn(size.columns) - 3 : size.columns - 2
        say(fitted(first, columns: max(1, columns - displayWidth(rest))) + rest)
    }

    private mutating func tick(_ time: Date) -> [AppEffect] {
        now = time
        var effects: [AppEffect] = []
        for index in pages.indices {
            effects += take(pages[index].observer.tick(now: time), page: index, at: time)
            pages[index].advance(to: time)
        }
        return effects
    }

    /// What follows from the new state, whatever led to it: another title, a notice that is to end, tiles that are to be seen now, stops without a
    /// name.
    private mutating func followUps() -> [AppEffect] {
        var effects: [AppEffect] = []
        if windowTitle != shownTitle {
            shownTitle = windowTitle
            effects.append(.setTitle(windowTitle))
        }
        if let notice, notice.number != timedNotice {
            timedNotice = notice.number
            effects.append(.endNotice(notice.number, afterSeconds: Self.noticeSeconds))
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
