import FleetEngine
import FoundationEssentials
import JourneySharing
package import ProgramSurroundings
import TerminalMap
import TerminalScreen
import TripRecording
import TripWatchScreen
import TripWatchSettings
import TripWatchWords

/// Plays the recording of a trip, on the screen or as lines.
package struct ReplayRun: Sendable {
    /// The path of the recording.
    package var file: String
    /// The name or id of the trip to play, if the recording has several.
    package var trip: String?
    /// The speed of the playback: recorded seconds per real second.
    package var speed: Double
    package var output: OutputSettings
    package var look: ScreenSettings

    package init(file: String, trip: String?, speed: Double, output: OutputSettings, look: ScreenSettings) {
        self.file = file
        self.trip = trip
        self.speed = speed
        self.output = output
        self.look = look
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let recorded = try RecordedFile.read(file, trip: trip, surroundings.streams)
        if let failure = recorded.onlyFailure { return try await tell(failure, onlyIn: recorded, in: surroundings) }
        if !recorded.isFinished { surroundings.streams.say("tripwatch: the recording ends before the trip does.") }
        guard output.wantsScreen(in: surroundings) else { return .code(await play(recorded, in: surroundings)) }
        let ground = try look.overlay.open(in: surroundings)
        let map = try map(under: recorded).open(standard: .none, in: surroundings)
        return try await show(recorded, map: map, ground, in: surroundings)
    }

    /// Returns the settings of the map. A recorded demo uses the town's map unless a flag sets another map, because a configured map does
    /// not contain the invented town.
    private func map(under recorded: RecordedTrip) -> BaseMapSettings {
        var settings = look.map
        if recorded.scene.isInTown, settings.map == nil || settings.isConfigured {
            (settings.map, settings.isConfigured) = (.town, false)
        }
        return settings
    }

    /// Reports a recording in which all calls failed. For a screen, this is an error, because the screen would have nothing to show. The
    /// line output shows the failures.
    private func tell(_ failure: FleetEngineError, onlyIn recorded: RecordedTrip, in surroundings: Surroundings) async throws -> ProgramEnd
    {
        let none = RecordedFile.failure(failure, onlyIn: file)
        if output.wantsScreen(in: surroundings) { throw none }
        surroundings.streams.say("tripwatch: \(none.message)")
        let code = await play(recorded, in: surroundings)
        return .code(code == ExitCodes.success ? none.exitCode : code)
    }

    @MainActor
    private func show(
        _ recorded: RecordedTrip, map: BaseMapSupply, _ ground: GroundOverlay?, in surroundings: Surroundings
    ) async throws -> ProgramEnd {
        let note = ReadingNote(file, surroundings.streams)
        let updates = await recorded.updates()
        note.end()
        guard let updates else {
            let limit = ReplayUpdates.maximumBytes >> 20
            let words = "the screen would need more than \(limit) MiB of memory for this recording. Use --output plain instead."
            throw Failure(message: "\(printable(file)): \(words)", exitCode: ExitCodes.failed)
        }
        let screen: TerminalScreen
        do throws(TerminalScreenError) {
            screen = try look.open(in: surroundings)
        } catch {
            if output.style == .screen { throw error.failure }
            error.tellWhyLinesCome(surroundings.streams)
            return .code(await play(recorded, in: surroundings))
        }
        let title = file.split(separator: "/").last.map { printable(String($0)) } ?? recorded.name.trip
        let end = await ReplayScreen(
            recorded: recorded, updates: updates, title: title, speed: speed, output: output,
            look: look, map: map, ground: ground, surroundings: surroundings
        ).run(on: screen)
        let held = await screen.close()
        if !held.isEmpty { surroundings.streams.say(held) }
        return end
    }

    @MainActor
    private func play(_ recorded: RecordedTrip, in surroundings: Surroundings) async -> Int32 {
        let playback = PlaybackTimeSource(recorded, speed: speed)
        let client = RecordedTripClient(playback)
        let service = TripService(client: client, time: playback)
        let options = TripModelOptions(autoRefreshTimeInterval: recorded.pollInterval)
        let model = service.tripModel(for: recorded.name, options: options)
        var settings = TripLinePrinter.Settings(
            style: output.lineStyle(in: surroundings), framesPerSecond: output.framesPerSecond,
            plain: output.plainOptions(tripCount: 1, in: surroundings), keepsTrying: recorded.isAsReceived,
            isDerived: !recorded.isAsReceived,
            endsAt: recorded.isFinished ? nil : recorded.end)
        settings.tripKind = look.app.tripKind
        settings.correct = { $0.moved(to: playback.lastMoment).corrected(by: recorded) }
        return await TripLines(
            models: [model], time: playback, settings: settings, streams: surroundings.streams, client: client,
            repeater: output.stateRepeater(in: surroundings)
        ).run()
    }
}

extension TripUpdate {
    /// Returns the update with its time changed to `moment`, the recorded time of the answer.
    fileprivate func moved(to moment: Date?) -> TripUpdate {
        guard let moment else { return self }
        switch kind {
        case .trip, .failure, .recovered, .ended: return TripUpdate(name: name, time: moment, kind: kind)
        case .state: return self
        }
    }

    /// Returns the update with the recorded retry time instead of a random one.
    func corrected(by recorded: RecordedTrip) -> TripUpdate {
        guard case .failure(let failure) = kind, let seconds = recorded.retrySeconds(at: time) else { return self }
        let told = PollFailure(
            error: failure.error, errorClass: failure.errorClass, retryInSeconds: seconds, attempt: failure.attempt,
            isServerFault: failure.isServerFault, isWithinGrace: failure.isWithinGrace, serverWasHeard: failure.serverWasHeard)
        return TripUpdate(name: name, time: time, kind: .failure(told))
    }
}
