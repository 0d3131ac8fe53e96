import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// Finds the server of trips. The order is: flags, the environment and the chosen profile, the list of known trips, the
/// configuration.
struct TripPlace {
    /// The trips as the user has typed them, but a known trip's bare id, or a unique ending of its name, is replaced with the full name.
    let names: [String]
    /// The shipments. Endings of names are replaced in the same way.
    let tracking: [String]
    /// The settings of the environment and the chosen profile, without a token source that is for another server.
    let asked: Configuration
    /// The server on which these trips were last found; nil if the trips are unknown or if the user has set another server.
    let server: KnownTrip.Server?
    /// The server that the user has set, or else `server`; nil for the configuration's.
    let endpoint: String?
    /// The configuration, except for the settings that must not reach another server. The token source is left out if the token is meant
    /// for a server other than `endpoint`. The token source and the TLS settings are left out if the trips were found on a server other
    /// than the configured one, and the user has set no server.
    let configuration: Configuration
    /// Whether the configuration's token was removed because it is for another server.
    let leavesTokenOut: Bool

    /// Finds the trips and their server.
    /// - Parameters:
    ///   - texts: the trips as the user has typed them: names, bare ids, or endings of names.
    ///   - tracking: the shipments as the user has typed them.
    ///   - connection: the connection flags that the user has given.
    /// - Throws: `Failure` if the trips and shipments are on different servers and the user has not set a server.
    init(
        _ texts: [String], tracking: [String] = [], _ connection: ConnectionOptions, _ settings: ConfigurationOptions,
        over configuration: Configuration, in surroundings: Surroundings
    ) throws(Failure) {
        let asked = surroundings.askedConfiguration(profile: settings.chosen)
        let flagged = connection.endpoint ?? asked.endpoint
        let provider = connection.provider ?? asked.provider
        let known = KnownNames(provider: provider, in: surroundings)
        let trips = texts.map { text in KnownName(text, known?.trip(meantBy: text)) }
        let shipments = tracking.map { text in KnownName(text, known?.shipment(meantBy: text)) }
        names = trips.map(\.name)
        self.tracking = shipments.map(\.name)
        for known in trips + shipments { known.note(in: surroundings) }
        let servers = (trips + shipments).compactMap(\.server).filter { server in
            flagged.map { ConnectionOptions.isSameServer(server.endpoint, $0) } ?? true
        }
        server = servers.first
        if let first = servers.first, let other = servers.first(where: { !ConnectionOptions.isSameServer($0.endpoint, first.endpoint) }) {
            throw Failure(
                message: "these are on different servers, \(printable(first.endpoint)) and \(printable(other.endpoint)): "
                    + "name trips or shipments of a single server, or give --endpoint.", exitCode: ExitCodes.usage)
        }
        endpoint = flagged ?? servers.first?.endpoint
        let configured = configuration.endpoint ?? ConnectionOptions.standardEndpoint
        let isOther = flagged == nil && servers.first.map { !ConnectionOptions.isSameServer($0.endpoint, configured) } ?? false
        let isTokenAsked = asked.tokenSource != nil && !configuration.keepsToken(from: endpoint)
        leavesTokenOut = configuration.tokenSource != nil && !isTokenAsked && (isOther || configuration.keepsToken(from: endpoint))
        self.asked = leavesTokenOut ? asked.withoutToken : asked
        self.configuration = isOther ? configuration.withoutAccess : leavesTokenOut ? configuration.withoutToken : configuration
    }
}

extension TripPlace {
    /// Returns the full name of the known trip that a text means; the text itself if no trip is found.
    static func name(meantBy text: String, provider: String?, in surroundings: Surroundings) -> String {
        let known = KnownName(text, KnownNames(provider: provider, in: surroundings)?.trip(meantBy: text))
        known.note(in: surroundings)
        return known.name
    }
}

extension Configuration {
    /// Whether the token must not be sent to `endpoint`, because the configuration file sets both the token's source and another server.
    func keepsToken(from endpoint: String?) -> Bool {
        guard let tokenServer, let endpoint else { return false }
        return !ConnectionOptions.isSameServer(endpoint, tokenServer)
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
        // The configured headers must not be sent to another provider. So the known address is set first: the configuration adds its
        // headers only if no address is set yet.
        if let known = place.server?.providerURL, known != place.configuration.providerURL { providerUrl = providerUrl ?? known }
        complete(from: place.configuration)
    }
}

extension TokenOptions {
    mutating func complete(from place: TripPlace, in surroundings: Surroundings) {
        if place.leavesTokenOut, !isSaid(in: surroundings), let endpoint = place.endpoint {
            forgetAnswer()
            let start = place.server == nil ? "" : "the trip is on "
            let middle = place.server == nil ? " is not the configured server" : ", not on the configured server"
            Self.tellTokenIsKept(start + printable(endpoint) + middle, from: endpoint, in: surroundings)
        }
        complete(from: place.asked, in: surroundings)
        complete(from: place.configuration, in: surroundings)
    }

    /// Sets values for which no flag is given. If the configuration file sets a server, the file's token is sent only there.
    mutating func complete(from configuration: Configuration, for connection: ConnectionOptions, in surroundings: Surroundings) {
        guard !isSaid(in: surroundings), configuration.keepsToken(from: connection.endpoint), let endpoint = connection.endpoint else {
            complete(from: configuration, in: surroundings)
            return
        }
        forgetAnswer()
        Self.tellTokenIsKept("\(printable(endpoint)) is not the configured server", from: endpoint, in: surroundings)
    }

    private static func tellTokenIsKept(_ reason: String, from endpoint: String, in surroundings: Surroundings) {
        let profile = surroundings.profile { ConnectionOptions.isSameServer($0, endpoint) }
        let advice =
            profile.map { "Give --profile \(printable($0)), the profile for that server." }
            ?? "Give --token-file, or a --profile that has a token for that server."
        surroundings.streams.say("tripwatch: \(reason), so the configured token is not sent. \(advice)")
    }
}
