package import ConsumerMap
package import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TripWatchSettings

/// A page of the screen that shows one trip.
package struct TripPage: Sendable {
    /// The journey, in the state that the trip's session most recently sent.
    package var journey: JourneyTracker
    /// Finds the news about the journey.
    package var observer = TripObserver()
    /// Finds the events that alert the user.
    package var moments: MomentWatch
    package var map: JourneyMap
    package var log = EventLog()
    /// Finds the streets that the car has passed.
    package var streets = StreetWatch()
    /// The vehicles near a rider whose trip has no vehicle yet.
    package var fleet = FleetPage()
    package var history = TripHistory()
    package var names: TripNames
    package var card: VehicleCard?
    /// The cards of the trip's former vehicles, by id, for their events.
    package var formerCards: [String: VehicleCard] = [:]
    /// The vehicle's card, if it is displayed: always before the pickup, and during the ride only if more than the id is known.
    package var shownCard: VehicleCard? { status.isBeforePickup || !status.isFinal && card?.isKnown == true ? card : nil }
    package var vehicle: Vehicle?
    /// The title that the user has given to the trip.
    package let title: String?
    private let isViewer: Bool
    /// The time at which the page was opened.
    package var openedAt: Date
    package var failureAt: Date?
    /// The file in which the ride is recorded; nil until the file is known.
    package var recording: RideFile?
    /// The duration of the last request, in seconds; nil before the first answer.
    package var roundTripSeconds: Double?
    package var canceling = Canceling.no
    /// The link that lets others watch the trip; nil if no link is served.
    package var link: TripLink?
    /// The next time at which news can arise merely because time passes; nil if the program cannot predict it.
    package var newsDueAt: Date?

    /// The time by which the server's clock is ahead of the local clock, in seconds; negative if it is behind. The screen shows all times
    /// by the server's clock, because the arrival times refer to it.
    package private(set) var clockOffset = 0.0
    private var isClockKnown = false

    /// The minimum clock difference, in seconds, that is corrected. Smaller differences come from varying response times.
    package static let leastClockDifference = 2.0

    /// Converts a time of the local clock to the server's clock.
    package func clockTime(_ date: Date) -> Date { clockOffset == 0 ? date : date.addingTimeInterval(clockOffset) }

    /// Converts a time of the server's clock to the local clock.
    package func ownTime(_ date: Date) -> Date { clockOffset == 0 ? date : date.addingTimeInterval(-clockOffset) }

    /// Returns the text of the countdown, by the clock that the screen shows.
    package func etaText(now: Date) -> ETAText { journey.etaText(clock: clockTime(now)) }

    /// The time at which the trip ended; nil while the trip is running, or if the time is unknown.
    package var endedAt: Date? {
        switch status {
        case .complete: history.droppedOffAt(trip)
        case .canceled: history.enteredAt[.canceled]
        default: nil
        }
    }

    /// The state of a cancellation that the user requested on this screen.
    package enum Canceling: Hashable, Sendable {
        case no
        case asked
        case done(Date)
        case failed(String)
        /// The provider's answer was lost. The text is the reason. After `answersToGo` further answers from the server, the trip counts
        /// as not cancelled.
        case unknown(String, answersToGo: Int)
    }

    package init(name: TripName, title: String?, options: AppOptions, now: Date) {
        self.title = title
        isViewer = options.isViewer
        journey = JourneyTracker(tripName: name, fallbackKind: options.tripKind)
        moments = MomentWatch(options.alerts.rules)
        map = JourneyMap()
        if options.isViewer { map.labels.pickup = "pickup" }
        map.ownPosition = options.ownPosition
        map.mapBounds = options.mapBounds
        names = TripNames(name, trip: nil, title: title, kind: journey.kind)
        openedAt = now
    }

    package var name: TripName { journey.tripName }
    package var trip: Trip? { journey.trip }
    package var status: TripStatus { journey.trip?.status ?? .unknown }
    package var failure: PollFailure? { journey.failure }
    package var phrases: StatusPhrases { StatusPhrases.of(journey, stops: names.stops, isViewer: isViewer) }
    package var kind: TripKind { journey.kind }
    /// Whether a known arrival is shown as a countdown. It is false after the end of the trip. For a ride, it is also false while the car
    /// waits at one of this trip's stops, and before the pickup if there is no car. The server may then keep an old status and arrival.
    package var isCounting: Bool { phrases.standing == nil }
    /// Whether the car is at one of the rider's stops.
    package var isAtStop: Bool { journey.isAtStop }
    /// Whether the car is waiting at the pickup, where the rider has to find it.
    package var isCarHere: Bool { kind == .ride && status == .arrivedAtPickup && trip?.vehicleID != nil }
    /// The remaining distance in the current phase, in metres. It is nil while unknown, at a stop, and for an order that is not yet on its
    /// way to the drop-off.
    package var phaseMeters: Double? {
        isAtStop || kind == .order && status != .enrouteToDropoff ? nil : journey.estimate?.remainingMeters
    }

    package func isNewsDue(at now: Date) -> Bool { newsDueAt.map { $0 <= now } ?? false }

    /// Whether the car arrived within the last second. During this second, the panel's heading is shown in reverse video.
    package func isFreshlyHere(now: Date) -> Bool {
        guard isCarHere, let since = history.enteredAt[.arrivedAtPickup] else { return false }
        return (0..<1).contains(clockTime(now).timeIntervalSince(since))
    }

    /// Applies a new state of the journey.
    package mutating func show(_ newJourney: JourneyTracker, at now: Date) {
        let wasOffRoute = journey.vehicle?.isOffRoute ?? false
        journey = newJourney
        setClock(at: now)
        if let isOffRoute = journey.vehicle?.isOffRoute, isOffRoute != wasOffRoute {
            log.add(
                note: isOffRoute ? "The \(kind.vehicle) has left its route" : "The \(kind.vehicle) is back on its route", at: clockTime(now)
            )
        }
        map.isSummary = status.isFinal
    }

    /// Updates the offset of the server's clock. If the offset jumps or becomes known, earlier events are shifted by the change.
    private mutating func setClock(at now: Date) {
        let change = journey.serverNow(now).timeIntervalSince(now) - clockOffset
        let wasKnown = isClockKnown
        isClockKnown = journey.isServerClockKnown
        guard abs(change) > Self.leastClockDifference else { return }
        clockOffset += change
        guard abs(change) > JourneyTracker.clockJumpSeconds || !wasKnown else { return }
        log.shift(bySeconds: change)
        history.shift(bySeconds: change)
    }
}

extension TripPage: PolledPage {}
