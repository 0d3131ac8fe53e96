import ConsumerMap
import FleetEngine
import JourneySharing
import ProgramSurroundings
import TerminalScreen
import TripWatchScreen
import TripWatchSettings
import TripWatchWords

/// Reads all events: user input, news about the trips, the driver and the fleet, and the user's position.
extension ScreenRunner {
    func readScreen() async {
        for await event in screen.events where ending == nil {
            switch event {
            case .key(let key): answer(.key(key))
            case .mouse(let mouse): answer(.mouse(mouse))
            case .resize(let size): answer(.resize(size))
            case .resumed:
                pacer.reset()
                if state.options.alerts.ways.contains(.progress) { show(state.windowProgress) }
                tick()
            case .background(let tone): if themes.adapt(to: tone) { showTheme() }
            case .signal(let number): end(.signal(number))
            case .closed: end(.signal(1))
            case .paste(let text): answer(.paste(text))
            case .focus: break
            }
        }
        end(.signal(1))
    }

    /// Handles user input.
    func answer(_ event: AppEvent) {
        if case .resize(let size) = event { world.replay?.resize(to: size) }
        dispatch(event)
        if let replay = world.replay { computeAhead(replay) }
    }

    /// Computes the frames of the replayed recording before they are shown. The work is split into small steps, so that keys and frames are
    /// handled between them.
    private func computeAhead(_ replay: ReplayPlayer) {
        guard computing == nil, !replay.isComplete else { return }
        computing = Task {
            while ending == nil, !replay.isComplete {
                replay.compute(steps: 8)
                if replay.isWaiting { tick() }
                await Task.yield()
            }
            computing = nil
            tick()
        }
    }

    /// Starts to follow the shipments, then the trips, beginning with the trip that the screen shows. If there are many trips, keys
    /// and answers are handled in between.
    func follow() async {
        startShipments()
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
        for await event in shift.events { dispatch(event) }
    }

    func readFleet() async {
        await world.fleet?.run({ state }, isAtPlace: !state.options.fitsFleet) { dispatch($0) }
    }

    func readPosition() async {
        await world.ownPosition?.run { dispatch($0) }
    }

    /// Returns the event that updates the clock and the journey of the trip that the screen shows.
    func clock(_ front: TripName?) -> AppEvent {
        if let replay = world.replay { return .replay(replay.frame) }
        let now = world.time.now()
        return .tick(now, front.flatMap { sessions[$0]?.journey(at: now) })
    }
}

extension ScreenRunner: JourneySharingSessionDelegate {
    func journeySharingSession(_ session: JourneySharingSession, didObserve update: TripUpdate) {
        guard ending == nil else { return }
        let journey = session.journey(at: update.time)
        world.hooks?.observe(journey, at: update.time)
        dispatch(.trip(update, journey))
        if case .trip = update.kind { world.keeper?.note(journey, title: state.ownTitle(of: update.name)) }
    }
}
