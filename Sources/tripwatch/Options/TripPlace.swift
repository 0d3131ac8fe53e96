import ArgumentParser
import FleetEngine
import FleetEngineGRPC
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// Where trips are asked for, as far as no flag says it: environment and chosen profile, then what is known of the trips, then the
/// configuration.
struct TripPlace {
    /// The trips as the user named them; the full name for the end of one.
    let names: [String]
    /// What the environment and a profile that was asked for say.
    let asked: Configuration
    /// Where the trips were seen; nil for unknown ones, and where the user names another server.
    let server: KnownTrip.Server?
    /// The configuration; without what is for its own server alone where the trips are at another one.
    let configuration: Configuration
    /// Whether the configuration has a token that is left out for that reason.
    let leavesTokenOut: Bool

    /// - Parameters:
    ///   - texts: names, bare ids, or ends of names.
    ///   - connection: the flags.
    /// - Throws: `Failure` for trips that were seen at different servers.
    init(
        _ texts: [String], _ connection: ConnectionOptions, _ settings: ConfigurationOptions, over configuration: Configuration,
        in surroundings: Surroundings
    ) throws(Failure) {
        asked = surroundings.askedConfiguration(profile: settings.chosen)
        let flagged = connection.endpoint ?? asked.endpoint
        let provider = connection.provider ?? asked.provider
        let file = surroundings.stateFile
        let known = file.map { KnownNames($0.trips(now: surroundings.clock(1).now(), isLookOnly: true), provider: provider) }
        let meant = texts.map { text in known?.trip(meantBy: text) }
        names = zip(texts, meant).map { text, trip in trip?.name.description ?? text }
        for (text, trip) in zip(texts, meant) {
            guard let trip, text != trip.name.trip, text != trip.name.description else { continue }
            surroundings.streams.note("tripwatch: \(printable(text)) is \(printable(trip.name.description)).")
        }
        let servers = meant.compactMap { $0?.server }.filter { flagged == nil || Self.isSame($0.endpoint, flagged) }
        guard let first = servers.first else {
            server = nil
            self.configuration = configuration
            leavesTokenOut = false
            return
        }
        if let other = servers.first(where: { !Self.isSame($0.endpoint, first.endpoint) }) {
            throw Failure(
                message: "these trips were seen at different servers, \(printable(first.endpoint)) and \(printable(other.endpoint)): "
                    + "name those of one server, or give --endpoint.", exitCode: ExitCodes.usage)
        }
        server = first
        let isOther = flagged == nil && !Self.isSame(first.endpoint, configuration.endpoint ?? ConnectionOptions.standardEndpoint)
        self.configuration = isOther ? configuration.withoutAccess : configuration
        leavesTokenOut = isOther && configuration.tokenSource != nil && asked.tokenSource == nil
    }

    /// Whether two texts lead to one server, however it is secured.
    private static func isSame(_ one: String, _ other: String?) -> Bool {
        guard let other, let place = try? ServerEndpoint(one, security: .plaintext) else { return one == other }
        return place == (try? ServerEndpoint(other, security: .plaintext))
    }
}

/// The trips that are known here, to be found by what a user types.
private struct KnownNames {
    private let trips: KnownTrips
    private let byName: [String: KnownTrip]
    /// The provider of bare ids; nil if no provider was named.
    private let provider: String?

    init(_ trips: KnownTrips, provider: String?) {
        self.trips = trips
        self.provider = provider
        byName = Dictionary(trips.trips.map { ($0.name.description, $0) }) { first, _ in first }
    }

    /// A bare id with a provider is a full name, and no end of another one.
    /// - Returns: nil for a trip that is not known, and for a text that fits several.
    func trip(meantBy text: String) -> KnownTrip? {
        guard !byName.isEmpty else { return nil }
        if let trip = byName[text] { return trip }
        if let provider, !text.contains("/") { return byName["providers/\(provider)/trips/\(text)"] }
        let found = trips.trips(meantBy: text)
        return found.count == 1 ? found.first : nil
    }
}

extension ConnectionOptions {
    mutating func complete(from place: TripPlace) {
        let isNamed = endpoint != nil
        complete(from: place.asked)
        if let server = place.server {
            endpoint = endpoint ?? server.endpoint
            // A flag means its server as it is said there.
            if !isNamed, ca == nil { plaintext = plaintext ?? server.isPlaintext }
            if !isNamed, plaintext != true { ca = ca ?? server.caFile }
        }
        complete(from: place.configuration)
    }
}

extension ProviderOptions {
    mutating func complete(from place: TripPlace) {
        complete(from: place.asked)
        // The configuration has headers for its own address.
        if let known = place.server?.providerURL, known != place.configuration.providerURL { providerUrl = providerUrl ?? known }
        complete(from: place.configuration)
    }
}

extension TokenOptions {
    mutating func complete(from place: TripPlace, in surroundings: Surroundings) {
        if place.leavesTokenOut, !isSaid(in: surroundings), let server = place.server {
            surroundings.streams.say(
                "tripwatch: the trip is at \(printable(server.endpoint)), another server than the configuration's: its token is not sent "
                    + "there.")
        }
        complete(from: place.asked, in: surroundings)
        complete(from: place.configuration, in: surroundings)
    }
}
