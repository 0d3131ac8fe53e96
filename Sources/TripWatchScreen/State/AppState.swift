package import ConsumerMap
package import FleetEngine
package import FoundationEssentials
import Geo
package import JourneySharing
package import TerminalCanvas
package import TerminalMap
package import TripWatchSettings
package import TripWatchWords
import VectorTiles

/// The complete state of the screen, as a value. Events change it and views draw it. To draw a frame, a view needs only this value and a
/// theme.
package struct AppState: Sendable {
    package internal(set) var options: AppOptions
    package internal(set) var size: Size
    /// The current time, as of the last tick or update.
    package internal(set) var now: Date
    package internal(set) var pages: [TripPage]
    /// Index of each trip's page.
    private var places: [TripName: Int]
    /// The shipments, whose pages come after the trips' pages.
    package internal(set) var shipments: [ShipmentPage]
    /// Index of the page in front, which is the one that the screen shows. The trips' pages come first, then the shipments'.
    package internal(set) var selected = 0
    /// State of the replay, if a recording is shown.
    package internal(set) var replay: ReplayStatus?
    /// The list of all trips, while it is open.
    package internal(set) var list: TripList?
    /// The driver's shift, on a driver's screen.
    var drive: DrivePage?
    /// The fleet, on a map of vehicles; nil on other screens.
    var fleet: FleetPage?
    /// Earliest time at which the pages in the background are checked for news again.
    var nextRoundAt = Date.distantPast
    /// Earliest time at which a page can have news without an update; nil if no page can.
    var newsDueAt: Date?
    /// The current step of a booking on a map without a trip; nil if no ride is being booked.
    package internal(set) var booking: MapBooking?
    /// The reason, as a sentence, why it is not known whether a ride was booked. Nil if no answer was lost, and after a later booking has
    /// succeeded.
    var unclearBooking: String?
    package internal(set) var overlay: Overlay?
    /// Number of rows by which the overlay's text is scrolled.
    package internal(set) var scroll = 0
    /// Search in the help; nil outside a search.
    var helpFilter: HelpFilter?
    package internal(set) var painter: Painter
    package internal(set) var colorDepth: ColorDepth
    package internal(set) var measurementSystem: MeasurementSystem
    package internal(set) var theme: Theme?
    package internal(set) var themeName: String
    /// Errors in the theme, one sentence each.
    var themeFaults: [String] = []
    /// Errors in the configuration, one sentence each.
    var configurationFaults: [String]
    package internal(set) var baseMap: BaseMap?
    package internal(set) var showsBaseMap = true
    /// Server of the base map; nil for a local map.
    package internal(set) var mapHost: String?
    /// Whether the question about OpenStreetMap's streets is pending.
    var asksForMap: Bool
    /// Whether the question was answered with anything but *not now*.
    var isMapAnswered = false
    /// Whether the expiry of the shown question has already been requested.
    var isQuestionTimed = false
    /// The reason why the base map's server sends no tiles, and the time when the trouble began.
    var mapTrouble: (trouble: TileTrouble, since: Date)?
    /// Remark about the base map's server, for the details.
    var mapRemark: String?
    /// The map of a screen without a trip.
    var freeMap: JourneyMap
    /// Whether the user's position comes from a receiver and therefore moves with the user.
    var ownPositionMoves = false
    /// The last text that was copied to the clipboard; nil if none was copied yet.
    var copied: String?
    var notice: Notice?
    /// Number of notices so far.
    private(set) var noticeCount = 0
    /// Number of the last notice whose expiry was requested.
    var timedNotice = 0
    /// Tiles being loaded for the view, the most important first.
    var loadingTiles: [TileID] = []
    /// Tiles of ``loadingTiles`` that a key press needs. The next frame waits for them briefly.
    var requestedTiles: Set<TileID> = []
    /// Tiles around the complete view that have been requested. They are not requested again, even if there was no room to keep them.
    var tilesAhead: Set<TileID> = []
    /// Tiles of ``tilesAhead`` that have not arrived yet.
    var loadingAhead: Set<TileID> = []
    /// Whether a base map will be loaded.
    var awaitsBaseMap: Bool
    /// Street names at stops, from the base map.
    var streets: [Coordinate: String] = [:]
    /// Stops whose street names were already requested from the current base map.
    var searchedPlaces: Set<Coordinate> = []
    /// Names read for the search; nil before the first search.
    var names: KnownNames?
    /// The places that the user has gone to by name, for the names in a booking.
    var foundPlaces: [NamedPlace] = []
    var shownTitle = ""
    var shownProgress: WindowProgress?
    var dragFrom: Position?
    /// Number of visible changes so far, not counting those that are caused only by the passing of time.
    package internal(set) var revision = 0
    /// Number of events so far whose effect the user waits for.
    var requests = 0

    /// A text that the event line shows for a while.
    struct Notice: Hashable, Sendable {
        var text: String
        /// Number of the notice, from 1.
        var number: Int
        /// Whether the notice is about a pending answer. If so, the answer or a failure ends it early.
        var isWaiting = false
        /// Short forms of the text for a terminal that is too small for the screen, the longest first.
        var shortForms: [String] = []

        /// Returns the longest form for a terminal that is too small for the screen; nil if no form fits.
        func form(columns: Int) -> String? {
            ([text] + shortForms).first { !$0.isEmpty && displayWidth($0) <= columns }
        }
    }

    /// Creates a screen for these trips and then these shipments, in this order.
    package init(
        trips: [TripName], shipments: [TaskTrackingName] = [], options: AppOptions = AppOptions(), size: Size, now: Date
    ) {
        self.options = options
        configurationFaults = options.configurationFaults
        self.size = size
        self.now = now
        let names = options.mode == .map ? [] : trips
        pages = names.enumerated().map { TripPage(name: $1, title: $0 == 0 ? options.title : nil, options: options, now: now) }
        places = Self.places(of: pages)
        self.shipments = shipments.enumerated().map {
            ShipmentPage(name: $1, title: $0 == 0 && names.isEmpty ? options.title : nil, options: options, now: now)
        }
        awaitsBaseMap = options.expectsBaseMap
        streets = options.placeNames
        (mapHost, asksForMap) = (options.mapHost, options.asksForMap)
        painter = options.painters.first ?? .ascii
        colorDepth = options.colorDepth
        measurementSystem = options.measurementSystem
        theme = options.theme
        themeName = options.theme?.name ?? options.themeName
        freeMap = JourneyMap(
            center: options.center ?? options.ownPosition ?? Coordinate(latitude: 20, longitude: 0),
            zoom: options.zoom ?? (options.center == nil ? 2 : 14))
        freeMap.isAllowCameraAutoUpdate = false
        freeMap.ownPosition = options.ownPosition
        if case .drive(let own) = options.mode {
            drive = DrivePage(own, now: now)
            freeMap.isAllowCameraAutoUpdate = true
            freeMap.mapBounds = options.mapBounds
            freeMap.labels.pickup = "pickup"
        }
        if options.showsFleet { fleet = FleetPage() }
        layOut()
    }

    /// The current keys.
    var keyMap: KeyMap { list != nil ? options.listKeyMap : isAtRidesEnd ? options.rideKeyMap : options.keyMap }

    /// Returns the action of a key. In the list, a key that has no list action keeps its usual action.
    func action(for key: Key) -> AppAction? { keyMap.action(for: key) ?? (list == nil ? nil : options.keyMap.action(for: key)) }

    /// Whether the page in front shows a recorded ride that has ended. This page has its own keys. False in the list of trips.
    var isAtRidesEnd: Bool {
        guard list == nil, let page else { return false }
        return page.status.isFinal && options.rides.contains(page.name)
    }

    /// Whether the connection details of the trip in front are shown.
    var showsDetails: Bool { overlay == .details }

    /// Shows a text in the event line for a while.
    /// - Parameter shortForms: forms of the text for a terminal that is too small for the screen, the longest first.
    mutating func say(_ text: String, isWaiting: Bool = false, shortForms: [String] = []) {
        noticeCount += 1
        let text = sanitised(text, maximumLength: 300)
        notice = Notice(text: text, number: noticeCount, isWaiting: isWaiting, shortForms: shortForms)
    }

    /// Whether the base map, or a tile that the user's last key needs, is still being loaded.
    var awaitsRequested: Bool { awaitsBaseMap || !requestedTiles.isEmpty }

    /// Returns the index of a trip's page; nil if the trip has no page.
    func place(of name: TripName) -> Int? { places[name] }

    private static func places(of pages: [TripPage]) -> [TripName: Int] {
        Dictionary(zip(pages.map(\.name), pages.indices)) { first, _ in first }
    }

    /// Adds a page for another trip after the pages of all other trips.
    mutating func append(_ name: TripName) {
        places[name] = pages.count
        pages.append(TripPage(name: name, title: nil, options: options, now: now))
    }

    /// Adds a page for another shipment after all other pages.
    mutating func append(_ name: TaskTrackingName) {
        shipments.append(ShipmentPage(name: name, title: nil, options: options, now: now))
    }

    /// Closes a trip's page. If it was in front, another page takes its place.
    mutating func remove(_ name: TripName) {
        guard let index = places[name] else { return }
        pages.remove(at: index)
        places = Self.places(of: pages)
        if selected > index || selected == pageCount { selected = max(0, selected - 1) }
    }

    /// Returns the title of a trip's page; nil if the title is only the trip's id.
    package func ownTitle(of name: TripName) -> String? { place(of: name).flatMap { pages[$0].names.ownTitle } }

    /// Whether there are several pages, and the title bar is wide enough for a tab for each.
    var hasTabs: Bool { pageCount > 1 && size.columns >= pageCount * BarsView.tabColumns }

    /// Number of pages of trips and shipments together.
    var pageCount: Int { pages.count + shipments.count }

    /// Whether a page is visible, either in front or as a tab.
    func isShown(_ index: Int) -> Bool { index == selected || hasTabs }

    /// The trip in front; nil on a map without trips.
    package var page: TripPage? { pages.indices.contains(selected) ? pages[selected] : nil }

    /// Index of the shipment in front; nil if no shipment is in front.
    private var shipmentIndex: Int? {
        let index = selected - pages.count
        return shipments.indices.contains(index) ? index : nil
    }

    /// The shipment in front; nil on the page of a trip and on a map without trips.
    package var shipment: ShipmentPage? { shipmentIndex.map { shipments[$0] } }

    /// The subject of the page in front; nil on a map without trips.
    var front: FollowedName? { page.map { .trip($0.name) } ?? shipment.map { .shipment($0.name) } }

    /// Returns the index of a page; nil if the page does not exist.
    func place(of name: FollowedName) -> Int? {
        switch name {
        case .trip(let name): place(of: name)
        case .shipment(let name): shipments.firstIndex { $0.name == name }.map { pages.count + $0 }
        }
    }

    /// Closes a shipment's page. If it was in front, another page takes its place.
    mutating func remove(_ name: TaskTrackingName) {
        guard let index = shipments.firstIndex(where: { $0.name == name }) else { return }
        shipments.remove(at: index)
        if selected > pages.count + index || selected == pageCount { selected = max(0, selected - 1) }
    }

    /// The map in front.
    package var map: JourneyMap {
        get { page?.map ?? shipment?.map ?? freeMap }
        set {
            if pages.indices.contains(selected) {
                pages[selected].map = newValue
            } else if let shipmentIndex {
                shipments[shipmentIndex].map = newValue
            } else {
                freeMap = newValue
            }
        }
    }

    /// The map in front with its theme applied, so that a click hits the markers as drawn.
    var themedMap: JourneyMap {
        var map = map
        if let theme { map.styleCoordinator = MapLook(theme: theme).coordinator(for: journeys.first, map.shipment) }
        return map
    }

    var journeys: [JourneyTracker] { (drive?.journey ?? page?.journey).map { [$0] } ?? [] }

    /// Adapts the map in front to the sizes of the screen and its parts. Other maps are adapted when they come to the front.
    mutating func layOut() {
        guard list == nil else { return }
        map.resize(to: ScreenLayout(self, page: page).map.size, cellAspect: options.cellAspect)
        if drive != nil { freeMap.follow(journeys) }
        if let shipmentIndex {
            shipments[shipmentIndex].map.ownPosition = freeMap.ownPosition
            shipments[shipmentIndex].map.follow([])
        }
        // The recording alone determines the view of a replay.
        guard pages.indices.contains(selected), replay == nil else { return }
        pages[selected].map.ownPosition = hasLeftOwnPosition ? nil : freeMap.ownPosition
        pages[selected].map.follow([pages[selected].journey])
    }

    /// Whether the user's position is outdated, because it does not move with the user and the user has been picked up.
    var hasLeftOwnPosition: Bool { !ownPositionMoves && page.map { $0.history.pickedUpAt($0.trip) != nil } ?? false }
}

extension AppState {
    /// Returns the clock time in the user's time zone, rounded down to the minute or the second. A time rounded to the minute begins
    /// with its day if it is on another day and at least 12 hours away.
    package func clock(_ date: Date, withSeconds: Bool = false) -> String {
        withSeconds
            ? Timestamps.clock(date, secondsFromGMT: options.secondsFromGMT(date), withSeconds: true)
            : Timestamps.clock(date, now: shownNow, secondsFromGMT: options.secondsFromGMT)
    }

    func distance(_ meters: Double) -> String { DistanceText.text(meters: meters, system: measurementSystem) }

    /// The time in the corner: the server's clock if it is known, or else the local one.
    var shownNow: Date { shownTime(now) }

    /// Converts a time of the local clock to the clock that the screen shows.
    func shownTime(_ date: Date) -> Date { page?.clockTime(date) ?? shipment?.clockTime(date) ?? date }

    /// Returns the text for the remaining distance: `1.8 km`, `very near`.
    package func distanceLeft(_ meters: Double) -> String { DistanceText.left(meters: meters, system: measurementSystem) }
}
