package import ConsumerMap
package import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TripWatchSettings

/// One trip on the screen.
package struct TripPage: Sendable {
    /// The journey, in the state last sent by the trip's session.
    package var journey: JourneyTracker
    /// Detects news in the journey.
    package var observer = TripObserver()
    /// Detects moments to alert the user about.
    package var moments: MomentWatch
    package var map: JourneyMap
    package var log = EventLog()
    /// Detects streets that the car has passed.
    package var streets = StreetWatch()
    /// Vehicles near a rider who waits for a vehicle.
    package var fleet = FleetPage()
    package var history = TripHistory()
    package var names: TripNames
    package var card: VehicleCard?
    /// The vehicle's card, for display: always before the pickup, and during the ride only if more than the id is known.
    package var shownCard: VehicleCard? { status.isBeforePickup || !status.isFinal && card?.isKnown == true ? card : nil }
    package var vehicle: Vehicle?
    /// The user's title for the trip.
    package let title: String?
    /// Time at which the page was opened.
    package var openedAt: Date
    package var failureAt: Date?
    /// The file that the ride is recorded to; nil until known.
    package var recording: RideFile?
    /// Duration of the last request, seconds; nil until known.
    package var roundTripSeconds: Double?
    package var canceling = Canceling.no
    /// The link that lets others watch the trip; nil for none.
    package var link: TripLink?
    /// Next time at which there can be news without an update; nil for never.
    package var newsDueAt: Date?

    /// Offset of the server's clock from the local one, seconds; positive if the server is ahead. All times are shown by the server's
    /// clock, because its arrival times refer to it.
    package private(set) var clockOffset = 0.0
    private var isClockKnown = false

    /// Least clock difference that counts, seconds. Smaller differences come from varying response times.
    package static let leastClockDifference = 2.0

    /// Converts a local time to the server's clock.
    package func clockTime(_ date: Date) -> Date { clockOffset == 0 ? date : date.addingTimeInterval(clockOffset) }

    /// Converts a time of the server's clock to the local one.
    package func ownTime(_ date: Date) -> Date { clockOffset == 0 ? date : date.addingTimeInterval(-clockOffset) }

    /// Text of the countdown, by the shown clock.
    package func etaText(now: Date) -> ETAText { journey.etaText(clock: clockTime(now)) }

    /// End of the trip; nil while it is running.
    package var endedAt: Date? {
        switch status {
        case .complete: history.droppedOffAt(trip)
        case .canceled: history.enteredAt[.canceled]
        default: nil
        }
    }

    /// State of a cancellation requested on this screen.
    package enum Canceling: Hashable, Sendable {
        case no
        case asked
        case done(Date)
        case failed(String)
        /// The provider's answer was lost: the reason, and the number of server answers to wait for until the trip counts as not cancelled.
        case unknown(String, answersToGo: Int)
    }

    package init(name: TripName, title: String?, options: AppOptions, now: Date) {
        self.title = title
        journey = JourneyTracker(tripName: name, fallbackKind: options.tripKind)
        moments = MomentWatch(options.alerts.rules)
        map = JourneyMap()
        map.ownPosition = options.ownPosition
        map.mapBounds = options.mapBounds
        names = TripNames(name, trip: nil, title: title, kind: journey.kind)
        openedAt = now
    }

    package var name: TripName { journey.tripName }
    package var trip: Trip? { journey.trip }
    package var status: TripStatus { journey.trip?.status ?? .unknown }
    package var failure: PollFailure? { journey.failure }
    package var phrases: StatusPhrases { StatusPhrases.of(journey, stops: names.stops) }
    package var kind: TripKind { journey.kind }
    /// Whether the car stands at one of the rider's stops, so that no countdown runs.
    package var isAtStop: Bool { journey.isAtStop }
    /// Whether the car waits at the pickup, where the rider has to find it.
    package var isCarHere: Bool { kind == .ride && status == .arrivedAtPickup }
    /// Remaining distance of the current phase, metres; nil if unknown, and while an order's distance extends beyond the phase.
    package var phaseMeters: Double? {
        isAtStop || kind == .order && status != .enrouteToDropoff ? nil : journey.estimate?.remainingMeters
    }

    package func isNewsDue(at now: Date) -> Bool { newsDueAt.map { $0 <= now } ?? false }

    /// Whether the car arrived within the last second, during which the panel's heading has reversed colours.
    package func isFreshlyHere(now: Date) -> Bool {
        guard isCarHere, let since = history.enteredAt[.arrivedAtPickup] else { return false }
        return (0..<1).contains(clockTime(now).timeIntervalSince(since))
    }

    /// Shows a new state of the journey.
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

    /// Updates the offset of the server's clock. If the clock was set or became known, earlier events are shifted, so that their age stays
    /// the same.
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
