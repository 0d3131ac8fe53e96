package import ConsumerMap
package import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TripWatchSettings
package import TripWatchWords

/// One trip on the screen.
package struct TripPage: Sendable {
    /// What is known, as the trip's session had it last.
    package internal(set) var journey: JourneyTracker
    /// What of it is news.
    var observer = TripObserver()
    /// What of it is told to those who do not look.
    var moments: MomentWatch
    package internal(set) var map: JourneyMap
    package internal(set) var log = EventLog()
    /// Which streets its car has passed.
    var streets = StreetWatch()
    /// Vehicles near the rider who waits for one.
    var fleet = FleetPage()
    package internal(set) var history = TripHistory()
    package internal(set) var names: TripNames
    package internal(set) var card: VehicleCard?
    /// What is shown of the vehicle: all that is known of it before the pickup, and a known one during the ride.
    var shownCard: VehicleCard? { status.isBeforePickup || !status.isFinal && card?.isKnown == true ? card : nil }
    var vehicle: Vehicle?
    /// What the user calls the trip.
    let title: String?
    /// When the page was opened.
    var openedAt: Date
    var failureAt: Date?
    /// What the ride is written into; nil until that is known.
    var recording: RideFile?
    /// From the last question to its answer; nil until that is known.
    var roundTripSeconds: Double?
    var canceling = Canceling.no
    /// The link by which others see the trip; nil for none.
    var link: TripLink?
    /// When the passing of time alone can make news next; nil for never.
    var newsDueAt: Date?

    /// What the server's clock is ahead of the one here, seconds, as far as that is known: all times are shown by the server's, which tells when the
    /// car comes.
    private(set) var clockOffset = 0.0
    private var isClockKnown = false

    /// A smaller difference is the line's: answers are not equally fast, seconds.
    private static let leastClockDifference = 2.0

    /// A time of the clock here by the server's.
    package func clockTime(_ date: Date) -> Date { clockOffset == 0 ? date : date.addingTimeInterval(clockOffset) }

    /// The clock here at a time of the server's.
    func ownTime(_ date: Date) -> Date { clockOffset == 0 ? date : date.addingTimeInterval(-clockOffset) }

    /// The words of the countdown, by the clock that is shown.
    package func etaText(now: Date) -> ETAText { journey.etaText(clock: clockTime(now)) }

    /// When the trip was over; nil where it goes on.
    var endedAt: Date? {
        switch status {
        case .complete: history.droppedOffAt(trip)
        case .canceled: history.enteredAt[.canceled]
        default: nil
        }
    }

    /// Where our own cancelling stands.
    enum Canceling: Hashable, Sendable {
        case no
        case asked
        case done(Date)
        case failed(String)
        /// The provider's answer was lost: why, and the answers of the server until it is known that the trip goes on.
        case unknown(String, answersToGo: Int)
    }

    init(name: TripName, title: String?, options: AppOptions, now: Date) {
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
    /// There is no countdown, because the car stands at a stop of the rider.
    package var isAtStop: Bool { journey.isAtStop }
    /// A rider has to find the car now.
    var isCarHere: Bool { kind == .ride && status == .arrivedAtPickup }
    /// The way that is left of what happens now; nil where it is not known, and while an order's goes beyond it.
    var phaseMeters: Double? {
        isAtStop || kind == .order && status != .enrouteToDropoff ? nil : journey.estimate?.remainingMeters
    }

    /// Until the next try of a failing connection, seconds; nil where nothing fails.
    func retrySeconds(now: Date) -> Double? {
        guard let failure, let failureAt else { return nil }
        return max(0, failureAt.addingTimeInterval(failure.retryInSeconds).timeIntervalSince(now))
    }

    /// The failure is for the user to mend.
    var needsUser: Bool {
        guard let failure, !failure.isWithinGrace, case .actionRequired = failure.errorClass else { return false }
        return true
    }

    func isNewsDue(at now: Date) -> Bool { newsDueAt.map { $0 <= now } ?? false }

    /// The car came a moment ago; that is worth a second of reversed colours.
    func isFreshlyHere(now: Date) -> Bool {
        guard isCarHere, let since = history.enteredAt[.arrivedAtPickup] else { return false }
        return (0..<1).contains(clockTime(now).timeIntervalSince(since))
    }

    /// Takes over what its session knows at a moment.
    mutating func show(_ newJourney: JourneyTracker, at now: Date) {
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

    /// What happened before a clock was set, or known, happened as long ago as it did.
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
