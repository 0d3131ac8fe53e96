package import Driver
package import FleetEngine
package import FoundationEssentials
package import Geo
package import JourneySharing
package import TerminalCanvas
package import TerminalMap
package import TripWatchSettings
package import TripWatchWords
package import VectorTiles

/// An event that the app handles.
package enum AppEvent: Sendable {
    case key(Key)
    case mouse(MouseEvent)
    case resize(Size)
    /// Pasted text.
    case paste(String)
    /// The time, and the state of the journey in front at that time.
    case tick(Date, JourneyTracker?)
    /// A new moment of the recording.
    case replay(ReplayFrame)
    /// An update from a trip's model, and the journey's state after it.
    case trip(TripUpdate, JourneyTracker)
    /// An update from a shipment's model, and the model's poll interval, in seconds.
    case shipment(ShipmentUpdate, intervalSeconds: Double)
    /// The result of ``AppEffect/fetchVehicle(_:for:)``.
    case vehicle(Vehicle, for: TripName)
    /// The provider's answer to ``AppEffect/cancelTrip(_:)``.
    case cancelResult(CancelResult, for: TripName)
    /// The provider's answer to ``AppEffect/book(_:)``.
    case bookingResult(BookingResult)
    /// State of the driver's shift, and the time of that state.
    case shift(DriverShiftState, at: Date)
    /// An event of the driver's shift, and the time of the event.
    case driver(TripDriverEvent, at: Date)
    /// The provider's answer to ``AppEffect/decline(_:)``.
    case declineResult(CancelResult, for: TripName)
    /// The theme has changed.
    case themeChanged(Theme)
    /// The configuration was read again; `faults` are its errors, one sentence each.
    case renewed(keys: [OwnKeys], alerts: Alerts, faults: [String])
    /// Errors in the current theme, one sentence each.
    case themeFaults([String])
    /// The terminal's number of colours has changed.
    case colorsChanged(ColorDepth)
    /// The base map has changed, or was removed.
    case baseMap(BaseMap?)
    /// The user has allowed a base map from this server, and it is being loaded.
    case mapAllowed(host: String)
    /// The reason why the base map's server sends no tiles; nil when it sends them again.
    case mapTrouble(TileTrouble?)
    /// A remark for the details panel: a problem with the base map's server that does not keep it from sending other tiles.
    case mapRemark(String)
    /// A result of ``AppEffect/loadTiles(_:)``. The tile is nil if the source has only an ancestor of it; the ancestor is a separate event.
    case tile(TileID, VectorTile?)
    /// A requested tile will not arrive soon, so frames no longer wait for it.
    case tileIsLate(TileID)
    /// The result of ``AppEffect/findStreets(_:)``: the street names found.
    case streets([Coordinate: String])
    /// The result of ``AppEffect/findStreet(of:for:)``, sent only if a street was found.
    case street(String, of: CarPlace, for: TripName)
    /// The result of ``AppEffect/readNames(near:)``.
    case names(PlaceIndex, near: Coordinate, isComplete: Bool = true)
    /// The user's position; nil when it is no longer known.
    case ownPosition(Coordinate?)
    /// News about the vehicles near a rider, or about a whole fleet. The second value is the rider's trip; nil for a whole fleet.
    case fleet(FleetNews, for: TripName?)
    /// A copied text, and whether it was sent to a clipboard. The screen also shows the text, because the terminal may have ignored the
    /// request.
    case copied(String, wasSent: Bool)
    /// State of the link to a page, as the result of ``AppEffect/startLink(_:)``; nil if the link has ended.
    case link(TripLink?, for: FollowedName)
    /// The recording of a ride has started.
    case rideBegun(TripName)
    /// The result of ``AppEffect/measure(_:)``: the file in which the ride is recorded, and the duration of the last request. Either is
    /// nil if unknown.
    case measured(TripName, ride: RideFile?, roundTripSeconds: Double?)
    /// A text to show in the event line.
    case notice(String)
    /// A notice has expired: the result of ``AppEffect/endNotice(_:afterSeconds:)``.
    case noticeEnded(Int)
    /// The question about a street map has expired: the result of ``AppEffect/endMapQuestion(afterSeconds:)``.
    case mapQuestionEnded
    /// The program ends because of a signal or because the terminal was closed.
    case quit(code: Int32)
}

extension AppEvent {
    /// Whether the clock must be set for the event. Other events contain their own time, or need none.
    var needsClock: Bool {
        switch self {
        case .key, .mouse, .resize, .paste, .fleet, .mapTrouble: true
        default: false
        }
    }

    /// Whether the user waits for the effect of the event. Examples are key presses, resizes, and the results of key presses.
    var isRequest: Bool {
        switch self {
        case .key, .mouse, .resize, .paste, .cancelResult, .bookingResult, .declineResult, .themeChanged, .themeFaults, .renewed,
            .colorsChanged, .baseMap, .mapAllowed, .names, .copied, .link, .quit:
            true
        case .tick, .replay, .trip, .shipment, .vehicle, .shift, .driver, .mapTrouble, .mapRemark, .tile, .tileIsLate, .streets, .street,
            .fleet,
            .ownPosition,
            .rideBegun, .measured, .notice, .noticeEnded, .mapQuestionEnded:
            false
        }
    }
}

/// A user's command for a recorded ride.
package enum RideCommand: Hashable, Sendable {
    case replay, export, keep
}

/// Progress shown in the terminal's tab or taskbar.
package struct WindowProgress: Hashable, Sendable {
    /// Progress, 0 ... 100 per cent.
    package var percent: Int
    /// Whether the data is not live. The progress may then be out of date.
    package var isPaused: Bool
}

/// The provider's answer to a request to cancel or decline.
package enum CancelResult: Hashable, Sendable {
    case canceled
    /// The reason, as a sentence.
    case failed(String)
    /// The answer was lost; the reason, as a sentence.
    case unknown(String)
}

/// The user's answer to the question of whether streets may be loaded from OpenStreetMap.
package enum MapConsent: Hashable, Sendable {
    case once
    /// The answer is saved in the configuration.
    case always
    /// The answer is saved in the configuration.
    case never
}

/// An action that the app asks the program to carry out.
package enum AppEffect: Hashable, Sendable {
    case quit(code: Int32)
    /// Suspend the process for the shell's job control, and resume later.
    case suspend
    /// Redraw the whole screen, regardless of the terminal's content.
    case redraw
    /// Poll the server now.
    case refresh(TripName)
    /// Poll the server now.
    case refreshShipment(TaskTrackingName)
    /// Ask the provider to cancel the trip.
    case cancelTrip(TripName)
    /// Ask the provider for a ride; answered by ``AppEvent/bookingResult(_:)``.
    case book(MapRide)
    /// Leave the map, and follow the trip that was booked on it.
    case followBooked(TripName)
    /// Start serving a link to a trip or shipment.
    case startLink(FollowedName)
    /// Stop serving the link to a trip or shipment.
    case endLink(FollowedName)
    /// Start watching another trip.
    case watch(TripName)
    /// Start watching another shipment.
    case watchShipment(TaskTrackingName)
    /// Stop watching a trip; the trip itself continues.
    case stopWatching(TripName)
    /// Stop watching a shipment.
    case stopWatchingShipment(TaskTrackingName)
    case fetchVehicle(VehicleName, for: TripName)
    case ride(RideCommand, of: TripName)
    /// Measure the size of a ride's recording and the duration of the ride's last request.
    case measure(TripName)
    /// Control the replay.
    case replay(ReplayCommand)
    /// Send a command to the driver's shift.
    case tell(DriverCommand)
    /// Ask the provider to give an offered trip to another car.
    case decline(TripName)
    /// Suggest a theme that fits this terminal background. It is used unless the user has chosen a theme.
    case suggestTheme(BackgroundTone)
    /// Copy to the clipboard if there is one; answered by ``AppEvent/copied(_:wasSent:)``.
    case copy(String)
    /// Send ``AppEvent/noticeEnded(_:)`` after this many seconds of real time, regardless of the speed of the screen's clock.
    case endNotice(Int, afterSeconds: Double)
    /// Send ``AppEvent/mapQuestionEnded`` after this many seconds of real time.
    case endMapQuestion(afterSeconds: Double)
    /// Alert a user who may not be looking at the screen, in the ways that ``AppOptions/alerts`` selects.
    case alert(title: String, text: String)
    /// Set the window's title.
    case setTitle(String)
    /// Show progress in the tab or taskbar; nil removes it.
    case showProgress(WindowProgress?)
    case nextTheme
    /// Load the missing tiles of the view, the most important first. The list replaces all earlier ones.
    case loadTiles([TileID])
    /// Load the tiles around the view, in case the view moves there. Only for a network map, after all tiles of the view have been loaded.
    /// Replaces the previous request.
    case loadAhead([TileID])
    /// Retry the base map's server now.
    case askMap
    /// Request the fleet's vehicles now.
    case askFleet
    /// The user's answer about OpenStreetMap's streets. The question is not asked again.
    case answerMap(MapConsent)
    /// Find the streets of the base map at these places, for use as names.
    case findStreets([Coordinate])
    /// Find the street of the base map that a trip's car is on.
    case findStreet(of: CarPlace, for: TripName)
    /// Read the base map's names for the search. Streets are included only near this place.
    case readNames(near: Coordinate)
}
