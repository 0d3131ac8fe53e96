public import FleetEngine

/// Makes shipment models: one for each tracking name, however often it is asked for.
@MainActor
public final class ShipmentService {
    private let client: any ShipmentClient
    private let time: any TimeSource
    private let minimumInterval: Double
    private var models: [TaskTrackingName: Reference] = [:]
    private var seed: UInt64
    private let round: PollRound

    private struct Reference {
        weak var model: ShipmentModel?
    }

    /// - Parameters:
    ///   - client: the live client, or a recorded one.
    ///   - minimumInterval: seconds; 5 against Google's own server.
    ///   - seed: the seed of the random part of waits; tests give one.
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

    /// The model of a shipment. A model that exists already keeps its options.
    public func shipmentModel(for name: TaskTrackingName, options: ShipmentModelOptions = ShipmentModelOptions()) -> ShipmentModel {
        if let model = models[name]?.model { return model }
        seed &+= 0x9E37_79B9_7F4A_7C15
        let model = ShipmentModel(
            name: name, client: client, time: time, round: round, options: options, minimumInterval: minimumInterval, seed: seed)
        models = models.filter { $0.value.model != nil }
        models[name] = Reference(model: model)
        return model
    }
}
