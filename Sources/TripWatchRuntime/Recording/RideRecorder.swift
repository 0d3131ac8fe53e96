import FleetEngine
import JourneySharing
import TripRecording

/// Records the updates of a trip's model with their times.
@MainActor
final class RideRecorder: TripModelSubscriber {
    private let tape: TripTape
    private weak var model: TripModel?

    init(_ tape: TripTape, of model: TripModel) {
        self.tape = tape
        self.model = model
        tape.begin(pollIntervalSeconds: model.pollIntervalSeconds)
    }

    /// The recorded trip.
    var tripName: TripName { tape.trip }

    /// Stops the recording. A model without other subscribers then stops polling.
    func stop() { model?.unregister(self) }

    func tripModel(_ tripModel: TripModel, didTell update: TripUpdate) {
        switch update.kind {
        case .trip: tape.writeAnswer(at: update.time)
        case .failure(let failure): tape.note(failure.error, retryInSeconds: failure.retryInSeconds, at: update.time)
        case .recovered, .ended, .state: break
        }
    }
}
