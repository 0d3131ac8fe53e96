import FleetEngine
import JourneySharing

/// Hears what happens to one trip from its model, from the first answer on.
@MainActor
final class ShareFollower: TripModelSubscriber {
    private let model: TripModel
    private var onUpdate: ((TripUpdate) -> Void)?
    private var early: [TripUpdate] = []
    private let (firsts, first) = AsyncStream.makeStream(of: PollFailure?.self)

    var name: TripName { model.tripName }

    init(_ model: TripModel) { self.model = model }

    /// Begins to ask the server.
    func start() { model.register(self) }

    /// Asks the server at once: a model that a screen follows already would wait for its time.
    func askNow() { model.refresh() }

    /// Waits for what the server says first.
    /// - Returns: why there is no answer; nil where there is one.
    func firstFailure() async -> PollFailure? {
        for await failure in firsts { return failure }
        return nil
    }

    /// Hands on what has come so far, and then all that comes.
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
