public import FoundationEssentials
public import Geo
public import JourneySharing
public import TerminalCanvas

/// What the app is told when it starts.
public struct AppOptions: Sendable {
    public enum Mode: Hashable, Sendable {
        case follow
        /// Everything runs in this process and ends with it.
        case demo
        /// A map and nothing else.
        case map
    }

    /// Whether trips can be cancelled from here.
    public enum Cancelling: Hashable, Sendable {
        case available
        /// Why not, in a sentence.
        case unavailable(String)

        public static let noProvider = Cancelling.unavailable("No provider is set, so trips cannot be cancelled here (--provider-url).")
        public static let readOnly = Cancelling.unavailable("This screen is read-only.")
    }

    public var mode = Mode.follow
    /// What the user calls the trip.
    public var title: String?
    /// The screen is at the far end of a slow line.
    public var isRemote = false
    public var cancelling = Cancelling.noProvider
    /// The server, for people.
    public var endpoint = ""
    /// Seconds that the zone whose clock is shown is ahead of GMT at a moment.
    public var secondsFromGMT: @Sendable (Date) -> Int = { _ in 0 }
    public var measurementSystem = MeasurementSystem.metric
    /// The painters that this terminal can show, the one in use first; never empty.
    public var painters: [Painter] = [.braille, .sextant, .halfBlock, .ascii]
    public var colorDepth = ColorDepth.palette256
    /// Height of a cell divided by its width.
    public var cellAspect = 2.0
    /// The theme that the screen is drawn with; nil where nobody says, and then ``themeName`` is its name.
    public var theme: Theme?
    public var themeName = ""
    /// Rings the terminal's bell when the car is there.
    public var ringsBell = true
    /// Desktop notices are on.
    public var sendsNotices = false
    /// Clicks and the wheel come as events, and the terminal's own selection needs Shift.
    public var usesMouse = false
    public var keyMap = KeyMap.standard
    public var ownPosition: Coordinate?
    /// What there is a base map of, where its file says so.
    public var mapBounds: BoundingBox?
    /// What is being done before there is a trip to show; the screen says so.
    public var opening: String?
    /// For the map mode.
    public var center: Coordinate?
    public var zoom: Double?

    public init() {}
}
