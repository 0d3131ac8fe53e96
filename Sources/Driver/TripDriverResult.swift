public import FleetEngine
public import Navigation
public import Routing

/// How a trip ended for the driver.
public enum TripOutcome: Hashable, Sendable {
    case completed
    case canceled
    /// It was given to another vehicle.
    case reassigned
    /// The server has lost it: it does not know it any more, or does not show it to this vehicle, though it had.
    case gone
}

public struct DrivenTrip: Hashable, Sendable {
    public let name: TripName
    public let outcome: TripOutcome

    public init(name: TripName, outcome: TripOutcome) {
        self.name = name
        self.outcome = outcome
    }
}

/// What stood in the driver's way.
public enum TripDriverFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case fleetEngine(FleetEngineError)
    case route(RoutingError)
    /// Nobody knows any more where the vehicle is.
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
    public enum Ending: Hashable, Sendable {
        /// There is nothing more to drive.
        case finished
        /// The source of positions came to its end.
        case sourceEnded
        /// The task was cancelled.
        case stopped
        case failed(TripDriverFailure)
    }

    /// In the order in which they were driven.
    public let trips: [DrivenTrip]
    public let ending: Ending

    public init(trips: [DrivenTrip], ending: Ending) {
        self.trips = trips
        self.ending = ending
    }
}

/// What a driver does, for a log.
public enum TripDriverEvent: Hashable, Sendable {
    /// The vehicle has no trip.
    case waitingForTrip
    /// The server has taken the first report with the vehicle ONLINE.
    case online
    /// The server did not take a report, for a reason that was not told since the last one that it took; nil if it is not sent again.
    case reportRefused(FleetEngineError, retryAfterSeconds: Double?)
    /// The server takes reports again, so long after the first one that it did not take.
    case reportAccepted(afterSeconds: Double)
    case took(TripName)
    /// The next stop is this trip's again, after another one's.
    case resumed(TripName)
    /// The server has taken this status.
    case status(TripName, TripStatus)
    case route(to: TripStop, lengthMeters: Double, durationSeconds: Double, isReroute: Bool)
    case retrying(TripDriverFailure, afterSeconds: Double)
    case ended(DrivenTrip)
}
