import ArgumentParser
import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
import TripWatchApp

struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Follow one or more trips.",
        discussion: """
            Prints one line per change. Ends when all trips are complete (0) or one was cancelled (2); when something needs you it says \
            what and ends with 3 (no such trip), 4 (not allowed) or 1, unless --keep-trying. Connection trouble never ends it.
            """)

    @Argument(help: ArgumentHelp("Trip names, or bare ids with --provider.", valueName: "trip"))
    var trips: [String]

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions

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
        let code: Int32
        do {
            code = try await withFleetEngineClient(endpoint: endpoint, identity: connection.identity(.consumer), tokens: tokens) { client in
                await follow(names, client: client, time: time, isGoogle: endpoint.isGoogle)
            }
        } catch let error as PlaintextTokenError {
            throw ValidationError("\(error).")
        } catch let error as FleetEngineError {
            throw Failure(message: FailureWords(error, error.errorClass()).sentence, exitCode: ExitCodes.failed).end()
        }
        throw ArgumentParser.ExitCode(code)
    }

    @MainActor
    private func follow(_ names: [TripName], client: any ConsumerClient, time: any TimeSource, isGoogle: Bool) async -> Int32 {
        let minimum = isGoogle ? PollMachine.Configuration.minimumIntervalAgainstGoogle : PollMachine.Configuration.minimumInterval
        let service = TripService(client: client, time: time, minimumInterval: minimum)
        let settings = TripTeller.Settings(
            style: output.output, framesPerSecond: output.drawn,
            plain: output.plainOptions(tripCount: names.count), keepsTrying: keepTrying)
        let tellers = names.map { name in
            TripTeller(
                model: service.tripModel(for: name, options: TripModelOptions(autoRefreshTimeInterval: interval)), time: time,
                settings: settings)
        }
        let runs = tellers.map { teller in Task { await teller.run() } }
        var code = ExitCodes.success
        for run in runs { code = Self.worse(code, await run.value) }
        return code
    }

    /// Of several trips the gravest end counts: errors before cancelled before complete.
    private static func worse(_ a: Int32, _ b: Int32) -> Int32 {
        let order = [ExitCodes.notAllowed, ExitCodes.noSuchTrip, ExitCodes.failed, ExitCodes.tripCanceled, ExitCodes.success]
        return order.first { $0 == a || $0 == b } ?? max(a, b)
    }
}
