public import ConsumerMap
public import FleetEngine
import FoundationEssentials
public import JourneySharing

/// One trip on the screen.
public struct TripPage: Sendable {
    /// What is known, as the trip's session had it last.
    public internal(set) var journey: JourneyTracker
    /// What of it is news.
    var observer = TripObserver()
    public internal(set) var map: JourneyMap
    public internal(set) var log = EventLog()
    public internal(set) var history = TripHistory()
    public internal(set) var names: TripNames
    public internal(set) var card: VehicleCard?
    var vehicle: Vehicle?
    /// When the page was opened.
    var openedAt: Date
    var failureAt: Date?
    var canceling = Canceling.no
    /// When the passing of time alone can make news next; nil for never.
    var newsDueAt: Date?
    /// The vehicle was drawn elsewhere the last time.
    private(set) var isGliding = false

    /// Where our own cancelling stands.
    enum Canceling: Hashable, Sendable {
        case no
        case asked
        case done(Date)
        case failed(String)
        /// The provider's answer was lost: why, and the answers of the server until it is known that the trip goes on.
        case unknown(String, answersToGo: Int)
    }

    init(name: TripName, options: AppOptions, now: Date) {
        journey = JourneyTracker(tripName: name)
        map = JourneyMap()
        map.ownPosition = options.ownPosition
        map.mapBounds = options.mapBounds
        names = TripNames(name, trip: nil, title: options.title)
        openedAt = now
    }

    public var name: TripName { journey.tripName }
    public var trip: Trip? { journey.trip }
    public var status: TripStatus { journey.trip?.status ?? .unknown }
    public var failure: PollFailure? { journey.failure }
    var phrases: StatusPhrases { StatusPhrases.of(trip) }

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
        guard status == .arrivedAtPickup, let since = history.enteredAt[.arrivedAtPickup] else { return false }
        return (0..<1).contains(now.timeIntervalSince(since))
    }

    /// Takes over what its session knows at a moment.
    mutating func show(_ newJourney: JourneyTracker, at now: Date) {
        let before = journey.vehicle?.coordinate
        let wasOffRoute = journey.vehicle?.isOffRoute ?? false
        journey = newJourney
        if let isOffRoute = journey.vehicle?.isOffRoute, isOffRoute != wasOffRoute {
            log.add(note: isOffRoute ? "The car has left its route" : "The car is back on its route", at: now)
        }
        isGliding = before != journey.vehicle?.coordinate
        map.isSummary = status.isFinal
    }
}
