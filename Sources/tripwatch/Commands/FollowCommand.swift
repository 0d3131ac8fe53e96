import ArgumentParser
import DemoTown
import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
import TileSources
import TripWatchApp

struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Follow one or more trips.",
        discussion: """
            On a terminal it shows a screen: map, route, arrival time; ? tells the keys, q leaves and the trip goes on. In a pipe it prints one line \
            per change. Then it ends when all trips are complete (0) or one was cancelled (2); when something needs you it says \
            what and ends with 3 (no such trip), 4 (not allowed) or 1, unless --keep-trying. Connection trouble never ends it.
            """)

    @Argument(help: ArgumentHelp("Trip names, or bare ids with --provider.", valueName: "trip"))
    var trips: [String]

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var providerOptions: ProviderOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var look: ScreenOptions

    @Option(help: ArgumentHelp("Seconds between polls, at least 1; at least 5 against Google.", valueName: "s"))
    var interval = PollMachine.Configuration.standardInterval

    @Flag(help: "Wait on where something needs you, instead of ending.")
    var keepTrying = false

    func validate() throws {
        guard interval.isFinite, interval > 0 else { throw ValidationError("--interval is a number of seconds, at least 1.") }
        guard trips.count <= 10_000 else { throw ValidationError("at most 10,000 trips can be followed at once.") }
    }

    func run() async throws {
        let endpoint = try connection.serverEndpoint()
        let names = try trips.map(connection.tripName)
        let time = SystemTimeSource()
        let tokens = try connection.tokenProvider().map { AccessTokenCache(provider: $0, time: time) }
        if endpoint.isGoogle, interval < PollMachine.Configuration.minimumIntervalAgainstGoogle {
            Terminal.say("tripwatch: Google's Fleet Engine is asked every 5 s at most; --interval \(interval) is raised to 5.")
        }
        let end: TripFollower.End
        do {
            end = try await withFleetEngineClient(endpoint: endpoint, identity: connection.identity(.consumer), tokens: tokens) { client in
                try await follow(names, client: client, time: time, endpoint: endpoint)
            }
        } catch let error as PlaintextTokenError {
            throw ValidationError("\(error).")
        } catch let error as FleetEngineError {
            throw Failure(message: FailureWords(error, error.errorClass()).sentence, exitCode: ExitCodes.failed).end()
        } catch let failure as Failure {
            throw failure.end()
        }
        end.finish()
    }

    @MainActor
    private func follow(
        _ names: [TripName], client: any ConsumerClient, time: any TimeSource, endpoint: ServerEndpoint
    ) async throws -> TripFollower.End {
        let town = look.basemap == .demo ? DemoTown() : nil
        var follower = TripFollower(names: names, client: client, time: time, interval: interval, output: output, look: look)
        if endpoint.isGoogle { follower.minimumInterval = PollMachine.Configuration.minimumIntervalAgainstGoogle }
        follower.keepsTrying = keepTrying
        follower.tiles = town.map { DemoTownTileSource(town: $0) }
        follower.cancel = providerOptions.canceller()
        follower.prepare = { options in
            options.endpoint = endpoint.description
            if let town { options.nearestStreet = { town.roads.streetName(near: $0, withinMeters: 60) } }
        }
        return try await follower.run()
    }
}
