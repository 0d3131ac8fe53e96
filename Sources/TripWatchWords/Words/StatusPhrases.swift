package import FleetEngine
import JourneySharing

/// The words for a trip's status in every voice: a page of the phrase book.
package struct StatusPhrases: Hashable, Sendable {
    /// In large on the screen.
    package struct Panel: Hashable {
        package var heading: String
        /// In large figures; empty without any.
        package var big = ""
        /// All of it in a few words.
        package var short: String
    }

    /// A line of the plain output: its word, and the text behind.
    package struct Line: Hashable {
        package var word: String
        /// Empty where only the arrival is said.
        var text = ""
    }

    /// The screen: the phase, as the rider lives it.
    package var phase: String
    /// The same on the smallest screens; nil where a stopwatch or a place says more.
    package var brief: String?
    /// Prompts, tabs and the window's title: the words in place of a countdown; nil while there is one.
    package var standing: String?
    /// The screen's figures in place of a countdown.
    package var panel: Panel?
    /// The corner of the screen, where the trip is over.
    package var corner: String?
    /// The timeline: the present step, wide and narrow; nil without one.
    package var step: String?
    package var narrowStep: String?
    /// What the rider loses, for the question before cancelling, without a full stop; nil where the car's distance says it.
    package var givenUp: String?
    /// The list of events.
    package var event: String
    /// The same where it is the first that is known.
    package var firstEvent: String?
    /// Plain output; nil without a line.
    package var line: Line?
    /// A screen reader's sentence; nil without one.
    package var spoken: String?
    /// Style sheets and scripts.
    var style: StatusReport.Phase
    /// The stop whose arrival follows the plain line; nil without one.
    var toward: WaypointType?

    /// - Parameters:
    ///   - stopIndex: the place of the next stop in the trip's list, from 0.
    ///   - stopCount: the trip's stops between pickup and drop-off.
    package static func of(_ status: TripStatus, stopIndex: Int = 0, stopCount: Int = 0, hasVehicle: Bool = true) -> StatusPhrases {
        let stop = "stop \(min(max(stopIndex, 0), 9_998) + 1)"
        return switch status {
        case .unknown: unknown
        case .new: hasVehicle ? assigned : looking
        case .enrouteToPickup: comingToPickup
        case .arrivedAtPickup: atPickup
        case .enrouteToIntermediateDestination: riding(to: stop)
        case .arrivedAtIntermediateDestination: waiting(at: stop, stopCount > 1 ? " of \(stopCount)" : "")
        case .enrouteToDropoff: ridingToDropoff
        case .complete: complete
        case .canceled: canceled
        }
    }

    package static func of(_ trip: Trip?) -> StatusPhrases {
        guard let trip else { return unknown }
        // A server that has forgotten which car it was may keep the status.
        if trip.status == .arrivedAtPickup, trip.vehicleID == nil { return looking }
        return of(
            trip.status, stopIndex: trip.stopIndex, stopCount: trip.intermediateDestinations.count, hasVehicle: trip.vehicleID != nil)
    }
}

// MARK: - The pages

extension StatusPhrases {
    private static let unknown = StatusPhrases(
        phase: "Waiting for news", givenUp: "You are on the way", event: "The server does not say how the trip stands", style: .unknown)

    private static let looking = StatusPhrases(
        phase: "Looking for a car", standing: "looking for a car",
        panel: Panel(heading: "LOOKING FOR A CAR", short: "Looking for a car"), step: "Looking for a car", event: "Trip is new again",
        firstEvent: "Trip created", line: Line(word: "new", text: "looking for a car"), spoken: "A car is being looked for.",
        style: .looking)

    private static let assigned = StatusPhrases(
        phase: "Car assigned", step: "Car assigned", event: "Trip is new again", firstEvent: "Trip created", spoken: "A car is assigned.",
        style: .enroute)

    private static let comingToPickup = StatusPhrases(
        phase: "On the way to you", brief: "on the way", step: "On the way to you", event: "Car started moving",
        firstEvent: "The car is on the way to you", line: Line(word: "moving"), spoken: "The car is on its way to you.", style: .enroute,
        toward: .pickup)

    private static let atPickup = StatusPhrases(
        phase: "Your car is here", standing: "here", panel: Panel(heading: "YOUR CAR IS", big: "HERE", short: "Car is here"),
        step: "Waiting at pickup", givenUp: "Your car is here and waits for you", event: "Arrived at pickup",
        firstEvent: "The car is at the pickup", line: Line(word: "here", text: "waiting at pickup"), spoken: "Your car is here.",
        style: .here)

    private static func riding(to stop: String) -> StatusPhrases {
        StatusPhrases(
            phase: "On the way to \(stop)", brief: "to \(stop)", step: "On the way to \(stop)", narrowStep: "To \(stop)",
            givenUp: "You are on the way", event: "On the way to \(stop)", line: Line(word: "riding", text: "to \(stop)"),
            spoken: "You are on the way to \(stop).", style: .riding, toward: .intermediate)
    }

    /// - Parameter count: ` of 2`; empty for one stop.
    private static func waiting(at stop: String, _ count: String) -> StatusPhrases {
        StatusPhrases(
            phase: "Waiting at \(stop)", standing: "at \(stop)",
            panel: Panel(heading: "AT \(stop.uppercased())\(count)", big: "HERE", short: "At \(stop)\(count)"),
            step: "Waiting at \(stop)", givenUp: "You are on the way", event: "Arrived at \(stop)",
            line: Line(word: "stop", text: "waiting at \(stop)"), spoken: "The car waits at \(stop).", style: .stop)
    }

    private static let ridingToDropoff = StatusPhrases(
        phase: "On the way", brief: "on the way", step: "On the way", givenUp: "You are on the way", event: "On the way to the drop-off",
        line: Line(word: "riding"), spoken: "You are on the way to your destination.", style: .riding, toward: .dropoff)

    private static let complete = StatusPhrases(
        phase: "You have arrived", standing: "arrived", panel: Panel(heading: "YOU HAVE ARRIVED", big: "DONE", short: "Arrived"),
        corner: "trip complete", givenUp: "You are on the way", event: "Trip complete", line: Line(word: "complete", text: "arrived"),
        spoken: "You have arrived.", style: .complete)

    private static let canceled = StatusPhrases(
        phase: "Trip cancelled", standing: "cancelled", panel: Panel(heading: "TRIP CANCELLED", short: "Cancelled"),
        corner: "trip cancelled", givenUp: "You are on the way", event: "Trip cancelled",
        line: Line(word: "cancelled", text: "the trip was cancelled"), spoken: "The trip was cancelled.", style: .cancelled)
}
