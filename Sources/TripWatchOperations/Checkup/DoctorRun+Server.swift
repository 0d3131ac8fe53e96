import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
import ProgramSurroundings
import ProviderBackend
import TripWatchRuntime
import TripWatchWords

extension DoctorRun {
    /// Returns the findings about the token, the server, and the difference between the server's clock and this machine's clock.
    func serverFindings(in surroundings: Surroundings) async -> [Finding] {
        guard isServerNamed || trip != nil else {
            let token = await tryTokenCommand()
            return (token.map { [$0] } ?? []) + [.notChecked("server", "no endpoint is configured and no trip is given")]
        }
        let token = await askForToken(in: surroundings)
        let (answer, clock) = await askServer(in: surroundings, token: token.token)
        return token.findings + answer + [clock]
    }

    /// Runs the token command and measures how long it takes. Returns nil if no token command is configured.
    private func tryTokenCommand() async -> Finding? {
        guard case .command(let command)? = connection.tokens.source else { return nil }
        let helpers = connection.tokens.helperGuard()
        defer { withExtendedLifetime(helpers) {} }
        let start = ContinuousClock.now
        do throws(AccessTokenError) {
            let trial = try await CommandAccessToken(command, limitSeconds: Self.tokenSeconds).tryOut()
            return .tokenCommand(trial, milliseconds: Int((ContinuousClock.now - start) / .milliseconds(1)))
        } catch {
            return Finding(.fail, "token", "\(error).", advice: "Run the token command by hand to see what it prints.")
        }
    }

    private func askForToken(in surroundings: Surroundings) async -> (token: AccessToken?, findings: [Finding]) {
        let helpers = connection.tokens.helperGuard()
        defer { withExtendedLifetime(helpers) {} }
        let provider: (any AccessTokenProvider)?
        do throws(Failure) {
            provider = try connection.tokens.provider(limitSeconds: Self.tokenSeconds, caFile: connection.caFile, in: surroundings)
        } catch {
            return (nil, [Finding(.fail, "token", error.message)])
        }
        guard let provider else { return (nil, [Finding(.ok, "token", "no token is sent.")]) }
        let needsTrip =
            switch connection.tokens.source {
            case .command?, .address?: true
            case .file?, nil: false
            }
        guard trip != nil || !needsTrip else {
            return (nil, [await tryTokenCommand() ?? .notChecked("token", "the token source needs a trip; run 'tripwatch doctor TRIP'")])
        }
        do throws(AccessTokenError) {
            let context = AuthorizationContext(tripID: trip?.trip)
            let token = try await provider.fetchToken(context)
            let inspection = TokenInspection(token, context: context, now: surroundings.clock(1).now())
            return (token, Finding.token(inspection, isOnThisMachine: connection.endpoint.isLoopback))
        } catch {
            return (nil, [Finding(.fail, "token", "\(error).", advice: "Test the token source by hand with 'tripwatch token inspect'.")])
        }
    }

    /// Reads the trip. If no trip is set, reads a trip that does not exist: any answer shows that the server works.
    private func askServer(in surroundings: Surroundings, token: AccessToken?) async -> (findings: [Finding], clock: Finding) {
        let endpoint = connection.endpoint
        let isTLS = endpoint.security != .plaintext
        guard let name = trip ?? Self.nowhere else { return ([], .clock(offset: nil, wasHeard: false)) }
        let known = token.flatMap { try? FixedAccessToken(secret: $0.secret, origin: "token") }
        let cache = known.map { AccessTokenCache(provider: $0, time: surroundings.clock(1)) }
        let identity = connection.identity(.consumer, in: surroundings)
        let answer: Answer
        do {
            answer = try await withFleetEngineClient(
                endpoint: endpoint, identity: identity, tokens: cache, onCall: surroundings.log.callReporter
            ) { client in
                var answer = await Self.answer(to: name, client)
                answer.certificateDates = client.certificateDates
                // The server's time is only in errors and in answers about active trips.
                if answer.offset == nil, answer.failure == nil, let nowhere = Self.nowhere {
                    answer.offset = await Self.answer(to: nowhere, client).offset
                }
                return answer
            }
        } catch let error as FleetEngineError {
            // The file of --ca cannot be used, so no connection was attempted.
            let words = FailureWords(error, error.errorClass())
            let tls = Finding(.fail, "tls", words.statement, advice: words.advice)
            return ([.notChecked("server", "no connection was attempted"), tls], .clock(offset: nil, wasHeard: false))
        } catch {
            return ([Finding(.fail, "server", "\(error).")], .clock(offset: nil, wasHeard: false))
        }
        let certificate = answer.certificateDates.map { Finding.Certificate(from: $0.from, to: $0.to, now: surroundings.clock(1).now()) }
        let findings = Finding.server(
            "\(endpoint)", isOnThisMachine: endpoint.isLoopback, isTLS: isTLS, certificate: certificate, failure: answer.failure,
            trip: trip, milliseconds: answer.milliseconds)
        let wasHeard = answer.failure == nil || answer.failure?.origin == .server
        return (findings, .clock(offset: answer.offset, wasHeard: wasHeard, hasTrip: trip != nil))
    }

    /// Name of a trip that does not exist, for a test call.
    private static var nowhere: TripName? { try? TripName(provider: "doctor", trip: "doctor") }

    /// Answer of a server. `failure` is nil if the server returned the trip. `offset` is this machine's clock minus the server's clock,
    /// in seconds.
    private struct Answer {
        var failure: FleetEngineError?
        var offset: Double?
        /// Time from the call to the answer.
        var milliseconds = 0
        /// The times between which the server's certificate is valid, in seconds since 1970; nil without TLS.
        var certificateDates: (from: Int, to: Int)?
    }

    private static func answer(to name: TripName, _ client: LiveFleetEngineClient) async -> Answer {
        let start = ContinuousClock.now
        var answer = await untimedAnswer(to: name, client)
        answer.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return answer
    }

    private static func untimedAnswer(to name: TripName, _ client: LiveFleetEngineClient) async -> Answer {
        await within(serverSeconds) { () async -> Answer in
            do throws(FleetEngineError) {
                let trip = try await client.getTrip(GetTripRequest(name: name))
                return Answer(offset: trip.clockOffsetSeconds(receivedAt: Date()))
            } catch {
                return Answer(failure: error, offset: error.clockOffsetSeconds)
            }
        }
            ?? Answer(
                failure: FleetEngineError(code: .deadlineExceeded, message: "no answer within \(Int(serverSeconds)) s", origin: .network))
    }
}
