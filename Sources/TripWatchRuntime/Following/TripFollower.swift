import ConsumerMap
package import FleetEngine
package import FoundationEssentials
import JourneySharing
package import ProgramSurroundings
package import TerminalScreen
package import TripWatchScreen
import TripWatchSettings
import TripWatchWords

/// Follows trips in whichever way was asked for: on the screen, or as lines.
@MainActor
package struct TripFollower {
    var names: [TripName]
    var client: any ConsumerClient
    var time: any TimeSource
    var speed = 1.0
    var interval: Double
    var minimumInterval = PollMachine.Configuration.minimumInterval
    package var bookedAt: Date?
    var keepsTrying = false
    var output: OutputSettings
    var look: ScreenSettings
    var surroundings: Surroundings
    /// The server's name, for the first failure without a screen; nil where another part says it.
    var server: String?
    /// What is known to the app before it starts.
    package var prepare: (inout AppOptions) -> Void = { _ in }
    package var cancel: (@Sendable (TripName) async -> CancelResult)?
    /// Serves links to the trips that such a service follows; nil where none are served.
    var links: ((TripService) -> any TripLinks)?
    package var map = BaseMapSupply()
    /// Nil where nobody is asked for another map.
    var mapQuestion: MapQuestion?
    /// What is written down on the way.
    package var recording = RideRecording()
    /// How long the server takes.
    package var roundTrips = RoundTrips()
    /// Asked every now and then whether it has something new, where it can tell.
    var tokenSource: (any AccessTokenProvider)?
    /// Writes down how the trips stand; nil where nothing is to be known of them later.
    var keeper: TripKeeper?
    /// Who is told the trips' moments.
    var hooks: HookFeed?
    /// Asked for cars near a rider who has none yet; nil where none are shown.
    var nearby: (any FleetClient)?

    /// - Throws: `Failure` when a screen was asked for and there can be none.
    package func run() async throws -> ProgramEnd {
        let (end, again) = try await follow()
        // What is still to be told is told while the ride is seen again.
        let closing = Task {
            await keeper?.close()
            if case .signal = end { await hooks?.finish(isHurried: true) } else { await hooks?.finish() }
        }
        var last = end
        if let again { last = try await ReplayRun(file: again, trip: nil, speed: 1, output: output, look: look).perform(in: surroundings) }
        await closing.value
        return last
    }

    /// - Returns: how it ended, and the recording that is to be seen.
    private func follow() async throws -> (end: ProgramEnd, again: String?) {
        let service = TripService(client: client, time: time, minimumInterval: minimumInterval)
        service.onLate = { [streams = surroundings.streams] in streams.say("tripwatch: \(Self.tooSlow(for: $0, interval: $1, every: $2))") }
        let models = names.map {
            service.tripModel(for: $0, options: TripModelOptions(autoRefreshTimeInterval: interval), bookedAt: bookedAt)
        }
        let watched = WatchedModels(models)
        let watch = Task { await watchTokens(for: watched) }
        watched.recorders = recording.begin(models)
        defer {
            watch.cancel()
            withExtendedLifetime(watched) {}
        }
        guard output.wantsScreen(in: surroundings) else { return (.code(await tell(models)), nil) }
        let screen: TerminalScreen
        do throws(TerminalScreenError) {
            screen = try look.open(in: surroundings)
        } catch {
            if output.style == .screen { throw Failure(message: "\(error) Use --output plain for lines.", exitCode: ExitCodes.failed) }
            error.tellWhyLinesCome(surroundings.streams)
            return (.code(await tell(models)), nil)
        }
        return await show(watched, of: service, on: screen)
    }

    private func tell(_ models: [TripModel]) async -> Int32 {
        var settings = TripLinePrinter.Settings(
            style: output.lineStyle(in: surroundings), framesPerSecond: output.framesPerSecond,
            plain: output.plainOptions(tripCount: names.count, in: surroundings), keepsTrying: keepsTrying)
        settings.tripKind = look.app.tripKind
        settings.firstFailure = server.map { FirstFailure(at: $0, surroundings.streams) }
        return await TripLines(
            models: models, time: time, settings: settings, streams: surroundings.streams, keeper: keeper, hooks: hooks, client: client
        ).run()
    }

    private func show(
        _ watched: WatchedModels, of service: TripService, on screen: TerminalScreen
    ) async -> (end: ProgramEnd, again: String?) {
        var options = options(on: screen)
        let themes = look.themes(screen: screen, in: surroundings)
        options.theme = themes.theme
        let state = AppState(trips: names, options: options, size: screen.size, now: time.now())
        let sessions = watched.models.map { JourneySharingSession(tripModel: $0, time: time, fallbackKind: look.app.tripKind) }
        var world = ScreenRunner.World(
            sessions: sessions, client: client, cancel: cancel, tiles: map.tiles, mapQuestion: mapQuestion, time: time, speed: speed,
            keeper: keeper)
        world.ownPosition = look.ownPosition(time)
        world.fleet = nearby.map { FleetFeed(near: $0, interval: max(interval, minimumInterval)) }
        world.recording = recording
        world.roundTrips = roundTrips
        world.hooks = hooks
        world.links = look.isReadOnly ? nil : links?(service)
        world.watch = { [time, interval, recording, kind = look.app.tripKind] name in
            let model = service.tripModel(for: name, options: TripModelOptions(autoRefreshTimeInterval: interval))
            watched.models.append(model)
            recording.add(name, time: time)
            watched.recorders += recording.begin([model])
            return JourneySharingSession(tripModel: model, time: time, fallbackKind: kind)
        }
        world.forget = { watched.forget($0) }
        let runner = ScreenRunner(screen: screen, state: state, themes: themes, world: world)
        recording.onTrouble { text in Task { @MainActor in runner.tell(text) } }
        // What goes to standard error is seen only when the screen is gone.
        service.onLate = { [weak runner] in runner?.tell(Self.tooSlow(for: $0, interval: $1, every: $2)) }
        keeper?.onTrouble { text in Task { @MainActor in runner.tell(text) } }
        world.links?.onChange = { [weak runner] link, name in runner?.dispatch(.link(link, for: name)) }
        let end = await runner.run()
        let held = await screen.close()
        await world.links?.close()
        if !held.isEmpty { surroundings.streams.say(held) }
        themes.tellMessages()
        return (runner.again == nil ? closing(end, of: runner.state) : end, runner.again)
    }

    /// What the app is told.
    private func options(on screen: TerminalScreen) -> AppOptions {
        var options = look.appOptions(screen: screen, in: surroundings)
        options.measurementSystem = output.measurementSystem(in: surroundings)
        if look.isReadOnly { options.cancelling = .readOnly } else if cancel != nil { options.cancelling = .available }
        if look.isReadOnly { options.noLinkReason = "This screen is read-only." } else if links != nil { options.noLinkReason = nil }
        options.expectsBaseMap = map.tiles != nil
        options.mapHost = map.host
        options.asksForMap = mapQuestion != nil
        options.rides = recording.names
        prepare(&options)
        return options
    }

    /// Says the failures that the screen ended on.
    /// - Returns: how the program ends: with an error for a trip that was never seen.
    private func closing(_ end: ProgramEnd, of state: AppState) -> ProgramEnd {
        guard end == .success else { return end }
        var code = ExitCodes.success
        for page in state.pages {
            guard let failure = page.failure, !page.status.isFinal else { continue }
            let words = FailureWords(failure)
            surroundings.streams.say("tripwatch: " + (server.map(words.sentence(at:)) ?? words.sentence))
            // The trip of a link was seen: the link has told its name.
            guard server != nil, page.trip == nil, !failure.isWithinGrace else { continue }
            code = TripLines.worse(code, failure.errorClass.exitCode(for: failure.error) ?? ExitCodes.failed)
        }
        return .code(code)
    }

    /// As short as half a wide screen.
    /// - Parameter seconds: how often each is asked.
    private static func tooSlow(for tripCount: Int, interval: Double, every seconds: Double) -> String {
        let (wanted, real) = (interval.fixed(decimals: 1), seconds.fixed(decimals: 1))
        return "Too slow for \(tripCount) trips every \(wanted) s: each is asked about every \(real) s."
    }

    /// A user who has renewed the token should not have to wait for the next try.
    private func watchTokens(for watched: WatchedModels) async {
        guard let source = tokenSource, source.hasRevisions else { return }
        var known = source.revision
        while (try? await Task.sleep(for: .seconds(2))) != nil {
            let revision = source.revision
            guard revision != known else { continue }
            known = revision
            for model in watched.models where model.currentFailure?.errorClass != .retryable && model.currentFailure != nil {
                model.refresh()
            }
        }
    }
}

extension TripFollower {
    package init(
        names: [TripName], client: any ConsumerClient, time: any TimeSource, speed: Double, interval: Double, output: OutputSettings,
        look: ScreenSettings, surroundings: Surroundings
    ) {
        self.init(
            names: names, client: client, time: time, speed: speed, interval: interval,
            minimumInterval: PollMachine.Configuration.minimumInterval, output: output, look: look, surroundings: surroundings)
    }
}

/// The models of all trips that are followed, those that were added later included.
@MainActor
private final class WatchedModels {
    var models: [TripModel]
    /// Those who write the trips down.
    var recorders: [RideRecorder] = []

    init(_ models: [TripModel]) { self.models = models }

    /// A trip that is not watched any more is not written down either: its recorder would keep the polling alive.
    func forget(_ name: TripName) {
        models.removeAll { $0.tripName == name }
        for recorder in recorders where recorder.tripName == name { recorder.stop() }
        recorders.removeAll { $0.tripName == name }
    }
}

extension TerminalScreenError {
    /// Says why there are lines where the user could expect the screen. A terminal that calls itself dumb has asked for them.
    package func tellWhyLinesCome(_ streams: StandardStreams) {
        switch self {
        case .terminalTypeUnusable: break
        case .terminalTypeMissing, .terminalTypeUnknown:
            streams.note("tripwatch: \(self) Lines come instead of the screen; with TERM=xterm-256color it may come.")
        case .notATerminal, .inBackground, .alreadyOpen, .system:
            streams.note("tripwatch: \(self) Lines come instead of the screen.")
        }
    }
}
