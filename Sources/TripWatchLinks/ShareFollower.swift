import FleetEngine
import JourneySharing

/// Keeps the updates of a model until they have a receiver, and reports the first result from the server.
@MainActor
final class EarlyUpdates<Update: Sendable> {
    private var onUpdate: ((Update) -> Void)?
    private var early: [Update] = []
    private let (firsts, first) = AsyncStream.makeStream(of: PollFailure?.self)

    /// Waits for the first result from the server.
    /// - Returns: the failure; nil if the server answered.
    func firstFailure() async -> PollFailure? {
        for await failure in firsts { return failure }
        return nil
    }

    /// Sends all updates to `onUpdate`: first those that were kept, then each new one.
    func hear(_ onUpdate: @escaping (Update) -> Void) {
        self.onUpdate = onUpdate
        for update in early { onUpdate(update) }
        early = []
    }

    func take(_ update: Update, isAnswer: Bool, failure: PollFailure?) {
        if let onUpdate { return onUpdate(update) }
        early.append(update)
        if isAnswer || failure != nil { first.yield(failure) }
    }
}

/// Receives the updates of a trip from its model, and keeps those that arrive before there is a receiver.
@MainActor
final class ShareFollower: TripModelSubscriber {
    private let model: TripModel
    let updates = EarlyUpdates<TripUpdate>()

    var name: TripName { model.tripName }

    init(_ model: TripModel) { self.model = model }

    /// Starts to poll the server.
    func start() { model.register(self) }

    /// Polls the server immediately. Without this, a model that a screen already uses would poll only at its next interval.
    func askNow() { model.refresh() }

    func stop() { model.unregister(self) }

    func tripModel(_ tripModel: TripModel, didTell update: TripUpdate) {
        switch update.kind {
        case .trip: updates.take(update, isAnswer: true, failure: nil)
        case .failure(let failure): updates.take(update, isAnswer: false, failure: failure)
        case .recovered, .state, .ended: updates.take(update, isAnswer: false, failure: nil)
        }
    }
}

/// Receives the updates of a shipment from its model, and keeps those that arrive before there is a receiver.
@MainActor
final class ShipmentFollower: ShipmentModelSubscriber {
    private let model: ShipmentModel
    let updates = EarlyUpdates<ShipmentUpdate>()

    var name: TaskTrackingName { model.name }
    var pollIntervalSeconds: Double { model.pollIntervalSeconds }

    init(_ model: ShipmentModel) { self.model = model }

    /// Starts to poll the server.
    func start() { model.register(self) }

    /// Polls the server immediately. Without this, a model that a screen already uses would poll only at its next interval.
    func askNow() { model.refresh() }

    func stop() { model.unregister(self) }

    func shipmentModel(_ model: ShipmentModel, didTell update: ShipmentUpdate) {
        switch update.kind {
        case .shipment: updates.take(update, isAnswer: true, failure: nil)
        case .failure(let failure): updates.take(update, isAnswer: false, failure: failure)
        case .replaced, .recovered, .state, .ended: updates.take(update, isAnswer: false, failure: nil)
        }
    }
}
