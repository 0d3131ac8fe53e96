import ArgumentParser
import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import Glibc
import JourneySharing
import TripWatchApp

struct StatusCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "One line about a trip, for a prompt, a status bar or a script.",
        discussion: """
            Asks once and ends. --format takes text with {eta}, {clock}, {distance}, {state}, {bar}, {bar:WIDTH}, {freshness}, {trip} and \
            {vehicle} in it. The bar shows how much of the present leg is done since status saw it first on this \
            computer. Exit codes: 0, 1 server down, 2 cancelled, 3 no such trip, 4 not allowed, 64 usage.
            """)

    @Argument(help: ArgumentHelp("The trip's name, or a bare id with --provider.", valueName: "trip"))
    var trip: String

    @Option(help: ArgumentHelp("Your own line, such as '{bar:17} {eta}'.", valueName: "text"))
    var format: String?

    @Flag(help: "One object in waybar's protocol: text, alt, tooltip, class, percentage.")
    var waybar = false

    @Flag(help: "A line for tmux: status-right '#(tripwatch status --tmux TRIP)'.")
    var tmux = false

    @Flag(help: "One JSON object: trip, status, eta, remaining_s, remaining_m, stops_before, freshness, age_s.")
    var json = false

    @Option(help: ArgumentHelp("Measures: metric, us or uk. By default those of the locale.", valueName: "system"))
    var units: MeasurementSystem?

    @Option(help: ArgumentHelp("What the trip is called.", valueName: "text"))
    var title: String?

    @OptionGroup var settings: ConfigurationOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard [format != nil, waybar, tmux, json].count(where: { $0 }) <= 1 else {
            throw ValidationError("take one of --format, --waybar, --tmux and --json.")
        }
        _ = try template()
    }

    mutating func complete(from configuration: Configuration) {
        connection.complete(from: configuration)
        units = units ?? configuration.measurementSystem
    }

    func perform() async throws {
        let name = try connection.tripName(trip)
        let template = try template()
        let (trip, vehicle) = try await OneShot.run(connection, tokenSeconds: OneShot.tokenSeconds, onFailure: tellBar) { client in
            let deadline = ContinuousClock.now + .seconds(OneShot.askingSeconds)
            let trip = try await OneShot.asking(until: deadline) { () throws(FleetEngineError) in
                try await client.getTrip(GetTripRequest(name: name))
            }
            return (trip, await Self.vehicle(of: trip, client: client, until: deadline))
        }
        let now = Date()
        let state = StateFile()
        var observer = TripObserver(name: name, progress: state?.progress[name])
        let changed = TripPropertyFields(from: nil, to: trip)
        _ = observer.observe(TripUpdate(name: name, time: now, kind: .trip(trip, changed: changed)))
        state?.note(trip.status.isFinal ? nil : observer.progress.mark, for: name, now: now)
        Terminal.print(line(observer, vehicle: vehicle, now: now, template: template))
        Terminal.exit(trip.status == .canceled ? ExitCodes.tripCanceled : ExitCodes.success)
    }

    /// A bar shows the last line it got: one that says that nothing is known is better than an old one.
    private func tellBar(_ error: FleetEngineError) {
        let failure = StatusFailure(error, isASCII: !LocalText.isUTF8)
        if waybar { Terminal.print(failure.waybarLine) }
        if tmux { Terminal.print(failure.tmuxLine) }
    }

    private func line(_ observer: TripObserver, vehicle: Vehicle?, now: Date, template: StatusTemplate?) -> String {
        let system = units ?? LocalText.measurementSystem
        let report = StatusReport(
            observer, vehicle: vehicle, now: now,
            options: StatusReport.Options(
                secondsFromGMT: LocalZone.secondsFromGMT, measurementSystem: system, isASCII: !LocalText.isUTF8, title: title))
        if let template { return template.line(report) }
        if waybar { return report.waybarLine }
        if tmux { return report.tmuxLine }
        if json { return report.jsonLine }
        guard OutputOptions.wantsSentences else { return report.line }
        let options = PlainOutput.Options(secondsFromGMT: LocalZone.secondsFromGMT, measurementSystem: system)
        return SpokenOutput(options: options).summary(observer, time: now)
    }

    /// The car that the rider will look for; one optional call, whose failure takes nothing away.
    private static func vehicle(of trip: Trip, client: any ConsumerClient, until deadline: ContinuousClock.Instant) async -> Vehicle? {
        guard let id = trip.vehicleID, trip.status.isBeforePickup, let name = try? VehicleName(provider: trip.name.provider, vehicle: id)
        else { return nil }
        return try? await OneShot.asking(until: deadline) { () throws(FleetEngineError) in try await client.getVehicle(name) }
    }

    private func template() throws -> StatusTemplate? {
        guard let format else { return nil }
        do throws(StatusTemplate.FormatError) {
            return try StatusTemplate(format)
        } catch {
            throw ValidationError("--format: \(error).")
        }
    }
}
