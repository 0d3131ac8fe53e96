import FleetEngine
import FleetEngineGRPC
import JourneySharing
import TripRecording

/// Tells a tape what the model of its trip has taken in, and when.
@MainActor
final class RideRecorder: TripModelSubscriber {
    private let tape: TripTape

    init(_ tape: TripTape, of model: TripModel) {
        self.tape = tape
        tape.begin(pollIntervalSeconds: model.pollIntervalSeconds)
    }

    func tripModel(_ tripModel: TripModel, didTell update: TripUpdate) {
        switch update.kind {
        case .trip: tape.takeIn(at: update.time)
        case .failure(let failure): tape.note(failure.error, retryInSeconds: failure.retryInSeconds, at: update.time)
        case .recovered, .ended, .state: break
        }
    }
}

/// The rides that are written down while they are followed.
struct RideRecording: Sendable {
    let tapes = TripTapes()
    private(set) var files: [RecordingFile] = []

    /// Writes a trip into a new file.
    /// - Parameter time: the clock by which it is followed.
    mutating func add(_ name: TripName, to file: RecordingFile, time: any TimeSource) {
        files.append(file)
        tapes.add(TripTape(trip: name, clock: { time.now() }) { file.write($0) })
    }

    /// For the client that asks for the trips.
    var onAnswer: @Sendable (ReceivedAnswer) -> Void {
        { [tapes] answer in
            switch answer {
            case .trip(let wire, let name): tapes.hear(wire, of: name)
            case .vehicle(let wire, let name): tapes.hear(wire, of: name)
            }
        }
    }

    /// Begins to write down what the models tell. The recorders are to be held as long.
    @MainActor
    func begin(_ models: [TripModel]) -> [RideRecorder] {
        models.compactMap { model in
            guard let tape = tapes.tape(of: model.tripName) else { return nil }
            let recorder = RideRecorder(tape, of: model)
            model.register(recorder)
            return recorder
        }
    }
}
