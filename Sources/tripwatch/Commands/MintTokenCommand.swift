import ArgumentParser
import FleetEngine
import FleetEngineAccess
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

struct MintTokenCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint", abstract: "Make a token with the key of an account, for a serve that knows it.",
        discussion: """
            A consumer's token is for a trip, a driver's for a vehicle; a server's is for everything unless ids are said. It is signed \
            (RS256) by the account that is named as the role, else by the role's first. With --json: an object with jwt and expirationTimestamp in milliseconds, as the \
            sample provider has it. Exit codes: 0, 1 there is no private key.
            """)

    @Option(help: ArgumentHelp("consumer, driver, server or admin.", valueName: "role"))
    var role: AccountRole

    @Option(help: ArgumentHelp("Another account of the role.", valueName: "name"))
    var account: String?

    @Option(help: ArgumentHelp("The trip that it is for: its name or bare id, * for any.", valueName: "trip"))
    var trip: String?

    @Option(help: ArgumentHelp("The vehicle that it is for, * for any.", valueName: "id"), completion: .vehicles)
    var vehicle: String?

    @Option(help: ArgumentHelp("How long it is good, 1h at most.", valueName: "time"))
    var ttl = "1h"

    @OptionGroup var form: FormOptions

    @OptionGroup var keys: KeyFolderOptions
    @OptionGroup var log: LogOptions

    func validate() throws {
        if role == .consumer, trip == nil { throw ValidationError("a consumer's token needs --trip; '*' is any.") }
        if role == .driver, vehicle == nil { throw ValidationError("a driver's token needs --vehicle; '*' is any.") }
        guard lifeSeconds != nil else { throw ValidationError("--ttl takes a time from 1s to 1h, such as 90s or 10min.") }
        _ = try ids()
    }

    /// Whole seconds; nil for what no token may live.
    private var lifeSeconds: Int64? {
        TimeSpanText.seconds(ttl).flatMap { $0 <= TokenInspection.longestLifeSeconds ? Int64($0) : nil }.flatMap { $0 > 0 ? $0 : nil }
    }

    private func ids() throws -> (trip: String?, vehicle: String?) {
        if role == .server, trip == nil, vehicle == nil { return ("*", "*") }
        return (
            try trip.map { text in text.contains("/") ? try id(text) { try TripName($0).trip } : try id(text, kind: "trip id") },
            try vehicle.map { text in text.contains("/") ? try id(text) { try VehicleName($0).vehicle } : try id(text, kind: "vehicle id") }
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
        guard let lifeSeconds else { return .code(ExitCodes.usage) }
        let ids = try ids()
        return try await MintTokenRun(
            role: role, account: account, tripID: ids.trip, vehicleID: ids.vehicle, lifeSeconds: lifeSeconds, folder: keys.keys,
            isJSON: form.isJSON
        ).perform(in: surroundings)
    }
}
