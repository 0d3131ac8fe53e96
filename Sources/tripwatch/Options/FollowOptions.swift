import ArgumentParser
import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
import TripWatchApp
import VectorTiles

/// How trips of some server are followed: what `follow` and `book --follow` have in common.
struct FollowOptions: ParsableArguments {
    @OptionGroup var output: OutputOptions
    @OptionGroup var look: ScreenOptions

    @OptionGroup var pace: PaceOptions

    @Flag(help: "Wait on where something needs you, instead of ending.")
    var keepTrying = false

    mutating func complete(from configuration: Configuration) {
        output.complete(from: configuration)
        look.complete(from: configuration)
        pace.complete(from: configuration)
    }

    /// Follows to the end and ends the process.
    ///
    /// - Parameter bookedAt: when we booked the trip ourselves: until the server knows it, that it is missing is no failure.
    func follow(_ names: [TripName], connection: ConnectionOptions, provider: ProviderOptions, bookedAt: Date? = nil) async throws {
        let endpoint = try connection.serverEndpoint()
        pace.sayWhatIsRaised(for: endpoint)
        let tokenSource = try connection.tokens.provider(caFile: connection.ca)
        let cancel = try provider.canceller(caFile: connection.ca)
        let map = output.wantsScreen ? try look.map.open(standard: .none) : BaseMapSupply()
        let end = try await OneShot.run(connection, guardsHelpers: !output.wantsScreen) { client in
            try await follow(
                names, client: client, endpoint: endpoint, cancel: cancel, map: map, tokenSource: tokenSource, bookedAt: bookedAt)
        }
        // What was booked here has no other place where its name stands.
        if bookedAt != nil, output.wantsScreen { for name in names { Terminal.say(name.description) } }
        end.finish()
    }

    @MainActor
    private func follow(
        _ names: [TripName], client: any ConsumerClient, endpoint: ServerEndpoint,
        cancel: (@Sendable (TripName) async -> CancelResult)?, map: BaseMapSupply, tokenSource: (any AccessTokenProvider)?, bookedAt: Date?
    ) async throws -> TripFollower.End {
        let time = SystemTimeSource()
        var follower = TripFollower(names: names, client: client, time: time, interval: pace.seconds, output: output, look: look)
        follower.minimumInterval = PaceOptions.minimumSeconds(for: endpoint)
        follower.bookedAt = bookedAt
        follower.keepsTrying = keepTrying
        follower.map = map
        follower.tokenSource = tokenSource
        follower.cancel = cancel
        follower.prepare = {
            $0.endpoint = endpoint.description
            $0.mapBounds = map.details?.bounds
        }
        return try await follower.run()
    }
}
