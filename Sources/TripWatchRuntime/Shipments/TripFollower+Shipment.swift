package import FleetEngine
import JourneySharing
import ProgramSurroundings
package import TripRecording

extension TripFollower {
    /// Follows a shipment too, with this follower's interval and clock. The shipment is not recorded for `list`.
    /// - Parameters:
    ///   - server: name of the server, for failures.
    ///   - tape: records the answers; nil to record nothing.
    package mutating func add(_ name: TaskTrackingName, asking client: any ShipmentClient, at server: String, tape: ShipmentTape?) {
        let service = ShipmentService(client: client, time: time, minimumInterval: minimumInterval)
        let model = service.shipmentModel(for: name, options: ShipmentModelOptions(autoRefreshTimeInterval: interval))
        let recorder = tape.map { ShipmentRecorder($0, of: model, now: time.now()) }
        if let recorder { model.register(recorder) }
        let count = names.count + 1
        shipments = FollowedShipments(models: [model], keeper: nil, recorder: recorder) {
            [time, output, keepsTrying, surroundings] hooks in
            let settings = ShipmentLines.Settings(
                isJSON: output.style == .json, plain: output.plainOptions(tripCount: count, in: surroundings), keepsTrying: keepsTrying,
                server: server)
            return await ShipmentLines(models: [model], time: time, settings: settings, streams: surroundings.streams, hooks: hooks).run()
        }
    }
}
