import ArgumentParser
import FleetEngine
import ProgramSurroundings
import ProviderBackend
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

struct PhoneCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Make a phone the car: a QR code for its app, then its first position.",
        discussion: """
            Books a key at the desk of 'tripwatch serve' (--provider-url); a key that the car had before ends. Prints a QR code that sets \
            OwnTracks or Traccar Client up, and ready addresses for OsmAnd (online tracking) and GPSLogger (custom URL); then waits for the \
            first position. The phone must reach the server: serve with --listen, or --public-url. Who has a link can report the car. \
            'phone list' shows the cars with keys, 'phone revoke CAR' ends a key at once. \
            With --json: an object with the key and the links by app, without waiting.
            """)

    @Argument(help: ArgumentHelp("Car id, or 'list', or 'revoke CAR'.", valueName: "car"), completion: .vehicles)
    var car: String

    @Argument(help: ArgumentHelp("The car whose key is revoked.", valueName: "revoked"), completion: .vehicles)
    var revoked: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("How long the key opens, such as 12h or 30d.", valueName: "time"))
    var lifetime: String?

    @Option(help: ArgumentHelp("The app that the QR code is for.", valueName: "owntracks|traccar"))
    var app: PhoneLinks.App?

    @Flag(help: "Print the app's link alone instead of the QR code.")
    var plain = false

    @OptionGroup var form: FormOptions

    @Option(help: ArgumentHelp("The file with the key that the desk is asked with.", valueName: "file"))
    var deskKeyFile: String?

    @OptionGroup var log: LogOptions
    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var provider: ProviderOptions

    @Option(help: ArgumentHelp("A PEM file whose certificates are trusted besides the system's.", valueName: "file"))
    var ca: String?

    func validate() throws {
        guard !(plain && form.isJSON) else { throw ValidationError("--plain and --json do not go together.") }
        if let lifetime, lifeSeconds == nil {
            throw ValidationError("--for is a time such as 12h or 30d, at most 3650d, not '\(printable(lifetime))'.")
        }
        switch car {
        case "list", "revoke":
            guard (car == "revoke") == (revoked != nil) else {
                throw ValidationError(car == "list" ? "phone list takes nothing behind it." : "phone revoke takes one CAR.")
            }
            guard lifetime == nil, !plain, app == nil, !form.isJSON || car == "list" else {
                throw ValidationError("--for, --app and --plain go with phone CAR, --json with it and with phone list.")
            }
        default:
            if let revoked { throw ValidationError("phone takes one CAR, not '\(printable(revoked))' too.") }
        }
        do throws(ResourceNameError) {
            _ = try VehicleName(provider: "any", vehicle: revoked ?? car)
        } catch {
            throw ValidationError("'\(printable(revoked ?? car))': \(error).")
        }
    }

    /// Nil without `--for`, and for what is no such time.
    private var lifeSeconds: Int? {
        guard let seconds = lifetime.flatMap(TimeSpanText.seconds), seconds <= Double(CarKey.livesInSeconds.upperBound) else { return nil }
        return max(CarKey.livesInSeconds.lowerBound, Int(seconds.rounded(.up)))
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        provider.complete(from: configuration)
        if ca == nil, case .tls(let certificates?)? = configuration.security { ca = certificates }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let client = try provider.requiredClient(for: "phone", caFile: ca, deskKeyFile: deskKeyFile, in: surroundings)
        // Subcommands would need a word of their own for the usual case.
        if car == "list" { return try await PhoneKeysRun(.list(isJSON: form.isJSON), provider: client).perform(in: surroundings) }
        if let revoked { return try await PhoneKeysRun(.revoke(revoked), provider: client).perform(in: surroundings) }
        let style: PhoneRun.Style = form.isJSON ? .json : plain ? .plain : .code
        return try await PhoneRun(
            vehicle: car, app: app ?? .owntracks, style: style, provider: client, providerURL: provider.providerUrl ?? "",
            keySeconds: lifeSeconds
        ).perform(in: surroundings)
    }
}

extension PhoneLinks.App: ExpressibleByArgument {}
