import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Synchronization
import TripTesting

/// A client for shipments in the same process as the test. The test sets its answers.
final class ScriptedShipments: ShipmentClient {
    typealias Answer = @Sendable (_ call: Int) -> Result<TaskTrackingInfo, FleetEngineError>

    private struct State {
        var headers: [TripRequestHeader?] = []
        var renewals = 0
        var released: [TaskTrackingName] = []
        var kept: [ShipmentListener] = []
    }

    private let state = Mutex(State())
    private let canRenew: Bool
    private let answer: Answer

    /// - Parameter answer: returns the answer to a request. The number of the request is counted from 1.
    init(canRenew: Bool = false, answer: @escaping Answer) {
        self.canRenew = canRenew
        self.answer = answer
    }

    var headers: [TripRequestHeader?] { state.withLock { $0.headers } }
    var callCount: Int { headers.count }
    var renewals: Int { state.withLock { $0.renewals } }
    var released: [TaskTrackingName] { state.withLock { $0.released } }

    func keep(_ listener: ShipmentListener) { state.withLock { $0.kept.append(listener) } }

    func getTaskTrackingInfo(_ name: TaskTrackingName, header: TripRequestHeader?) async throws(FleetEngineError) -> TaskTrackingInfo {
        let call = state.withLock { state in
            state.headers.append(header)
            return state.headers.count
        }
        return try answer(call).get()
    }

    func renewToken(for name: TaskTrackingName) async -> Bool {
        state.withLock { $0.renewals += 1 }
        return canRenew
    }

    func releaseToken(for name: TaskTrackingName) async { state.withLock { $0.released.append(name) } }

    func connectionsMade() -> AsyncStream<Void> { AsyncStream { _ in } }
}

/// A shipment's model with its clock and client.
@MainActor
struct ShipmentBench {
    nonisolated static let name = "providers/demo/taskTrackingInfo/P-1"

    let time = ManualTimeSource()
    let client: ScriptedShipments
    let service: ShipmentService
    let model: ShipmentModel
    let listener = ShipmentListener()

    /// Creates a model that reports to this type's listener.
    init(canRenew: Bool = false, interval: Double = 5, _ answer: @escaping ScriptedShipments.Answer) throws {
        client = ScriptedShipments(canRenew: canRenew, answer: answer)
        service = ShipmentService(client: client, time: time, seed: 3)
        model = service.shipmentModel(
            for: try TaskTrackingName(Self.name), options: ShipmentModelOptions(autoRefreshTimeInterval: interval))
        client.keep(listener)
        model.register(listener)
    }

    /// Returns the time until the next poll, in seconds; nil if no poll is planned.
    func wait() async -> Double? {
        await time.waitForSleepers()
        return time.deadlines.first?.timeIntervalSince(time.now())
    }

    /// Moves the clock to the next poll and returns when the answer to the poll is reported.
    func goOn() async {
        let calls = client.callCount
        await time.waitForSleepers()
        if let deadline = time.deadlines.first { time.advance(to: deadline) }
        await waitForCalls(calls + 1)
    }

    /// Returns when this number of calls has been answered.
    func waitForCalls(_ count: Int) async {
        while listener.answers + listener.failures.count < count, !Task.isCancelled { await Task.yield() }
    }

    nonisolated static func shipment(
        _ state: DeliveryTaskState = .open, _ change: (inout TaskTrackingInfo) -> Void = { _ in }
    ) -> Result<TaskTrackingInfo, FleetEngineError> {
        guard let name = try? TaskTrackingName(name) else { return .failure(FleetEngineError(code: .internal, message: "no name")) }
        var shipment = TaskTrackingInfo(name: name, state: state)
        change(&shipment)
        return .success(shipment)
    }

    nonisolated static func failure(_ code: StatusCode) -> Result<TaskTrackingInfo, FleetEngineError> {
        .failure(FleetEngineError(code: code, message: "", origin: .server))
    }
}

/// Records each received call under a short name.
@MainActor
final class ShipmentListener: ShipmentModelSubscriber {
    private(set) var heard: [String] = []
    /// The number of answers received.
    private(set) var answers = 0
    private(set) var fields: [ShipmentFields] = []
    private(set) var failures: [PollFailure] = []
    private(set) var hasEnded = false

    func forget() { heard = [] }

    func shipmentModel(_ model: ShipmentModel, didTell update: ShipmentUpdate) {
        if case .shipment = update.kind { answers += 1 }
        if case .ended = update.kind { hasEnded = true }
    }
    func shipmentModelDidReplace(_ model: ShipmentModel) { heard.append("replaced") }
    func shipmentModel(_ model: ShipmentModel, didUpdateState state: DeliveryTaskState) { heard.append("state") }
    func shipmentModel(_ model: ShipmentModel, didUpdateOutcome outcome: DeliveryTaskOutcome?) { heard.append("outcome") }
    func shipmentModel(_ model: ShipmentModel, didUpdateOutcomeTime time: Date?) { heard.append("outcomeTime") }
    func shipmentModel(_ model: ShipmentModel, didUpdatePlannedLocation location: Coordinate?) { heard.append("place") }
    func shipmentModel(_ model: ShipmentModel, didUpdateTargetTimeWindow window: TimeWindow?) { heard.append("window") }
    func shipmentModel(_ model: ShipmentModel, didUpdateAttributes attributes: [DeliveryAttribute]) { heard.append("attributes") }
    func shipmentModel(_ model: ShipmentModel, didUpdateVehicleLocation location: VehicleLocation?) { heard.append("location") }
    func shipmentModel(_ model: ShipmentModel, didUpdateRoute route: Polyline?) { heard.append("route") }
    func shipmentModel(_ model: ShipmentModel, didUpdateRemainingStopCount count: Int?) { heard.append("stops") }
    func shipmentModel(_ model: ShipmentModel, didUpdateRemainingDistance meters: Double?) { heard.append("distance") }
    func shipmentModel(_ model: ShipmentModel, didUpdateEstimatedArrivalTime time: Date?) { heard.append("eta") }
    func shipmentModel(_ model: ShipmentModel, didUpdateEstimatedCompletionTime time: Date?) { heard.append("completion") }
    func shipmentModel(_ model: ShipmentModel, didUpdate shipment: TaskTrackingInfo, updatedFields fields: ShipmentFields) {
        self.fields.append(fields)
        heard.append("shipment")
    }
    func shipmentModel(_ model: ShipmentModel, didFailUpdate failure: PollFailure) {
        failures.append(failure)
        heard.append("failure")
    }
    func shipmentModel(_ model: ShipmentModel, didRecoverAfterSeconds seconds: Double) { heard.append("recovered") }
    func shipmentModel(_ model: ShipmentModel, didUpdateModelState state: TripModelState) { heard.append("\(state)") }
}
