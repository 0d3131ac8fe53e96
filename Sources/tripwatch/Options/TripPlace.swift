import ArgumentParser
import FleetEngine
import FleetEngineGRPC
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// The server of trips if no flag names it: from the environment and chosen profile, then the list of known trips, then the configuration.
struct TripPlace {
    /// The trips as typed by the user; a unique ending is replaced by the full name.
    let names: [String]
    /// Settings of the environment and the chosen profile.
    let asked: Configuration
    /// The server that had the trips; nil for unknown trips, and if the user names another server.
    let server: KnownTrip.Server?
    /// The configuration, without access settings if the trips are on another server than the configured one.
    let configuration: Configuration
    /// Whether the configuration's token was removed for that reason.
    let leavesTokenOut: Bool

    /// - Parameters:
    ///   - texts: names, bare ids, or ends of names.
    ///   - connection: the flags.
    /// - Throws: `Failure` for trips on different servers.
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
                message: "these trips are on different servers, \(printable(first.endpoint)) and \(printable(other.endpoint)): "
                    + "name the trips of one server, or give --endpoint.", exitCode: ExitCodes.usage)
        }
        server = first
        let isOther = flagged == nil && !Self.isSame(first.endpoint, configuration.endpoint ?? ConnectionOptions.standardEndpoint)
        self.configuration = isOther ? configuration.withoutAccess : configuration
        leavesTokenOut = isOther && configuration.tokenSource != nil && asked.tokenSource == nil
    }

    /// Whether two texts name the same server, with or without TLS.
    private static func isSame(_ one: String, _ other: String?) -> Bool {
        guard let other, let place = try? ServerEndpoint(one, security: .plaintext) else { return one == other }
        return place == (try? ServerEndpoint(other, security: .plaintext))
    }
}

/// Finds known trips by the text that a user types.
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

    /// Finds a trip by its full name, by a bare id if a provider is set, or else by a unique ending.
    /// - Returns: nil for an unknown trip, and for a text that matches several.
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
            // With --endpoint, only flags and settings choose TLS, not the list of known trips.
            if !isNamed, ca == nil { plaintext = plaintext ?? server.isPlaintext }
            if !isNamed, plaintext != true { ca = ca ?? server.caFile }
        }
        complete(from: place.configuration)
    }
}

extension ProviderOptions {
    mutating func complete(from place: TripPlace) {
        complete(from: place.asked)
        // The known address must not receive the headers that the configuration has for its own address.
        if let known = place.server?.providerURL, known != place.configuration.providerURL { providerUrl = providerUrl ?? known }
        complete(from: place.configuration)
    }
}

extension TokenOptions {
    mutating func complete(from place: TripPlace, in surroundings: Surroundings) {
        if place.leavesTokenOut, !isSaid(in: surroundings), let server = place.server {
            surroundings.streams.say(
                "tripwatch: the trip is on \(printable(server.endpoint)), not on the configured server: its token is not sent "
                    + "there.")
        }
        complete(from: place.asked, in: surroundings)
        complete(from: place.configuration, in: surroundings)
    }
}
