public import FleetEngine
public import Navigation
public import Routing

/// How a trip ended for the driver.
public enum TripOutcome: Hashable, Sendable {
    /// The trip is COMPLETE: the rider is at the drop-off.
    case completed
    /// The trip is CANCELED.
    case canceled
    /// It was given to another vehicle.
    case reassigned
    /// The server has lost it: it does not know it any more, or does not show it to this vehicle, though it had.
    case gone
}

/// A trip that is over for this driver.
public struct DrivenTrip: Hashable, Sendable {
    /// The trip's full name.
    public let name: TripName
    /// How it ended.
    public let outcome: TripOutcome

    /// A trip and its outcome.
    public init(name: TripName, outcome: TripOutcome) {
        self.name = name
        self.outcome = outcome
    }
}

/// A failure that stopped or delayed a driver.
public enum TripDriverFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A call failed, or getting its token.
    case fleetEngine(FleetEngineError)
    /// The router found no way.
    case route(RoutingError)
    /// The source of positions has no more of them.
    case location(LocationSourceError)

    public var description: String {
        switch self {
        case .fleetEngine(let error): error.description
        case .route(let error): error.description
        case .location(let error): error.description
        }
    }
}

/// How a drive ended.
public struct TripDriverResult: Hashable, Sendable {
    /// Why the driver drives no more.
    public enum Ending: Hashable, Sendable {
        /// There is nothing more to drive.
        case finished
        /// The source of positions came to its end.
        case sourceEnded
        /// The task was cancelled.
        case stopped
        /// The source of positions broke off, or a call or the router failed for good while `keepsTrying` was off.
        case failed(TripDriverFailure)
    }

    /// In the order in which they were driven.
    public let trips: [DrivenTrip]
    /// Why the driver drives no more.
    public let ending: Ending
    /// Why the server has not taken the vehicle's last report, which says that it is OFFLINE; nil where it has.
    public let lastRefusal: FleetEngineError?
    /// Trips that were taken on, are not over as far as is known, and are left behind.
    public let unfinished: [TripName]
    /// Trips that turned out to be over when the driver looked at them a last time, after the end of the work. `trips` has them, too.
    public let foundOver: [DrivenTrip]

    /// A result; for tests and for drivers of other makes.
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
    /// The server has taken the first report with the vehicle ONLINE.
    case online
    /// The server refused a report for a reason that was not reported since the last success; `retryAfterSeconds` is nil if it is not sent
    /// again.
    case reportRefused(FleetEngineError, retryAfterSeconds: Double?)
    /// The server takes reports again, `afterSeconds` after the first refusal.
    case reportAccepted(afterSeconds: Double)
    /// A trip was taken off the vehicle before the driver began it.
    case withdrawn(TripName)
    /// The driver has taken on a trip.
    case took(TripName)
    /// The next stop is this trip's again, after another one's.
    case resumed(TripName)
    /// The server has taken this status.
    case status(TripName, TripStatus)
    /// This status was not sent: the trip has changed meanwhile, goes on, and has the status `found`.
    case notSent(TripName, TripStatus, found: TripStatus)
    /// A way to the next stop was found: its length in metres and its duration in seconds. `isReroute`: it replaces one that the vehicle
    /// has left.
    case route(to: TripStop, lengthMeters: Double, durationSeconds: Double, isReroute: Bool)
    /// An event of the vehicle's navigation: its locations, remaining figures, and what happens on the way.
    case navigation(NavigatorEvent)
    /// Something failed and is tried again after `afterSeconds`.
    case retrying(TripDriverFailure, afterSeconds: Double)
    /// A trip is over for this driver.
    case ended(DrivenTrip)
}
