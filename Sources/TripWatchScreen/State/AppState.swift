package import ConsumerMap
package import FleetEngine
package import FoundationEssentials
import Geo
package import JourneySharing
package import TerminalCanvas
package import TerminalMap
package import TripWatchSettings
import TripWatchWords
import VectorTiles

/// Everything that the screen shows, as a value: events change it, views read it, nothing else is needed for a frame but a theme.
package struct AppState: Sendable {
    package internal(set) var options: AppOptions
    package internal(set) var size: Size
    /// The clock at the last tick.
    package internal(set) var now: Date
    package internal(set) var pages: [TripPage]
    /// Where among the pages each trip has its own.
    private var places: [TripName: Int]
    package internal(set) var selected = 0
    /// Where the replay stands, where a recording is shown.
    package internal(set) var replay: ReplayStatus?
    /// The list of all trips, while it is open.
    package internal(set) var list: TripList?
    /// The driver's shift, on a driver's screen.
    var drive: DrivePage?
    /// The fleet on a map of it; nil elsewhere.
    var fleet: FleetPage?
    /// Before this the pages behind are not asked for news again.
    var nextRoundAt = Date.distantPast
    /// When the passing of time alone can make news of a page behind, at the earliest; nil for never.
    var newsDueAt: Date?
    /// The ride that is being booked on a map without a trip; nil for none.
    package internal(set) var booking: MapBooking?
    package internal(set) var overlay: Overlay?
    /// Rows that the overlay's text is scrolled by.
    package internal(set) var scroll = 0
    /// What the help is searched for.
    var helpFilter: HelpFilter?
    package internal(set) var painter: Painter
    package internal(set) var colorDepth: ColorDepth
    package internal(set) var measurementSystem: MeasurementSystem
    package internal(set) var theme: Theme?
    package internal(set) var themeName: String
    /// What is wrong with the theme, a sentence each.
    var themeFaults: [String] = []
    /// What is wrong with the configuration, a sentence each.
    var configurationFaults: [String]
    package internal(set) var baseMap: BaseMap?
    package internal(set) var showsBaseMap = true
    /// The server that the base map comes from; nil where it comes from this machine.
    package internal(set) var mapHost: String?
    /// The question for OpenStreetMap's streets is to be asked.
    var asksForMap: Bool
    /// It was answered with more than *not now*.
    var isMapAnswered = false
    /// The end of the question was asked for, since it is on the screen.
    var isQuestionTimed = false
    /// Why the base map's server gives no tiles, and since when.
    var mapTrouble: (trouble: TileTrouble, since: Date)?
    /// What else there is to say of it.
    var mapRemark: String?
    /// Where a view has no trip.
    var freeMap: JourneyMap
    /// The user's own position is told anew, by a receiver: it goes where the user goes.
    var ownPositionMoves = false
    var notice: Notice?
    /// Notices so far.
    private(set) var noticeCount = 0
    /// The last notice whose end was asked for.
    var timedNotice = 0
    /// Tiles that are being loaded for the view, the most wanted first.
    var loadingTiles: [TileID] = []
    /// Those among them that somebody waits for.
    var requestedTiles: Set<TileID> = []
    /// Tiles around the view that were asked for since all of the view was there. Each is asked for once, also where there is no room to keep it.
    var tilesAhead: Set<TileID> = []
    /// Those among them that have not come yet.
    var loadingAhead: Set<TileID> = []
    /// A base map will come.
    var awaitsBaseMap: Bool
    /// What the base map calls the streets at stops.
    var streets: [Coordinate: String] = [:]
    /// Stops whose streets were asked for, of this base map.
    var searchedPlaces: Set<Coordinate> = []
    /// What was read to be looked through; nil before the first search.
    var names: KnownNames?
    var shownTitle = ""
    var shownProgress: WindowProgress?
    var dragFrom: Position?
    /// Counts what changed of what is shown, apart from the passing of time.
    package internal(set) var revision = 0
    /// Counts those changes that somebody waits for.
    var requests = 0

    /// Something to say for a while in the line of events.
    struct Notice: Hashable, Sendable {
        var text: String
        /// Counts from 1.
        var number: Int
        /// It says that an answer is waited for, and goes when that is there.
        var isWaiting = false
    }

    /// A screen for these trips, in this order.
    package init(trips: [TripName], options: AppOptions = AppOptions(), size: Size, now: Date) {
        self.options = options
        configurationFaults = options.configurationFaults
        self.size = size
        self.now = now
        let names = options.mode == .map ? [] : trips
        pages = names.enumerated().map { TripPage(name: $1, title: $0 == 0 ? options.title : nil, options: options, now: now) }
        places = Self.places(of: pages)
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

    /// The keys in force.
    var keyMap: KeyMap { list != nil ? options.listKeyMap : isAtRidesEnd ? options.rideKeyMap : options.keyMap }

    /// What a key does here. One that the list does not have does what it does elsewhere, or says why it does not.
    func action(for key: Key) -> AppAction? { keyMap.action(for: key) ?? (list == nil ? nil : options.keyMap.action(for: key)) }

    /// Whether the page in front is that of a ride which is over and was written down. The list before it has keys of its own.
    var isAtRidesEnd: Bool {
        guard list == nil, let page else { return false }
        return page.status.isFinal && options.rides.contains(page.name)
    }

    /// Whether connection and recording of the trip in front are on the screen.
    var showsDetails: Bool { overlay == .details }

    /// Puts a sentence into the line of events for a while.
    mutating func say(_ text: String, isWaiting: Bool = false) {
        noticeCount += 1
        notice = Notice(text: sanitised(text, maximumLength: 300), number: noticeCount, isWaiting: isWaiting)
    }

    /// Whether something that was asked for is still under way.
    var awaitsRequested: Bool { awaitsBaseMap || !requestedTiles.isEmpty }

    /// Where the page of a trip is; nil where it has none.
    func place(of name: TripName) -> Int? { places[name] }

    private static func places(of pages: [TripPage]) -> [TripName: Int] {
        Dictionary(zip(pages.map(\.name), pages.indices)) { first, _ in first }
    }

    /// Opens a page for one more trip, behind all others.
    mutating func append(_ name: TripName) {
        places[name] = pages.count
        pages.append(TripPage(name: name, title: nil, options: options, now: now))
    }

    /// Closes the page of a trip; another one is in front then.
    mutating func remove(_ name: TripName) {
        guard let index = places[name] else { return }
        pages.remove(at: index)
        places = Self.places(of: pages)
        if selected > index || selected == pages.count { selected = max(0, selected - 1) }
    }

    /// What the page of a trip calls it; nil where that is no more than its id.
    package func ownTitle(of name: TripName) -> String? { place(of: name).flatMap { pages[$0].names.ownTitle } }

    /// Whether the title may have room for a tab of each trip.
    var hasTabs: Bool { pages.count > 1 && size.columns >= pages.count * BarsView.tabColumns }

    /// Whether anything of a page can be seen: it is in front, or its tab is.
    func isShown(_ index: Int) -> Bool { index == selected || hasTabs }

    /// The trip in front; nil in a map without trips.
    package var page: TripPage? { pages.indices.contains(selected) ? pages[selected] : nil }

    /// The map in front.
    package var map: JourneyMap {
        get { page?.map ?? freeMap }
        set {
            if pages.indices.contains(selected) { pages[selected].map = newValue } else { freeMap = newValue }
        }
    }

    /// The map in front in its theme, so that taps meet what is seen.
    var themedMap: JourneyMap {
        var map = map
        if let theme { map.styleCoordinator = MapLook(theme: theme).coordinator(for: journeys.first) }
        return map
    }

    var journeys: [JourneyTracker] { (drive?.journey ?? page?.journey).map { [$0] } ?? [] }

    /// Follows the sizes of screen and parts with the map in front. The others follow when they come there.
    mutating func layOut() {
        guard list == nil else { return }
        map.resize(to: ScreenLayout(self, page: page).map.size, cellAspect: options.cellAspect)
        if drive != nil { freeMap.follow(journeys) }
        // What is seen of a recording follows from the recording.
        guard pages.indices.contains(selected), replay == nil else { return }
        pages[selected].map.ownPosition = hasLeftOwnPosition ? nil : freeMap.ownPosition
        pages[selected].map.follow([pages[selected].journey])
    }

    /// A place that was named once stays behind when the car has taken the user; one that a receiver tells goes along.
    var hasLeftOwnPosition: Bool { !ownPositionMoves && page.map { $0.history.pickedUpAt($0.trip) != nil } ?? false }
}

extension AppState {
    /// A clock's time in the user's zone, cut to the minute or the second.
    package func clock(_ date: Date, withSeconds: Bool = false) -> String {
        Timestamps.clock(date, secondsFromGMT: options.secondsFromGMT(date), withSeconds: withSeconds)
    }

    func distance(_ meters: Double) -> String { DistanceText.text(meters: meters, system: measurementSystem) }

    /// The time in the corner: the server's clock where a trip tells it, else the one here.
    var shownNow: Date { shownTime(now) }

    /// A time of the clock here as it is shown beside those that the server tells.
    func shownTime(_ date: Date) -> Date { page?.clockTime(date) ?? date }

    /// What is left of the car's way: `1.8 km`, `very near`.
    package func distanceLeft(_ meters: Double) -> String { DistanceText.left(meters: meters, system: measurementSystem) }
}
