import FleetEngine
import FoundationEssentials
import ProviderBackend
import TripWatchWords

extension DoctorRun {
    /// Returns the finding about the provider and the credentials for it; nothing without a provider.
    ///
    /// Reads the trip. If no trip is set, reads a trip that does not exist: every key may read trips.
    func providerFindings() async -> [Finding] {
        guard let provider else { return [] }
        let start = ContinuousClock.now
        do throws(ProviderBackendError) {
            _ = try await provider.trip(trip?.trip ?? "doctor", until: Date().addingTimeInterval(Self.serverSeconds))
        } catch {
            guard trip == nil, error.kind == .refused(status: 404) else { return [Self.finding(about: error)] }
        }
        let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return [Finding(.ok, "provider", "\(provider.address) answered in \(milliseconds) ms.")]
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
