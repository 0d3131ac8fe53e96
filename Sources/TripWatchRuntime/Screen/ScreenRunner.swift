import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import TerminalScreen
import TripWatchApp
import VectorTiles

/// Joins the app to the terminal: what happens goes in as events, what the app wants done is done, what it shows is presented.
@MainActor
final class ScreenRunner {
    /// What the app acts on.
    struct World {
        var sessions: [JourneySharingSession] = []
        var client: (any ConsumerClient)?
        /// Asks the provider to cancel a trip; nil where there is none.
        var cancel: (@Sendable (TripName) async -> CancelResult)?
        /// The base map, which may take its time; nil for none.
        var tiles: (@Sendable () async -> any TileSource)?
        var time: any TimeSource
        /// Shown seconds in a real one.
        var speed = 1.0
    }

    private enum Input: Sendable {
        case app(AppEvent, isUrgent: Bool)
        /// A tile of the base map cannot be read, and why.
        case badTile(String)
        case resumed
        case signal(Int32)
        case closed
    }

    private let screen: TerminalScreen
    private let world: World
    private let themes: ThemePicker
    private let view = AppView()
    private let inputs: AsyncStream<Input>
    private let input: AsyncStream<Input>.Continuation
    private var state: AppState
    private var tiles: (any TileSource)?
    private var theme: Theme
    private var pacer: FramePacer
    private var title: String?
    private let sessions: [TripName: JourneySharingSession]
    private var ending: ProgramEnd?
    private var isFrameDue = false
    private var isBadTileTold = false

    init(screen: TerminalScreen, state: AppState, themes: ThemePicker, world: World) {
        self.screen = screen
        self.state = state
        self.themes = themes
        self.world = world
        theme = themes.theme
        sessions = Dictionary(world.sessions.map { ($0.tripModel.tripName, $0) }) { first, _ in first }
        pacer = FramePacer(isRemote: state.options.isRemote)
        (inputs, input) = AsyncStream.makeStream()
    }

    /// Shows the app until it ends. The screen is still open then.
    func run() async -> ProgramEnd {
        let tasks = [Task { await readScreen() }, Task { await tick() }, Task { await follow() }]
        defer {
            for task in tasks { task.cancel() }
            for session in world.sessions { session.stop() }
        }
        greet()
        for await next in inputs {
            handle(next)
            if ending != nil { break }
        }
        return ending ?? .success
    }

    private func end(_ how: ProgramEnd) {
        ending = ending ?? how
        input.finish()
    }

    private func greet() {
        apply(.resize(screen.size), isUrgent: true)
        tellThemeFaults()
        guard let tiles = world.tiles else { return }
        Task {
            let source = await tiles()
            self.tiles = source
            send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: source.zoomRange, attribution: source.attribution)), isUrgent: true)
        }
    }

    private func tellThemeFaults() {
        if !themes.messages.isEmpty { send(.themeFaults(themes.messages.map { "\($0)" }), isUrgent: true) }
    }

    private func send(_ event: AppEvent, isUrgent: Bool = false) { input.yield(.app(event, isUrgent: isUrgent)) }

    private func handle(_ next: Input) {
        switch next {
        case .app(let event, let isUrgent): apply(event, isUrgent: isUrgent)
        case .badTile(let problem):
            // One is told: a broken file would fill the line of events.
            if !isBadTileTold { apply(.notice(problem), isUrgent: false) }
            isBadTileTold = true
        case .resumed:
            pacer.reset()
            apply(clock, isUrgent: true)
        case .signal(let number): end(.signal(number))
        case .closed: end(.signal(1))
        }
    }

    private func apply(_ event: AppEvent, isUrgent: Bool) {
        let front = state.page?.name
        var effects = state.update(event)
        // A page that comes to the front moves on at once.
        if state.page?.name != front { effects += state.update(clock) }
        for effect in effects { perform(effect) }
        let now = Date()
        if pacer.claimFrame(state, now: now, isUrgent: isUrgent) {
            present()
        } else if !isFrameDue, !pacer.isSettled(state) {
            drawSoon()
        }
    }

    private func present() { screen.present(view.canvas(state, theme: theme), title: title) }

    /// What came too early after the last frame is drawn when its time has come.
    private func drawSoon() {
        isFrameDue = true
        let interval = pacer.interval
        Task {
            try? await Task.sleep(for: .seconds(interval))
            isFrameDue = false
            if ending == nil, pacer.claimFrame(state, now: Date()) { present() }
        }
    }
}

// MARK: - What happens

extension ScreenRunner {
    /// What the user does is handled here and now: among many trips it would wait behind their news.
    private func readScreen() async {
        for await event in screen.events where ending == nil {
            switch event {
            case .key(let key): apply(.key(key), isUrgent: true)
            case .mouse(let mouse): apply(.mouse(mouse), isUrgent: true)
            case .resize(let size): apply(.resize(size), isUrgent: true)
            case .resumed: handle(.resumed)
            case .signal(let number): handle(.signal(number))
            case .closed: handle(.closed)
            case .alarm, .focus, .paste: break
            }
        }
        handle(.closed)
    }

    /// Starts with the trip in front, and lets keys and answers come between many.
    private func follow() async {
        for (index, session) in world.sessions.enumerated() where ending == nil {
            session.delegate = self
            session.start()
            if index % 64 == 0 { await Task.yield() }
        }
    }

    /// The clock, and the journey in front.
    private var clock: AppEvent {
        let now = world.time.now()
        return .tick(now, state.page.flatMap { sessions[$0.name]?.journey(at: now) })
    }

    private func tick() async {
        while !Task.isCancelled {
            let seconds = pacer.tickSeconds(state)
            let wait = seconds <= pacer.interval ? pacer.interval : max(pacer.interval, seconds / world.speed)
            guard (try? await Task.sleep(for: .seconds(wait))) != nil else { return }
            apply(clock, isUrgent: false)
        }
    }
}

extension ScreenRunner: JourneySharingSessionDelegate {
    func journeySharingSession(_ session: JourneySharingSession, didObserve update: TripUpdate) {
        if ending == nil { apply(.trip(update, session.journey(at: update.time)), isUrgent: false) }
    }
}

// MARK: - What is to be done

extension ScreenRunner {
    private func perform(_ effect: AppEffect) {
        switch effect {
        case .quit(let code): end(.code(code))
        case .suspend: screen.suspend()
        case .refresh(let name): sessions[name]?.tripModel.refresh()
        case .cancelTrip(let name): cancel(name)
        case .fetchVehicle(let vehicle, let trip): fetch(vehicle, for: trip)
        case .copy(let text): send(.copied(text, wasSent: screen.copyToClipboard(text)), isUrgent: true)
        case .endNotice(let number, let seconds): end(notice: number, afterSeconds: seconds)
        case .ring: screen.ring()
        case .setTitle(let text): title = text
        case .notify(let heading, let text): screen.notify("\(heading): \(text)")
        case .nextTheme:
            themes.next()
            theme = themes.theme
            send(.themeChanged(theme), isUrgent: true)
            tellThemeFaults()
        case .loadTiles(let ids): load(ids)
        case .findStreets(let places): findStreets(places)
        }
    }

    private func cancel(_ name: TripName) {
        guard let cancel = world.cancel else { return }
        Task {
            send(.cancelResult(await cancel(name), for: name), isUrgent: true)
            sessions[name]?.tripModel.refresh()
        }
    }

    private func end(notice number: Int, afterSeconds seconds: Double) {
        Task {
            try? await Task.sleep(for: .seconds(seconds))
            send(.noticeEnded(number))
        }
    }

    private func fetch(_ vehicle: VehicleName, for trip: TripName) {
        guard let client = world.client else { return }
        Task {
            if let found = try? await client.getVehicle(vehicle) { send(.vehicle(found, for: trip)) }
        }
    }

    private func findStreets(_ places: [Coordinate]) {
        guard let tiles else { return }
        let input = input
        Task.detached {
            var found: [Coordinate: String] = [:]
            for place in places { found[place] = await tiles.streetName(near: place) }
            if !found.isEmpty { input.yield(.app(.streets(found), isUrgent: false)) }
        }
    }

    private func load(_ ids: [TileID]) {
        guard let tiles else { return }
        let input = input
        Task.detached {
            for id in ids {
                let loaded = await tiles.loaded(id)
                for (id, tile) in loaded.tiles { input.yield(.app(.tile(id, tile), isUrgent: false)) }
                if let problem = loaded.problem { input.yield(.badTile(problem)) }
            }
        }
    }
}
