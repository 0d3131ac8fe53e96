import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import Geo
import Glibc
import TripWatchApp

/// Commands that ask once and end: connect, ask, repeat only what is worth repeating, and say failures in one way.
enum OneShot {
    /// Runs `body` with a client of the connection.
    ///
    /// - Parameters:
    ///   - vehicleID: of the vehicle whose driver asks.
    ///   - guardsHelpers: a signal that ends the program ends its token commands too; false where the command takes the signals itself.
    ///   - onFailure: what else is to be told of a failed call, before its sentence.
    /// - Throws: what ends a command: usage errors, or the exit code of a failure that was said already.
    static func run<Result: Sendable>(
        _ connection: ConnectionOptions, as role: ClientIdentity.Role = .consumer, vehicleID: String? = nil, guardsHelpers: Bool = true,
        onFailure: (FleetEngineError) -> Void = { _ in }, _ body: @escaping @Sendable (LiveFleetEngineClient) async throws -> Result
    ) async throws -> Result {
        let endpoint = try connection.serverEndpoint()
        let tokens = try connection.tokens.provider().map { AccessTokenCache(provider: $0, time: SystemTimeSource()) }
        let helpers = guardsHelpers ? connection.tokens.helperGuard() : nil
        defer { withExtendedLifetime(helpers) {} }
        do {
            let identity = connection.identity(role, vehicleID: vehicleID)
            return try await withFleetEngineClient(endpoint: endpoint, identity: identity, tokens: tokens, body)
        } catch let error as PlaintextTokenError {
            throw Failure(message: "\(error).", exitCode: ExitCodes.usage).end()
        } catch let error as FleetEngineError {
            onFailure(error)
            throw failure(error).end()
        } catch let failure as Failure {
            throw failure.end()
        }
    }

    /// The answer of a call, asked for again when the server is unavailable, as its service config says.
    static func asking<Answer>(_ call: () async throws(FleetEngineError) -> Answer) async throws -> Answer {
        var retry = CallRetry()
        var random = SeededRandom(seed: UInt64.random(in: 0 ... .max))
        while true {
            do throws(FleetEngineError) {
                return try await call()
            } catch {
                guard let wait = retry.delaySeconds(after: error, random: &random) else { throw error }
                if isatty(STDERR_FILENO) == 1 {
                    Terminal.say("tripwatch: no connection yet, trying again in \(TripWords.age(wait.rounded(.up))) ...")
                }
                try await Task.sleep(for: .seconds(wait))
            }
        }
    }

    /// What a failed call means for a command.
    static func failure(_ error: FleetEngineError) -> Failure {
        let errorClass = error.errorClass()
        let code =
            switch error.code {
            case .notFound: ExitCodes.noSuchTrip
            case .unauthenticated, .permissionDenied: ExitCodes.notAllowed
            default: errorClass.exitCode(for: error) ?? ExitCodes.failed
            }
        return Failure(message: FailureWords(error, errorClass).sentence, exitCode: code)
    }
}
