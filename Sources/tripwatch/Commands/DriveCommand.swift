import ArgumentParser
import Driver
import FleetEngine
import Geo
import ProgramSurroundings
import TripWatchOperations
import TripWatchRuntime
import TripWatchScreen
import TripWatchSettings
import TripWatchWords

struct DriveCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drive", abstract: "Act as a driver: report a vehicle's position and serve its trips.",
        discussion: """
            On a terminal it shows a screen: press ? for keys, and q to end the shift.
            """)

    @OptionGroup(title: HelpSection.common) var drive: DriveOptions
    @OptionGroup(title: HelpSection.common) var source: SourceOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.map) var road: DriveMapOptions
    @OptionGroup(title: HelpSection.map) var ways: RouterOptions
    @OptionGroup(title: HelpSection.map) var look: LookOptions
    @OptionGroup(title: HelpSection.connection) var connection: ConnectionOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions
    @OptionGroup(title: HelpSection.connection) var provider: ProviderOptions
    @OptionGroup(title: HelpSection.advanced) var shift: ShiftOptions
    @OptionGroup(title: HelpSection.advanced) var identity: IdentityOptions
    @OptionGroup(title: HelpSection.advanced) var kind: KindOptions

    func validate() throws {
        guard drive.create || !identity.isSaid else {
            throw ValidationError("--plate, --color, --model and --driver describe a new vehicle: add --create.")
        }
        guard drive.delivery else { return }
        try shift.checkDelivery()
        if drive.output == .screen { throw ValidationError("--delivery prints lines and has no screen: use --output plain.") }
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) {
        connection.complete(from: configuration)
        tokens.complete(from: configuration, for: connection, in: surroundings)
        ways.complete(from: configuration)
        provider.complete(from: configuration)
        look.complete(from: configuration, in: surroundings)
        road.complete(from: configuration)
        kind.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let delivery = drive.delivery ? try connection.deliveryVehicleName(drive.vehicle) : nil
        var run = DriveRun(
            name: try delivery.map { VehicleName(sameIDsAs: $0) } ?? connection.vehicleName(drive.vehicle),
            assignment: try shift.trip.map { TripAssignment.trip(try connection.tripName($0)) } ?? .assigned(limit: shift.trips),
            source: try source.settings(trip: shift.trip),
            way: try road.route.map { Polyline(try Place.list($0, option: "--route", minimum: 2)) },
            router: try ways.settings(caFile: connection.ca), reportInterval: shift.reportInterval, dwell: shift.dwell, speed: shift.speed,
            createsVehicle: drive.create, record: shift.record, connection: try connection.connection(tokens))
        run.isAutomatic = drive.auto
        run.identity = identity.identity
        run.keepsTrying = shift.keepTrying
        if let delivery { return try await DeliveryRun(name: delivery, drive: run).perform(in: surroundings) }
        run.output = OutputSettings(style: drive.output?.style, units: road.units)
        run.look = look.settings(map: BaseMapSettings(map: ways.basemap, languages: road.languages))
        run.look.app.tripKind = kind.kind
        run.provider = try provider.client(caFile: connection.ca, in: surroundings)
        return try await run.perform(in: surroundings)
    }
}
