import ArgumentParser
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

struct WaitCommand: ConfigurableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait for an event of a trip: tripwatch wait TRIP --until 2min && say 'shoes on'.",
        discussion: """
            --until takes the time left (2min) or an event: here, pickup or complete for a ride; shop, picked-up or complete for an order; \
            3stops, next or done for a shipment. A time counts only while the car's position is recent. Prints to stdout only with --json. \
            Tries again after network problems. Exit codes: 0 the event occurred, 2 cancelled or failed, 3 no such trip, 4 not allowed.
            """)

    @Argument(help: ArgumentHelp("The trip's name, or a bare id with --provider.", valueName: "trip"), completion: .knownTrips)
    var trip: String?

    @OptionGroup(title: HelpSection.common) var goal: WaitOptions
    @OptionGroup(title: HelpSection.common) var form: FormOptions
    @OptionGroup(title: HelpSection.common) var settings: ConfigurationOptions
    @OptionGroup(title: HelpSection.common) var log: LogOptions
    @OptionGroup(title: HelpSection.connection) var connection: ConnectionOptions
    @OptionGroup(title: HelpSection.connection) var shipment: TrackingOptions
    @OptionGroup(title: HelpSection.connection) var tokens: TokenOptions
    @OptionGroup(title: HelpSection.connection) var pace: PaceOptions
    @OptionGroup(title: HelpSection.advanced) var kind: KindOptions

    func validate() throws {
        let isShipment = try shipment.only(beside: trip) != nil
        // Links are refused before the goal is checked. The check must know whether the goal is for a trip or a shipment, and a link does
        // not show that.
        if let trip { try ConnectionOptions.refuseLink(trip) }
        try goal.check(isShipment: isShipment)
    }

    mutating func complete(from configuration: Configuration, in surroundings: Surroundings) throws {
        let tracking = try shipment.only(beside: trip)
        let place = try TripPlace(
            tracking == nil ? [trip].compactMap { $0 } : [], tracking: [tracking].compactMap { $0 }, connection, settings,
            over: configuration, in: surroundings)
        trip = place.names.first
        shipment.tracking = place.tracking
        connection.complete(from: place)
        tokens.complete(from: place, in: surroundings)
        pace.complete(from: configuration)
        kind.complete(from: configuration)
    }

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let tracking = try shipment.only(beside: trip)
        try tokens.check(isShipment: tracking != nil)
        if let tracking, let reached = ShipmentGoal(goal.until) {
            var run = ShipmentWaitRun(
                name: try connection.trackingName(tracking), goal: reached, connection: try connection.connection(tokens),
                pace: pace.pace, keepsTrying: goal.keepTrying)
            run.isJSON = form.isJSON
            return try await run.perform(in: surroundings)
        }
        guard let reached = WaitGoal(goal.until) else { return .code(ExitCodes.usage) }
        var run = WaitRun(
            name: try connection.tripName(trip ?? ""), goal: reached, connection: try connection.connection(tokens), pace: pace.pace,
            keepsTrying: goal.keepTrying)
        run.tripKind = kind.kind
        run.isJSON = form.isJSON
        return try await run.perform(in: surroundings)
    }
}
