import ArgumentParser
import ProgramSurroundings
import ProviderBackend
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// What `phone` asks and shows.
struct PhoneOptions: ParsableArguments {
    @Option(name: .customLong("for"), help: ArgumentHelp("Life of the key, such as 12h or 30d.", valueName: "time"))
    var lifetime: String?

    @Option(help: ArgumentHelp("App of the QR code.", valueName: "app"))
    var app: PhoneLinks.App?

    @Flag(help: "Print the app's link instead of the QR code.")
    var plain = false

    func validate() throws {
        guard let lifetime, lifeSeconds == nil else { return }
        throw ValidationError("--for is a time such as 12h or 30d, at most 3650d, not '\(printable(lifetime))'.")
    }

    /// Whether one of these options was given.
    var isSaid: Bool { lifetime != nil || plain || app != nil }

    /// Nil without `--for`, and for what is no such time.
    var lifeSeconds: Int? {
        guard let seconds = lifetime.flatMap(TimeSpanText.seconds), seconds <= Double(CarKey.livesInSeconds.upperBound) else { return nil }
        return max(CarKey.livesInSeconds.lowerBound, Int(seconds.rounded(.up)))
    }
}

/// How the desk of a server is reached.
struct DeskOptions: ParsableArguments {
    @Option(help: ArgumentHelp("File with the provider API key.", valueName: "file"))
    var deskKeyFile: String?

    @Option(help: ArgumentHelp("Trust the certificates in this PEM file too.", valueName: "file"))
    var ca: String?
}

extension PhoneLinks.App: ExpressibleByArgument {}
