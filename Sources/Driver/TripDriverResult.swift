public import FleetEngine
public import Navigation
public import Routing

/// The outcome of a trip for the driver.
public enum TripOutcome: Hashable, Sendable {
    /// The trip is COMPLETE: the rider is at the drop-off.
    case completed
    /// The trip is CANCELED.
    case canceled
    /// The trip was given to another vehicle.
    case reassigned
    /// The trip is lost: the server knew the trip before, but no longer knows it or no longer shows it to this vehicle.
    case gone
}

/// A trip that has ended for this driver.
public struct DrivenTrip: Hashable, Sendable {
    /// The trip's full name.
    public let name: TripName
    /// The outcome of the trip.
    public let outcome: TripOutcome

    /// Creates a trip with its outcome.
    public init(name: TripName, outcome: TripOutcome) {
        self.name = name
        self.outcome = outcome
    }
}

/// A failure that stopped or delayed a driver.
public enum TripDriverFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A call failed, or its token could not be fetched.
    case fleetEngine(FleetEngineError)
    /// The router found no route or failed, or the coordinates of the stop are invalid.
    case route(RoutingError)
    /// The source of positions has ended or failed.
    case location(LocationSourceError)

    public var description: String {
        switch self {
        case .fleetEngine(let error): error.description
        case .route(let error): error.description
        case .location(let error): error.description
        }
    }
}

/// The result of a drive.
public struct TripDriverResult: Hashable, Sendable {
    /// The reason why the drive ended.
    public enum Ending: Hashable, Sendable {
        /// All trips are done.
        case finished
        /// The source of positions has ended.
        case sourceEnded
        /// The task was cancelled.
        case stopped
        /// The source of positions failed; or, with `keepsTrying` off, a call or the router failed permanently.
        case failed(TripDriverFailure)
    }

    /// The driven trips, in order.
    public let trips: [DrivenTrip]
    /// The reason why the drive ended.
    public let ending: Ending
    /// The error of the last report, in which the vehicle goes OFFLINE. If the server accepted that report, or no report was sent, this is
    /// the error of reading the vehicle at the start; nil if that read succeeded, found no vehicle, or was not needed.
    public let lastRefusal: FleetEngineError?
    /// The vehicle's trips that had not ended when the drive ended, according to their last read. Declined trips are left out.
    public let unfinished: [TripName]
    /// The trips in `trips` whose end was found only when they were read once more after the drive.
    public let foundOver: [DrivenTrip]

    /// Creates a result, for tests and other implementations of a driver.
    public init(
        trips: [DrivenTrip], ending: Ending, lastRefusal: FleetEngineError? = nil, unfinished: [TripName] = [], foundOver: [DrivenTrip] = []
    ) {
        self.trips = trips
        self.ending = ending
        self.lastRefusal = lastRefusal
        self.unfinished = unfinished
        self.foundOver = foundOver
    }
}

/// An event of a driver, for a log.
public enum TripDriverEvent: Hashable, Sendable {
    /// The vehicle has no trip.
    case waitingForTrip
    /// The server has accepted the first report with the vehicle ONLINE.
    case online
    /// The server refused a report. Each error causes at most one event until a report succeeds. `retryAfterSeconds` is nil if
    /// the report is not repeated.
    case reportRefused(FleetEngineError, retryAfterSeconds: Double?)
    /// The server accepts reports again, `afterSeconds` after the first report that failed.
    case reportAccepted(afterSeconds: Double)
    /// A trip was taken away from the vehicle before the driver began it.
    case withdrawn(TripName)
    /// The driver begins to serve a trip.
    case took(TripName)
    /// The next stop belongs to this trip again, after a stop of another trip.
    case resumed(TripName)
    /// The server has accepted this status.
    case status(TripName, TripStatus)
    /// This status was not sent, because the trip has changed since it was read. The trip continues with the status `found`.
    case notSent(TripName, TripStatus, found: TripStatus)
    /// A route to the next stop was found, with its length in metres and its duration in seconds. `isReroute` is true if the vehicle has
    /// left its previous route.
    case route(to: TripStop, lengthMeters: Double, durationSeconds: Double, isReroute: Bool)
    /// An event of the vehicle's navigation, such as a new location or a new remaining time and distance.
    case navigation(NavigatorEvent)
    /// A call or a route request failed. It is repeated after `afterSeconds`.
    case retrying(TripDriverFailure, afterSeconds: Double)
    /// The server is answering read calls again. `afterSeconds` is the time since the first read without an answer.
    case recovered(afterSeconds: Double)
    /// A trip has ended for this driver.
    case ended(DrivenTrip)
}
