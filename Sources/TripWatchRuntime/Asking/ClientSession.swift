package import FleetEngine
package import FleetEngineGRPC
import FoundationEssentials
import Geo
package import ProgramSurroundings
import TripWatchWords

/// Connects a command to a Fleet Engine: makes the calls, retries only temporary failures, and reports all failures in the same form.
///
/// A command with a single request ends within 15 s, even if the token source, the connection or the server hangs. A command that follows a
/// trip keeps its client until the command ends.
package enum ClientSession {
    /// The time limit of all calls together, including token commands, in seconds. The whole command may take 15 s; the remaining second is
    /// for its start and its cleanup.
    package static let askingSeconds = 14.0
    /// The time limit of a token source, in seconds. It is shorter than the limit of all calls, so that the token source itself reports the
    /// timeout.
    package static let tokenSeconds = 13.0

    /// Creates a client for the connection, and runs `body` with it.
    ///
    /// - Parameters:
    ///   - vehicleID: the id of the driver's vehicle, if the caller is a driver.
    ///   - guardsHelpers: whether a signal that ends the program also ends its token commands; false if the caller handles signals.
    ///   - tokenSeconds: time limit of the token source.
    ///   - onFailure: prints details about a failed call, before the error message is printed.
    ///   - onCall: receives each finished call; nil to write the calls to the log, if there is one.
    ///   - onAnswer: receives the result of each read of a trip, vehicle or shipment.
    /// - Throws: `Failure` with a message.
    package static func run<Result: Sendable>(
        _ connection: Connection, in surroundings: Surroundings, as role: ClientIdentity.Role = .consumer, vehicleID: String? = nil,
        guardsHelpers: Bool = true, tokenSeconds: Double = TokenSettings.standardSeconds, onFailure: (FleetEngineError) -> Void = { _ in },
        onCall: (@Sendable (CallReport) -> Void)? = nil, onAnswer: (@Sendable (ReceivedAnswer) -> Void)? = nil,
        _ body: @escaping @Sendable (LiveFleetEngineClient) async throws -> Result
    ) async throws -> Result {
        let provider = try connection.tokens.provider(limitSeconds: tokenSeconds, caFile: connection.caFile, in: surroundings)
        let tokens = provider.map { AccessTokenCache(provider: $0, time: surroundings.clock(1)) }
        let helpers = guardsHelpers ? connection.tokens.helperGuard() : nil
        defer { withExtendedLifetime(helpers) {} }
        do {
            let identity = connection.identity(role, vehicleID: vehicleID, in: surroundings)
            return try await withFleetEngineClient(
                endpoint: connection.endpoint, identity: identity, tokens: tokens, onCall: onCall ?? surroundings.log.callReporter,
                onAnswer: onAnswer,
                body)
        } catch let error as PlaintextTokenError {
            throw Failure(message: "\(error).", exitCode: ExitCodes.usage)
        } catch let error as FleetEngineError {
            onFailure(error)
            let failure = failure(error, at: connection.endpoint.description)
            guard FailureWords.isForDoctor(error) else { throw failure }
            throw Failure(message: failure.message + " 'tripwatch doctor' finds the cause.", exitCode: failure.exitCode)
        }
    }

    /// Makes a call, and retries it according to the service config while the server is unavailable, until the time limit.
    ///
    /// - Parameters:
    ///   - deadline: the time until which the server must have answered.
    ///   - isPatient: whether to retry until the deadline while the server stays unavailable. If false, the call fails after the attempts
    ///     that the service config allows.
    ///   - server: the name of the server, for the report of the first failure; nil to report no failures.
    /// - Throws: the last failure, or a timeout.
    package static func asking<Answer: Sendable>(
        in surroundings: Surroundings, until deadline: ContinuousClock.Instant = .now + .seconds(askingSeconds),
        isPatient: Bool = false, at server: String? = nil, _ call: @escaping @Sendable () async throws(FleetEngineError) -> Answer
    ) async throws -> Answer {
        var retry = CallRetry()
        var random = SeededRandom(seed: UInt64.random(in: 0 ... .max))
        var last: FleetEngineError?
        let seconds = (deadline - .now).seconds
        while true {
            let outcome = await within((deadline - .now).seconds) { () async -> Result<Answer, FleetEngineError> in
                do throws(FleetEngineError) { return .success(try await call()) } catch { return .failure(error) }
            }
            if case .success(let answer)? = outcome { return answer }
            guard case .failure(let error)? = outcome else { throw last ?? timeIsUp(seconds) }
            let rest = (deadline - .now).seconds
            var next = retry.delaySeconds(after: error, random: &random)
            if isPatient, next == nil {
                retry = CallRetry()
                next = retry.delaySeconds(after: error, random: &random)
            }
            guard var wait = next else { throw error }
            // A patient command makes its last attempt shortly before the deadline, even if its next retry is due later.
            if isPatient { wait = min(wait, rest - lastTrySeconds) }
            guard wait > 0, isPatient || wait + shortestTrySeconds < rest else { throw error }
            if let server, last == nil {
                let words = FailureWords(error, error.errorClass()).sentence(at: server)
                surroundings.streams.say("tripwatch: \(words) Trying again in \(TripWords.age(wait.rounded(.up))).")
            }
            last = error
            try await Task.sleep(for: .seconds(wait))
        }
    }

    /// The minimum time that must remain for another attempt, in seconds.
    private static let shortestTrySeconds = 1.0
    /// The time that remains for a patient command's last attempt, in seconds.
    private static let lastTrySeconds = 0.25

    private static func timeIsUp(_ seconds: Double) -> FleetEngineError {
        FleetEngineError(code: .deadlineExceeded, message: "no answer within \(Int(seconds.rounded())) s", origin: .local)
    }

    /// Returns the failure that ends a command after a failed call.
    /// - Parameter server: the name of the server in the message; nil to leave it out.
    package static func failure(_ error: FleetEngineError, at server: String? = nil) -> Failure {
        let errorClass = error.errorClass()
        let code =
            switch error.code {
            case .notFound: ExitCodes.noSuchTrip
            case .unauthenticated, .permissionDenied: ExitCodes.notAllowed
            default: errorClass.exitCode(for: error) ?? ExitCodes.failed
            }
        let words = FailureWords(error, errorClass)
        return Failure(message: server.map(words.sentence(at:)) ?? words.sentence, exitCode: code)
    }
}
