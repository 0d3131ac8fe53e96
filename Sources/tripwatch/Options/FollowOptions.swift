import ArgumentParser
import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
import TripWatchApp

/// How trips of some server are followed: what `follow` and `book --follow` have in common.
struct FollowOptions: ParsableArguments {
    @OptionGroup var output: OutputOptions
    @OptionGroup var look: ScreenOptions

    @Option(help: ArgumentHelp("Seconds between polls, at least 1; at least 5 against Google.", valueName: "s"))
    var interval = PollMachine.Configuration.standardInterval

    @Flag(help: "Wait on where something needs you, instead of ending.")
    var keepTrying = false

    func validate() throws {
        guard interval.isFinite, interval > 0 else { throw ValidationError("--interval is a number of seconds, at least 1.") }
    }

    /// Follows to the end and ends the process.
    ///
    /// - Parameter bookedAt: when we booked the trip ourselves: until the server knows it, that it is missing is no failure.
    func follow(_ names: [TripName], connection: ConnectionOptions, provider: ProviderOptions, bookedAt: Date? = nil) async throws {
        let endpoint = try connection.serverEndpoint()
        if endpoint.isGoogle, interval < PollMachine.Configuration.minimumIntervalAgainstGoogle {
            Terminal.say("tripwatch: Google's Fleet Engine is asked every 5 s at most; --interval \(interval) is raised to 5.")
        }
        let tokenSource = try connection.tokens.provider()
        let map = output.wantsScreen ? try look.map.open(standard: .none) : BaseMapSupply()
        let end = try await OneShot.run(connection) { client in
            try await follow(
                names, client: client, endpoint: endpoint, provider: provider, map: map, tokenSource: tokenSource, bookedAt: bookedAt)
        }
        end.finish()
    }

    @MainActor
    private func follow(
        _ names: [TripName], client: any ConsumerClient, endpoint: ServerEndpoint, provider: ProviderOptions, map: BaseMapSupply,
        tokenSource: (any AccessTokenProvider)?, bookedAt: Date?
    ) async throws -> TripFollower.End {
        let time = SystemTimeSource()
        var follower = TripFollower(names: names, client: client, time: time, interval: interval, output: output, look: look)
        if endpoint.isGoogle { follower.minimumInterval = PollMachine.Configuration.minimumIntervalAgainstGoogle }
        follower.bookedAt = bookedAt
        follower.keepsTrying = keepTrying
        follower.map = map
        follower.tokenSource = tokenSource
        follower.cancel = provider.canceller()
        follower.prepare = { $0.endpoint = endpoint.description }
        return try await follower.run()
    }
}
