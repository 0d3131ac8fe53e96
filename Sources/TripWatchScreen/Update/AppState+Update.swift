import ConsumerMap
package import FleetEngine
import FoundationEssentials
import Geo
import Glibc
import JourneySharing
import TerminalCanvas
import TerminalMap
import TripWatchSettings
import TripWatchWords
import VectorTiles

extension AppState {
    /// Duration of a notice in the event line, in seconds of real time.
    static let noticeSeconds = 6.0
    /// Time to answer the question about a map, in seconds of real time.
    static let mapQuestionSeconds = 20.0
    /// Minimum time between two checks of the pages in the background, in seconds. Slightly less than a second, so that a clock that ticks
    /// once a second makes one check per tick.
    private static let roundSeconds = 0.9

    /// Handles an event.
    /// - Parameter clock: returns ``AppEvent/tick(_:_:)`` or ``AppEvent/replay(_:)`` for this moment and the trip in front. Without a
    ///   clock, only events that contain a time advance the time.
    /// - Returns: the requested actions, in order.
    package mutating func update(_ event: AppEvent, clock: ((TripName?) -> AppEvent)? = nil) -> [AppEffect] {
        let before = (noticeCount, overlay, front)
        let isUnseen = isUnseen(event)
        let isRequest = isRequest(event)
        let effects = if let clock { handle(event, clock: clock) } else { handle(event) }
        // If an event changes nothing that is visible, the screen is neither checked nor drawn.
        if isUnseen, before == (noticeCount, overlay, front) { return effects }
        // These events rarely change the screen. The signature of the frame shows whether they did.
        switch event {
        case .tick, .shift, .driver, .measured, .street, .tileIsLate: break
        default: revision &+= 1
        }
        if isRequest { requests &+= 1 }
        layOut()
        return effects + followUps(isRequest: isRequest)
    }

    /// Whether the user waits for the effect of an event. This includes the first answer for an opened page.
    private func isRequest(_ event: AppEvent) -> Bool {
        switch event {
        case .tile(let id, _): requestedTiles.contains(id)
        case .trip(let update, _): page?.name == update.name && page?.trip == nil && page?.failure == nil
        case .shipment(let update, _):
            shipment?.name == update.name && shipment?.tracker.shipment == nil && shipment?.failure == nil
        default: event.isRequest
        }
    }

    /// Whether an event concerns only a page or a tile that is not visible.
    private func isUnseen(_ event: AppEvent) -> Bool {
        switch event {
        case .trip(let update, _): place(of: update.name).map(isShown) != true
        case .shipment(let update, _): place(of: .shipment(update.name)).map(isShown) != true
        case .tile(let id, _): loadingAhead.contains(id)
        case .vehicle(_, let name), .cancelResult(_, let name), .street(_, _, let name):
            place(of: name).map(isShown) != true
        case .link(_, let name): place(of: name).map(isShown) != true
        default: false
        }
    }

    /// Handles an event. The clock is set before or after the event, if needed.
    private mutating func handle(_ event: AppEvent, clock: (TripName?) -> AppEvent) -> [AppEffect] {
        let front = page?.name
        var effects: [AppEffect] = []
        if event.needsClock, !isReplay { effects += handle(clock(front)) }
        effects += handle(event)
        // A replay command changes the moment, so the clock is set afterwards. A page that comes to the front needs the time too.
        if isReplay ? event.needsClock : page?.name != front { effects += handle(clock(page?.name)) }
        return effects
    }

    private mutating func handle(_ event: AppEvent) -> [AppEffect] {
        var effects: [AppEffect] = []
        switch event {
        case .tick(let time, let journey): effects += tick(time, journey)
        case .replay(let frame): apply(frame)
        case .key(let key): effects += press(key)
        case .mouse(let mouse): effects += handle(mouse)
        case .resize(let newSize): resize(to: newSize)
        case .paste(let text): paste(text)
        case .trip(let update, let journey): effects += apply(update, journey)
        case .shipment(let update, let interval): effects += apply(update, intervalSeconds: interval)
        case .vehicle(let vehicle, let name): applyVehicle(vehicle, for: name)
        case .cancelResult(let result, let name): effects += applyCancelResult(result, for: name)
        case .bookingResult(let result): effects += applyBookingResult(result)
        case .shift(let shift, let time): effects += applyShift(shift, at: time)
        case .driver(let event, let time): effects += applyDriverEvent(event, at: time)
        case .declineResult(let result, let name): effects += applyDeclineResult(result, for: name)
        case .themeChanged(let theme): applyTheme(theme)
        case .themeFaults(let faults): applyThemeFaults(faults)
        case .renewed(let keys, let alerts, let faults): renew(keys, alerts, faults)
        case .colorsChanged(let depth): colorDepth = depth
        case .baseMap(let map): applyBaseMap(map)
        case .mapAllowed, .mapTrouble, .mapRemark: applyMapNews(event)
        case .tile(let id, let tile): applyTile(tile, id)
        case .tileIsLate(let id): requestedTiles.remove(id)
        case .streets(let found): applyStreetNames(found)
        case .street(let street, let car, let name): applyStreet(street, of: car, for: name)
        case .names(let index, let middle, let isComplete): applyNames(index, near: middle, isComplete: isComplete)
        case .ownPosition(let place): applyOwnPosition(place)
        case .copied(let text, let wasSent): applyCopied(text, wasSent: wasSent)
        case .link(let link, let name): effects += applyLink(link, for: name)
        case .rideBegun(let name): options.rides.insert(name)
        case .measured(let name, let ride, let seconds): applyMeasured(ride, roundTripSeconds: seconds, of: name)
        case .fleet(let news, let trip): apply(news, for: trip)
        case .notice(let text): say(text)
        case .noticeEnded(let number): if notice?.number == number { notice = nil }
        case .mapQuestionEnded: asksForMap = false
        case .quit(let code): effects.append(.quit(code: code))
        }
        return effects
    }

    private mutating func resize(to newSize: Size) {
        size = newSize
        scrollToChosen()
    }

    private mutating func applyBaseMap(_ map: BaseMap?) {
        baseMap = map
        awaitsBaseMap = false
        loadingTiles = []
        requestedTiles = []
        searchedPlaces = []
        tilesAhead = []
        loadingAhead = []
        names = nil
    }

    /// Applies an event about the base map's server.
    private mutating func applyMapNews(_ event: AppEvent) {
        switch event {
        case .mapAllowed(let host): (mapHost, awaitsBaseMap) = (host, true)
        case .mapTrouble(let trouble): applyMapTrouble(trouble)
        case .mapRemark(let text): mapRemark = text
        default: break
        }
    }

    private mutating func applyMapTrouble(_ trouble: TileTrouble?) {
        if page == nil, drive == nil, notice?.isWaiting == true { notice = nil }
        mapTrouble = trouble.map { ($0, mapTrouble?.since ?? now) }
    }

    private mutating func applyTile(_ tile: VectorTile?, _ id: TileID) {
        // A tile outside the view is kept only if there is room.
        baseMap?.tiles.insert(tile, for: id, isInView: !loadingAhead.contains(id))
        loadingTiles.removeAll { $0 == id }
        requestedTiles.remove(id)
        loadingAhead.remove(id)
    }

    private mutating func applyOwnPosition(_ place: Coordinate?) {
        freeMap.ownPosition = place
        ownPositionMoves = true
    }

    /// Applies measured values. A frame is needed only if their text is visible and has changed.
    private mutating func applyMeasured(_ ride: RideFile?, roundTripSeconds: Double?, of name: TripName) {
        guard let index = place(of: name) else { return }
        let before = DetailList.measured(pages[index], self)
        (pages[index].recording, pages[index].roundTripSeconds) = (ride, roundTripSeconds)
        let isSeen = index == selected && (showsDetails || pages[index].status.isFinal)
        // Without a file, the keys for a recorded ride cannot work.
        let isNotRecorded = ride == nil && pages[index].status.isFinal && options.rides.remove(name) != nil
        if isSeen, isNotRecorded || DetailList.measured(pages[index], self) != before { revision &+= 1 }
    }

    private mutating func applyTheme(_ theme: Theme) {
        self.theme = theme
        themeName = theme.name
        themeFaults = []
        say("Theme: \(theme.name)")
    }

    private mutating func applyThemeFaults(_ faults: [String]) {
        themeFaults = faults
        tellFaults()
    }

    private mutating func renew(_ keys: [OwnKeys], _ alerts: Alerts, _ faults: [String]) {
        options.ownKeys = keys
        if !isReplay {
            options.alerts = alerts
            for index in pages.indices { pages[index].moments.rules = alerts.rules }
            for index in shipments.indices { shipments[index].moments.rules = alerts.rules }
        }
        configurationFaults = faults
        if configurationFaults.isEmpty, themeFaults.isEmpty { say("The configuration was reloaded.") } else { tellFaults() }
    }

    /// Shows the first error and the number of further errors. The list of events shows all errors.
    private mutating func tellFaults() {
        let faults = configurationFaults + themeFaults
        guard let first = faults.first else { return }
        let rest = faults.count > 1 ? " +\(faults.count - 1) more" : ""
        let isWide = ScreenLayout(self, page: page).kind == .wide
        let columns = isWide ? WideBottomView.detailsColumn(size.columns) - 3 : size.columns - 2
        say(fitted(first, columns: max(1, columns - displayWidth(rest))) + rest)
    }

    /// Updates the trip in front at every tick. The other trips are checked once a second, and only if they can have news.
    private mutating func tick(_ time: Date, _ journey: JourneyTracker?) -> [AppEffect] {
        now = time
        drive?.journey.advance(to: time)
        var effects = tickShipments(at: time)
        if let journey, let index = place(of: journey.tripName) {
            pages[index].show(journey, at: time)
            effects += news(ofPage: index, at: time)
        }
        guard let newsDueAt, newsDueAt <= time, time >= nextRoundAt || time < nextRoundAt.addingTimeInterval(-1) else { return effects }
        nextRoundAt = time.addingTimeInterval(Self.roundSeconds)
        var next: Date?
        for index in pages.indices {
            if index != selected, pages[index].isNewsDue(at: time) {
                pages[index].journey.tick(now: time)
                effects += news(ofPage: index, at: time)
            }
            if let due = pages[index].newsDueAt { next = min(next ?? due, due) }
        }
        self.newsDueAt = next
        return effects
    }

    private mutating func news(ofPage index: Int, at time: Date) -> [AppEffect] {
        applyFacts(pages[index].observer.tick(pages[index].journey, now: time), page: index, at: time)
    }

    /// Returns the effects that follow from the new state after any event. They set the title, show progress, load tiles and find street
    /// names. They also end a notice, or the question about the map, after some time.
    private mutating func followUps(isRequest: Bool) -> [AppEffect] {
        var effects: [AppEffect] = []
        if windowTitle != shownTitle {
            shownTitle = windowTitle
            effects.append(.setTitle(windowTitle))
        }
        if options.alerts.ways.contains(.progress), windowProgress != shownProgress {
            shownProgress = windowProgress
            effects.append(.showProgress(windowProgress))
        }
        if let notice, notice.number != timedNotice {
            timedNotice = notice.number
            effects.append(.endNotice(notice.number, afterSeconds: Self.noticeSeconds))
        }
        if !asksForMap {
            isQuestionTimed = false
        } else if !isQuestionTimed, isAskingForMap {
            isQuestionTimed = true
            effects.append(.endMapQuestion(afterSeconds: Self.mapQuestionSeconds))
        }
        effects += tilesToLoad(isRequest: isRequest)
        effects += tilesToLoadAhead()
        if baseMap != nil, list == nil {
            let places = unnamedPlaces.filter { searchedPlaces.insert($0).inserted }
            if !places.isEmpty { effects.append(.findStreets(places)) }
        }
        return effects
    }

    private func fromTheMiddle(_ tiles: [TileID]) -> [TileID] {
        let middle = WebMercator.project(map.camera.center)
        func distance(_ id: TileID) -> Double {
            let count = exp2(Double(id.zoom))
            let east = abs((Double(id.x) + 0.5) / count - middle.x)
            let (right, down) = (min(east, 1 - east), (Double(id.y) + 0.5) / count - middle.y)
            return right * right + down * down
        }
        return tiles.count < 2 ? tiles : tiles.map { ($0, distance($0)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// Requests the missing tiles of the view, if they differ from those being loaded.
    private mutating func tilesToLoad(isRequest: Bool) -> [AppEffect] {
        var wanted: [TileID] = []
        if let baseMap, showsBaseMap, list == nil, mapHost == nil || !isBeforeItsPlace {
            let visible = Viewport(camera: map.camera, painter: painter).tiles(zoomRange: baseMap.zoomRange)
            wanted = fromTheMiddle(baseMap.tiles.missing(visible))
            self.baseMap?.tiles.touch(visible)
        }
        guard wanted != loadingTiles else { return [] }
        if isRequest { requestedTiles.formUnion(wanted.filter { !loadingTiles.contains($0) }) }
        requestedTiles.formIntersection(wanted)
        loadingTiles = wanted
        // The request replaces all earlier ones.
        (tilesAhead, loadingAhead) = (tilesAhead.subtracting(loadingAhead), [])
        return [.loadTiles(wanted)]
    }

    /// Whether the view has not yet moved to its trip or to the driver's car. Until then, no tiles are requested from a server, because the
    /// view will soon show another area. The user is not asked whether to load a map either, because there is nothing on the map yet.
    var isBeforeItsPlace: Bool { (front != nil || drive != nil) && !map.isAtPlace }

    /// Once all tiles of the view have been loaded from a map server, requests the missing tiles around the view, because a key press may
    /// move the view at any moment. Requests nothing while the view follows its vehicle, because such a view moves so slowly that its tiles
    /// load in time.
    private mutating func tilesToLoadAhead() -> [AppEffect] {
        guard let baseMap, mapHost != nil, showsBaseMap, list == nil, loadingTiles.isEmpty else { return [] }
        guard journeys.isEmpty && map.shipment?.vehicle == nil || !map.isAllowCameraAutoUpdate else { return [] }
        let ring = Viewport(camera: map.camera, painter: painter).tilesAround(zoomRange: baseMap.zoomRange)
        let missing = baseMap.tiles.missing(ring)
        guard missing.contains(where: { !tilesAhead.contains($0) }) else { return [] }
        let wanted = missing.filter { !tilesAhead.contains($0) || loadingAhead.contains($0) }
        tilesAhead = tilesAhead.intersection(ring.map(\.id)).union(wanted)
        loadingAhead = Set(wanted)
        return [.loadAhead(wanted)]
    }
}
