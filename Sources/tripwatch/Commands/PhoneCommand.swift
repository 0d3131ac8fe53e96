import ArgumentParser
import FleetEngine
import TripWatchApp
import TripWatchRuntime

struct PhoneCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Make a phone the car: a QR code for its app, then its first position.",
        discussion: """
            Books a key at the desk of 'tripwatch serve' (--provider-url); a key that the car had before ends. Prints a QR code that sets \
            OwnTracks or Traccar Client up, and ready addresses for OsmAnd (online tracking) and GPSLogger (custom URL); then waits for the \
            first position. The phone must reach the server: serve with --listen, or --public-url. Who has a link can report the car. With --json: an object with the \
            key and the links by app, without waiting.
            """)

    @Argument(help: ArgumentHelp("The car's id; it is made where there is none.", valueName: "car"), completion: .vehicles)
    var car: String

    @Option(help: ArgumentHelp("The app that the QR code is for.", valueName: "owntracks|traccar"))
    var app = PhoneLinks.App.owntracks

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
        do throws(ResourceNameError) {
            _ = try VehicleName(provider: "any", vehicle: car)
        } catch {
            throw ValidationError("'\(printable(car))': \(error).")
        }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        provider.complete(from: configuration)
        if ca == nil, case .tls(let certificates?)? = configuration.security { ca = certificates }
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let client = try provider.requiredClient(for: "phone", caFile: ca, deskKeyFile: deskKeyFile, in: surroundings)
        let style: PhoneRun.Style = form.isJSON ? .json : plain ? .plain : .code
        return try await PhoneRun(vehicle: car, app: app, style: style, provider: client, providerURL: provider.providerUrl ?? "")
            .perform(in: surroundings)
    }
}

extension PhoneLinks.App: ExpressibleByArgument {}
