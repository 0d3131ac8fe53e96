package import FleetEngine
package import FoundationEssentials
import Geo
package import JourneySharing

/// A fact about a shipment, for a line of output.
package enum ShipmentFact: Hashable, Sendable {
    case replaced
    case state(DeliveryTaskState)
    case window(TimeWindow?)
    /// The items that the server shares, and the time until the next poll, in seconds.
    case shared(SharedParts, intervalSeconds: Double)
    /// A change of the freshness. Without a position, the freshness is nil, unless a request has failed.
    case freshness(Freshness?, ageSeconds: Double?, previous: Freshness?)
    case location(VehicleLocation, ageSeconds: Double?)
    case eta(ShipmentETA)
    /// The number of stops before the shipment's stop; nil if the server no longer shares the number, and once the shipment is over.
    case stops(before: Int?)
    /// The number of points and the length of the route. Both are 0 if the server no longer shares the route.
    case route(points: Int, lengthMeters: Double)
    case outcome(DeliveryTaskOutcome, time: Date?)
    case failure(PollFailure)
    case recovered(afterSeconds: Double)
    case end(DeliveryTaskState, outcome: DeliveryTaskOutcome?)
}

/// The displayed arrival at the shipment's stop, the number of stops before this stop, the remaining time and distance, and the expected
/// completion of the task. Values that the server does not share are nil, and so are all values once the shipment is over.
package struct ShipmentETA: Hashable, Sendable {
    package let arrival: Date?
    /// The remaining time until the arrival, in seconds; never negative.
    package let remainingSeconds: Double?
    package let remainingMeters: Double?
    package let completion: Date?
    package let stopsBefore: Int?

    /// - Parameter now: current time by the local clock.
    package init(_ tracker: ShipmentTracker, now: Date) {
        // A server may keep its estimates and the number of stops after the end.
        let isAwaited = !tracker.isOver(now: now)
        arrival = isAwaited ? tracker.arrival.shown : nil
        remainingSeconds = isAwaited ? tracker.remainingSeconds(now: now).map { max(0, $0) } : nil
        remainingMeters = isAwaited ? tracker.shipment?.remainingDistanceMeters : nil
        completion = isAwaited ? tracker.shipment?.estimatedCompletionTime : nil
        stopsBefore = isAwaited ? tracker.stopsBefore : nil
    }

    var isEmpty: Bool { arrival == nil && remainingMeters == nil && completion == nil }

    /// Whether all values are equal, apart from the remaining time and the number of stops.
    func isSame(as other: ShipmentETA) -> Bool {
        arrival == other.arrival && remainingMeters == other.remainingMeters && completion == other.completion
    }
}

/// Selects the news about one shipment: turns updates and clock ticks into facts.
///
/// The shipment's state is in its `ShipmentTracker`, which must handle each update and tick first.
package struct ShipmentObserver: Sendable {
    private var shipment: TaskTrackingInfo?
    private var toldShared: SharedParts?
    private var toldInterval = 0.0
    private var toldETA: ShipmentETA?
    private var toldStops: Int?
    private var toldFreshness: Freshness?
    private var isFreshnessTold = false

    package init() {}

    /// Returns the news in an update.
    /// - Parameter tracker: the shipment's tracker, which has already handled the update.
    package mutating func observe(_ update: ShipmentUpdate, _ tracker: ShipmentTracker) -> [ShipmentFact] {
        let now = update.time
        switch update.kind {
        case .replaced:
            self = ShipmentObserver()
            return [.replaced]
        case .shipment(let shipment, let changed): return facts(of: shipment, changed, tracker, now: now)
        case .failure(let failure): return [.failure(failure)] + freshnessFact(tracker, now: now)
        case .recovered(let seconds): return [.recovered(afterSeconds: seconds)]
        case .ended(let shipment): return [.end(shipment.state, outcome: shipment.outcome)]
        case .state: return []
        }
    }

    /// Returns the news that arises without an update, only because time has passed.
    package mutating func tick(_ tracker: ShipmentTracker, now: Date) -> [ShipmentFact] {
        // The freshness cannot change before the first answer or failure.
        isFreshnessTold ? freshnessFact(tracker, now: now) : []
    }

    private mutating func facts(
        of shipment: TaskTrackingInfo, _ changed: ShipmentFields, _ tracker: ShipmentTracker, now: Date
    ) -> [ShipmentFact] {
        let isFirst = self.shipment == nil
        self.shipment = shipment
        var facts: [ShipmentFact] = []
        if changed.contains(.state) { facts.append(.state(shipment.state)) }
        if isFirst || changed.contains(.targetTimeWindow) { facts.append(.window(shipment.targetTimeWindow)) }
        facts += sharedFact(tracker) + freshnessFact(tracker, now: now)
        if tracker.isNewFix, let location = shipment.vehicleLocation {
            facts.append(.location(location, ageSeconds: tracker.ageSeconds(now: now)))
        }
        facts += etaFact(tracker, now: now) + stopsFact(tracker, now: now)
        if changed.contains(.route) {
            facts.append(.route(points: shipment.route?.coordinates.count ?? 0, lengthMeters: shipment.route?.lengthMeters ?? 0))
        }
        if changed.contains(.outcome), let outcome = shipment.outcome {
            facts.append(.outcome(outcome, time: shipment.outcomeTime))
        }
        return facts
    }

    private mutating func sharedFact(_ tracker: ShipmentTracker) -> [ShipmentFact] {
        guard toldShared != tracker.shared || toldInterval != tracker.pollIntervalSeconds else { return [] }
        toldShared = tracker.shared
        toldInterval = tracker.pollIntervalSeconds
        return [.shared(tracker.shared, intervalSeconds: tracker.pollIntervalSeconds)]
    }

    private mutating func etaFact(_ tracker: ShipmentTracker, now: Date) -> [ShipmentFact] {
        let eta = ShipmentETA(tracker, now: now)
        guard toldETA.map({ !$0.isSame(as: eta) }) ?? !eta.isEmpty else { return [] }
        toldETA = eta
        return [.eta(eta)]
    }

    private mutating func stopsFact(_ tracker: ShipmentTracker, now: Date) -> [ShipmentFact] {
        let before = ShipmentETA(tracker, now: now).stopsBefore
        guard before != toldStops else { return [] }
        toldStops = before
        return [.stops(before: before)]
    }

    private mutating func freshnessFact(_ tracker: ShipmentTracker, now: Date) -> [ShipmentFact] {
        guard !isFreshnessTold || tracker.freshness != toldFreshness else { return [] }
        let previous = toldFreshness
        isFreshnessTold = true
        toldFreshness = tracker.freshness
        return [.freshness(tracker.freshness, ageSeconds: tracker.ageSeconds(now: now), previous: previous)]
    }
}
