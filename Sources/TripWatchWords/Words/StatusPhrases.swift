package import FleetEngine
package import JourneySharing
import TerminalCanvas

/// The words for a trip's status, for every kind of output.
package struct StatusPhrases: Hashable, Sendable {
    /// The large text on the screen.
    package struct Panel: Hashable {
        package var heading: String
        /// The large figures; empty for a heading without figures.
        package var big = ""
        /// The heading and the figures together, in a few words.
        package var short: String
    }

    /// A line of plain output: its first word, and the text after this word.
    package struct Line: Hashable {
        package var word: String
        /// The text; empty if the line contains only the arrival.
        var text = ""
    }

    /// The phase on the screen, as the rider sees it.
    package var phase: String
    /// The phase on the smallest screens; nil if a stopwatch or a place's name says more.
    package var brief: String?
    /// The words that replace a countdown in prompts, tabs and the window title; nil while a countdown is shown.
    package var standing: String?
    /// The figures that replace a countdown on the screen.
    package var panel: Panel?
    /// The word in the corner of the screen after the trip has ended.
    package var corner: String?
    /// The current step of the timeline, in wide and narrow form; nil if the status has no step.
    package var step: String?
    package var narrowStep: String?
    /// The reason not to cancel, for the confirmation dialog, without a full stop; nil to show how far away the car is.
    package var givenUp: String?
    /// The text in the list of events.
    package var event: String
    /// The text in the list of events if this is the first status that the program has seen.
    package var firstEvent: String?
    /// The line of plain output; nil if the status gets no line.
    package var line: Line?
    /// The sentence for a screen reader; nil if the status gets no sentence.
    package var spoken: String?
    /// The phase for style sheets and scripts.
    var style: StatusReport.Phase
    /// The stop whose arrival is added to the plain line; nil if no arrival is added.
    var toward: WaypointType?

    /// - Parameters:
    ///   - stopIndex: index of the next stop in the trip's list, from 0.
    ///   - stopCount: number of stops between pickup and drop-off.
    ///   - stopName: name of the next stop; empty to use its number. Orders always use the number.
    ///   - deliveriesBefore: for an order, the number of deliveries to other customers before this order's delivery.
    package static func of(
        _ status: TripStatus, kind: TripKind = .ride, stopIndex: Int = 0, stopCount: Int = 0, hasVehicle: Bool = true,
        stopName: String = "", deliveriesBefore: Int = 0
    ) -> StatusPhrases {
        let number = min(max(stopIndex, 0), 9_998) + 1
        if kind == .order {
            return order(status, stop: number, of: stopCount, hasVehicle: hasVehicle, deliveriesBefore: deliveriesBefore)
        }
        let stop = StopName(stopName, number: number)
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

    /// - Parameter stops: names of the trip's stops, in order.
    package static func of(_ trip: Trip?, kind: TripKind = .ride, stops: [String] = [], deliveriesBefore: Int = 0) -> StatusPhrases {
        guard let trip else { return of(.unknown, kind: kind) }
        let hasVehicle = trip.vehicleID != nil
        return of(
            shown(trip.status, hasVehicle: hasVehicle), kind: kind, stopIndex: trip.stopIndex,
            stopCount: trip.intermediateDestinations.count, hasVehicle: hasVehicle,
            stopName: stops.indices.contains(trip.stopIndex) ? stops[trip.stopIndex] : "", deliveriesBefore: deliveriesBefore)
    }

    /// Returns the status to put into words: `new` if the trip has no car before the pickup. The server may keep the old status when a trip
    /// loses its car.
    static func shown(_ status: TripStatus, hasVehicle: Bool) -> TripStatus {
        !hasVehicle && status.isBeforePickup ? .new : status
    }

    /// - Parameters:
    ///   - stops: names of the trip's stops, in order.
    ///   - isViewer: whether the phrases are for a viewer of a link.
    package static func of(_ journey: JourneyTracker, stops: [String], isViewer: Bool = false) -> StatusPhrases {
        let phrases = of(journey.trip, kind: journey.kind, stops: stops, deliveriesBefore: journey.estimate?.stopsBefore ?? 0)
        guard isViewer, let trip = journey.trip else { return phrases }
        return phrases.forViewer(shown(trip.status, hasVehicle: trip.vehicleID != nil), journey.kind)
    }

    /// Returns the phrases for a status that a fact reports.
    static func of(_ status: TripStatus, _ journey: JourneyTracker, isViewer: Bool) -> StatusPhrases {
        let trip = journey.trip
        let phrases = of(
            status, kind: journey.kind, stopIndex: trip?.stopIndex ?? 0, stopCount: trip?.intermediateDestinations.count ?? 0,
            hasVehicle: trip?.vehicleID != nil, stopName: TripNames.nextStop(of: trip))
        return isViewer ? phrases.forViewer(status, journey.kind) : phrases
    }

    /// The phase for use inside a sentence.
    package var phaseInSentence: String { phase.prefix(1).lowercased() + phase.dropFirst() }

    /// The phase for use inside a sentence, in a few words.
    package var inSentence: String { brief ?? phaseInSentence }
}

/// A stop in words: its name, or `stop 1` if it has no name.
private struct StopName {
    let text: String
    /// The short form: the number if the name is long.
    let short: String
    let isNumber: Bool

    init(_ name: String, number: Int) {
        let numbered = "stop \(number)"
        isNumber = name.isEmpty
        text = isNumber ? numbered : name
        short = displayWidth(text) <= TripNames.shortColumns ? text : numbered
    }
}

// MARK: - Phrases for each status

extension StatusPhrases {
    private static let unknown = StatusPhrases(
        phase: "Status not known", givenUp: "The trip's status is not known",
        event: "The server does not report the trip's status", style: .unknown)

    private static let looking = StatusPhrases(
        phase: "Looking for a car", standing: "looking for a car",
        panel: Panel(heading: "LOOKING FOR A CAR", short: "Looking for a car"), step: "Looking for a car",
        event: "The trip is no longer under way",
        firstEvent: "Trip created", line: Line(word: "new", text: "looking for a car"), spoken: "Looking for a car.",
        style: .looking)

    private static let assigned = StatusPhrases(
        phase: "Car assigned", step: "Car assigned", event: "The trip is no longer under way", firstEvent: "Trip created",
        spoken: "A car is assigned.",
        style: .enroute)

    private static let comingToPickup = StatusPhrases(
        phase: "On the way to you", brief: "on the way", step: "On the way to you", event: "Car is on its way",
        firstEvent: "The car is on its way to you", line: Line(word: "moving"), spoken: "The car is on its way to you.", style: .enroute,
        toward: .pickup)

    private static let atPickup = StatusPhrases(
        phase: "Your car is here", standing: "here", panel: Panel(heading: "YOUR CAR IS", big: "HERE", short: "Car is here"),
        step: "Waiting at pickup", givenUp: "Your car is here and waiting for you", event: "Arrived at pickup",
        firstEvent: "The car is at the pickup", line: Line(word: "here", text: "waiting at pickup"), spoken: "Your car is here.",
        style: .here)

    private static func riding(to stop: StopName) -> StatusPhrases {
        StatusPhrases(
            phase: "On the way to \(stop.text)", brief: "to \(stop.short)", step: "On the way to \(stop.text)",
            narrowStep: "To \(stop.short)", givenUp: "You are on the way", event: "On the way to \(stop.text)",
            line: Line(word: "riding", text: "to \(stop.text)"), spoken: "You are on the way to \(stop.text).", style: .riding,
            toward: .intermediate)
    }

    /// - Parameter count: text such as ` of 2` after the stop's number; empty if there is only one stop.
    private static func waiting(at stop: StopName, _ count: String) -> StatusPhrases {
        let count = stop.short == stop.text && !stop.isNumber ? "" : count
        return StatusPhrases(
            phase: "Waiting at \(stop.text)", standing: "at \(stop.short)",
            panel: Panel(heading: "AT \(stop.short.uppercased())\(count)", big: "HERE", short: "At \(stop.short)\(count)"),
            step: "Waiting at \(stop.text)", narrowStep: stop.isNumber ? nil : "At \(stop.short)", givenUp: "You are on the way",
            event: "Arrived at \(stop.text)",
            line: Line(word: "stop", text: "waiting at \(stop.text)"), spoken: "The car is waiting at \(stop.text).", style: .stop)
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
