import FleetEngine
import FoundationEssentials
import HTTPServing
import ProgramSurroundings
import TripWatchScreen
package import TripWatchSettings

/// Where a screen serves links, as the configuration says it.
struct LinkPlace: Sendable {
    /// A link from a screen is served so long after its trip, seconds: those who look on see the end.
    private static let afterTripSeconds = 5.0

    private var host = "127.0.0.1"
    private var port = 8_090
    private var publicURL: String?
    private var allowsPlaintext = false

    init(_ configuration: Configuration) {
        host = configuration.shareHost ?? host
        port = configuration.sharePort ?? port
        publicURL = configuration.shareURL
        allowsPlaintext = configuration.sharesPlaintext ?? allowsPlaintext
    }

    /// - Throws: `Failure` with what to set where this place cannot be used.
    func settings() throws(Failure) -> ShareRun.Settings {
        var settings = ShareRun.Settings()
        guard ServerAddress.isListenable(host) else {
            throw Failure(message: "\(printable(host)) is no IP address. Set share_listen to one of this machine.")
        }
        let isSecure = publicURL?.lowercased().hasPrefix("https://") == true
        guard LoopbackHost.contains(host) || allowsPlaintext || isSecure else {
            throw Failure(
                message:
                    "\(host) can be reached from outside. Set share_plaintext = true in a network of your own, or share_url with https.")
        }
        settings.host = host
        settings.port = port
        settings.afterTripSeconds = Self.afterTripSeconds
        settings.access = HostAccess(
            publicURL: publicURL.flatMap(WebOrigin.init), publicPath: publicURL.flatMap(URL.init(string:))?.path ?? "")
        return settings
    }

    /// What to do where nothing can listen there.
    func advice(_ error: ListenError) -> String {
        let words =
            error.isPortTaken ? "Set share_port to another port, or to 0 for any." : "Set share_listen to an address of this machine."
        return "\(error). \(words)"
    }
}

extension ScreenSharing {
    /// At the place that the configuration says.
    package init(_ configuration: Configuration) {
        let place = LinkPlace(configuration)
        self.init { run, service, client, map, surroundings in
            // Readers of the link see the trip, and nothing else that the user's own screen shows.
            var look = ScreenSettings(map: run.look.map)
            look.app.title = run.names.count == 1 ? run.look.app.title : nil
            let share = ShareRun(
                names: [], connection: run.connection, output: run.output, look: look, pace: run.pace, settings: ShareRun.Settings())
            return ScreenLinks(at: place, like: share, service: service, client: client, map: map, in: surroundings)
        }
    }
}
