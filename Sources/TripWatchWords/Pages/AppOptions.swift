package import FleetEngine
package import FoundationEssentials
package import Geo
package import JourneySharing
package import TerminalCanvas
package import TerminalMap
package import TripWatchSettings

/// Options that the app starts with.
package struct AppOptions: Sendable {
    package enum Mode: Hashable, Sendable {
        case follow
        /// A simulated trip; everything runs in this process and ends with it.
        case demo
        /// A map without a trip.
        case map
        /// The replay of a recording.
        case replay
        /// A driver's shift.
        case drive(DriveOptions)
    }

    /// Whether this screen can cancel trips.
    package enum Cancelling: Hashable, Sendable {
        case available
        /// The reason, as a sentence.
        case unavailable(String)

        package static let noProvider = Cancelling.unavailable("Set --provider-url, or provider_url in the configuration, to cancel trips.")
        package static let recording = Cancelling.unavailable("This is a recording: nothing can be cancelled.")
        package static let readOnly = Cancelling.unavailable("This screen is read-only.")
    }

    /// Whether rides can be booked on a map without a trip.
    package enum Booking: Hashable, Sendable {
        case available
        /// The reason, as a sentence.
        case unavailable(String)

        package static let noProvider = Booking.unavailable("Set --provider-url, or provider_url in the configuration, to book a ride.")
        package static let readOnly = Booking.unavailable("This screen is read-only.")
    }

    package var mode = Mode.follow { didSet { bind() } }
    /// The user's own keys, which replace the standard keys of actions in every mode.
    package var ownKeys: [OwnKeys] = [] { didSet { bind() } }
    /// The user's title for the trip.
    package var title: String?
    /// Kind of those trips whose attributes do not state a kind; nil if the user set none.
    package var tripKind: TripKind?
    /// Least time between two frames that were not caused by a key press: ten frames a second.
    package var frameInterval = Duration.milliseconds(100)
    /// Frame interval for a remote terminal: two frames a second.
    package static let remoteFrameInterval = Duration.milliseconds(500)
    package var cancelling = Cancelling.noProvider
    package var booking = Booking.noProvider
    /// The reason why this screen cannot serve a link to a trip, as a sentence; nil if it can.
    package var noLinkReason: String? = "No link is served from this screen."
    /// The server's address for display.
    package var endpoint = ""
    /// Offset of the displayed time zone from GMT at a moment, seconds; positive east of Greenwich.
    package var secondsFromGMT: @Sendable (Date) -> Int = { _ in 0 }
    /// Name of that zone, shown after the arrival time for viewers in other zones; empty to omit it.
    package var zoneName = ""
    /// Text that replaces the key hints for viewers without keys; nil to show the hints.
    package var footer: String?
    package var measurementSystem = MeasurementSystem.metric
    /// Painters that the terminal supports, the one in use first; never empty.
    package var painters: [Painter] = [.braille, .sextant, .halfBlock, .ascii]
    package var colorDepth = ColorDepth.palette256
    /// Height of a cell divided by its width.
    package var cellAspect = 2.0
    /// Theme of the screen; nil if the caller sets only ``themeName``.
    package var theme: Theme?
    package var themeName = ""
    /// Alerts for users who are not looking at the screen.
    package var alerts = Alerts()
    /// Whether the terminal window's title shows the trip's state.
    package var setsWindowTitle = true
    /// Whether clicks and the wheel arrive as events. The terminal's own selection then needs Shift.
    package var usesMouse = false
    package var keyMap = KeyMap.standard
    /// Keys of a page whose ride is over and was recorded.
    package var rideKeyMap = KeyMap.standard.withRide
    /// The keys of the list of trips.
    package var listKeyMap = KeyMap.choosing
    /// Trips whose rides are recorded.
    package var rides: Set<TripName> = []
    /// Name of the replayed recording.
    package var recordingName = ""
    /// Whether the trip's own title, if the trip has one, replaces the recording's name.
    package var isOwnRide = false
    /// Errors in the configuration at the start, one sentence each.
    package var configurationFaults: [String] = []
    package var ownPosition: Coordinate?
    /// Overlay drawn on the base map.
    package var ground: GroundOverlay?
    /// Area that the base map covers, if its file states it.
    package var mapBounds: BoundingBox?
    /// Whether a base map will be loaded.
    package var expectsBaseMap = false
    /// Whether the trip's map fills the screen, without any other part.
    package var isMapAlone = false
    /// Server of the base map; nil for a local map.
    package var mapHost: String?
    /// Whether the user is asked to allow OpenStreetMap's streets.
    package var asksForMap = false
    /// Whether the map mode shows a fleet's vehicles.
    package var showsFleet = false
    /// Whether the map moves to show all vehicles of the first answer.
    package var fitsFleet = false
    /// Initial centre in map mode.
    package var center: Coordinate?
    package var zoom: Double?

    /// Time at which this program booked the trip. A status first seen shortly after the booking counts as a change.
    package var bookedAt: Date?
    /// Length of the period after ``bookedAt`` in which a first status counts as a change, seconds.
    package var justBookedSeconds = 60.0
    /// Known names of places. Only other places are looked up on the map.
    package var placeNames: [Coordinate: String] = [:]
    /// Whether the user can add trips and shipments to those at the start.
    package var addsTrips = false
    /// Provider id for trips and shipments that are given by a bare id.
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
