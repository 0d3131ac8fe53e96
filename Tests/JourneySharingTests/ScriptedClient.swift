import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Synchronization
import TripTesting

/// A consumer's client in the same process as the test. The test sets its answers.
final class ScriptedClient: ConsumerClient {
    typealias Answer = @Sendable (_ request: GetTripRequest, _ call: Int) -> Result<Trip, FleetEngineError>

    private struct State {
        var requests: [GetTripRequest] = []
        var inFlight = 0
        var mostInFlight = 0
        var renewals = 0
        var released: [TripName] = []
        var kept: [Listener] = []
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
        var waitingForHeld: [CheckedContinuation<Void, Never>] = []
        var connections: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())
    private let canRenew: Bool
    private let answer: Answer

    /// - Parameter answer: returns the answer to a request. The number of the request is counted from 1.
    init(canRenew: Bool = false, answer: @escaping Answer) {
        self.canRenew = canRenew
        self.answer = answer
    }

    var requests: [GetTripRequest] { state.withLock { $0.requests } }
    var callCount: Int { requests.count }
    var mostInFlight: Int { state.withLock { $0.mostInFlight } }
    var renewals: Int { state.withLock { $0.renewals } }
    /// The trips whose tokens were released.
    var released: [TripName] { state.withLock { $0.released } }

    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip {
        let call = state.withLock { state in
            state.requests.append(request)
            state.inFlight += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight)
            return state.requests.count
        }
        await pass()
        state.withLock { $0.inFlight -= 1 }
        return try answer(request, call).get()
    }

    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle {
        throw FleetEngineError(code: .unimplemented, message: "")
    }

    func renewToken(for name: TripName) async -> Bool {
        state.withLock { $0.renewals += 1 }
        return canRenew
    }

    func releaseToken(for name: TripName) async { state.withLock { $0.released.append(name) } }

    func connectionsMade() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { $0.connections = continuation }
        return stream
    }
}

extension ScriptedClient {
    /// Keeps a listener alive as long as this client exists, because models hold their listeners weakly.
    func keep(_ listener: Listener) { state.withLock { $0.kept.append(listener) } }

    /// Reports to the model that the client has a new connection.
    func connect() { state.withLock { $0.connections }?.yield() }

    /// Makes requests wait until `letGo()` is called.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Returns when a request is waiting.
    func waitForHeld() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.held.isEmpty { state.waitingForHeld.append(continuation) }
                return !state.held.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    /// Returns when `count` requests have arrived.
    func waitForCalls(_ count: Int) async {
        while callCount < count, !Task.isCancelled { await Task.yield() }
    }

    func letGo() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    private func pass() async {
        await withCheckedContinuation { continuation in
            let (passes, waiters) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                guard state.isHeld else { return (true, []) }
                state.held.append(continuation)
                defer { state.waitingForHeld = [] }
                return (false, state.waitingForHeld)
            }
            if passes { continuation.resume() }
            for waiter in waiters { waiter.resume() }
        }
    }
}

/// Answers requests for any trip at once, and counts them.
final class ManyTripsClient: ConsumerClient {
    private struct State {
        var calls: [TripName: Int] = [:]
        var inFlight = 0
        var mostInFlight = 0
    }

    private let state = Mutex(State())

    var counts: [TripName: Int] { state.withLock { $0.calls } }
    var callCount: Int { state.withLock { $0.calls.values.reduce(0, +) } }
    var mostInFlight: Int { state.withLock { $0.mostInFlight } }

    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip {
        let call = state.withLock { state in
            state.inFlight += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight)
            state.calls[request.name, default: 0] += 1
            return state.calls[request.name] ?? 0
        }
        await Task.yield()
        state.withLock { $0.inFlight -= 1 }
        return Trip(name: request.name, vehicleID: "car", status: .enrouteToPickup, numberOfPassengers: call % 2)
    }

    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle {
        throw FleetEngineError(code: .unimplemented, message: "")
    }

    func renewToken(for name: TripName) async -> Bool { false }
}

/// A model with the clock, the client and the service that it uses.
@MainActor
struct ModelBench {
    nonisolated static let name = "providers/demo/trips/t1"

    let time = ManualTimeSource()
    let client: ScriptedClient
    let service: TripService
    let model: TripModel

    init(canRenew: Bool = false, interval: Double = 5, bookedAt: Date? = nil, _ answer: @escaping ScriptedClient.Answer) throws {
        client = ScriptedClient(canRenew: canRenew, answer: answer)
        service = TripService(client: client, time: time, seed: 3)
        model = service.tripModel(
            for: try TripName(Self.name), options: TripModelOptions(autoRefreshTimeInterval: interval), bookedAt: bookedAt)
    }

    /// Registers a listener and keeps it alive.
    func register(_ listener: Listener) {
        client.keep(listener)
        model.register(listener)
    }

    /// Waits until the model sleeps before its next poll. The model has then reported the whole answer.
    func settle() async { await time.waitForSleepers() }

    /// Returns the time until the next poll, in seconds; nil if no poll is planned.
    func wait() async -> Double? {
        await settle()
        return time.deadlines.first?.timeIntervalSince(time.now())
    }

    /// Moves the clock to the next poll and lets the model report its answer.
    func goOn() async {
        await settle()
        if let deadline = time.deadlines.first { time.advance(to: deadline) }
        await settle()
    }

    nonisolated static func trip(_ status: TripStatus = .enrouteToPickup, _ change: (inout Trip) -> Void = { _ in }) -> Result<
        Trip, FleetEngineError
    > {
        guard let name = try? TripName(Self.name) else { return .failure(FleetEngineError(code: .internal, message: "no name")) }
        var trip = Trip(name: name, vehicleID: "car", status: status)
        change(&trip)
        return .success(trip)
    }

    nonisolated static func failure(_ code: StatusCode, _ change: (inout FleetEngineError) -> Void = { _ in }) -> Result<
        Trip, FleetEngineError
    > {
        var error = FleetEngineError(code: code, message: "")
        change(&error)
        return .failure(error)
    }
}

// A failed expectation prints its values. Clients and listeners have nothing worth printing.
extension ScriptedClient: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ModelBench: @MainActor CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Records each received call under a short name, and passes this name to `onHearing`.
@MainActor
final class Listener: TripModelSubscriber {
    private(set) var heard: [String] = []
    /// The number of answers received.
    private(set) var answers = 0
    private(set) var fields: [TripPropertyFields] = []
    private(set) var failures: [PollFailure] = []
    var onHearing: ((String, TripModel) -> Void)?

    func tripModel(_ tripModel: TripModel, didTell update: TripUpdate) { if case .trip = update.kind { answers += 1 } }

    func forget() { (heard, fields, failures) = ([], [], []) }

    private func note(_ word: String, _ model: TripModel) {
        heard.append(word)
        onHearing?(word, model)
    }

    func tripModel(_ tripModel: TripModel, didUpdateTripStatus status: TripStatus) { note("status", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdatePickupLocation location: Coordinate?) { note("pickupLocation", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateDropoffLocation location: Coordinate?) { note("dropoffLocation", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateIntermediateDestinations destinations: [Coordinate]) {
        note("intermediates", tripModel)
    }
    func tripModel(_ tripModel: TripModel, didUpdateVehicleLocation location: VehicleLocation?) { note("vehicleLocation", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateActiveRoute route: RouteLine?) { note("activeRoute", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteRemainingDistance meters: Double?) { note("remainingDistance", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteTraffic traffic: [TrafficStretch]) { note("activeRouteTraffic", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateRemainingWaypoints waypoints: [TripWaypoint]) { note("remainingWaypoints", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRoute route: RouteLine) { note("remainingRoute", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteDistance meters: Double?) { note("remainingRouteDistance", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteTraffic traffic: [TrafficStretch]) {
        note("remainingRouteTraffic", tripModel)
    }
    func tripModel(_ tripModel: TripModel, didUpdatePickupETA time: Date?) { note("pickupETA", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateDropoffETA time: Date?) { note("dropoffETA", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint time: Date?) { note("etaToNextWaypoint", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdate trip: Trip, updatedPropertyFields fields: TripPropertyFields) {
        self.fields.append(fields)
        note("trip", tripModel)
    }
    func tripModel(_ tripModel: TripModel, didFailUpdateTrip failure: PollFailure) {
        failures.append(failure)
        note("failure", tripModel)
    }
    func tripModel(_ tripModel: TripModel, didRecoverAfterSeconds seconds: Double) { note("recovered", tripModel) }
    func tripModel(_ tripModel: TripModel, didUpdateModelState state: TripModelState) { note("\(state)", tripModel) }
}
