import ArgumentParser
import ProgramSurroundings
import ProviderBackend
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// Options for the key and the QR code that `phone` prints.
struct PhoneOptions: ParsableArguments {
    @Option(name: .customLong("for"), help: ArgumentHelp("Lifetime of the key, such as 12h or 30d.", valueName: "time"))
    var lifetime: String?

    @Option(help: ArgumentHelp("App that the QR code is for.", valueName: "app"))
    var app: PhoneLinks.App?

    @Flag(help: "Print the app's link instead of the QR code.")
    var plain = false

    func validate() throws {
        guard let lifetime, lifeSeconds == nil else { return }
        throw ValidationError("--for takes a time such as 12h or 30d, at most 3650d, not '\(printable(lifetime))'.")
    }

    /// Whether one of these options was given.
    var isSaid: Bool { lifetime != nil || plain || app != nil }

    /// Lifetime of the key, in seconds; nil if `--for` is not given or not valid.
    var lifeSeconds: Int? {
        guard let seconds = lifetime.flatMap(TimeSpanText.seconds), seconds <= Double(CarKey.livesInSeconds.upperBound) else { return nil }
        return max(CarKey.livesInSeconds.lowerBound, Int(seconds.rounded(.up)))
    }
}

/// Options for access to the provider API of a server.
struct DeskOptions: ParsableArguments {
    @Option(help: ArgumentHelp("File with the provider API key.", valueName: "file"), completion: .file())
    var deskKeyFile: String?

    @Option(help: ArgumentHelp("CA certificates in PEM, in addition to the system's.", valueName: "file"), completion: .file())
    var ca: String?
}

extension PhoneLinks.App: ExpressibleByArgument {}
