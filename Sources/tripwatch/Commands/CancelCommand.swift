import ArgumentParser
import FleetEngine
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings

struct CancelCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a trip at the provider, without asking you first.",
        discussion: """
            Sends the request to the provider's backend (--provider-url), because a rider's token is not allowed to change trips. If the \
            provider does not answer, the command asks Fleet Engine for the trip's status. This needs --endpoint or a token, and a full \
            name or --provider. Exit codes: 0 cancelled, 1 failed or unknown, 3 no such trip, 4 not allowed, 64 usage error.
            """)

    @Argument(help: ArgumentHelp("The trip's name, or its bare id.", valueName: "trip"), completion: .knownTrips)
    var trip: String

    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.connection) var provider: ProviderOptions
    @OptionGroup(title: HelpSection.connection) var connection: ConnectionOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions

    func validate() throws {
        _ = try id()
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws {
        let place = try TripPlace([trip], connection, settings, over: configuration, in: surroundings)
        trip = place.names.first ?? trip
        provider.complete(from: place)
        connection.complete(from: place)
        tokens.complete(from: place, in: surroundings)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let client = try provider.requiredClient(for: "cancel", caFile: connection.ca, in: surroundings)
        let name = trip.contains("/") || connection.provider != nil ? try connection.tripName(trip) : nil
        var run = CancelRun(
            id: try id(), shownTrip: trip, name: name, isEngineSet: connection.endpoint != nil, provider: client,
            connection: try connection.connection(tokens))
        run.isJSON = form.isJSON
        return try await run.perform(in: surroundings)
    }

    /// Returns the bare id of the trip. The provider API does not accept a full name.
    private func id() throws -> String {
        do throws(ResourceNameError) {
            return trip.contains("/") ? try TripName(trip).trip : try TripName(provider: "any", trip: trip).trip
        } catch {
            throw ValidationError("'\(printable(trip))': \(error).")
        }
    }
}
