import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import ProviderBackend
import TripWatchApp

extension DoctorRun {
    /// The token, the server, and what each says of the other.
    func serverFindings(in surroundings: Surroundings) async -> [Finding] {
        guard isServerNamed || trip != nil else {
            let token = await tryTokenCommand()
            return (token.map { [$0] } ?? []) + [.notMeasured("server", "no endpoint is configured and no trip is given")]
        }
        let token = await askForToken(in: surroundings)
        let (answer, clock) = await askServer(in: surroundings, token: token.token)
        return token.findings + answer + [clock]
    }

    /// Whether the token command can be run, and how long it takes; nil where there is none.
    private func tryTokenCommand() async -> Finding? {
        guard case .command(let command)? = connection.tokens.source else { return nil }
        let helpers = connection.tokens.helperGuard()
        defer { withExtendedLifetime(helpers) {} }
        let start = ContinuousClock.now
        do throws(AccessTokenError) {
            let trial = try await CommandAccessToken(command, limitSeconds: Self.tokenSeconds).tryOut()
            return .tokenCommand(trial, milliseconds: Int((ContinuousClock.now - start) / .milliseconds(1)))
        } catch {
            return Finding(.fail, "token", "\(error).", advice: "Run the token command by hand.")
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
        guard let provider else { return (nil, [Finding(.ok, "token", "none is sent.")]) }
        let needsTrip =
            switch connection.tokens.source {
            case .command?, .address?: true
            case .file?, nil: false
            }
        guard trip != nil || !needsTrip else {
            return (nil, [await tryTokenCommand() ?? .notMeasured("token", "its source wants to know for which trip")])
        }
        do throws(AccessTokenError) {
            let context = AuthorizationContext(tripID: trip?.trip)
            let token = try await provider.fetchToken(context)
            return (token, Finding.token(TokenInspection(token, context: context, now: surroundings.clock(1).now())))
        } catch {
            return (nil, [Finding(.fail, "token", "\(error).", advice: "Run the token source by hand: 'tripwatch token inspect'.")])
        }
    }

    /// Asks for the trip; without one for a trip that is nowhere, since every answer shows that there is a server.
    private func askServer(in surroundings: Surroundings, token: AccessToken?) async -> (findings: [Finding], clock: Finding) {
        let endpoint = connection.endpoint
        let isTLS = endpoint.security != .plaintext
        guard let name = trip ?? Self.nowhere else { return ([], .clock(offset: nil, wasHeard: false)) }
        let known = token.flatMap { try? FixedAccessToken(secret: $0.secret, origin: "token") }
        let cache = known.map { AccessTokenCache(provider: $0, time: surroundings.clock(1)) }
        let identity = connection.identity(.consumer, in: surroundings)
        let start = ContinuousClock.now
        var milliseconds = 0
        let failure: FleetEngineError?
        var offset: Double?
        do {
            (failure, milliseconds, offset) = try await withFleetEngineClient(
                endpoint: endpoint, identity: identity, tokens: cache, onCall: surroundings.log.callReporter
            ) { client in
                let failure = await Self.failure(of: name, client)
                let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
                if failure != nil { return (failure, milliseconds, failure?.clockOffsetSeconds) }
                // Only refusals come with the server's time.
                guard let nowhere = Self.nowhere else { return (nil, milliseconds, nil) }
                return (nil, milliseconds, await Self.failure(of: nowhere, client)?.clockOffsetSeconds)
            }
        } catch let error as FleetEngineError {
            failure = error
            milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        } catch {
            return ([Finding(.fail, "server", "\(error).")], .clock(offset: nil, wasHeard: false))
        }
        let findings = Finding.server("\(endpoint)", isTLS: isTLS, failure: failure, trip: trip, milliseconds: milliseconds)
        return (findings, .clock(offset: offset, wasHeard: failure == nil || failure?.origin == .server))
    }

    /// A trip that there is not.
    private static var nowhere: TripName? { try? TripName(provider: "doctor", trip: "doctor") }

    /// - Returns: nil where the trip was told.
    private static func failure(of name: TripName, _ client: LiveFleetEngineClient) async -> FleetEngineError? {
        await within(serverSeconds) { () async -> FleetEngineError? in
            do throws(FleetEngineError) {
                _ = try await client.getTrip(GetTripRequest(name: name))
                return nil
            } catch {
                return error
            }
        } ?? FleetEngineError(code: .deadlineExceeded, message: "no answer within \(Int(serverSeconds)) s", origin: .network)
    }
}
