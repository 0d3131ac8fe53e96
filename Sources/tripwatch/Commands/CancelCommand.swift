import ArgumentParser
import FleetEngine
import FleetEngineGRPC
import ProviderBackend
import TripWatchApp

struct CancelCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a trip at the provider, without asking back.",
        discussion: """
            Asks the provider's back end (--provider-url): a rider's token may not change trips. When its answer is lost, the Fleet Engine is \
            asked what became of the trip, where one is set (--endpoint, or a token). Exit codes: 0 cancelled, 1 failed or not known, \
            3 no such trip, 4 not allowed, 64 usage.
            """)

    /// How long the provider may take, with every repetition, and how long the Fleet Engine that is asked after it, seconds.
    private static let providerSeconds = 9.0
    private static let engineSeconds = 5.0

    @Argument(help: ArgumentHelp("The trip's name, or its bare id.", valueName: "trip"))
    var trip: String

    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var provider: ProviderOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        _ = try id()
    }

    mutating func complete(from configuration: Configuration) {
        provider.complete(from: configuration)
        connection.complete(from: configuration)
    }

    func perform() async throws {
        let client = try provider.requiredClient(for: "cancel", caFile: connection.ca)
        let id = try id()
        let engine = try engine()
        let helpers = connection.tokens.helperGuard()
        defer { withExtendedLifetime(helpers) {} }
        if let unclear = try await cancel(id, client) { try await resolve(unclear, asking: engine) }
        Terminal.print("cancelled \(id)")
    }

    /// Returns when the Fleet Engine says that the trip is cancelled.
    /// - Throws: the exit code of a failure that was said already.
    private func resolve(_ unclear: String, asking engine: Engine?) async throws {
        var status: TripStatus?
        if let engine {
            let answer = await within(Self.engineSeconds) { await self.status(engine) }
            status = answer ?? nil
        }
        switch status {
        case .canceled: Terminal.say("tripwatch: Perhaps cancelled: \(unclear). The Fleet Engine was asked: It is cancelled.")
        case let status?:
            let message = "Not cancelled: \(unclear). The Fleet Engine says that the trip goes on (\(status.name))."
            throw Failure(message: message, exitCode: ExitCodes.failed).end()
        case nil:
            let hint = "Ask with 'tripwatch status \(Terminal.printable(trip))' what became of it."
            throw Failure(message: "Perhaps cancelled: \(unclear). \(hint)", exitCode: ExitCodes.failed).end()
        }
    }

    /// Nil when the trip is cancelled; else why nobody knows.
    /// - Throws: the exit code of a failure that was said already.
    private func cancel(_ id: String, _ client: ProviderBackendClient) async throws -> String? {
        let outcome = await within(Self.providerSeconds) { () async -> ProviderBackendError? in
            do throws(ProviderBackendError) {
                try await client.cancel(id)
                return nil
            } catch {
                return error
            }
        }
        guard let outcome else { return "the provider gave no answer within \(Int(Self.providerSeconds)) s" }
        guard let error = outcome else { return nil }
        guard error.isOutcomeUnknown else { throw error.failure("Not cancelled").end() }
        return error.description
    }

    /// What can be asked what became of the trip.
    private struct Engine: Sendable {
        let trip: TripName
        let endpoint: ServerEndpoint
        let tokens: AccessTokenCache?
    }

    /// Nil where no Fleet Engine is set.
    private func engine() throws -> Engine? {
        let source = try connection.tokens.provider(caFile: connection.ca)
        guard connection.endpoint != nil || source != nil, trip.contains("/") || connection.provider != nil else { return nil }
        let cache = source.map { AccessTokenCache(provider: $0, time: SystemTimeSource()) }
        return Engine(trip: try connection.tripName(trip), endpoint: try connection.serverEndpoint(), tokens: cache)
    }

    /// Nil without an answer.
    private func status(_ engine: Engine) async -> TripStatus? {
        let identity = connection.identity(.consumer)
        return try? await withFleetEngineClient(endpoint: engine.endpoint, identity: identity, tokens: engine.tokens) { client in
            try await OneShot.asking { () throws(FleetEngineError) in
                try await client.getTrip(GetTripRequest(name: engine.trip))
            }.status
        }
    }

    /// The provider knows trips by their bare ids.
    private func id() throws -> String {
        do throws(ResourceNameError) {
            return trip.contains("/") ? try TripName(trip).trip : try TripName(provider: "any", trip: trip).trip
        } catch {
            throw ValidationError("'\(Terminal.printable(trip))': \(error).")
        }
    }
}

extension ProviderBackendError {
    /// Whether what was asked may have been done: the answer was lost, or the provider failed on the way.
    var isOutcomeUnknown: Bool {
        if case .failing = kind { return true }
        return mayHaveHappened
    }

    /// What it means for a command.
    func failure(_ outcome: String) -> Failure {
        let code =
            switch kind {
            case .refused(status: 401), .refused(status: 403): ExitCodes.notAllowed
            case .refused(status: 404): ExitCodes.noSuchTrip
            case .refused, .failing, .unreachable, .notUnderstood: ExitCodes.failed
            }
        return Failure(message: "\(outcome): \(self).", exitCode: code)
    }
}
