package import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
package import ProgramSurroundings
package import ProviderBackend
import TerminalCanvas
package import TripWatchRuntime
package import TripWatchSettings
import TripWatchWords

/// Checks everything that the program needs, and prints problems and fixes.
package struct DoctorRun: Sendable {
    /// The trip to check; nil to check no trip.
    package var trip: TripName?
    package var connection: Connection
    /// The provider to check; nil to check none.
    package var provider: ProviderBackendClient?
    /// Whether the configuration is invalid and may name another provider. No provider is then called.
    package var isProviderDoubtful = false
    /// Whether a flag or the configuration sets a server.
    package var isServerNamed: Bool
    package var look: ScreenSettings
    package var configuration: ConfigurationState
    package var isJSON: Bool

    /// The user's configuration, if it could be read.
    package enum ConfigurationState: Sendable {
        case read(Configuration, [ConfigurationMessage])
        case unreadable(Failure)
    }

    package init(
        trip: TripName?, connection: Connection, isServerNamed: Bool, look: ScreenSettings, configuration: ConfigurationState, isJSON: Bool
    ) {
        self.trip = trip
        self.connection = connection
        self.isServerNamed = isServerNamed
        self.look = look
        self.configuration = configuration
        self.isJSON = isJSON
    }

    /// Time limits in seconds. The whole command takes less than 15 s, including the program's start.
    static let tokenSeconds = 6.0
    static let serverSeconds = 6.0

    package func perform(in surroundings: Surroundings) async -> ProgramEnd {
        async let server = serverFindings(in: surroundings)
        async let backend = providerFindings()
        async let map = mapFindings(in: surroundings)
        var findings = terminalFindings(in: surroundings) + (await fileFindings(in: surroundings))
        if !isJSON { tell(findings, in: surroundings) }
        let far = await server + (await backend) + (await map)
        if !isJSON { tell(far, in: surroundings) }
        findings += far
        if isJSON { surroundings.streams.print(Finding.json(findings)) }
        return .code(findings.contains { $0.result == .fail } ? ExitCodes.failed : ExitCodes.success)
    }

    private func tell(_ findings: [Finding], in surroundings: Surroundings) {
        let columns = surroundings.streams.outputSize?.columns
        for line in findings.flatMap({ $0.lines(columns: columns) }) { surroundings.streams.print(line) }
    }
}
