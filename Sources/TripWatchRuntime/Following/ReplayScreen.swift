import FleetEngine
import FoundationEssentials
import JourneySharing
import ProgramSurroundings
import Synchronization
import TerminalMap
import TerminalScreen
import TripRecording
import TripWatchScreen
import TripWatchSettings
import TripWatchWords
import VectorTiles

/// Shows a recording on the screen.
@MainActor
struct ReplayScreen {
    var recorded: RecordedTrip
    /// All updates of the recording.
    var updates: [TripUpdate]
    /// The name of the recording.
    var title: String
    var speed = 1.0
    var output: OutputSettings
    var look: ScreenSettings
    var map = BaseMapSupply()
    var ground: GroundOverlay?
    var surroundings: Surroundings

    /// Shows the recording until the user quits. Does not close the screen.
    func run(on screen: TerminalScreen) async -> ProgramEnd {
        var options = look.appOptions(screen: screen, in: surroundings)
        options.mode = .replay
        options.recordingName = title
        options.cancelling = .recording
        options.bookedAt = recorded.scene.bookedAt
        if recorded.scene.isInTown { options.justBookedSeconds = .infinity }
        options.placeNames = recorded.scene.placeNames.mapValues { printable($0) }
        options.measurementSystem = output.measurementSystem(in: surroundings)
        options.expectsBaseMap = map.tiles != nil
        options.mapHost = map.host
        options.mapBounds = map.details?.bounds
        options.ground = ground
        options.alerts = Alerts(words: [])
        let themes = look.themes(screen: screen, in: surroundings)
        options.theme = themes.theme
        var own = options
        // The screen adds the map itself, so the playback must not wait for it.
        own.expectsBaseMap = false
        let course = ReplayCourse(
            recorded.name, updates: updates, pollIntervalSeconds: recorded.pollInterval, options: own, size: screen.size,
            vehicle: { [recorded] name, date in recorded.vehicle(name, at: date) }, street: await streets())
        guard let course else { return .code(ExitCodes.failed) }
        let state = AppState(trips: [recorded.name], options: options, size: screen.size, now: course.start)
        let world = ScreenRunner.World(
            tiles: map.tiles, replay: ReplayPlayer(course, speed: speed), time: surroundings.clock(1))
        let end = await ScreenRunner(screen: screen, state: state, themes: themes, world: world).run()
        themes.tellMessages()
        return end
    }
}

extension ReplayScreen {
    /// Returns a function that finds the street on which the car drove. The streets come from a local map.
    private func streets() async -> @Sendable (CarPlace) -> String? {
        guard let tiles = map.tiles, map.host == nil else { return { _ in nil } }
        let finder = StreetFinder(tiles)
        var found: [CarPlace: String] = [:]
        for update in updates {
            guard case .trip(let trip, _) = update.kind, let place = trip.lastLocation.flatMap({ CarPlace($0, heardAt: .distantPast) }),
                found[place] == nil
            else { continue }
            found[place] = await finder.street(of: place, among: nil)
        }
        return { [found] car in
            var place = car
            place.heardAt = .distantPast
            return found[place]
        }
    }
}

extension RecordedTrip {
    /// The polling interval of the model that plays the recording, in seconds.
    var pollInterval: Double { pollIntervalSeconds ?? PollMachine.Configuration.standardInterval }

    /// Returns all updates that `eachUpdate` finds; nil if they would take too much memory.
    @MainActor
    func updates() async -> [TripUpdate]? {
        var updates = ReplayUpdates(momentCount: moments.count, textBytes: textBytes)
        let isWhole = await playUpdates { updates.add($0) }
        return isWhole ? updates.list : nil
    }

    /// Plays the recording without waiting, and calls `use` for each update from the model of the trip, with its recorded time. Updates
    /// that only say that polling has started or stopped are left out.
    @MainActor
    func eachUpdate(_ use: (TripUpdate) -> Void) async {
        _ = await playUpdates { update in
            use(update)
            return true
        }
    }

    /// Plays the recording as `eachUpdate` does, but stops when `use` returns false.
    /// - Returns: whether `use` returned true for all updates.
    @MainActor
    private func playUpdates(_ use: (TripUpdate) -> Bool) async -> Bool {
        let playback = PlaybackTimeSource(self, base: HurriedTimeSource())
        let service = TripService(client: RecordedTripClient(playback), time: playback)
        let model = service.tripModel(for: name, options: TripModelOptions(autoRefreshTimeInterval: pollInterval))
        reading: for await update in model.updates {
            switch update.kind {
            case .state: continue
            case .recovered:
                // The answer follows as an update with the same time.
                guard use(update.corrected(by: self)) else { return false }
                continue
            case .trip, .failure, .ended: guard use(update.corrected(by: self)) else { return false }
            }
            // The updates of an unfinished trip do not end by themselves, so the loop stops at the end of the recording. The updates of a
            // finished trip end by themselves. They must not be cut off at `end`, because `ended` also has this time.
            if !isFinished, update.time >= end { break reading }
        }
        return true
    }
}

/// A clock that jumps to each deadline instead of waiting.
private final class HurriedTimeSource: TimeSource {
    private let moment = Mutex(Date(timeIntervalSinceReferenceDate: 0))

    func now() -> Date { moment.withLock { $0 } }

    func sleep(until deadline: Date) async throws {
        try Task.checkCancellation()
        moment.withLock { $0 = max($0, deadline) }
        await Task.yield()
    }
}
