public import FleetEngine
public import FoundationEssentials
public import JourneySharing

/// Hears from a session.
@MainActor
public protocol JourneySharingSessionDelegate: AnyObject {
    /// The session has taken in an update of its model: ``JourneySharingSession/journey(at:)`` includes it.
    func journeySharingSession(_ session: JourneySharingSession, didObserve update: TripUpdate)
}

/// Joins one trip model and what shows it (`GMTCJourneySharingSession`): `mapView.show(JourneySharingSession(tripModel: model))`.
///
/// It hears every update of its model and keeps what is known about the journey: how far it can be believed, when it arrives, where the
/// vehicle is to be drawn and what it has driven. A ``MapView`` is one face of it. Any other face starts and stops it, is its ``delegate``,
/// and asks for ``journey(at:)`` before each frame.
@MainActor
public final class JourneySharingSession {
    /// The model that is listened to.
    public let tripModel: TripModel
    /// Hears of each update once the session knows of it; held weakly.
    public weak var delegate: (any JourneySharingSessionDelegate)?
    private var tracker: JourneyTracker
    private let time: any TimeSource

    /// - Parameters:
    ///   - time: the model's clock.
    ///   - fallbackKind: what the trip is where its attributes do not say it; nil for a ride.
    public init(tripModel: TripModel, time: any TimeSource, fallbackKind: TripKind? = nil) {
        self.tripModel = tripModel
        self.time = time
        tracker = JourneyTracker(
            tripName: tripModel.tripName, pollIntervalSeconds: tripModel.pollIntervalSeconds, fallbackKind: fallbackKind)
    }

    /// Subscribes to the model, and catches up with what it has heard so far. A map view does that when it shows the session.
    public func start() {
        tripModel.register(self)
        if let trip = tripModel.currentTrip, trip != tracker.trip {
            observe(.trip(trip, changed: TripPropertyFields(from: tracker.trip, to: trip)))
        }
        if let failure = tripModel.currentFailure, failure != tracker.failure { observe(.failure(failure)) }
    }

    /// Leaves the model. A map view does that when it hides the session.
    public func stop() { tripModel.unregister(self) }

    /// What is known about the journey, with the vehicle at its drawn place at `now`. Moments must come in order.
    public func journey(at now: Date) -> JourneyTracker {
        tracker.advance(to: now)
        return tracker
    }

    private func observe(_ kind: TripUpdate.Kind) {
        tripModel(tripModel, didTell: TripUpdate(name: tripModel.tripName, time: time.now(), kind: kind))
    }
}

extension JourneySharingSession: TripModelSubscriber {
    /// Takes in an update; the model calls it.
    public func tripModel(_ tripModel: TripModel, didTell update: TripUpdate) {
        tracker.pollIntervalSeconds = tripModel.pollIntervalSeconds
        tracker.observe(update)
        delegate?.journeySharingSession(self, didObserve: update)
    }
}
