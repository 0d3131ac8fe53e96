import FleetEngine
import FoundationEssentials
import JourneySharing
package import ProgramSurroundings
import TripRecording
import TripWatchWords

/// Plays the recording of a shipment as lines.
package struct ReplayShipmentRun: Sendable {
    private let recorded: RecordedShipment
    /// The speed of the playback: recorded seconds per real second.
    private let speed: Double
    private let output: OutputSettings

    /// Creates a run. Returns nil for a file that cannot be read, or that is not the recording of a shipment.
    /// - Throws: `Failure` for a damaged recording.
    package init?(file: String, speed: Double, output: OutputSettings) throws(Failure) {
        guard let recorded = try RecordedFile.shipment(file) else { return nil }
        self.recorded = recorded
        self.speed = speed
        self.output = output
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        if output.style == .screen {
            surroundings.streams.note("tripwatch: there is no replay screen for shipments, so lines are printed.")
        }
        let isFinished = self.isFinished
        if !isFinished { surroundings.streams.say("tripwatch: the recording ends before the shipment is over.") }
        return .code(await play(isFinished: isFinished, in: surroundings))
    }

    /// Whether the shipment had ended by the last recorded answer.
    private var isFinished: Bool {
        var tracker = ShipmentTracker(name: recorded.name)
        for (date, shipment) in recorded.answers {
            tracker.observe(ShipmentUpdate(name: recorded.name, time: date, kind: .shipment(shipment, changed: [])))
        }
        return tracker.isOver(now: recorded.answers.last?.date ?? recorded.end)
    }

    @MainActor
    private func play(isFinished: Bool, in surroundings: Surroundings) async -> Int32 {
        let clock = recorded.clock(speed: speed)
        let service = ShipmentService(client: RecordedShipmentClient(recorded, clock: clock), time: clock)
        let interval = recorded.pollIntervalSeconds ?? PollMachine.Configuration.standardInterval
        let model = service.shipmentModel(for: recorded.name, options: ShipmentModelOptions(autoRefreshTimeInterval: interval))
        var settings = ShipmentLines.Settings(
            style: output.lineStyle(in: surroundings), plain: output.plainOptions(tripCount: 1, in: surroundings), keepsTrying: true,
            server: "")
        settings.playback = ShipmentLines.Playback(
            correct: { update in update.moved(to: clock.lastMoment ?? update.time).corrected(by: recorded) },
            endsAt: isFinished ? nil : recorded.end)
        return await ShipmentLines(
            models: [model], time: clock, settings: settings, streams: surroundings.streams,
            repeater: output.stateRepeater(in: surroundings)
        ).run()
    }
}

extension ShipmentUpdate {
    /// Returns the update with its time changed to `moment`, the recorded time of the answer.
    fileprivate func moved(to moment: Date) -> ShipmentUpdate { ShipmentUpdate(name: name, time: moment, kind: kind) }

    /// Returns the update with the recorded retry time instead of a random one.
    fileprivate func corrected(by recorded: RecordedShipment) -> ShipmentUpdate {
        guard case .failure(let failure) = kind, let seconds = recorded.retrySeconds(at: time) else { return self }
        let told = PollFailure(
            error: failure.error, errorClass: failure.errorClass, retryInSeconds: seconds, attempt: failure.attempt,
            isServerFault: failure.isServerFault, isWithinGrace: failure.isWithinGrace, serverWasHeard: failure.serverWasHeard)
        return ShipmentUpdate(name: name, time: time, kind: .failure(told))
    }
}
