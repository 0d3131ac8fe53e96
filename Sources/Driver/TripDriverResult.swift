public import FleetEngine
public import Navigation

/// How a trip ended for the driver.
public enum TripOutcome: Hashable, Sendable {
    case completed
    case canceled
    /// It was given to another vehicle.
    case reassigned
    /// The server has not known it for a minute, though it had.
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
    case route(RouteProviderError)

    public var description: String {
        switch self {
        case .fleetEngine(let error): error.description
        case .route(let error): error.description
        }
    }
}

/// How a drive ended.
public struct TripDriverResult: Hashable, Sendable {
    public enum Ending: Hashable, Sendable {
        /// There is nothing more to drive.
        case finished
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
    /// The vehicle is online and has no trip.
    case waitingForTrip
    case took(TripName)
    /// The server has taken this status.
    case status(TripName, TripStatus)
    case route(to: TripStop, lengthMeters: Double, durationSeconds: Double, isReroute: Bool)
    case retrying(TripDriverFailure, afterSeconds: Double)
    case ended(DrivenTrip)
}
