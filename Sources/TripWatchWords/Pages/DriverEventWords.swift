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
        case .reportRefused(let error, .some) where error.origin != .server: Self.failed(.fleetEngine(error))
        case .reportRefused(let error, _): "Report \(error.origin == .server ? "refused" : "failed"): \(Self.words(error))"
        case .reportAccepted(let seconds): "Reports accepted again after \(TripWords.age(seconds))"
        case .withdrawn: Self.withdrawn
        case .status(_, let status): Self.words(status, kind)
        case .notSent: Self.notSent
        case .route(let stop, let meters, let seconds, let isReroute):
            "\(isReroute ? "New route" : "Route") to the \(Self.word(stop.type, kind)): \(distance(meters)), \(ETAText(remainingSeconds: seconds).short)"
        case .retrying(let failure, _): Self.failed(failure)
        case .recovered(let seconds): "The server answered again after \(TripWords.age(seconds))"
        case .ended(let driven): Self.words(driven.outcome)
        case .navigation(.didBeginRerouting): "Off route: finding a new route"
        case .navigation(.didReturnToRoute): "Back on the route"
        case .navigation(.didLoseLocation(let seconds)): "No accurate position for \(TripWords.age(seconds))"
        case .navigation(.didRegainLocation(let seconds)): "The position is accurate again after \(TripWords.age(seconds))"
        default: nil
        }
    }

    /// Whether the event is a failed call that is repeated.
    package var isFailedAttempt: Bool {
        switch self {
        case .retrying, .reportRefused(_, .some): true
        default: false
        }
    }

    package static let notSent = "Status not sent: the trip changed"
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

    /// Returns the text for the end of a trip.
    package static func words(_ outcome: TripOutcome) -> String {
        switch outcome {
        case .completed: "Trip complete"
        case .canceled: "The rider or the provider cancelled the trip"
        case .reassigned: "The provider removed the trip from this car"
        case .gone: "The server no longer knows the trip"
        }
    }

    /// Returns the text for a failed call that is repeated. It leaves out the time until the next attempt, so that repeated failures
    /// have equal texts.
    private static func failed(_ failure: TripDriverFailure) -> String {
        guard case .fleetEngine(let error) = failure else {
            let text = sanitised(failure.description, maximumLength: 200)
            return text.prefix(1).uppercased() + text.dropFirst()
        }
        let errorClass = error.errorClass()
        // For a refusal by the server, the statement of `FailureWords` tells a rider what to do, so the driver gets only the reason.
        guard error.origin != .server || errorClass == .retryable else { return "Request refused: \(words(error))" }
        return String(FailureWords(error, errorClass).statement.dropLast())
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
