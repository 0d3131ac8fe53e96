public import FleetEngine
public import FoundationEssentials
public import JourneySharing

/// Receives the events of a session.
@MainActor
public protocol JourneySharingSessionDelegate: AnyObject {
    /// The session has processed an update of its model. ``JourneySharingSession/journey(at:)`` now includes this update.
    func journeySharingSession(_ session: JourneySharingSession, didObserve update: TripUpdate)
}

/// Connects one trip model to a view (`GMTCJourneySharingSession`): `mapView.show(JourneySharingSession(tripModel: model, time: time))`.
///
/// The session observes its model and keeps the state of the journey. A ``MapView`` is one kind of view. Any other view must
/// start and stop the session, be its ``delegate``, and call ``journey(at:)`` before each frame.
@MainActor
public final class JourneySharingSession {
    /// The observed model.
    public let tripModel: TripModel
    /// Receives each update after the session has processed it; held weakly.
    public weak var delegate: (any JourneySharingSessionDelegate)?
    private var tracker: JourneyTracker
    private let time: any TimeSource

    /// - Parameters:
    ///   - time: the model's clock.
    ///   - fallbackKind: kind of a trip whose attributes contain no kind; nil for a ride.
    ///   - arrivalShownElsewhere: see ``JourneyTracker/arrivalShownElsewhere``.
    public init(tripModel: TripModel, time: any TimeSource, fallbackKind: TripKind? = nil, arrivalShownElsewhere: Date? = nil) {
        self.tripModel = tripModel
        self.time = time
        tracker = JourneyTracker(
            tripName: tripModel.tripName, pollIntervalSeconds: tripModel.pollIntervalSeconds, fallbackKind: fallbackKind)
        tracker.arrivalShownElsewhere = arrivalShownElsewhere
    }

    /// Subscribes to the model, and processes the model's current state. A map view calls this method when it shows the session.
    public func start() {
        tripModel.register(self)
        if let trip = tripModel.currentTrip, trip != tracker.trip {
            observe(.trip(trip, changed: TripPropertyFields(from: tracker.trip, to: trip)))
        }
        if let failure = tripModel.currentFailure, failure != tracker.failure { observe(.failure(failure)) }
    }

    /// Unsubscribes from the model. A map view calls this method when it hides the session.
    public func stop() { tripModel.unregister(self) }

    /// Returns the state of the journey, with the vehicle where it is drawn at `now`. Calls must be in chronological order.
    public func journey(at now: Date) -> JourneyTracker {
        tracker.advance(to: now)
        return tracker
    }

    private func observe(_ kind: TripUpdate.Kind) {
        tripModel(tripModel, didTell: TripUpdate(name: tripModel.tripName, time: time.now(), kind: kind))
    }
}

extension JourneySharingSession: TripModelSubscriber {
    /// Processes an update; called by the model.
    public func tripModel(_ tripModel: TripModel, didTell update: TripUpdate) {
        tracker.pollIntervalSeconds = tripModel.pollIntervalSeconds
        tracker.observe(update)
        delegate?.journeySharingSession(self, didObserve: update)
    }
}
