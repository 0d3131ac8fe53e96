import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Synchronization
import TripTesting

/// The server for tests of the delivery driver. It has one vehicle with stops, and a script of failures. It records requests and their
/// times. If an update of the stops keeps the first stop, but does not move it to its next state (NEW, ENROUTE, ARRIVED), it is refused,
/// but recorded, so that a test fails.
///
/// A request that fails for another reason is not recorded. The other reasons are: the script makes it fail, the vehicle is missing, or the
/// task already has a different outcome.
actor ScriptedDeliveryFleet: DeliveryDriverClient {
    enum Call: Hashable, Sendable {
        case get
        case create
        case update(DeliveryVehicleUpdate)
        case outcome(TaskOutcomeRequest)
    }

    private let clock: ManualTimeSource
    private(set) var vehicle: DeliveryVehicle
    private(set) var requests: [(at: Date, call: Call)] = []
    private(set) var outcomes: [String: DeliveryTaskOutcome] = [:]
    private var isThere: Bool
    private var failures: [@Sendable (Call, Date) -> FleetEngineError?] = []
    private var plans: [(at: Date, stops: [VehicleStop])] = []

    init(clock: ManualTimeSource, vehicle: DeliveryVehicleName, at place: Coordinate?, isThere: Bool = true) {
        self.clock = clock
        self.isThere = isThere
        self.vehicle = DeliveryVehicle(name: vehicle, lastLocation: place.map { VehicleLocation(coordinate: $0) })
    }

    /// Adds a rule that is checked on each request. If it returns an error, the request fails with that error.
    func fail(_ when: @escaping @Sendable (Call, Date) -> FleetEngineError?) { failures.append(when) }

    /// Sets the stops, as a provider would, when the first request after `date` arrives.
    func plan(_ stops: [VehicleStop], at date: Date = .distantPast) { plans.append((date, stops)) }

    func decide(_ task: String, _ outcome: DeliveryTaskOutcome) { outcomes[task] = outcome }

    var updates: [DeliveryVehicleUpdate] { requests.compactMap { if case .update(let update) = $0.call { update } else { nil } } }

    /// One text for each update of the stops and each outcome, in the order of the requests. For an update, it is the tasks and the state
    /// of the first stop, such as `t1 ENROUTE`, or `empty`. For an outcome, it is the task and the outcome, such as `t1 SUCCEEDED`.
    var steps: [String] {
        requests.compactMap { request in
            switch request.call {
            case .update(let update) where update.fields.contains(.stops):
                update.stops.first.map { "\($0.tasks.map(\.taskID).joined(separator: "+")) \($0.state.rawValue)" } ?? "empty"
            case .outcome(let outcome): "\(outcome.name.task) \(outcome.outcome.rawValue)"
            default: nil
            }
        }
    }

    /// Returns the time of the first update that gives the first stop this state, in seconds since the start; nil without such an update.
    /// - Parameter step: the tasks and the state of the stop, such as `t1 ENROUTE`.
    func second(of step: String) -> Double? {
        for request in requests {
            guard case .update(let update) = request.call, update.fields.contains(.stops), let first = update.stops.first else { continue }
            guard "\(first.tasks.map(\.taskID).joined(separator: "+")) \(first.state.rawValue)" == step else { continue }
            return request.at.timeIntervalSince(Sea.start)
        }
        return nil
    }

    private func note(_ call: Call) throws(FleetEngineError) {
        let now = clock.now()
        for plan in plans where plan.at <= now { set(plan.stops) }
        plans.removeAll { $0.at <= now }
        for when in failures {
            if let failure = when(call, now) { throw failure }
        }
        guard isThere || call == .create else { throw FleetEngineError(code: .notFound, message: "no such vehicle") }
        requests.append((now, call))
    }

    private func set(_ stops: [VehicleStop]) { vehicle.remainingSegments = stops.map { VehicleJourneySegment(stop: $0) } }

    func getDeliveryVehicle(_ name: DeliveryVehicleName) async throws(FleetEngineError) -> DeliveryVehicle {
        try note(.get)
        return vehicle
    }

    func createDeliveryVehicle(_ vehicle: DeliveryVehicle) async throws(FleetEngineError) -> DeliveryVehicle {
        try note(.create)
        isThere = true
        return vehicle
    }

    func updateDeliveryVehicle(
        _ name: DeliveryVehicleName, _ update: DeliveryVehicleUpdate
    ) async throws(FleetEngineError) -> DeliveryVehicle {
        try note(.update(update))
        if update.fields.contains(.location) { vehicle.lastLocation = update.location }
        guard update.fields.contains(.stops) else { return vehicle }
        let order: [VehicleStopState] = [.new, .enroute, .arrived]
        if let old = vehicle.remainingSegments.first?.stop, let new = update.stops.first, old.tasks == new.tasks {
            let steps = (order.firstIndex(of: new.state) ?? 0) - (order.firstIndex(of: old.state) ?? 0)
            guard steps == 1 else { throw FleetEngineError(code: .failedPrecondition, message: "not in order") }
        }
        set(update.stops)
        return vehicle
    }

    func updateTask(_ request: TaskOutcomeRequest) async throws(FleetEngineError) -> DeliveryTask {
        if let present = outcomes[request.name.task], present != request.outcome {
            throw FleetEngineError(code: .failedPrecondition, message: "the outcome is \(present.rawValue)")
        }
        try note(.outcome(request))
        outcomes[request.name.task] = request.outcome
        return DeliveryTask(name: request.name, state: .open, outcome: request.outcome)
    }
}

/// Collects the events that a delivery driver reports.
final class DeliveryLog: Sendable {
    private let events = Mutex<[DeliveryDriverEvent]>([])
    func note(_ event: DeliveryDriverEvent) { events.withLock { $0.append(event) } }
    /// All events except navigation events.
    var news: [DeliveryDriverEvent] {
        events.withLock { $0 }.filter { if case .navigation = $0 { false } else { true } }
    }
    var retries: [TripDriverFailure] { news.compactMap { if case .retrying(let failure, _) = $0 { failure } else { nil } } }
}
