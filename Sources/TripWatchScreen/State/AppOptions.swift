package import FleetEngine
package import FoundationEssentials
package import Geo
package import JourneySharing
package import TerminalCanvas
package import TerminalMap
package import TripWatchSettings

/// What the app is told when it starts.
package struct AppOptions: Sendable {
    package enum Mode: Hashable, Sendable {
        case follow
        /// Everything runs in this process and ends with it.
        case demo
        /// A map and nothing else.
        case map
        /// A recording.
        case replay
        /// A driver's shift.
        case drive(DriveOptions)
    }

    /// Whether trips can be cancelled from here.
    package enum Cancelling: Hashable, Sendable {
        case available
        /// Why not, in a sentence.
        case unavailable(String)

        package static let noProvider = Cancelling.unavailable("No provider is set, so trips cannot be cancelled here (--provider-url).")
        package static let recording = Cancelling.unavailable("This is a recording: nothing can be cancelled.")
        package static let readOnly = Cancelling.unavailable("This screen is read-only.")
    }

    /// Whether rides can be booked on a map without a trip.
    package enum Booking: Hashable, Sendable {
        case available
        /// Why not, in a sentence.
        case unavailable(String)

        package static let noProvider = Booking.unavailable("Set --provider-url, or provider_url in the configuration, to book a ride.")
        package static let readOnly = Booking.unavailable("This screen is read-only.")
    }

    package var mode = Mode.follow { didSet { bind() } }
    /// Keys in place of those that actions have on the pages of any mode.
    package var ownKeys: [OwnKeys] = [] { didSet { bind() } }
    /// What the user calls the trip.
    package var title: String?
    /// What the user says that trips are whose attributes do not say it; nil without a word.
    package var tripKind: TripKind?
    /// Between two frames that come by themselves at least: ten a second.
    package var frameInterval = Duration.milliseconds(100)
    /// Where the screen is at the far end of a slow line: two a second.
    package static let remoteFrameInterval = Duration.milliseconds(500)
    package var cancelling = Cancelling.noProvider
    package var booking = Booking.noProvider
    /// Why no link to a trip can be served from here, in a sentence; nil where one can.
    package var noLinkReason: String? = "No link is served from this screen."
    /// The server, for people.
    package var endpoint = ""
    /// Seconds that the zone whose clock is shown is ahead of GMT at a moment.
    package var secondsFromGMT: @Sendable (Date) -> Int = { _ in 0 }
    /// What that zone is called, behind the time of arrival, for viewers who may be elsewhere; empty says nothing.
    package var zoneName = ""
    /// What stands in place of the keys, where there are none to press; nil for the keys.
    package var footer: String?
    package var measurementSystem = MeasurementSystem.metric
    /// The painters that this terminal can show, the one in use first; never empty.
    package var painters: [Painter] = [.braille, .sextant, .halfBlock, .ascii]
    package var colorDepth = ColorDepth.palette256
    /// Height of a cell divided by its width.
    package var cellAspect = 2.0
    /// The theme that the screen is drawn with; nil where nobody says, and then ``themeName`` is its name.
    package var theme: Theme?
    package var themeName = ""
    /// What is told to those who do not look.
    package var alerts = Alerts()
    /// The title of the terminal's window tells how the trip stands.
    package var setsWindowTitle = true
    /// Clicks and the wheel come as events, and the terminal's own selection needs Shift.
    package var usesMouse = false
    package var keyMap = KeyMap.standard
    /// The keys of a page whose ride is over and was written down.
    package var rideKeyMap = KeyMap.standard.withRide
    /// The keys of the list of trips.
    package var listKeyMap = KeyMap.choosing
    /// The trips whose rides are written down.
    package var rides: Set<TripName> = []
    /// What the recording is called that is shown.
    package var recordingName = ""
    /// It is called as the trip is, where that has a title of its own.
    package var isOwnRide = false
    /// What was wrong with the configuration at the start, a sentence each.
    package var configurationFaults: [String] = []
    package var ownPosition: Coordinate?
    /// What is laid over the base map.
    package var ground: GroundOverlay?
    /// What there is a base map of, where its file says so.
    package var mapBounds: BoundingBox?
    /// A base map will come.
    package var expectsBaseMap = false
    /// The map of the trip fills the screen; there is nothing else.
    package var isMapAlone = false
    /// The server that the base map comes from; nil where it comes from this machine.
    package var mapHost: String?
    /// Whether the user is asked for OpenStreetMap's streets.
    package var asksForMap = false
    /// The map mode shows vehicles.
    package var showsFleet = false
    /// The map goes to them when they are known.
    package var fitsFleet = false
    /// For the map mode.
    package var center: Coordinate?
    package var zoom: Double?

    /// When this program booked the trip itself: what is seen shortly after has just happened.
    package var bookedAt: Date?
    /// So long after our own booking what is seen first has happened just then, seconds of the shown clock.
    package var justBookedSeconds = 60.0
    /// What places are called, before any map is asked.
    package var placeNames: [Coordinate: String] = [:]
    /// More trips can be watched, beside those that the screen begins with.
    package var addsTrips = false
    /// Whose trips bare ids are.
    package var provider: String?

    package init() {}

    private mutating func bind() {
        let standard: KeyMap =
            switch mode {
            case .drive: .driving
            case .replay: .replaying
            case .map: .mapping
            case .follow, .demo: .standard
            }
        keyMap = standard.with(ownKeys).map
        rideKeyMap = KeyMap.standard.withRide.with(ownKeys).map
        listKeyMap = KeyMap.choosing.with(ownKeys).map
    }
}
