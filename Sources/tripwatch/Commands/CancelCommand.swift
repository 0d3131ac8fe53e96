import ArgumentParser
import FleetEngine
import ProviderBackend
import TripWatchApp

struct CancelCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a trip at the provider, without asking back.",
        discussion: """
            Talks to the provider's back end only (--provider-url): a rider's token may not change trips. Exit codes: 0 cancelled, 1 failed, \
            3 no such trip, 4 not allowed, 64 usage.
            """)

    @Argument(help: ArgumentHelp("The trip's name, or its bare id.", valueName: "trip"))
    var trip: String

    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var provider: ProviderOptions

    func validate() throws {
        _ = try id()
    }

    mutating func complete(from configuration: Configuration) {
        provider.complete(from: configuration)
    }

    func perform() async throws {
        let client = try provider.requiredClient(for: "cancel")
        let id = try id()
        do throws(ProviderBackendError) {
            try await client.cancel(id)
        } catch {
            throw error.failure("Not cancelled").end()
        }
        Terminal.print("cancelled \(id)")
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
