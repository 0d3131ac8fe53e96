import FleetEngine
import JourneySharing
import TripRecording

/// Tells a tape what the model of its trip has taken in, and when.
@MainActor
final class RideRecorder: TripModelSubscriber {
    private let tape: TripTape
    private weak var model: TripModel?

    init(_ tape: TripTape, of model: TripModel) {
        self.tape = tape
        self.model = model
        tape.begin(pollIntervalSeconds: model.pollIntervalSeconds)
    }

    /// The trip that is written down.
    var tripName: TripName { tape.trip }

    /// Writes no more. A model without other subscribers then asks its server no more.
    func stop() { model?.unregister(self) }

    func tripModel(_ tripModel: TripModel, didTell update: TripUpdate) {
        switch update.kind {
        case .trip: tape.writeAnswer(at: update.time)
        case .failure(let failure): tape.note(failure.error, retryInSeconds: failure.retryInSeconds, at: update.time)
        case .recovered, .ended, .state: break
        }
    }
}
