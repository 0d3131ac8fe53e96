package import FleetEngine
package import FleetEngineGRPC
import FoundationEssentials
import Geo
package import ProgramSurroundings
import TripWatchWords

/// What a command does with a client of a Fleet Engine: connect, ask, repeat only failures that may pass, and report failures in one way.
///
/// A command that asks once ends within 15 s, even if token source, connection or server hangs. A command that follows keeps its client as long
/// as it runs.
package enum ClientSession {
    /// For all that is asked, helpers included, seconds. The rest of the 15 s is for starting and for putting away.
    package static let askingSeconds = 14.0
    /// For one answer of a token source, seconds; shorter than the whole, so that the token source's own words say what hung.
    package static let tokenSeconds = 13.0

    /// Runs `body` with a client of the connection.
    ///
    /// - Parameters:
    ///   - vehicleID: the vehicle of the driver who asks.
    ///   - guardsHelpers: a signal that ends the program ends its token commands too; false where the command takes the signals itself.
    ///   - tokenSeconds: how long the token source may take.
    ///   - onFailure: prints more about a failed call, before its sentence.
    ///   - onCall: told of each call when it has ended; nil writes it down where there is a log.
    ///   - onAnswer: told what each read of a trip or vehicle brought.
    /// - Throws: `Failure`, in words.
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
            throw Failure(message: failure.message + " 'tripwatch doctor' looks further.", exitCode: failure.exitCode)
        }
    }

    /// The answer of a call, asked for again when the server is unavailable, as its service config says, until the time is up.
    ///
    /// - Parameters:
    ///   - deadline: when the command is to have its answer.
    ///   - isPatient: it asks again until then, however often the server is unavailable.
    ///   - server: its name; nil says nothing of failures.
    /// - Throws: the last failure, or one that says that the time was up.
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
            // The last try of one who is patient is a little before the end.
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

    /// A try that would have less time than this is not made, seconds.
    private static let shortestTrySeconds = 1.0
    /// How long before the end one who is patient asks for the last time, seconds.
    private static let lastTrySeconds = 0.25

    private static func timeIsUp(_ seconds: Double) -> FleetEngineError {
        FleetEngineError(code: .deadlineExceeded, message: "no answer within \(Int(seconds.rounded())) s", origin: .local)
    }

    /// The failure of a command after a failed call.
    /// - Parameter server: its name; nil leaves it out.
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
