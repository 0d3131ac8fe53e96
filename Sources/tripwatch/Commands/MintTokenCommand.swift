import ArgumentParser
import FleetEngine
import FleetEngineAccess
import ProgramSurroundings
import TripWatchOperations
import TripWatchSettings
import TripWatchWords

struct MintTokenCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint", abstract: "Create a token with the key of an account that 'serve' knows.",
        discussion: """
            A consumer token is for a trip, and a driver token for a vehicle. A server token is for everything unless ids are given. The \
            account named like the role signs it (RS256), or else the first account of the role. With --json: an object with jwt and \
            expirationTimestamp in milliseconds, as in Google's sample provider. Exit codes: 0 created, 1 there is no private key.
            """)

    @OptionGroup(title: HelpSection.common) var asked: MintOptions
    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.advanced) var keys: KeyFolderOptions

    func validate() throws {
        _ = try ids()
    }

    private func ids() throws -> (trip: String?, vehicle: String?) {
        if asked.role == .server, asked.trip == nil, asked.vehicle == nil { return ("*", "*") }
        return (
            try asked.trip.map { text in text.contains("/") ? try id(text) { try TripName($0).trip } : try id(text, kind: "trip id") },
            try asked.vehicle.map { text in
                text.contains("/") ? try id(text) { try VehicleName($0).vehicle } : try id(text, kind: "vehicle id")
            }
        )
    }

    private func id(_ text: String, kind: String) throws -> String {
        if text != "*" { try id(text) { try ResourceID.check($0, kind: kind) } }
        return text
    }

    private func id<Value>(_ text: String, _ read: (String) throws -> Value) throws -> Value {
        do {
            return try read(text)
        } catch {
            throw ValidationError("'\(printable(text))': \(error).")
        }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let lifeSeconds = asked.lifeSeconds else { return .code(ExitCodes.usage) }
        let ids = try ids()
        return try await MintTokenRun(
            role: asked.role, account: asked.account, tripID: ids.trip, vehicleID: ids.vehicle, lifeSeconds: lifeSeconds, folder: keys.keys,
            isJSON: form.isJSON
        ).perform(in: surroundings)
    }
}
