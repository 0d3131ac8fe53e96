package import FleetEngine
package import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
package import ProgramSurroundings
package import TripRecording

/// Records the updates of a shipment's model in a file, with their times.
@MainActor
final class ShipmentRecorder: ShipmentModelSubscriber {
    let name: TaskTrackingName
    private let tape: ShipmentTape

    init(_ tape: ShipmentTape, of model: ShipmentModel, now: Date) {
        name = model.name
        self.tape = tape
        tape.begin(pollIntervalSeconds: model.pollIntervalSeconds, at: now)
    }

    func shipmentModel(_ model: ShipmentModel, didTell update: ShipmentUpdate) {
        switch update.kind {
        case .shipment: tape.writeAnswer(at: update.time)
        case .failure(let failure): tape.note(failure.error, retryInSeconds: failure.retryInSeconds, at: update.time)
        case .replaced, .recovered, .ended, .state: break
        }
    }
}

extension ShipmentTape {
    /// Creates a tape that writes to a file.
    package convenience init(of name: TaskTrackingName, to file: RecordingFile) {
        self.init(of: name) { file.write($0) }
    }

    /// A receiver that records the answers of the client.
    package var onAnswer: @Sendable (ReceivedAnswer) -> Void {
        { [self] answer in
            if case .shipment(let wire, let name) = answer { hear(wire, of: name) }
        }
    }
}
