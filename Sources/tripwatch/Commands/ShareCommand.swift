import ArgumentParser
import FleetEngine
import HTTPServing
import JourneySharing
import ProgramSurroundings
import TripWatchLinks
import TripWatchRuntime
import TripWatchScreen
import TripWatchSettings
import TripWatchSharing
import TripWatchWords

struct ShareCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Share trips and shipments with others through links that expire.",
        discussion: """
            Serves a page for browsers and data for programs, and prints 'TRIP LINK', one line per link. 'share list' lists \
            the links, and 'share end LINK' ends a link.
            """)

    @Argument(
        help: ArgumentHelp("Trips: names, or bare ids with --provider.", valueName: "trip"), completion: .linksOrKnownTrips)
    var trips: [String] = []

    @OptionGroup(title: HelpSection.common) var links: LinkOptions
    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.map) var page: LinkPageOptions
    @OptionGroup(title: HelpSection.map) var map: BaseMapOptions
    @OptionGroup(title: HelpSection.connection) var server: LinkServerOptions
    @OptionGroup(title: HelpSection.connection) var connection: ConnectionOptions
    @OptionGroup(title: HelpSection.connection) var shipments: TrackingOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions
    @OptionGroup(title: HelpSection.connection) var pace: PaceOptions
    @OptionGroup(title: HelpSection.advanced) var kind: KindOptions
    @OptionGroup(title: HelpSection.advanced) var rate: RateLimitOptions

    func validate() throws {
        let tracking = shipments.tracking
        guard 1...100 ~= trips.count + tracking.count else { throw ValidationError("'share' takes 1 to 100 trips or shipments.") }
        guard page.title == nil || trips.count + tracking.count == 1 else {
            throw ValidationError("--title works with a single trip or shipment: name only one.")
        }
        guard !links.showAddress || !tracking.isEmpty || trips.contains(where: TrackingOptions.isShipment) else {
            throw ValidationError("--show-address is for shipments: name one with --tracking.")
        }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws {
        var given = trips
        shipments.take(from: &given)
        trips = given
        let place = try TripPlace(
            trips, tracking: shipments.tracking, connection, settings, over: configuration, in: surroundings)
        trips = place.names
        shipments.tracking = place.tracking
        connection.complete(from: place)
        tokens.complete(from: place, in: surroundings)
        map.complete(from: configuration)
        pace.complete(from: configuration)
        page.units = page.units ?? configuration.measurementSystem
        kind.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        var share = ShareRun.Settings()
        links.apply(to: &share)
        share.isJSON = form.isJSON
        server.apply(to: &share)
        share.requestsPerSecond = rate.callsPerSecond(listening: share.host)
        share.limitsOwnRequests = rate.rateLimit != nil
        var look = ScreenSettings(map: map.settings)
        look.app.title = page.title
        look.app.tripKind = kind.kind
        look.map.caFile = connection.ca ?? look.map.caFile
        let names = try trips.map(connection.tripName)
        let shipments = try shipments.tracking.map(connection.trackingName)
        if !names.isEmpty { try tokens.check(isShipment: false) }
        if !shipments.isEmpty { try tokens.check(isShipment: true) }
        return try await ShareRun(
            names: names, shipments: shipments, connection: try connection.connection(tokens),
            output: OutputSettings(style: nil, units: page.units), look: look, pace: pace.pace, settings: share
        ).perform(in: surroundings)
    }
}
