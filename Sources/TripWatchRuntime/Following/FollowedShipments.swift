import FleetEngine
import FoundationEssentials
import JourneySharing
import TripRecording

/// The shipments that are followed together with trips, including shipments that the user adds later.
@MainActor
final class FollowedShipments {
    /// Prints the changes of shipments as lines, if there is no screen. Returns the exit code.
    typealias Tell = @MainActor ([ShipmentModel], HookFeed?, StateRepeater?) async -> Int32

    /// The models of the shipments, in the order of their pages.
    private(set) var models: [ShipmentModel]
    /// The service that creates the models.
    let service: ShipmentService
    /// The keeper, which records the state of the shipments for `list`; nil to record nothing.
    let keeper: ShipmentKeeper?
    private let options: ShipmentModelOptions
    private let lines: Tell
    private var recorder: ShipmentRecorder?

    init(
        _ names: [TaskTrackingName], of service: ShipmentService, options: ShipmentModelOptions, keeper: ShipmentKeeper?,
        lines: @escaping Tell
    ) {
        models = names.map { service.shipmentModel(for: $0, options: options) }
        self.service = service
        self.options = options
        self.keeper = keeper
        self.lines = lines
    }

    /// Records the answers about the first shipment.
    func record(on tape: ShipmentTape, now: Date) {
        guard let model = models.first else { return }
        let recorder = ShipmentRecorder(tape, of: model, now: now)
        model.register(recorder)
        self.recorder = recorder
    }

    /// Starts to follow one more shipment. Continues its recording if it was recorded before.
    func add(_ name: TaskTrackingName) -> ShipmentModel {
        let model = service.shipmentModel(for: name, options: options)
        models.append(model)
        if let recorder, recorder.name == name { model.register(recorder) }
        return model
    }

    /// Removes a shipment that is no longer followed. Also stops its recorder, because the recorder would keep the polling alive.
    func forget(_ name: TaskTrackingName) {
        for model in models where model.name == name { if let recorder { model.unregister(recorder) } }
        models.removeAll { $0.name == name }
    }

    /// Prints the changes of the shipments as lines.
    /// - Parameter repeater: repeats the state of the shipments when the user presses Enter; nil if the lines are not sentences.
    /// - Returns: the exit code.
    func tell(_ hooks: HookFeed?, _ repeater: StateRepeater?) async -> Int32 { await lines(models, hooks, repeater) }
}
