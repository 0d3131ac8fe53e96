package import FleetEngine
import JourneySharing
import ProgramSurroundings
package import TripRecording

extension TripFollower {
    /// Adds a shipment that is followed together with the trips, with the same interval and clock. It is not recorded for `list`.
    /// - Parameters:
    ///   - server: the name of the server, for messages about failures.
    ///   - tape: the recording of the answers; nil to record nothing.
    package mutating func add(_ name: TaskTrackingName, asking client: any ShipmentClient, at server: String, tape: ShipmentTape?) {
        let service = ShipmentService(client: client, time: time, minimumInterval: minimumInterval)
        let count = names.count + 1
        let followed = FollowedShipments(
            [name], of: service, options: ShipmentModelOptions(autoRefreshTimeInterval: interval), keeper: nil
        ) {
            [time, output, keepsTrying, surroundings] models, hooks, repeater in
            let settings = ShipmentLines.Settings(
                style: output.lineStyle(in: surroundings), plain: output.plainOptions(tripCount: count, in: surroundings),
                keepsTrying: keepsTrying, server: server)
            return await ShipmentLines(
                models: models, time: time, settings: settings, streams: surroundings.streams, hooks: hooks, repeater: repeater
            ).run()
        }
        if let tape { followed.record(on: tape, now: time.now()) }
        shipments = followed
    }
}

extension TripFollower {
    /// Requests the state of the shipments now.
    package func refreshShipments() {
        for model in shipments?.models ?? [] { model.refresh() }
    }
}
