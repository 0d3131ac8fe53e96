public import FleetEngine
import FoundationEssentials
public import JourneySharing

/// Joins one trip model and a map (`GMTCJourneySharingSession`): `mapView.show(JourneySharingSession(tripModel: model))`.
///
/// It subscribes to the model for as long as a map shows it, and keeps where the vehicle is to be drawn and what it has driven.
@MainActor
public final class JourneySharingSession {
    public let tripModel: TripModel
    private var journeyState: Journey
    private var freshness: FreshnessTracker
    private var motion = VehicleMotion()
    private let time: any TimeSource

    public init(tripModel: TripModel, time: any TimeSource) {
        self.tripModel = tripModel
        self.time = time
        journeyState = Journey(tripName: tripModel.tripName)
        freshness = FreshnessTracker(pollIntervalSeconds: tripModel.options.autoRefreshTimeInterval)
    }

    func start() {
        tripModel.register(self)
        if let trip = tripModel.currentTrip { take(trip) }
    }

    func stop() { tripModel.unregister(self) }

    /// The journey as it is to be drawn at a moment.
    func journey(at now: Date) -> Journey {
        let trip = tripModel.currentTrip
        journeyState.observe(
            trip: trip, vehicle: motion.frame(at: now),
            freshness: freshness.state(now: now, status: trip?.status, failure: tripModel.currentFailure),
            ageSeconds: freshness.ageSeconds(now: now))
        return journeyState
    }

    private func take(_ trip: Trip) {
        let now = time.now()
        let isNewFix = freshness.observe(trip, now: now)
        motion.ageCapSeconds = freshness.reportGapSeconds + freshness.pollIntervalSeconds
        motion.observe(trip, ageSeconds: freshness.ageSeconds(now: now), isNewFix: isNewFix, now: now)
    }
}

extension JourneySharingSession: TripModelSubscriber {
    public func tripModel(_ tripModel: TripModel, didUpdate trip: Trip, updatedPropertyFields fields: TripPropertyFields) { take(trip) }
}
