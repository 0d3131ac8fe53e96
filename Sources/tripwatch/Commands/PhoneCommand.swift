import ArgumentParser
import FleetEngine
import ProgramSurroundings
import ProviderBackend
import TripWatchOperations
import TripWatchSettings
import TripWatchWords

struct PhoneCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Set up a phone, with a QR code, to report a car's position.",
        discussion: """
            Creates a key for the car; its old key stops working. Prints a QR code for one app (--app), and addresses for other apps. \
            Then waits for the first position. 'phone list' lists the keys of all cars, and 'phone revoke CAR' revokes one.
            """)

    @Argument(help: ArgumentHelp("Car id, or 'list', or 'revoke CAR'.", valueName: "car"), completion: .vehicles)
    var car: String

    @Argument(help: ArgumentHelp("With 'revoke': the car that loses its key.", valueName: "revoked"), completion: .vehicles)
    var revoked: String?

    @OptionGroup(title: HelpSection.common) var phone: PhoneOptions
    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.connection) var provider: ProviderOptions
    @OptionGroup(title: HelpSection.connection) var desk: DeskOptions
    @OptionGroup(title: HelpSection.advanced) var identity: IdentityOptions

    func validate() throws {
        guard !(phone.plain && form.isJSON) else { throw ValidationError("--plain and --json cannot be combined.") }
        switch car {
        case "list", "revoke":
            guard (car == "revoke") == (revoked != nil) else {
                throw ValidationError(car == "list" ? "'phone list' takes no arguments." : "'phone revoke' takes one CAR.")
            }
            guard !phone.isSaid, !form.isJSON || car == "list" else {
                throw ValidationError(
                    "--for, --app and --plain work only with 'phone CAR'; --json works with 'phone CAR' and 'phone list'.")
            }
            guard !identity.isSaid else { throw ValidationError("--plate, --color, --model and --driver work only with 'phone CAR'.") }
        default:
            if let revoked { throw ValidationError("'phone' takes one CAR: remove '\(printable(revoked))'.") }
        }
        do throws(ResourceNameError) {
            _ = try VehicleName(provider: "any", vehicle: revoked ?? car)
        } catch {
            throw ValidationError("'\(printable(revoked ?? car))': \(error).")
        }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        provider.complete(from: configuration)
        if desk.ca == nil, case .tls(let certificates?)? = configuration.security { desk.ca = certificates }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let client = try provider.requiredClient(for: "phone", caFile: desk.ca, deskKeyFile: desk.deskKeyFile, in: surroundings)
        // If `list` and `revoke` were subcommands, the most frequent command, `phone CAR`, would need one more word.
        if car == "list" { return try await PhoneKeysRun(.list(isJSON: form.isJSON), provider: client).perform(in: surroundings) }
        if let revoked { return try await PhoneKeysRun(.revoke(revoked), provider: client).perform(in: surroundings) }
        let style: PhoneRun.Style = form.isJSON ? .json : phone.plain ? .plain : .code
        var run = PhoneRun(
            vehicle: car, app: phone.app ?? .owntracks, style: style, provider: client, providerURL: provider.providerUrl ?? "",
            keySeconds: phone.lifeSeconds)
        run.identity = identity.identity
        return try await run.perform(in: surroundings)
    }
}
