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
            let log = try FleetEngineLog(data)
            if let lack = log.lack { streams.say("tripwatch: \(printable(file)): \(lack).") }
            return try log.recordedTrip(matching: trip)
        } catch {
            throw Failure(message: "\(printable(file)): \(error)", exitCode: ExitCodes.failed)
        }
    }

    @MainActor
    private func play(_ recorded: RecordedTrip, in surroundings: Surroundings) async -> Int32 {
        let playback = PlaybackTimeSource(recorded, speed: speed)
        let service = TripService(client: RecordedTripClient(playback), time: playback)
        let model = service.tripModel(for: recorded.name)
        let settings = TripLinePrinter.Settings(
            style: output.lineStyle(in: surroundings), framesPerSecond: output.framesPerSecond,
            plain: output.plainOptions(tripCount: 1, in: surroundings), keepsTrying: false, isRecording: true,
            endsAt: recorded.isFinished ? nil : recorded.end)
        return await TripLines(models: [model], time: playback, settings: settings, streams: surroundings.streams).run()
    }
}
