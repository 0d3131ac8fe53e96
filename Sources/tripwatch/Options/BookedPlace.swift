import FleetEngine
import FoundationEssentials
import Geo
import ProgramSurroundings
import ProviderBackend
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// The Fleet Engine server that stores a booked trip. If the options set no server, the provider's answer may name one.
struct BookedPlace {
    private(set) var connection: ConnectionOptions
    private(set) var tokens: TokenOptions

    /// If the server comes from the provider's answer, the configuration's token is not sent to it.
    init(
        _ booking: ProviderBooking, _ connection: ConnectionOptions, _ tokens: TokenOptions, _ settings: ConfigurationOptions,
        in surroundings: Surroundings
    ) throws {
        self.connection = connection
        self.tokens = tokens
        guard connection.endpoint == nil, let engine = booking.engine else { return }
        self.connection.endpoint = engine.endpoint
        if engine.isPlaintext, connection.ca == nil { self.connection.plaintext = connection.plaintext ?? true }
        self.tokens.forget(try surroundings.configuration(profile: settings.chosen).0)
    }

    /// Records the trip in the list of known trips.
    /// - Parameters:
    ///   - title: the title that the user has given the trip; nil if the user has given none.
    ///   - time: the time at which the trip was booked.
    func note(
        _ name: TripName, kind: TripKind = .ride, title: String?, to dropoff: Coordinate, at time: Date, providerURL: String?,
        in surroundings: Surroundings
    ) {
        do {
            let endpoint = try connection.serverEndpoint()
            var known = KnownTrip(name: name, server: .init(endpoint, providerURL: providerURL, in: surroundings), openedAt: time)
            known.title = title
            known.kind = kind
            known.goal = TripNames.title(of: name, to: dropoff, kind: kind)
            let file = surroundings.stateFile
            guard file?.note([known], now: time) != true else { return }
            sayUnlisted(file.map { "\(printable($0.listPath)) could not be changed." } ?? "HOME is not set.", surroundings.streams)
        } catch {
            sayUnlisted("\(error)", surroundings.streams)
        }
    }

    /// - Parameter reason: a sentence.
    private func sayUnlisted(_ reason: String, _ streams: StandardStreams) {
        streams.say("tripwatch: the trip is booked, but 'tripwatch list' does not show it: \(reason)")
    }
}
