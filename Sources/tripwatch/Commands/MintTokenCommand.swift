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
            A consumer token is for a trip or a shipment, a driver token for a vehicle, and a server token for everything unless ids are \
            given. With --json: an object with jwt and expirationTimestamp (in ms). Exit code 1: no usable private key.
            """)

    @OptionGroup(title: HelpSection.common) var asked: MintOptions
    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.advanced) var keys: KeyFolderOptions

    func validate() throws {
        _ = try ids()
    }

    private func ids() throws -> (trip: String?, vehicle: String?, deliveries: DeliveryClaims) {
        let trip = try id(asked.trip, kind: "trip id") { try TripName($0).trip }
        let vehicle = try id(asked.vehicle, kind: "vehicle id") { try VehicleName($0).vehicle }
        let deliveries = DeliveryClaims(
            trackingID: try id(asked.tracking, kind: "tracking id") { try TaskTrackingName($0).trackingID },
            taskID: try id(asked.task, kind: "task id") { try TaskName($0).task },
            vehicleID: try id(asked.deliveryVehicle, kind: "delivery vehicle id") { try DeliveryVehicleName($0).vehicle },
            isTrusted: asked.trusted)
        guard asked.role == .server, trip == nil, vehicle == nil, deliveries.isEmpty else { return (trip, vehicle, deliveries) }
        return ("*", "*", .everything)
    }

    /// Returns the bare id from a full name. A bare id is returned unchanged, and so is nil.
    private func id(_ text: String?, kind: String, of name: (String) throws -> String) throws -> String? {
        guard let text else { return nil }
        return text.contains("/") ? try id(text) { try name($0) } : try id(text, kind: kind)
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
            role: asked.role, account: asked.account, tripID: ids.trip, vehicleID: ids.vehicle, deliveries: ids.deliveries,
            lifeSeconds: lifeSeconds, folder: keys.keys, isJSON: form.isJSON
        ).perform(in: surroundings)
    }
}
