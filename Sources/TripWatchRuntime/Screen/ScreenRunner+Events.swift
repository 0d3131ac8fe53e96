import ConsumerMap
import FleetEngine
import JourneySharing
import ProgramSurroundings
import TerminalScreen
import TripWatchScreen
import TripWatchSettings

/// Takes in what happens: what the user does, news of the trips, of the driver and of the fleet, and the user's position.
extension ScreenRunner {
    /// What the user does is handled here and now: among many trips it would wait behind their news.
    func readScreen() async {
        for await event in screen.events where ending == nil {
            switch event {
            case .key(let key): answer(.key(key))
            case .mouse(let mouse): answer(.mouse(mouse))
            case .resize(let size): answer(.resize(size))
            case .resumed:
                pacer.reset()
                if state.options.alerts.ways.contains(.progress) { show(state.windowProgress) }
                apply(clock)
            case .background(let tone): if themes.adapt(to: tone) { showTheme() }
            case .signal(let number): end(.signal(number))
            case .closed: end(.signal(1))
            case .paste(let text): answer(.paste(text))
            case .focus: break
            }
        }
        end(.signal(1))
    }

    /// The state's clock stands still between ticks, so it is updated before a key is handled.
    func answer(_ event: AppEvent) {
        if let replay = world.replay { return answer(event, with: replay) }
        if state.page != nil || world.shift != nil { for effect in state.update(clock) { perform(effect) } }
        apply(event)
    }

    /// What is seen of a recording follows from what was asked for at once.
    private func answer(_ event: AppEvent, with replay: ReplayPlayer) {
        if case .resize(let size) = event { replay.resize(to: size) }
        for effect in state.update(event) { perform(effect) }
        apply(clock)
        computeAhead(replay)
    }

    /// A little at a time, so that keys and frames come between.
    private func computeAhead(_ replay: ReplayPlayer) {
        guard computing == nil, !replay.isComplete else { return }
        computing = Task {
            while ending == nil, !replay.isComplete {
                replay.compute(steps: 8)
                if replay.isWaiting { apply(clock) }
                await Task.yield()
            }
            computing = nil
            if ending == nil { apply(clock) }
        }
    }

    /// Starts with the trip in front, and lets keys and answers come between many.
    func follow() async {
        for (index, session) in world.sessions.enumerated() where ending == nil && sessions[session.tripModel.tripName] != nil {
            start(session)
            if index % 64 == 0 { await Task.yield() }
        }
    }

    func start(_ session: JourneySharingSession) {
        session.delegate = self
        session.start()
    }

    func readShift() async {
        guard let shift = world.shift else { return }
        for await event in shift.events where ending == nil { apply(event) }
    }

    func readFleet() async {
        await world.fleet?.run({ state }, isAtPlace: !state.options.fitsFleet) { event in
            guard ending == nil else { return }
            // On a map alone the clock has stood still.
            for effect in state.update(clock) { perform(effect) }
            apply(event)
        }
    }

    func readPosition() async {
        await world.ownPosition?.run { event in
            if ending == nil { apply(event) }
        }
    }

    /// The clock, and the journey in front.
    var clock: AppEvent {
        if let replay = world.replay { return .replay(replay.frame) }
        let now = world.time.now()
        return .tick(now, state.page.flatMap { sessions[$0.name]?.journey(at: now) })
    }
}

extension ScreenRunner: JourneySharingSessionDelegate {
    func journeySharingSession(_ session: JourneySharingSession, didObserve update: TripUpdate) {
        guard ending == nil else { return }
        let journey = session.journey(at: update.time)
        world.hooks?.observe(journey, at: update.time)
        apply(.trip(update, journey))
        if case .trip = update.kind { world.keeper?.note(journey, title: state.ownTitle(of: update.name)) }
    }
}
