import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import Geo
import JourneySharing
import Logging
import ProgramSurroundings
import TripWatchRuntime
import TripWatchScreen
import TripWatchSharing
import TripWatchWords
import VectorTiles

/// Follows the trips of all links, and sends their updates to the links.
@MainActor
final class ShareSession {
    private let run: ShareRun
    private let desk: ShareDesk
    private let client: any ConsumerClient
    private let surroundings: Surroundings
    private let time: any TimeSource
    private var followers: [ShareFollower] = []
    private var trouble: ShareTrouble
    private let service: TripService
    /// Whether the trips are also shown on a screen. If so, the screen reports their errors.
    private let isBesideScreen: Bool
    /// Saves the trips' server and state; nil if a screen does so, or if there is no state file.
    private let keeper: TripKeeper?
    private var journeys: [TripName: JourneyTracker] = [:]
    /// The arrivals that other programs on this machine showed when the links were created.
    private var arrivalsShown: [TripName: Date] = [:]

    /// - Parameter screenService: the service of a screen that also follows the trips; nil without a screen. The screen saves the
    ///   trips and reports their errors.
    init(
        run: ShareRun, desk: ShareDesk, client: any ConsumerClient, surroundings: Surroundings, screenService: TripService? = nil
    ) {
        self.run = run
        self.desk = desk
        self.client = client
        self.surroundings = surroundings
        time = surroundings.clock(1)
        trouble = ShareTrouble(surroundings.streams)
        isBesideScreen = screenService != nil
        let minimum = Pace.minimumSeconds(for: run.connection.endpoint)
        service = screenService ?? TripService(client: client, time: time, minimumInterval: minimum)
        let server = KnownTrip.Server(run.connection.endpoint, providerURL: nil, in: surroundings)
        let title = run.names.count == 1 ? run.look.app.title : nil
        let file = screenService == nil ? surroundings.stateFile : nil
        keeper = file.map { [time] in TripKeeper(file: $0, server: server, title: title, time: time) }
    }

    /// Waits until each trip's first call has been answered or has failed, and then creates the links.
    /// - Throws: `Failure` if a first call has failed and retries cannot help: for example, the trip does not exist, or access to it is
    ///   denied.
    func start() async throws {
        if !isBesideScreen { run.pace.sayWhatIsRaised(for: run.connection.endpoint, in: surroundings) }
        let options = TripModelOptions(autoRefreshTimeInterval: run.pace.seconds)
        followers = run.names.map { ShareFollower(service.tripModel(for: $0, options: options)) }
        for follower in followers {
            follower.start()
            if isBesideScreen { follower.askNow() }
        }
        for follower in followers {
            guard let failure = await follower.updates.firstFailure() else { continue }
            if !failure.isWithinGrace, let code = failure.errorClass.exitCode(for: failure.error) {
                throw Failure(message: FailureWords(failure).sentence(at: run.connection.endpoint.description), exitCode: code)
            }
            sayThatNothingAnswered(follower.name, failure)
        }
        let settings = run.linkSettings(at: time.now(), in: surroundings)
        arrivalsShown = surroundings.stateFile?.arrivalsShown(now: time.now()) ?? [:]
        for (name, follower) in zip(run.names, followers) {
            // A link with blurred times must not show the exact arrival that another program showed.
            let shown = settings.privacy.blurSeconds == nil ? arrivalsShown[name] : nil
            desk.add(try SharedLink(secret: LinkSecret(), source: name, settings: settings, arrivalShownElsewhere: shown, now: time.now()))
            surroundings.log.info("link", metadata: ["trip": "\(name.trip)"])
            follower.updates.hear { [weak self] in self?.observe($0) }
        }
    }

    func stop() { for follower in followers { follower.stop() } }

    /// Writes changes that have not been saved yet.
    func close() async { await keeper?.close() }

    private func keep(_ update: TripUpdate) {
        guard let keeper else { return }
        var journey = journeys[update.name] ?? newJourney(update.name)
        journey.observe(update)
        journeys[update.name] = journey
        if case .trip = update.kind { keeper.note(journey) }
    }

    private func newJourney(_ name: TripName) -> JourneyTracker {
        var journey = JourneyTracker(tripName: name, fallbackKind: run.look.app.tripKind)
        journey.arrivalShownElsewhere = arrivalsShown[name]
        return journey
    }

    private func observe(_ update: TripUpdate) {
        var effects: [AppEffect] = []
        sayTrouble(update)
        keep(update)
        desk.change(.trip(update.name)) { (link: inout SharedLink) in effects = link.observe(update) }
        for effect in effects { perform(effect, for: update.name) }
    }

    private func sayThatNothingAnswered(_ trip: TripName, _ failure: PollFailure) {
        guard !isBesideScreen else { return }
        trouble.sayThatNothingAnswered(.trip(trip), FailureWords(failure).sentence(at: run.connection.endpoint.description))
    }

    private func sayTrouble(_ update: TripUpdate) {
        guard !isBesideScreen else { return }
        switch update.kind {
        case .failure(let failure): trouble.say(failure, of: .trip(update.name), FailureWords(failure).sentence)
        case .trip: trouble.end(of: .trip(update.name))
        case .recovered, .state, .ended: break
        }
    }

    private func perform(_ effect: AppEffect, for trip: TripName) {
        switch effect {
        case .fetchVehicle(let vehicle, _):
            guard let name = try? VehicleName(provider: trip.provider, vehicle: vehicle.vehicle) else { return }
            Task {
                guard let found = try? await client.getVehicle(name) else { return }
                desk.change(.trip(trip)) { (link: inout SharedLink) in link.observe(found, at: time.now()) }
            }
        case .findStreets(let places): findStreets(places, for: trip)
        default: break
        }
    }

    private func findStreets(_ places: [Coordinate], for trip: TripName) {
        guard let tiles = desk.map.streets else { return }
        Task {
            var found: [Coordinate: String] = [:]
            for place in places { found[place] = await tiles.streetName(near: place) }
            desk.change(.trip(trip)) { (link: inout SharedLink) in link.observe(streets: found, at: time.now()) }
        }
    }
}
