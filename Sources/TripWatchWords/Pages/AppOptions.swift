package import FleetEngine
package import FoundationEssentials
package import Geo
package import JourneySharing
package import TerminalCanvas
package import TerminalMap
package import TripWatchSettings

/// The options with which the app starts.
package struct AppOptions: Sendable {
    package enum Mode: Hashable, Sendable {
        case follow
        /// A simulated trip. Server, vehicle and rider run in this process and end with it.
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
        /// Cancelling is not possible; the reason as a sentence.
        case unavailable(String)

        package static let noProvider = Cancelling.unavailable("Set --provider-url, or provider_url in the configuration, to cancel trips.")
        package static let recording = Cancelling.unavailable("This is a recording: nothing can be cancelled.")
        package static let readOnly = Cancelling.unavailable("This screen is read-only.")
    }

    /// Whether the user can book rides while the screen shows a map without a trip.
    package enum Booking: Hashable, Sendable {
        case available
        /// Booking is not possible; the reason as a sentence.
        case unavailable(String)

        package static let noProvider = Booking.unavailable("Set --provider-url, or provider_url in the configuration, to book a ride.")
        package static let readOnly = Booking.unavailable("This screen is read-only.")
    }

    package var mode = Mode.follow { didSet { bind() } }
    /// The keys that the user has set. They replace the actions' standard keys in every mode.
    package var ownKeys: [OwnKeys] = [] { didSet { bind() } }
    /// The title that the user has given to the trip.
    package var title: String?
    /// The kind that is assumed for trips whose attributes do not state one; nil if the user has not set it.
    package var tripKind: TripKind?
    /// The minimum time between two frames that were not caused by a key press. It allows ten frames a second.
    package var frameInterval = Duration.milliseconds(100)
    /// The minimum time between two frames on a remote terminal. It allows two frames a second.
    package static let remoteFrameInterval = Duration.milliseconds(500)
    package var cancelling = Cancelling.noProvider
    package var booking = Booking.noProvider
    /// The reason why this screen cannot serve a link to a trip, as a sentence; nil if it can.
    package var noLinkReason: String? = "This screen cannot share a link."
    /// The server's address, as displayed.
    package var endpoint = ""
    /// Returns the offset of the displayed time zone from GMT at a moment, in seconds; positive east of Greenwich.
    package var secondsFromGMT: @Sendable (Date) -> Int = { _ in 0 }
    /// Returns the name of the displayed time zone at a moment; empty to show no name. The name is written after clock times, for viewers in
    /// other time zones.
    package var zoneName: @Sendable (Date) -> String = { _ in "" }
    /// The text that replaces the key hints for viewers who cannot use keys; nil to show the hints.
    package var footer: String?
    /// Whether the user watches the trip through a link. Such a user is not always the trip's rider or customer.
    package var isViewer = false
    package var measurementSystem = MeasurementSystem.metric
    /// The painters that the terminal supports, starting with the painter in use; never empty.
    package var painters: [Painter] = [.braille, .sextant, .halfBlock, .ascii]
    package var colorDepth = ColorDepth.palette256
    /// The height of a cell divided by its width.
    package var cellAspect = 2.0
    /// The theme of the screen; nil if the caller sets only ``themeName``.
    package var theme: Theme?
    package var themeName = ""
    /// The alerts for users who are not looking at the screen.
    package var alerts = Alerts()
    /// Whether the terminal window's title shows the trip's state.
    package var setsWindowTitle = true
    /// Whether clicks and the wheel arrive as events. The user must then hold Shift to select text in the terminal.
    package var usesMouse = false
    package var keyMap = KeyMap.standard
    /// The keys of a page whose ride has ended and was recorded.
    package var rideKeyMap = KeyMap.standard.withRide
    /// The keys in the list of trips.
    package var listKeyMap = KeyMap.choosing
    /// The trips whose rides are recorded.
    package var rides: Set<TripName> = []
    /// The name of the replayed recording. It is the title of a replay whose trip has no title of its own.
    package var recordingName = ""
    /// The errors found in the configuration at startup, one sentence each.
    package var configurationFaults: [String] = []
    package var ownPosition: Coordinate?
    /// The overlay that is drawn on the base map.
    package var ground: GroundOverlay?
    /// The area that the base map covers, if its file states the area.
    package var mapBounds: BoundingBox?
    /// Whether a base map will be loaded.
    package var expectsBaseMap = false
    /// Whether the trip's map fills the screen, with no other panel.
    package var isMapAlone = false
    /// The server of the base map; nil for a local map.
    package var mapHost: String?
    /// Whether the screen asks the user for permission to load OpenStreetMap's streets.
    package var asksForMap = false
    /// Whether map mode shows a fleet's vehicles.
    package var showsFleet = false
    /// Whether the map zooms to show all vehicles once the first answer arrives.
    package var fitsFleet = false
    /// The initial centre of the map in map mode.
    package var center: Coordinate?
    package var zoom: Double?

    /// The time at which this program booked the trip. If the first status is seen soon after it, the status counts as a change.
    package var bookedAt: Date?
    /// The length of the period after ``bookedAt`` in which the first status counts as a change, in seconds.
    package var justBookedSeconds = 60.0
    /// Known names of places. These places are not looked up on the map.
    package var placeNames: [Coordinate: String] = [:]
    /// Whether the user can add more trips and shipments.
    package var addsTrips = false
    /// The reason why no trip can be added, as a sentence; nil if trips can be added.
    package var noTripReason: String?
    /// The reason why no shipment can be added, as a sentence; nil if shipments can be added.
    package var noShipmentReason: String?
    /// The provider id for trips and shipments for which the user gives only the bare id.
    package var provider: String?

    package init() {}

    /// Returns the zone's name with a space before it, to append to a clock time: ` CET`; empty to leave the name out.
    package func zone(after moment: Date) -> String {
        let name = zoneName(moment)
        return name.isEmpty ? "" : " \(name)"
    }

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
