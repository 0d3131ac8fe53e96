import Driver
import FleetEngine
import FoundationEssentials
import ProgramSurroundings
import ProviderBackend
import TerminalScreen
import TripWatchRuntime
import TripWatchScreen
import TripWatchWords
import VectorTiles

/// Everything that is needed to show a driver's screen, except the `TripDriver`, which `run` creates.
struct DriveScreen {
    var look: ScreenSettings
    var output: OutputSettings
    var map: BaseMapSupply
    var options: DriveOptions
    /// Display name of the server.
    var endpoint: String
    /// The provider's client, for giving declined trips to other cars; nil without a provider.
    var provider: ProviderBackendClient?
    var time: any TimeSource
    /// Simulated seconds per real second.
    var speed: Double
    var surroundings: Surroundings
    /// The notice to show first; nil for none.
    var notice: String?

    /// The results of the driver's work and of the screen.
    struct Ending {
        var result: TripDriverResult
        /// The way the program ends if the user closed the screen; nil if the driver's work ended first.
        var byUser: ProgramEnd?
    }

    /// Shows a drive until the driver or the user ends it. Closes the screen before it takes the vehicle offline, because the server
    /// may be slow to answer.
    ///
    /// - Parameter start: creates the driver from its controls, a receiver of states, and a receiver of events.
    /// - Throws: `TerminalScreenError` if there is no usable terminal.
    @MainActor
    func run(
        _ start:
            @Sendable (
                DriverControls, @escaping @Sendable (DriverShiftState) -> Void, @escaping @Sendable (TripDriverEvent) -> Void
            ) -> TripDriver
    ) async throws(TerminalScreenError) -> Ending {
        let screen = try look.open(in: surroundings)
        let (events, event) = AsyncStream<AppEvent>.makeStream()
        let (controls, time) = (DriverControls(), time)
        let driver = start(
            controls, { event.yield(.shift($0, at: time.now())) }, { event.yield(.driver($0, at: time.now())) })
        let themes = look.themes(screen: screen, in: surroundings)
        let state = AppState(trips: [], options: appOptions(screen, themes), size: screen.size, now: time.now())
        var world = ScreenRunner.World(tiles: map.tiles, time: time, speed: speed)
        world.shift = ScreenRunner.Shift(events: events, tell: { controls.tell($0) }, decline: provider?.decliner(options.vehicle))
        let runner = ScreenRunner(screen: screen, state: state, themes: themes, world: world)
        if let notice { event.yield(.notice(notice)) }
        let work = Task {
            let result = await driver.run()
            event.yield(.quit(code: ExitCodes.success))
            return result
        }
        let end = await runner.run()
        let first: Int32? = if case .signal(let number) = end { number } else { nil }
        // The screen handles signals only until it closes, so this guard is created before the screen closes. A closed window often sends
        // HUP twice, so an immediate repeat is ignored. Any later signal ends the program immediately.
        let signals = HelperGuard(after: first)
        defer { withExtendedLifetime(signals) {} }
        let held = await screen.close()
        if !held.isEmpty { surroundings.streams.say(held) }
        themes.tellMessages()
        return await windUp(work, end)
    }

    /// Takes the vehicle offline after the screen has closed.
    /// - Parameter end: how the user ended the screen.
    private func windUp(_ work: Task<TripDriverResult, Never>, _ end: ProgramEnd) async -> Ending {
        work.cancel()
        let words = Task { [streams = surroundings.streams, id = options.vehicle.vehicle] in
            try await Task.sleep(for: .seconds(1))
            streams.note("tripwatch: taking \(printable(id)) offline …")
        }
        let result = await work.value
        words.cancel()
        return Ending(result: result, byUser: result.ending == .stopped ? end : nil)
    }

    @MainActor
    private func appOptions(_ screen: TerminalScreen, _ themes: ThemePicker) -> AppOptions {
        var own = options
        if provider != nil { own.declining = .available }
        var options = look.appOptions(screen: screen, in: surroundings)
        options.mode = .drive(own)
        options.endpoint = endpoint
        options.measurementSystem = output.measurementSystem(in: surroundings)
        options.expectsBaseMap = map.tiles != nil
        options.mapHost = map.host
        options.mapBounds = map.details?.bounds
        options.theme = themes.theme
        return options
    }
}
