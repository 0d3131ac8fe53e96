package import FleetEngine
import FleetEngineGRPC
package import ProgramSurroundings
package import ProviderBackend
import TripWatchWords

/// Cancels a trip with the provider. If the provider fails during the request, or its answer is lost, reads the trip's status from Fleet
/// Engine.
package struct CancelRun: Sendable {
    /// The time limit for the cancellation, including all retries, in seconds.
    private static let providerSeconds = 9.0
    /// The time limit for the calls to Fleet Engine after the cancellation, in seconds.
    private static let engineSeconds = 5.0

    /// The bare id of the trip. The provider API identifies trips by their bare ids.
    package var id: String
    /// The trip as the user typed it.
    package var shownTrip: String
    /// The trip's full name; nil while unknown.
    package var name: TripName?
    /// Whether the user has set the address of a Fleet Engine. If not, Fleet Engine is called only if there is a token.
    package var isEngineSet: Bool
    package var provider: ProviderBackendClient
    package var connection: Connection
    /// Whether to print JSON instead of words.
    package var isJSON = false

    package init(id: String, shownTrip: String, name: TripName?, isEngineSet: Bool, provider: ProviderBackendClient, connection: Connection)
    {
        self.id = id
        self.shownTrip = shownTrip
        self.name = name
        self.isEngineSet = isEngineSet
        self.provider = provider
        self.connection = connection
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let source = try connection.tokens.provider(caFile: connection.caFile, in: surroundings)
        let helpers = connection.tokens.helperGuard()
        defer { withExtendedLifetime(helpers) {} }
        if let unclear = try await cancel() {
            let asked = isEngineSet || source != nil ? name : nil
            let tokens = source.map { AccessTokenCache(provider: $0, time: surroundings.clock(1)) }
            try await resolve(unclear, asking: asked, tokens, in: surroundings)
        }
        let known = noteCanceled(in: surroundings)
        if isJSON {
            surroundings.streams.print(json: Canceled(trip: known?.description ?? id, status: TripStatus.canceled.name))
        } else {
            surroundings.streams.print("cancelled \(id)")
        }
        return .success
    }

    private struct Canceled: Encodable {
        let trip: String
        let status: String
    }

    /// Marks the trip as cancelled in the list of known trips.
    /// - Returns: the trip's full name; nil if the name is unknown and the trip is not in the list.
    private func noteCanceled(in surroundings: Surroundings) -> TripName? {
        let now = surroundings.clock(1).now()
        guard let file = surroundings.stateFile,
            let name = name ?? file.trips(now: now).trips.first(where: { $0.name.trip == id })?.name
        else { return name }
        file.update(name, now: now) {
            $0.status = .canceled
            $0.arrival = nil
            $0.lastSeenAt = now
        }
        return name
    }

    /// Cancels the trip. Returns nil if the trip is cancelled, or else the reason why the outcome is unknown.
    /// - Throws: `Failure` if the trip is not cancelled.
    private func cancel() async throws(Failure) -> String? {
        if let name, let other = await provider.otherTrip(than: name) {
            throw Failure(
                message: "Not cancelled: \(name) is not a trip of this provider. "
                    + "The provider has another trip with this id: \(printable("\(other)")). To cancel that trip, give its full name.",
                exitCode: ExitCodes.noSuchTrip)
        }
        let outcome = await within(Self.providerSeconds) { () async -> ProviderBackendError? in
            do throws(ProviderBackendError) {
                try await provider.cancel(id)
                return nil
            } catch {
                return error
            }
        }
        guard let outcome else { return "the provider gave no answer within \(Int(Self.providerSeconds)) s" }
        guard let error = outcome else { return nil }
        guard error.isOutcomeUnknown else { throw error.failure("Not cancelled") }
        return error.description
    }

    /// Reads the trip's status from Fleet Engine. Returns only if Fleet Engine reports that the trip is cancelled.
    /// - Throws: `Failure` if the trip has another status, or if there is no answer.
    private func resolve(
        _ unclear: String, asking name: TripName?, _ tokens: AccessTokenCache?, in surroundings: Surroundings
    ) async throws(Failure) {
        var status: TripStatus?
        if let name {
            let answer = await within(Self.engineSeconds) { await self.status(name, tokens, in: surroundings) }
            status = answer ?? nil
        }
        switch status {
        case .canceled:
            surroundings.streams.say("tripwatch: \(unclear). According to Fleet Engine, the trip is cancelled.")
        case let status?:
            let message = "Not cancelled: \(unclear). According to Fleet Engine, the trip's status is \(status.name)."
            throw Failure(message: message, exitCode: ExitCodes.failed)
        case nil:
            let hint = "Check the trip with 'tripwatch status \(printable(name.map { "\($0)" } ?? shownTrip))'."
            throw Failure(message: "Perhaps cancelled: \(unclear). \(hint)", exitCode: ExitCodes.failed)
        }
    }

    /// Returns the trip's status; nil if the call to Fleet Engine fails.
    private func status(_ name: TripName, _ tokens: AccessTokenCache?, in surroundings: Surroundings) async -> TripStatus? {
        let identity = connection.identity(.consumer, in: surroundings)
        return try? await withFleetEngineClient(
            endpoint: connection.endpoint, identity: identity, tokens: tokens, onCall: surroundings.log.callReporter
        ) { client in
            try await ClientSession.asking(in: surroundings) { () throws(FleetEngineError) in
                try await client.getTrip(GetTripRequest(name: name))
            }.status
        }
    }
}
