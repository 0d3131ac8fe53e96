import FleetEngine
import FoundationEssentials
import JourneySharing
import TripRecording
import TripWatchApp

/// Plays recorded traffic as if it happened now.
package struct ReplayRun: Sendable {
    /// The path of the recording.
    package var file: String
    /// Which trip, by its name or id, when the recording has several.
    package var trip: String?
    /// Recorded seconds in a real one.
    package var speed: Double
    package var output: OutputSettings

    package init(file: String, trip: String?, speed: Double, output: OutputSettings) {
        (self.file, self.trip, self.speed, self.output) = (file, trip, speed, output)
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let recorded = try read(surroundings.streams)
        if !recorded.isFinished { surroundings.streams.say("tripwatch: the recording stops before the trip's end.") }
        return .code(await play(recorded, in: surroundings))
    }

    private func read(_ streams: StandardStreams) throws(Failure) -> RecordedTrip {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: file), options: .mappedIfSafe)
        } catch {
            throw Failure(message: "\(printable(file)) cannot be read: is it there, and is it a file?", exitCode: ExitCodes.failed)
        }
        do throws(TripRecordingError) {
            return try RecordedTrip(data, matching: trip) { streams.say("tripwatch: \(printable(file)): \($0).") }
        } catch {
            throw Failure(message: "\(printable(file)): \(error)", exitCode: ExitCodes.failed)
        }
    }

    @MainActor
    private func play(_ recorded: RecordedTrip, in surroundings: Surroundings) async -> Int32 {
        let playback = PlaybackTimeSource(recorded, speed: speed)
        let service = TripService(client: RecordedTripClient(playback), time: playback)
        let options = TripModelOptions(autoRefreshTimeInterval: recorded.pollIntervalSeconds ?? 0)
        let model = service.tripModel(for: recorded.name, options: options)
        var settings = TripLinePrinter.Settings(
            style: output.lineStyle(in: surroundings), framesPerSecond: output.framesPerSecond,
            plain: output.plainOptions(tripCount: 1, in: surroundings), keepsTrying: recorded.isAsReceived,
            isDerived: !recorded.isAsReceived,
            endsAt: recorded.isFinished ? nil : recorded.end)
        settings.correct = { $0.corrected(by: recorded) }
        return await TripLines(models: [model], time: playback, settings: settings, streams: surroundings.streams).run()
    }
}

extension TripUpdate {
    /// When the next call was to come was chance; a recording knows it.
    func corrected(by recorded: RecordedTrip) -> TripUpdate {
        guard case .failure(let failure) = kind, let seconds = recorded.retrySeconds(at: time) else { return self }
        let told = PollFailure(
            error: failure.error, errorClass: failure.errorClass, retryInSeconds: seconds, attempt: failure.attempt,
            isServerFault: failure.isServerFault, isWithinGrace: failure.isWithinGrace, serverWasHeard: failure.serverWasHeard)
        return TripUpdate(name: name, time: time, kind: .failure(told))
    }
}
