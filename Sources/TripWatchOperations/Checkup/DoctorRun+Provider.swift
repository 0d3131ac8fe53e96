import FleetEngine
import FoundationEssentials
import ProviderBackend
import TripWatchWords

extension DoctorRun {
    /// Returns the finding about the provider and the credentials for it; nothing without a provider.
    ///
    /// Reads the trip. If no trip is set, requests a trip that does not exist. Every key is allowed to read trips.
    func providerFindings() async -> [Finding] {
        guard !isProviderDoubtful else { return [.notChecked("provider", "the configuration is invalid")] }
        guard let provider else { return [] }
        let start = ContinuousClock.now
        do throws(ProviderBackendError) {
            _ = try await provider.trip(trip?.trip ?? Self.noTrip, until: Date().addingTimeInterval(Self.serverSeconds))
        } catch {
            guard trip == nil else { return [Self.finding(about: error)] }
            guard Self.isUnknownTrip(error) else { return [Self.findingWithoutTrip(about: error)] }
        }
        let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return [Finding(.ok, "provider", "\(provider.address) answered in \(milliseconds) ms.")]
    }

    /// The id of a trip that does not exist.
    private static let noTrip = "doctor"

    /// Whether the provider said that the trip does not exist. Any web server answers 404 at a wrong address, but does not name the trip.
    private static func isUnknownTrip(_ error: ProviderBackendError) -> Bool {
        error.kind == .refused(status: 404) && error.description.contains("trips/\(noTrip)")
    }

    private static func findingWithoutTrip(about error: ProviderBackendError) -> Finding {
        switch error.kind {
        // Google's sample provider answers 500 if a trip does not exist.
        case .failing(status: 500):
            Finding(.warn, "provider", "\(error).", advice: "Run 'tripwatch doctor TRIP' to check the provider with a trip.")
        case .refused(status: 404):
            Finding(.warn, "provider", "\(error).", advice: "Check --provider-url, or run 'tripwatch doctor TRIP'.")
        default: finding(about: error)
        }
    }

    private static func finding(about error: ProviderBackendError) -> Finding {
        switch error.kind {
        case .refused(status: 401), .refused(status: 403):
            Finding(.fail, "provider", "\(error).", advice: "Give valid credentials with --provider-header-file.")
        case .refused(status: 404): Finding(.warn, "provider", "\(error).", advice: "Check the trip's name and --provider-url.")
        case .refused, .failing, .unreachable, .notUnderstood:
            Finding(.fail, "provider", "\(error).", advice: "Check --provider-url and --provider-header-file.")
        }
    }
}
