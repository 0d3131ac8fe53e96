import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TripWatchScreen
import TripWatchWords

/// The course of a shipment. At first it is planned. Then it is on its way, with other stops before its own. Then it is near. Several
/// scenarios continue from there, for example with an outcome or a failed request.
extension Scenario {
    static let shipmentNames = [
        "shipment-connecting", "shipment-planned", "shipment-far", "shipment-near", "shipment-not-live", "shipment-offline",
        "shipment-missing", "shipment-withdrawn", "shipment-done", "shipment-failed", "shipment-closed", "shipment-beside",
    ]

    /// The name of the shipment in all these scenarios.
    static var parcel: TaskTrackingName? { try? TaskTrackingName("providers/made-up-post/taskTrackingInfo/1Z-4471") }

    /// The van's route to the stop of the parcel, which is 4,300 m long.
    private static let way = MadeUpTrip.approach

    static func shipment(_ word: String, size: Size, options: AppOptions) -> Scenario? {
        guard let parcel else { return nil }
        let trips = word == "shipment-beside" ? ["7f3a-northgate"] : []
        guard var scenario = Scenario(size: size, options: options, trips: trips, shipments: [parcel], now: "12:40:00") else { return nil }
        scenario.playShipment(word)
        return scenario
    }

    /// Plays the shipment up to a step.
    /// - Parameter word: the last step to play.
    private mutating func playShipment(_ word: String) {
        guard word != "shipment-connecting" else { return tick("12:40:03") }
        if word == "shipment-missing" {
            fail("12:40:01", shipment: Self.missing)
            return tick("12:40:06")
        }
        hear("12:40:05")
        guard word != "shipment-planned" else { return tick("12:40:09") }
        hear("12:58:05") { $0.remainingStopCount = 9 }
        guard word != "shipment-far" else { return tick("12:58:09") }
        for (clock, meters) in [("14:58:40", 3_900.0), ("14:58:45", 3_650), ("14:58:50", 3_400)] { come(clock, meters: meters) }
        switch word {
        case "shipment-not-live":
            hear("15:00:30") { _ in }
            tick("15:00:32")
        case "shipment-offline":
            fail("14:58:55", shipment: Self.refused)
            tick("14:59:10")
        case "shipment-withdrawn":
            hear("15:01:00", Self.withdraw)
            tick("15:02:00")
        case "shipment-done", "shipment-failed": end(word)
        case "shipment-closed":
            hear("15:01:00") { $0.state = .closed }
            hear("15:02:01") { $0.state = .closed }
            if let last = state.shipments.first?.tracker.shipment { tell(.ended(last), at: "15:02:01") }
        default: tick("14:58:54")
        }
    }

    private mutating func end(_ word: String) {
        hear("15:09:30") {
            Self.withdraw(&$0)
            $0.state = .closed
            $0.outcome = word == "shipment-done" ? .succeeded : .failed
            $0.outcomeTime = MadeUpTrip.time("15:09:00")
        }
        if let last = state.shipments.first?.tracker.shipment { tell(.ended(last), at: "15:09:30") }
    }

    /// Moves the van nearer. It has two stops before the parcel's stop.
    private mutating func come(_ clock: String, meters: Double) {
        hear(clock) {
            $0.remainingStopCount = 3
            $0.remainingDistanceMeters = meters
            $0.estimatedArrivalTime = MadeUpTrip.time("15:09:00")
            $0.estimatedCompletionTime = MadeUpTrip.time("15:11:00")
            $0.route = Self.way
            $0.vehicleLocation = MadeUpTrip.location(on: Self.way, metersToGo: meters, at: MadeUpTrip.time(clock))
        }
    }

    /// Removes all fields about the van from an answer.
    static func withdraw(_ shipment: inout TaskTrackingInfo) {
        shipment.remainingStopCount = nil
        shipment.remainingDistanceMeters = nil
        shipment.estimatedArrivalTime = nil
        shipment.estimatedCompletionTime = nil
        shipment.route = nil
        shipment.vehicleLocation = nil
    }

    /// Sends an answer about the shipment to the screen: the previous answer with a change. The first answer is an open task with a
    /// location and a time window.
    mutating func hear(_ clock: String, _ change: (inout TaskTrackingInfo) -> Void = { _ in }) {
        guard let parcel = Self.parcel else { return }
        let window = TimeWindow(start: MadeUpTrip.time("14:00:00"), end: MadeUpTrip.time("16:00:00"))
        let known = state.shipments.first?.tracker.shipment
        var answer =
            known ?? TaskTrackingInfo(name: parcel, state: .open, plannedLocation: MadeUpTrip.pickup, targetTimeWindow: window)
        change(&answer)
        tick(clock)
        tell(.shipment(answer, changed: ShipmentFields(from: known, to: answer)), at: clock)
    }

    mutating func fail(_ clock: String, shipment error: FleetEngineError) {
        let wasSeen = state.shipments.first?.tracker.shipment != nil
        let failure = PollFailure(
            error: error, errorClass: error.errorClass(tripWasSeen: wasSeen), retryInSeconds: 30, attempt: 2, serverWasHeard: wasSeen)
        tick(clock)
        tell(.failure(failure), at: clock)
    }

    /// Sends an update of the shipment's model to the screen. While the position of the van is shared, the model polls every 5 s.
    mutating func tell(_ kind: ShipmentUpdate.Kind, at clock: String) {
        guard let parcel = Self.parcel else { return }
        var interval = 30.0
        if case .shipment(let shipment, _) = kind, shipment.vehicleLocation != nil { interval = 5 }
        send(.shipment(ShipmentUpdate(name: parcel, time: MadeUpTrip.time(clock), kind: kind), intervalSeconds: interval))
    }
}
