import FleetEngine
import JourneySharing

/// Receives the updates of a trip from its model, from the first answer on.
@MainActor
final class ShareFollower: TripModelSubscriber {
    private let model: TripModel
    private var onUpdate: ((TripUpdate) -> Void)?
    private var early: [TripUpdate] = []
    private let (firsts, first) = AsyncStream.makeStream(of: PollFailure?.self)

    var name: TripName { model.tripName }

    init(_ model: TripModel) { self.model = model }

    /// Starts to poll the server.
    func start() { model.register(self) }

    /// Polls the server immediately, since the model of a screen would wait for its next interval.
    func askNow() { model.refresh() }

    /// Waits for the first result from the server.
    /// - Returns: the failure; nil for an answer.
    func firstFailure() async -> PollFailure? {
        for await failure in firsts { return failure }
        return nil
    }

    /// Forwards all updates, past and future.
    func hear(_ onUpdate: @escaping (TripUpdate) -> Void) {
        self.onUpdate = onUpdate
        for update in early { onUpdate(update) }
        early = []
    }

    func stop() { model.unregister(self) }

    func tripModel(_ tripModel: TripModel, didTell update: TripUpdate) {
        if let onUpdate { return onUpdate(update) }
        early.append(update)
        switch update.kind {
        case .trip: first.yield(nil)
        case .failure(let failure): first.yield(failure)
        case .recovered, .state, .ended: break
        }
    }
}
