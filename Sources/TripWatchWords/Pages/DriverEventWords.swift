package import Driver
package import FleetEngine
import JourneySharing
import Navigation
import TerminalCanvas

extension TripDriverEvent {
    /// Returns the text for the driver's list of events; nil for events that are not listed.
    /// - Parameter kind: the kind of the event's trip.
    package func words(kind: TripKind, distance: (Double) -> String) -> String? {
        switch self {
        case .waitingForTrip: "Waiting for a trip"
        case .online: "Online: the server accepts reports"
        case .reportRefused(let error, let seconds):
            "Report \(error.origin == .server ? "refused" : "failed"): \(Self.words(error))"
                + (seconds.map { ", trying again in \(TripWords.countdown($0))" } ?? "")
        case .reportAccepted(let seconds): "Reports accepted again after \(TripWords.age(seconds))"
        case .withdrawn: Self.withdrawn
        case .status(_, let status): Self.words(status, kind)
        case .notSent: Self.notSent
        case .route(let stop, let meters, let seconds, let isReroute):
            "\(isReroute ? "New route" : "Route") to the \(Self.word(stop.type, kind)): \(distance(meters)), \(ETAText(remainingSeconds: seconds).short)"
        case .retrying(let failure, let seconds): "\(Self.words(failure)), trying again in \(TripWords.countdown(seconds))"
        case .recovered(let seconds): "The server answered again after \(TripWords.age(seconds))"
        case .ended(let driven): Self.words(driven.outcome)
        case .navigation(.didBeginRerouting): "Off route: finding a new route"
        case .navigation(.didReturnToRoute): "Back on the route"
        case .navigation(.didLoseLocation(let seconds)): "No accurate position for \(TripWords.age(seconds))"
        case .navigation(.didRegainLocation(let seconds)): "The position is accurate again after \(TripWords.age(seconds))"
        default: nil
        }
    }

    package static let notSent = "The provider changed the trip"
    package static let withdrawn = "The trip was withdrawn before it began"

    private static func words(_ status: TripStatus, _ kind: TripKind) -> String? {
        let pickup = word(.pickup, kind) + (kind == .ride ? " (rider notified)" : "")
        return switch status {
        case .enrouteToPickup: "On the way to the \(pickup)"
        case .arrivedAtPickup: "At the \(pickup)"
        case .enrouteToIntermediateDestination: "On the way to the next stop"
        case .arrivedAtIntermediateDestination: "At the stop"
        case .enrouteToDropoff: "On the way to the drop-off"
        case .complete, .canceled, .new, .unknown: nil
        }
    }

    /// Returns the text for the end of a trip. If the server reports who ended the trip, the text says so.
    package static func words(_ outcome: TripOutcome) -> String {
        switch outcome {
        case .completed: "Trip complete"
        case .canceled: "The rider or the provider cancelled the trip"
        case .reassigned: "The provider removed the trip from this car"
        case .gone: "The server no longer knows the trip"
        }
    }

    private static func words(_ failure: TripDriverFailure) -> String {
        if case .fleetEngine(let error) = failure { words(error) } else { sanitised(failure.description, maximumLength: 200) }
    }

    private static func words(_ error: FleetEngineError) -> String { FailureWords(error, error.errorClass()).reason }

    private static func word(_ type: WaypointType, _ kind: TripKind) -> String {
        switch type {
        case .pickup: kind == .order ? "shop" : "pickup"
        case .intermediate: "stop"
        case .dropoff: "drop-off"
        case .unknown: "next stop"
        }
    }
}
