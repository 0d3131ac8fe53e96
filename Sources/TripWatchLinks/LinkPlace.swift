import FleetEngine
import FoundationEssentials
import HTTPServing
import ProgramSurroundings
package import TripWatchRuntime
import TripWatchScreen
package import TripWatchSettings
import TripWatchWords

/// The address at which a screen serves links, from the configuration.
struct LinkPlace: Sendable {
    /// Time for which a screen still serves the link of an ended trip, in seconds, so that readers see the end of the trip.
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

    /// Returns the settings for serving links at this address.
    /// - Throws: `Failure` if the address cannot be used. Its message names the setting to change.
    func settings() throws(Failure) -> ShareRun.Settings {
        var settings = ShareRun.Settings()
        guard ServerAddress.isListenable(host) else {
            throw Failure(message: "\(printable(host)) is not an IP address. Set share_listen to an address of this machine.")
        }
        let isSecure = publicURL?.lowercased().hasPrefix("https://") == true
        guard LoopbackHost.contains(host) || allowsPlaintext || isSecure else {
            throw Failure(
                message:
                    "Links on \(host) would not be encrypted. On your own network, set share_plaintext = true; "
                    + "elsewhere, set share_url to an https address.")
        }
        settings.host = host
        settings.port = port
        settings.requestsPerSecond = PortLimits.callsPerSecond(listening: host)
        settings.afterTripSeconds = Self.afterTripSeconds
        settings.access = HostAccess(
            publicURL: publicURL.flatMap(WebOrigin.init), publicPath: publicURL.flatMap(URL.init(string:))?.path ?? "")
        return settings
    }

    /// Returns advice for the user if the program cannot listen on the address.
    func advice(_ error: ListenError) -> String {
        if error.isPortTaken { return "Port \(port) is taken. Set share_port to another port, or to 0 for any free port." }
        if error.isPortPrivileged { return "\(error). Set share_port to 1024 or more." }
        return "\(error). Set share_listen to an address of this machine."
    }
}

extension ScreenSharing {
    /// Creates the service for links at the configured address.
    package init(_ configuration: Configuration) {
        let place = LinkPlace(configuration)
        self.init { run, trips, shipments, client, map, surroundings in
            // Readers of a link see only its trip or shipment. They see nothing else from the user's screen.
            var look = ScreenSettings(map: run.look.map)
            let isOfOne = run.names.count == 1 || run.names.isEmpty && run.shipments.count == 1
            look.app.title = isOfOne ? run.look.app.title : nil
            let share = ShareRun(
                names: run.names, shipments: run.shipments, connection: run.connection, output: run.output, look: look, pace: run.pace,
                settings: ShareRun.Settings())
            return ScreenLinks(
                at: place, like: share, trips: trips, shipments: shipments, client: client, map: map, in: surroundings)
        }
    }
}
