import ConsumerMap
import Driver
import FleetEngine
import FoundationEssentials
import JourneySharing
package import ProgramSurroundings
import ProviderBackend
import TerminalCanvas
package import TerminalScreen
package import TripWatchScreen
import TripWatchSettings
import TripWatchWords
import VectorTiles

/// Connects the app to the terminal: sends events to the app, performs the app's effects, and shows the result.
@MainActor
package final class ScreenRunner {
    let screen: TerminalScreen
    var world: World
    let themes: ThemePicker
    private let view = AppView()
    /// A stream that finishes when the screen ends.
    private let (untilEnd, hasEnded) = AsyncStream.makeStream(of: Void.self)
    /// The events that are processed after the current one.
    private var waiting: ArraySlice<AppEvent> = []
    private var isDispatching = false
    private(set) var state: AppState
    var tiles: (any TileSource)?
    var loader: TileLoader?
    var streetFinder: StreetFinder?
    /// The task that computes the frames of the replayed recording before they are shown.
    var computing: Task<Void, Never>?
    /// The task that reads the names of places on the map.
    var naming: Task<Void, Never>?
    private var theme: Theme
    var pacer: FramePacer
    private var title: String?
    var sessions: [TripName: JourneySharingSession]
    var ending: ProgramEnd?
    var isBadTileTold = false
    /// The number of the displayed notice, and the time at which the notice disappears.
    private var noticeEnd: (number: Int, at: ContinuousClock.Instant)?
    /// The time at which the question about a map disappears.
    private var questionEnd: ContinuousClock.Instant?
    /// The next time at which the screen changes without an event, computed for the state of this revision and time.
    private var change: (revision: Int, now: Date, at: Date?)?
    /// The task that sleeps until the next scheduled work, and the time at which it wakes.
    private var alarm: (moment: ContinuousClock.Instant, task: Task<Void, Never>)?

    /// The path of the recording to play after this screen has ended.
    private(set) var again: String?
    /// The booking on the map, and its ride. The trip is followed after this screen has ended.
    var booked: (booking: ProviderBooking, ride: MapRide)?
    /// The cancellation requests that the provider has not answered yet, by trip.
    var cancellations: [TripName: Task<CancelResult, Never>] = [:]

    package init(screen: TerminalScreen, state: AppState, themes: ThemePicker, world: World) {
        self.screen = screen
        self.state = state
        self.themes = themes
        self.world = world
        theme = themes.theme
        sessions = Dictionary(world.sessions.map { ($0.tripModel.tripName, $0) }) { first, _ in first }
        pacer = FramePacer(interval: state.options.frameInterval)
    }

    /// Shows the app until it ends. Does not close the screen.
    package func run() async -> ProgramEnd {
        let tasks = [
            Task { await readScreen() }, Task { await follow() }, Task { await readShift() }, Task { await readFleet() },
            Task { await readPosition() },
        ]
        let renewals = RenewalSignal { [weak self] in Task { @MainActor in self?.renew() } }
        defer {
            withExtendedLifetime(renewals) {}
            for task in tasks { task.cancel() }
            alarm?.task.cancel()
            for session in sessions.values { session.stop() }
            stopShipments()
        }
        greet()
        for await _ in untilEnd {}
        return ending ?? .success
    }

    func end(_ how: ProgramEnd) {
        ending = ending ?? how
        hasEnded.finish()
    }

    private func greet() {
        answer(.resize(screen.size))
        if let tiles = world.tiles { use(tiles) }
        tellThemeFaults(always: !state.options.configurationFaults.isEmpty)
    }

    /// Sends the errors in the themes to the app.
    /// - Parameter always: whether to send the list even if it is empty.
    private func tellThemeFaults(always: Bool = false) {
        if always || !themes.messages.isEmpty { dispatch(.themeFaults(themes.messages.map { "\($0)" })) }
    }

    /// Shows a message in the event line.
    func tell(_ text: String) { dispatch(.notice(text)) }

    /// Processes an event, and then the events that arrive during this time, such as answers to its effects. Afterwards, draws the result
    /// if a frame is due.
    func dispatch(_ event: AppEvent) {
        guard ending == nil else { return }
        waiting.append(event)
        guard !isDispatching else { return }
        isDispatching = true
        defer { isDispatching = false }
        while ending == nil, let next = waiting.popFirst() {
            for effect in state.update(next, clock: { self.clock($0) }) { perform(effect) }
        }
        show()
    }

    /// Advances the clock without another event.
    func tick() { dispatch(clock(state.page?.name)) }

    /// Draws everything that is due now, and sets one alarm for all later work.
    private func show() {
        guard ending == nil else { return }
        let now = ContinuousClock.now
        var next = [noticeEnd?.at, questionEnd]
        switch pacer.decide(state, now: now) {
        case .rest: break
        case .draw: screen.present(view.canvas(state, theme: theme), title: title)
        case .wait(let moment): next.append(moment)
        }
        next.append(nextTick(now))
        if let earliest = next.compactMap({ $0 }).min() { setAlarm(at: earliest) }
    }

    private func setAlarm(at moment: ContinuousClock.Instant) {
        guard moment != alarm?.moment else { return }
        alarm?.task.cancel()
        let task = Task { [weak self] in
            try? await Task.sleep(until: moment)
            // A new alarm may have been set after the sleep ended and before this line.
            if !Task.isCancelled { self?.ring(at: .now) }
        }
        alarm = (moment, task)
    }

    /// Returns the time of the next clock update; nil if nothing on the screen changes with time.
    private func nextTick(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if let replay = world.replay { return nextTick(of: replay, now) }
        if change?.revision != state.revision || change?.now != state.now {
            change = (state.revision, state.now, state.nextChange(stepSeconds: pacer.interval.seconds * world.speed))
        }
        guard let next = [change?.at, state.nextRound].compactMap({ $0 }).min() else { return nil }
        let moment = now + .seconds(max(0, next.timeIntervalSince(world.time.now())) / world.speed)
        return max(moment, pacer.nextPacedFrame ?? moment)
    }

    private func nextTick(of replay: ReplayPlayer, _ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let change = state.nextChange(stepSeconds: pacer.interval.seconds * replay.shownSpeed)
        let next = [change, replay.nextUpdate(after: state.now)].compactMap { $0 }.min()
        guard let next, let seconds = replay.seconds(until: next, after: state.now) else { return nil }
        return max(now + .seconds(seconds), pacer.nextPacedFrame ?? now)
    }

    private func ring(at now: ContinuousClock.Instant) {
        guard ending == nil else { return }
        alarm = nil
        if let (number, end) = noticeEnd, end <= now {
            noticeEnd = nil
            dispatch(.noticeEnded(number))
        }
        if let end = questionEnd, end <= now {
            questionEnd = nil
            dispatch(.mapQuestionEnded)
        }
        if let tick = nextTick(now), tick <= now { self.tick() } else { show() }
    }
}

// MARK: - Effects

extension ScreenRunner {
    func perform(_ effect: AppEffect) {
        switch effect {
        case .quit(let code): end(.code(code))
        case .suspend: screen.suspend()
        case .redraw: screen.redraw()
        case .refresh(let name): sessions[name]?.tripModel.refresh()
        case .refreshShipment(let name): refresh(name)
        case .cancelTrip(let name): cancel(name)
        case .book(let ride): book(ride)
        case .followBooked: end(.success)
        case .startLink(let name): world.links?.start(name)
        case .endLink(let name): world.links?.end(name)
        case .watch(let name): watch(name)
        case .watchShipment(let name): watch(name)
        case .stopWatching(let name): stopWatching(name)
        case .stopWatchingShipment(let name): stopWatching(name)
        case .fetchVehicle(let vehicle, let trip): fetch(vehicle, for: trip)
        case .replay(let command):
            world.replay?.perform(command)
            tick()
        case .ride(let command, let name): perform(command, name)
        case .measure(let name): measure(name)
        case .tell(let command): world.shift?.tell(command)
        case .decline(let name): decline(name)
        case .suggestTheme(let background): if themes.suggest(background) { showTheme() }
        case .copy(let text): dispatch(.copied(text, wasSent: screen.copyToClipboard(text)))
        case .endNotice(let number, let seconds): noticeEnd = (number, .now + .seconds(seconds))
        case .endMapQuestion(let seconds): questionEnd = .now + .seconds(seconds)
        case .setTitle(let text): if state.options.setsWindowTitle { title = text }
        case .alert(let heading, let text): alert("\(heading): \(text)")
        case .showProgress(let progress): show(progress)
        case .nextTheme: nextTheme()
        case .loadTiles(let ids): loader?.load(ids)
        case .loadAhead(let ids): if let remote = tiles as? any RemoteTileSource, !remote.isOffline { loader?.load(ids) }
        case .answerMap(let consent): if let question = world.mapQuestion { answer(question, consent) }
        case .askFleet: world.fleet?.watch.askNow()
        case .askMap: if let remote = tiles as? any RemoteTileSource { Task { await remote.askNow() } }
        case .findStreets(let places): findStreets(places)
        case .findStreet(let car, let trip): findStreet(of: car, for: trip)
        case .readNames(let middle): readNames(near: middle)
        }
    }

    private func perform(_ command: RideCommand, _ name: TripName) {
        switch command {
        case .replay:
            guard let file = world.recording.path(of: name) else { return dispatch(.notice("The ride was not recorded.")) }
            again = file
            end(.success)
        case .export: Task { dispatch(.notice(await world.recording.export(name))) }
        case .keep:
            dispatch(.notice(world.recording.keep(name)))
            measure(name)
        }
    }

    private func measure(_ name: TripName) {
        dispatch(.measured(name, ride: world.recording.weight(of: name), roundTripSeconds: world.roundTrips.seconds(of: name)))
    }

    private func watch(_ name: TripName) {
        guard let session = world.watch?(name) else { return }
        sessions[name] = session
        if world.recording.names.contains(name) { dispatch(.rideBegun(name)) }
        start(session)
    }

    private func stopWatching(_ name: TripName) {
        sessions.removeValue(forKey: name)?.stop()
        world.links?.end(.trip(name))
        world.forget(name)
        world.hooks?.forget(name)
    }

    private func alert(_ text: String) {
        let ways = state.options.alerts.ways
        if ways.contains(.notice) { screen.notify(text, rings: ways.contains(.bell)) } else if ways.contains(.bell) { screen.ring() }
    }

    func show(_ progress: WindowProgress?) {
        screen.showProgress(percent: progress?.percent, isPaused: progress?.isPaused ?? false)
    }

    private func nextTheme() {
        themes.next()
        showTheme()
    }

    func showTheme() {
        theme = themes.theme
        dispatch(.themeChanged(theme))
        tellThemeFaults()
    }

    /// Applies the configuration again after USR1.
    private func renew() {
        guard ending == nil else { return }
        do throws(Failure) {
            guard let look = try themes.renew() else { return }
            showTheme()
            dispatch(.renewed(keys: look.keys, alerts: look.alerts, faults: look.faults))
        } catch {
            dispatch(.notice(error.message))
        }
    }

    private func decline(_ name: TripName) {
        guard let decline = world.shift?.decline else { return }
        Task { dispatch(.declineResult(await decline(name), for: name)) }
    }

    private func fetch(_ vehicle: VehicleName, for trip: TripName) {
        guard let client = world.client else { return }
        Task {
            if let found = try? await client.getVehicle(vehicle) { dispatch(.vehicle(found, for: trip)) }
        }
    }
}
