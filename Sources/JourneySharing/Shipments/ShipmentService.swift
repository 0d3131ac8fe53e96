public import FleetEngine

/// Creates shipment models, one for each tracking name.
@MainActor
public final class ShipmentService {
    private let client: any ShipmentClient
    private let time: any TimeSource
    private let minimumInterval: Double
    private var models = WeakModels<TaskTrackingName, ShipmentModel>()
    private var seed: UInt64
    private let round: PollRound

    /// - Parameters:
    ///   - client: client of a server, or one that plays a recording.
    ///   - minimumInterval: shortest interval, in seconds; 5 for Google's own server.
    ///   - seed: seed of the random part of the waits, for tests.
    public init(
        client: any ShipmentClient, time: any TimeSource, minimumInterval: Double = PollMachine.Configuration.minimumInterval,
        seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.client = client
        self.time = time
        self.minimumInterval = minimumInterval
        self.seed = seed
        round = PollRound(time: time) { client.connectionsMade() }
    }

    /// Returns the model of a shipment. An existing model keeps its options.
    public func shipmentModel(for name: TaskTrackingName, options: ShipmentModelOptions = ShipmentModelOptions()) -> ShipmentModel {
        if let model = models[name] { return model }
        seed &+= 0x9E37_79B9_7F4A_7C15
        let model = ShipmentModel(
            name: name, client: client, time: time, round: round, options: options, minimumInterval: minimumInterval, seed: seed)
        models.add(model, for: name)
        return model
    }
}
