import ConsumerMap
package import FleetEngine
package import FoundationEssentials
import JourneySharing
package import ProgramSurroundings
package import TerminalScreen
package import TripWatchScreen
import TripWatchSettings
package import TripWatchWords

/// Follows trips on the screen or as lines.
@MainActor
package struct TripFollower {
    var names: [TripName]
    var client: any ConsumerClient
    var time: any TimeSource
    var speed = 1.0
    var interval: Double
    var minimumInterval = PollMachine.Configuration.minimumInterval
    package var bookedAt: Date?
    package var keepsTrying = false
    /// Whether the user watches the trips through a link. Such a user is perhaps neither the rider nor the customer.
    package var isViewer = false
    var output: OutputSettings
    var look: ScreenSettings
    var surroundings: Surroundings
    /// The name of the server in messages about failures; nil for the trips of links and demos, whose messages name no server.
    var server: String?
    /// Changes the options of the app before the screen starts.
    package var prepare: (inout AppOptions) -> Void = { _ in }
    package var cancel: (@Sendable (TripName) async -> CancelResult)?
    /// Creates links to the trips of a service and to the shipments; nil to create no links.
    var links: ((TripService) -> any TripLinks)?
    package var map = BaseMapSupply()
    /// Yields an element whenever the trips must be polled before the next regular poll; nil if this never happens.
    package var refreshes: AsyncStream<Void>?
    /// The actions for the question whether to load a street map; nil if the user is not asked.
    package var mapQuestion: MapQuestion?
    /// The recording of the followed trips.
    package var recording = RideRecording()
    /// The durations of the server's answers.
    package var roundTrips = RoundTrips()
    /// The token source. A source with revisions is checked regularly for a new token.
    var tokenSource: (any AccessTokenProvider)?
    /// The keeper, which records the state of the trips; nil to record nothing.
    var keeper: TripKeeper?
    /// The feed that sends the events of trips to hooks.
    package var hooks: HookFeed?
    /// The client that finds cars near a rider who has no car yet; nil if such cars are not shown.
    var nearby: (any FleetClient)?
    /// The shipments that are followed together with the trips; nil for none.
    var shipments: FollowedShipments?

    /// Follows the trips until they end or the user quits. Then plays the recording, if the user asked for it.
    /// - Throws: `Failure` if a screen was requested but is not possible.
    package func run() async throws -> ProgramEnd {
        let (end, again) = try await follow()
        // Remaining events are sent while the user watches the replay.
        let closing = Task {
            await keeper?.close()
            await shipments?.keeper?.close()
            if case .signal = end { await hooks?.finish(isHurried: true) } else { await hooks?.finish() }
        }
        var last = end
        if let again { last = try await ReplayRun(file: again, trip: nil, speed: 1, output: output, look: look).perform(in: surroundings) }
        await closing.value
        return last
    }

    /// Follows the trips on the screen, or prints their changes as lines.
    /// - Returns: how the program ends, and the path of the recording to play next; nil to play none.
    private func follow() async throws -> (end: ProgramEnd, again: String?) {
        let service = TripService(client: client, time: time, minimumInterval: minimumInterval)
        service.onLate = { [streams = surroundings.streams] in streams.say("tripwatch: \(Self.tooSlow(for: $0, interval: $1, every: $2))") }
        let models = names.map {
            service.tripModel(for: $0, options: TripModelOptions(autoRefreshTimeInterval: interval), bookedAt: bookedAt)
        }
        let watched = WatchedModels(models)
        let watch = Task { await watchTokens(for: watched) }
        let refreshing = Task { await refresh(watched) }
        watched.recorders = recording.begin(models)
        defer {
            watch.cancel()
            refreshing.cancel()
            withExtendedLifetime(watched) {}
        }
        guard output.wantsScreen(in: surroundings) else { return (.code(await tell(models)), nil) }
        let screen: TerminalScreen
        do throws(TerminalScreenError) {
            screen = try look.open(in: surroundings)
        } catch {
            if output.style == .screen { throw error.failure }
            error.tellWhyLinesCome(surroundings.streams)
            return (.code(await tell(models)), nil)
        }
        return await show(watched, of: service, on: screen)
    }

    private func tell(_ models: [TripModel]) async -> Int32 {
        let repeater = output.stateRepeater(in: surroundings)
        guard let shipments, !shipments.models.isEmpty else { return await tellTrips(models, repeater) }
        guard !models.isEmpty else { return await shipments.tell(hooks, repeater) }
        let other = Task { await shipments.tell(hooks, repeater) }
        let code = await tellTrips(models, repeater)
        return TripLines.worse(code, await other.value)
    }

    private func tellTrips(_ models: [TripModel], _ repeater: StateRepeater?) async -> Int32 {
        var settings = TripLinePrinter.Settings(
            style: output.lineStyle(in: surroundings), framesPerSecond: output.framesPerSecond,
            plain: output.plainOptions(tripCount: names.count + (shipments?.models.count ?? 0), in: surroundings),
            keepsTrying: keepsTrying)
        settings.plain.isViewer = isViewer
        settings.tripKind = look.app.tripKind
        settings.arrivalsShown = arrivalsShown
        settings.isRecorded = !recording.names.isEmpty
        let streams = surroundings.streams
        settings.firstFailure = settings.style.hasLinesForFailures(on: streams) ? nil : server.map { FirstFailure(at: $0, streams) }
        return await TripLines(
            models: models, time: time, settings: settings, streams: streams, keeper: keeper, hooks: hooks, client: client,
            repeater: repeater
        ).run()
    }

    private func show(
        _ watched: WatchedModels, of service: TripService, on screen: TerminalScreen
    ) async -> (end: ProgramEnd, again: String?) {
        var options = options(on: screen)
        let themes = look.themes(screen: screen, in: surroundings)
        options.theme = themes.theme
        let models = shipments?.models ?? []
        let state = AppState(trips: names, shipments: models.map(\.name), options: options, size: screen.size, now: time.now())
        let shown = arrivalsShown
        let sessions = watched.models.map { session(of: $0, arrivalShown: shown[$0.tripName]) }
        var world = ScreenRunner.World(
            sessions: sessions, client: client, cancel: cancel, tiles: map.tiles, mapQuestion: mapQuestion, time: time, speed: speed,
            keeper: keeper)
        world.shipments = models
        world.shipmentKeeper = shipments?.keeper
        world.ownPosition = look.ownPosition(time)
        world.fleet = nearby.map { FleetFeed(near: $0, interval: max(interval, minimumInterval)) }
        world.recording = recording
        world.roundTrips = roundTrips
        world.hooks = hooks
        world.links = look.isReadOnly ? nil : links?(service)
        setWatching(&world, watched, of: service)
        let runner = ScreenRunner(screen: screen, state: state, themes: themes, world: world)
        recording.onTrouble { text in Task { @MainActor in runner.tell(text) } }
        // Standard error is hidden while the screen is open, so the screen itself shows this message.
        service.onLate = { [weak runner] in runner?.tell(Self.tooSlow(for: $0, interval: $1, every: $2)) }
        keeper?.onTrouble { text in Task { @MainActor in runner.tell(text) } }
        world.links?.onChange = { [weak runner] link, name in runner?.dispatch(.link(link, for: name)) }
        let end = await runner.run()
        let signals = runner.cancellationGuard(after: end)
        defer { withExtendedLifetime(signals) {} }
        let held = await screen.close()
        await world.links?.close()
        if !held.isEmpty { surroundings.streams.say(held) }
        themes.tellMessages()
        await runner.tellCancellations(on: surroundings.streams)
        return (runner.again == nil ? closing(end, of: runner.state) : end, runner.again)
    }

    /// The arrivals that other programs on this machine show.
    private var arrivalsShown: [TripName: Date] { surroundings.stateFile?.arrivalsShown(now: time.now()) ?? [:] }

    private func session(of model: TripModel, arrivalShown: Date?) -> JourneySharingSession {
        JourneySharingSession(tripModel: model, time: time, fallbackKind: look.app.tripKind, arrivalShownElsewhere: arrivalShown)
    }

    /// Sets the functions with which the screen starts and stops following trips and shipments.
    private func setWatching(_ world: inout ScreenRunner.World, _ watched: WatchedModels, of service: TripService) {
        world.watch = { [time, interval, recording] name in
            let model = service.tripModel(for: name, options: TripModelOptions(autoRefreshTimeInterval: interval))
            watched.models.append(model)
            recording.add(name, time: time)
            watched.recorders += recording.begin([model])
            return session(of: model, arrivalShown: arrivalsShown[name])
        }
        world.forget = { watched.forget($0) }
        if let shipments {
            world.watchShipment = { shipments.add($0) }
            world.forgetShipment = { shipments.forget($0) }
        }
    }

    private func options(on screen: TerminalScreen) -> AppOptions {
        var options = look.appOptions(screen: screen, in: surroundings)
        options.measurementSystem = output.measurementSystem(in: surroundings)
        if look.isReadOnly { options.cancelling = .readOnly } else if cancel != nil { options.cancelling = .available }
        if look.isReadOnly { options.noLinkReason = "This screen is read-only." } else if links != nil { options.noLinkReason = nil }
        options.expectsBaseMap = map.tiles != nil
        options.mapHost = map.host
        options.asksForMap = mapQuestion != nil
        options.rides = recording.names
        options.isViewer = isViewer
        prepare(&options)
        return options
    }

    /// Prints the failures that the screen still showed when it closed.
    /// - Returns: how the program ends. The exit code is the worst result of the shipments and of the trips whose calls have all failed.
    private func closing(_ end: ProgramEnd, of state: AppState) -> ProgramEnd {
        guard end == .success else { return end }
        var code = ExitCodes.success
        for page in state.pages {
            guard let failure = page.failure, !page.status.isFinal else { continue }
            let words = FailureWords(failure)
            surroundings.streams.say("tripwatch: " + (server.map(words.sentence(at:)) ?? words.sentence))
            // Without a server name, the trip comes from a link or a demo. It is known to exist, so a missing answer is not an error.
            guard server != nil, page.trip == nil, !failure.isWithinGrace else { continue }
            code = TripLines.worse(code, failure.errorClass.exitCode(for: failure.error) ?? ExitCodes.failed)
        }
        for page in state.shipments { code = TripLines.worse(code, closing(page)) }
        return .code(code)
    }

    /// Prints the failure of a shipment when the screen has closed. Prints nothing for a shipment that has ended or has no failure.
    /// - Returns: the exit code. For a shipment that has ended, it depends on the outcome. If no answer has arrived, it depends on the
    ///   failure. Otherwise, it is 0.
    private func closing(_ page: ShipmentPage) -> Int32 {
        if let shipment = page.tracker.shipment, page.tracker.isOver(now: time.now()) { return ExitCodes.end(of: shipment) }
        guard let failure = page.failure else { return ExitCodes.success }
        let words = ShipmentFailureWords(failure, of: page.name)
        surroundings.streams.say("tripwatch: " + (server.map(words.sentence(at:)) ?? words.sentence))
        guard page.tracker.shipment == nil, !failure.isWithinGrace else { return ExitCodes.success }
        return failure.errorClass.exitCode(for: failure.error) ?? ExitCodes.failed
    }

    /// Returns the warning that trips are not polled often enough. It is short enough for half of a wide screen.
    /// - Parameter seconds: the actual time between two polls of the same trip.
    private static func tooSlow(for tripCount: Int, interval: Double, every seconds: Double) -> String {
        let (wanted, real) = (interval.fixed(decimals: 1), seconds.fixed(decimals: 1))
        return "\(tripCount) trips are polled only about every \(real) s, not every \(wanted) s."
    }

    private func refresh(_ watched: WatchedModels) async {
        guard let refreshes else { return }
        for await _ in refreshes {
            // A link's server is back: its first event has caused this refresh, and its other events arrive within this time.
            guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { return }
            for model in watched.models { model.refresh() }
            // A server that fails and recovers again and again must not make the polls more frequent.
            guard (try? await Task.sleep(for: .seconds(interval))) != nil else { return }
        }
    }

    /// Looks for a new token every two seconds. If there is one, polls the trips and shipments whose failures need the user's action.
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
            for model in shipments?.models ?? [] where model.currentFailure?.errorClass != .retryable && model.currentFailure != nil {
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

/// The models of all followed trips, including trips that the user adds later.
@MainActor
private final class WatchedModels {
    var models: [TripModel]
    /// The recorders of the trips.
    var recorders: [RideRecorder] = []

    init(_ models: [TripModel]) { self.models = models }

    /// Removes a trip that is no longer followed. Also stops its recorder, because the recorder would keep the polling alive.
    func forget(_ name: TripName) {
        models.removeAll { $0.tripName == name }
        for recorder in recorders where recorder.tripName == name { recorder.stop() }
        recorders.removeAll { $0.tripName == name }
    }
}

extension TerminalScreenError {
    /// The failure of a command that could not open the screen although the user asked for it.
    package var failure: Failure { Failure(message: "\(self) To print lines, use --output plain.", exitCode: ExitCodes.failed) }

    /// Prints why the program shows lines instead of the screen. On a dumb terminal, lines are expected, so nothing is printed.
    package func tellWhyLinesCome(_ streams: StandardStreams) {
        switch self {
        case .terminalTypeUnusable: break
        case .terminalTypeMissing, .terminalTypeUnknown:
            streams.note("tripwatch: \(self) Printing lines instead of the screen; try TERM=xterm-256color.")
        case .notATerminal, .inBackground, .alreadyOpen, .system:
            streams.note("tripwatch: \(self) Printing lines instead of the screen.")
        }
    }
}
