package import Driver
package import FleetEngine
package import FoundationEssentials
package import Geo
package import JourneySharing
package import TerminalCanvas
package import TerminalMap
package import TripWatchSettings
import TripWatchWords
package import VectorTiles

/// What can happen to the app.
package enum AppEvent: Sendable {
    case key(Key)
    case mouse(MouseEvent)
    case resize(Size)
    /// Text that came at once, not key by key.
    case paste(String)
    /// The clock, and the journey in front as its session has it then.
    case tick(Date, JourneyTracker?)
    /// Another moment of the recording.
    case replay(ReplayFrame)
    /// What a trip's model told, and the journey as its session has it with that.
    case trip(TripUpdate, JourneyTracker)
    /// The answer to ``AppEffect/fetchVehicle(_:for:)``.
    case vehicle(Vehicle, for: TripName)
    /// The provider's answer to ``AppEffect/cancelTrip(_:)``.
    case cancelResult(CancelResult, for: TripName)
    /// The provider's answer to ``AppEffect/book(_:)``.
    case bookingResult(BookingResult)
    /// Where the driver's shift stands, at a moment.
    case shift(DriverShiftState, at: Date)
    /// What happened to the driver, at a moment.
    case driver(TripDriverEvent, at: Date)
    /// The provider's answer to ``AppEffect/decline(_:)``.
    case declineResult(CancelResult, for: TripName)
    /// Another theme is shown from now on.
    case themeChanged(Theme)
    /// The configuration was read again, and this is wrong with it, a sentence each.
    case renewed(keys: [OwnKeys], alerts: Alerts, faults: [String])
    /// What is wrong with the theme that is shown, a sentence each.
    case themeFaults([String])
    /// The terminal shows another number of colours from now on.
    case colorsChanged(ColorDepth)
    /// Another base map, or none.
    case baseMap(BaseMap?)
    /// A base map will come from this server, as the user has allowed.
    case mapAllowed(host: String)
    /// Why the base map's server gives no tiles; nil where it does again.
    case mapTrouble(TileTrouble?)
    /// What the details say of the base map's server while it gives tiles.
    case mapRemark(String)
    /// An answer to ``AppEffect/loadTiles(_:)``; nil where the source has none.
    case tile(TileID, VectorTile?)
    /// A tile that was asked for cannot be had for now: nobody waits for it any more.
    case tileIsLate(TileID)
    /// The answer to ``AppEffect/findStreets(_:)``, as far as there are any.
    case streets([Coordinate: String])
    /// The answer to ``AppEffect/findStreet(of:for:)``, where there is one.
    case street(String, of: CarPlace, for: TripName)
    /// The answer to ``AppEffect/readNames(near:)``.
    case names(PlaceIndex, near: Coordinate, isComplete: Bool = true)
    /// Where the user is; nil where that is not known any more.
    case ownPosition(Coordinate?)
    /// What was heard of vehicles near the one who waits for this trip, or, for nil, of a fleet.
    case fleet(FleetNews, for: TripName?)
    /// Text to copy, and whether it was sent to a clipboard. The text is shown as well: the terminal may ignore the request.
    case copied(String, wasSent: Bool)
    /// What became of a trip's link: the answer to ``AppEffect/startLink(_:)``, and later its end; nil where it has ended.
    case link(TripLink?, for: TripName)
    /// A ride is written down from now on.
    case rideBegun(TripName)
    /// The answer to ``AppEffect/measure(_:)``: what the ride is written into, and how long the server took to answer last; nil where there is
    /// none.
    case measured(TripName, ride: RideFile?, roundTripSeconds: Double?)
    /// Something to say in the line of events.
    case notice(String)
    /// The time of a notice is over: the answer to ``AppEffect/endNotice(_:afterSeconds:)``.
    case noticeEnded(Int)
    /// The question for a map has stood long enough: the answer to ``AppEffect/endMapQuestion(afterSeconds:)``.
    case mapQuestionEnded
    /// The program ends, by a signal or because the terminal went away.
    case quit(code: Int32)
}

extension AppEvent {
    /// Whether it happens at the moment at which it is taken in. All else has a moment of its own, or none.
    var needsClock: Bool {
        switch self {
        case .key, .mouse, .resize, .paste, .fleet, .mapTrouble: true
        default: false
        }
    }

    /// Whether somebody waits for what it shows: a key, a size, or what came of one. All else comes by itself.
    var isRequest: Bool {
        switch self {
        case .key, .mouse, .resize, .paste, .cancelResult, .bookingResult, .declineResult, .themeChanged, .themeFaults, .renewed,
            .colorsChanged, .baseMap, .mapAllowed, .names, .copied, .link, .quit:
            true
        case .tick, .replay, .trip, .vehicle, .shift, .driver, .mapTrouble, .mapRemark, .tile, .tileIsLate, .streets, .street, .fleet,
            .ownPosition,
            .rideBegun, .measured, .notice, .noticeEnded, .mapQuestionEnded:
            false
        }
    }
}

/// The file that a ride is written into.
package struct RideFile: Hashable, Sendable {
    /// To be shown, without its folder.
    package var name: String
    package var bytes: Int

    package init(name: String, bytes: Int) { (self.name, self.bytes) = (name, bytes) }

    var size: String { TripWords.fileSize(bytes) }
}

/// What a user wants of a ride that was written down.
package enum RideCommand: Hashable, Sendable {
    case replay, export, keep
}

/// How much of a way is done.
package struct WindowProgress: Hashable, Sendable {
    /// 0 ... 100.
    package var percent: Int
    /// Nothing can be believed to go on.
    package var isPaused: Bool
}

/// How the provider answered.
package enum CancelResult: Hashable, Sendable {
    case canceled
    /// Why not, in a sentence.
    case failed(String)
    /// Its answer was lost: why, in a sentence.
    case unknown(String)
}

/// Whether OpenStreetMap may be asked for streets.
package enum MapConsent: Hashable, Sendable {
    case once
    /// From now on; it is remembered.
    case always
    /// From now on; it is remembered.
    case never
}

/// What the app wants done in the world.
package enum AppEffect: Hashable, Sendable {
    case quit(code: Int32)
    /// Stop the process as a shell expects it, and come back.
    case suspend
    /// Draw all of the screen again, whatever the terminal shows.
    case redraw
    /// Ask the server now.
    case refresh(TripName)
    /// Ask the provider to cancel.
    case cancelTrip(TripName)
    /// Ask the provider for a ride; to be answered by ``AppEvent/bookingResult(_:)``.
    case book(MapRide)
    /// End the map, and follow the trip that was booked on it.
    case followBooked(TripName)
    /// Serve a link to a trip.
    case startLink(TripName)
    /// Serve the link to a trip no more.
    case endLink(TripName)
    /// Follow one more trip.
    case watch(TripName)
    /// Follow a trip no more; it goes on.
    case stopWatching(TripName)
    case fetchVehicle(VehicleName, for: TripName)
    case ride(RideCommand, of: TripName)
    /// How long has the recording of a ride become, and how fast is its server?
    case measure(TripName)
    /// Play the recording otherwise.
    case replay(ReplayCommand)
    /// Tell the driver.
    case tell(DriverCommand)
    /// Ask the provider to give an offered trip to another car.
    case decline(TripName)
    /// A theme for such a background, where the user has chosen none.
    case suggestTheme(BackgroundTone)
    /// To the clipboard, as far as there is one; to be answered by ``AppEvent/copied(_:wasSent:)``.
    case copy(String)
    /// ``AppEvent/noticeEnded(_:)`` after seconds of real time, however fast the clock of the screen is.
    case endNotice(Int, afterSeconds: Double)
    /// ``AppEvent/mapQuestionEnded`` after seconds of real time.
    case endMapQuestion(afterSeconds: Double)
    /// To be told to those who do not look, by the ways of ``AppOptions/alerts``.
    case alert(title: String, text: String)
    /// The window's title.
    case setTitle(String)
    /// How much of the way is done, for the tab or the taskbar; nil for nothing.
    case showProgress(WindowProgress?)
    case nextTheme
    /// The tiles of the base map that are to be seen and not there, the most wanted first. Those asked for before and not any more have left the
    /// view.
    case loadTiles([TileID])
    /// Tiles around the view of a map from the network, for the time when it moves there; all of the view is there. It takes the place of what was
    /// asked for before.
    case loadAhead([TileID])
    /// Ask the base map's server now.
    case askMap
    /// Ask for the fleet's vehicles now.
    case askFleet
    /// The answer to the question for OpenStreetMap's streets, which is nothing that is asked twice.
    case answerMap(MapConsent)
    /// The streets of the base map next to these places, to call them by.
    case findStreets([Coordinate])
    /// The street of the base map on which a trip's car is.
    case findStreet(of: CarPlace, for: TripName)
    /// The names of the base map, those of streets around a place, to be looked through.
    case readNames(near: Coordinate)
}
