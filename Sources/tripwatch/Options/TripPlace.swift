import ArgumentParser
import FleetEngine
import FleetEngineGRPC
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// Finds the server of trips. The order is: flags, the environment and the chosen profile, the list of known trips, the
/// configuration.
struct TripPlace {
    /// The trips as the user has typed them. A unique ending of a known name is replaced with the full name.
    let names: [String]
    /// The shipments. Endings of names are replaced in the same way.
    let tracking: [String]
    /// The settings of the environment and the chosen profile.
    let asked: Configuration
    /// The server on which these trips were last found; nil if the trips are unknown or if the user has set another server.
    let server: KnownTrip.Server?
    /// The configuration, without its TLS settings and token source if the trips are on another server.
    let configuration: Configuration
    /// Whether the configuration's token was removed because the trips are on another server.
    let leavesTokenOut: Bool

    /// Finds the trips and their server.
    /// - Parameters:
    ///   - texts: the trips as the user has typed them: names, bare ids, or endings of names.
    ///   - tracking: the shipments as the user has typed them.
    ///   - connection: the connection flags that the user has given.
    /// - Throws: `Failure` for trips on different servers.
    init(
        _ texts: [String], tracking: [String] = [], _ connection: ConnectionOptions, _ settings: ConfigurationOptions,
        over configuration: Configuration, in surroundings: Surroundings
    ) throws(Failure) {
        asked = surroundings.askedConfiguration(profile: settings.chosen)
        let flagged = connection.endpoint ?? asked.endpoint
        let provider = connection.provider ?? asked.provider
        let file = surroundings.stateFile
        let known = file.map { KnownNames($0.trips(now: surroundings.clock(1).now(), isLookOnly: true), provider: provider) }
        let trips = texts.map { text in KnownName(text, known?.trip(meantBy: text)) }
        let shipments = tracking.map { text in KnownName(text, known?.shipment(meantBy: text)) }
        names = trips.map(\.name)
        self.tracking = shipments.map(\.name)
        for known in trips + shipments where known.isEnding {
            surroundings.streams.note("tripwatch: '\(printable(known.text))' stands for \(printable(known.name)).")
        }
        let servers = (trips + shipments).compactMap(\.server).filter { flagged == nil || Self.isSame($0.endpoint, flagged) }
        guard let first = servers.first else {
            server = nil
            self.configuration = configuration
            leavesTokenOut = false
            return
        }
        if let other = servers.first(where: { !Self.isSame($0.endpoint, first.endpoint) }) {
            throw Failure(
                message: "these trips are on different servers, \(printable(first.endpoint)) and \(printable(other.endpoint)): "
                    + "name only trips on one server, or give --endpoint.", exitCode: ExitCodes.usage)
        }
        server = first
        let isOther = flagged == nil && !Self.isSame(first.endpoint, configuration.endpoint ?? ConnectionOptions.standardEndpoint)
        self.configuration = isOther ? configuration.withoutAccess : configuration
        leavesTokenOut = isOther && configuration.tokenSource != nil && asked.tokenSource == nil
    }

    /// Returns whether two texts name the same server. TLS makes no difference.
    private static func isSame(_ one: String, _ other: String?) -> Bool {
        guard let other, let place = try? ServerEndpoint(one, security: .plaintext) else { return one == other }
        return place == (try? ServerEndpoint(other, security: .plaintext))
    }
}

/// A text that a user typed, and the trip or shipment that it names.
private struct KnownName {
    let text: String
    /// The full name; the text itself for an unknown trip or shipment.
    let name: String
    /// Whether the user has typed only the ending of the name.
    let isEnding: Bool
    /// The server on which the trip or shipment was last found; nil if the trip or shipment is unknown.
    let server: KnownTrip.Server?

    init(_ text: String, _ trip: KnownTrip?) {
        self.init(text, name: trip?.name.description, id: trip?.name.trip, trip?.server)
    }

    init(_ text: String, _ shipment: KnownShipment?) {
        self.init(text, name: shipment?.name.description, id: shipment?.name.trackingID, shipment?.server)
    }

    private init(_ text: String, name: String?, id: String?, _ server: KnownTrip.Server?) {
        self.text = text
        self.name = name ?? text
        isEnding = name != nil && text != id && text != name
        self.server = server
    }
}

/// Finds known trips and shipments by a text that the user has typed.
private struct KnownNames {
    private let trips: KnownTrips
    private let byName: [String: KnownTrip]
    /// The provider to which bare ids belong; nil if no provider was named.
    private let provider: String?

    init(_ trips: KnownTrips, provider: String?) {
        self.trips = trips
        self.provider = provider
        byName = Dictionary(trips.trips.map { ($0.name.description, $0) }) { first, _ in first }
    }

    /// Finds a trip by its full name, by a bare id if a provider is set, or else by a unique ending.
    /// - Returns: nil if no known trip matches the text, or if several do.
    func trip(meantBy text: String) -> KnownTrip? {
        guard !byName.isEmpty else { return nil }
        if let trip = byName[text] { return trip }
        if let provider, !text.contains("/") { return byName["providers/\(provider)/trips/\(text)"] }
        let found = trips.trips(meantBy: text)
        return found.count == 1 ? found.first : nil
    }

    /// Finds a shipment by its full name, by a tracking id if a provider is set, or else by a unique ending.
    func shipment(meantBy text: String) -> KnownShipment? {
        if let provider, !text.contains("/") {
            return (try? TaskTrackingName(provider: provider, trackingID: text)).flatMap { trips[$0] }
        }
        let found = trips.shipments(meantBy: text)
        return found.count == 1 ? found.first : nil
    }
}

extension ConnectionOptions {
    mutating func complete(from place: TripPlace) {
        let isNamed = endpoint != nil
        complete(from: place.asked)
        if let server = place.server {
            endpoint = endpoint ?? server.endpoint
            // With --endpoint, the TLS settings from the list of known trips are not used.
            if !isNamed, ca == nil { plaintext = plaintext ?? server.isPlaintext }
            if !isNamed, plaintext != true { ca = ca ?? server.caFile }
        }
        complete(from: place.configuration)
    }
}

extension ProviderOptions {
    mutating func complete(from place: TripPlace) {
        complete(from: place.asked)
        // The configured headers must not be sent to another provider. The configuration adds them only if no address is set yet.
        if let known = place.server?.providerURL, known != place.configuration.providerURL { providerUrl = providerUrl ?? known }
        complete(from: place.configuration)
    }
}

extension TokenOptions {
    mutating func complete(from place: TripPlace, in surroundings: Surroundings) {
        if place.leavesTokenOut, !isSaid(in: surroundings), let server = place.server {
            surroundings.streams.say(
                "tripwatch: the trip is on \(printable(server.endpoint)), not on the configured server, so the configured token "
                    + "is not sent.")
        }
        complete(from: place.asked, in: surroundings)
        complete(from: place.configuration, in: surroundings)
    }
}
