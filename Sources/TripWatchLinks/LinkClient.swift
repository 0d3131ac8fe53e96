import FleetEngine
import FoundationEssentials
import HTTPCalls
import Synchronization
import TripWatchSharing

/// A client that reads another program's link, and answers like a server that has a single trip or shipment. It needs no token.
final class LinkClient: ConsumerClient, ShipmentClient {
    private struct State {
        var trip = LinkedTrip()
        /// The shipment, as the link's events describe it. A link has either a trip or a shipment; the other one stays unknown.
        var shipment = LinkedShipment()
        /// The reason why the link cannot be read at the moment.
        var failure: FleetEngineError?
    }

    /// A result of reading the link: the name of its trip or shipment, or the reason why the name is not known yet.
    enum First {
        case trip(TripName)
        case shipment(TaskTrackingName)
        case noLink
        /// The server answered without events, and a retry would get the same answer. The answer may come from a captive portal. The status
        /// is nil if the server answered with 200, but not with an event stream.
        case noEvents(status: Int?)
        case trouble(FleetEngineError)
    }

    private let address: LinkAddress
    private let caFile: String?
    private let time: any TimeSource
    private let state = Mutex(State())
    private let connections = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let returns = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let known = AsyncStream.makeStream(of: First.self, bufferingPolicy: .bufferingNewest(1))

    init(_ address: LinkAddress, caFile: String?, time: any TimeSource) {
        self.address = address
        self.caFile = caFile
        self.time = time
    }

    /// Reads events, and reconnects, until the task is cancelled, or the link has ended or does not exist.
    func run() async {
        var random = SystemRandomNumberGenerator()
        var failures = 0
        while !Task.isCancelled {
            let (status, failure) = await read { failures = 0 }
            guard !Task.isCancelled, !state.withLock({ $0.trip.isOver }) else { return }
            if status == 404 {
                return note(FleetEngineError(code: .notFound, message: LinkPage.noLink, origin: .local), as: .noLink)
            }
            let words = failure?.words ?? Self.words(status)
            // Once the link has been read, a refused certificate probably belongs to a sign-in page, so retrying can help.
            let isWrongServer = failure?.kind == .certificate && !isKnown
            let error = FleetEngineError(
                code: .unavailable, message: words, origin: isWrongServer ? .tls : .network,
                httpStatus: failure == nil && status != 200 ? status : nil)
            let isElsewhere = failure?.kind == .otherType || Self.staysWithoutEvents(status)
            note(error, as: isElsewhere ? .noEvents(status: error.httpStatus) : .trouble(error))
            failures += 1
            let seconds = min(1.0 * Double(1 << min(failures - 1, 4)), 10) * Double.random(in: 0.8...1.2, using: &random)
            try? await Task.sleep(for: .seconds(seconds))
        }
    }

    private static func words(_ status: Int) -> String {
        status == 200 ? "it closed the connection" : "HTTP \(status)"
    }

    /// Whether a retry would get the same status again. True for redirects, too, because the client does not follow them.
    private static func staysWithoutEvents(_ status: Int) -> Bool { (201..<500).contains(status) && ![408, 425, 429].contains(status) }

    private var isKnown: Bool { state.withLock { $0.trip.knownName != nil || $0.shipment.knownName != nil } }

    private func read(_ onNews: () -> Void) async -> (status: Int, failure: HTTPFailure?) {
        var headers: [(name: String, value: String)] = []
        if let last = state.withLock({ $0.trip.lastEventID }) { headers.append((name: "Last-Event-ID", value: last)) }
        do throws(HTTPFailure) {
            let status = try await HTTPLines(
                url: address.events, type: "text/event-stream", headers: headers, caFile: caFile
            ).read { date in
                opened(date)
            } onLine: { line in
                onNews()
                apply(line)
            }
            return (status, nil)
        } catch {
            return (0, error)
        }
    }

    private func opened(_ date: String?) {
        let now = time.now()
        state.withLock { state in
            state.failure = nil
            state.trip.beginStream()
            state.shipment.beginStream()
            if let moment = date.flatMap(HTTPDate.parse) { state.trip.note(serverTime: moment, at: now) }
        }
        connections.continuation.yield()
    }

    private func apply(_ line: String) {
        let now = time.now()
        let (first, isBack, isChanged) = state.withLock { state -> (First?, Bool, Bool) in
            let wasFailing = state.trip.isFailing
            _ = state.trip.apply(line, at: now)
            let isChanged = state.shipment.apply(line, at: now)
            let first = state.trip.knownName.map(First.trip) ?? state.shipment.knownName.map(First.shipment)
            return (first, wasFailing && !state.trip.isFailing, isChanged)
        }
        if isChanged { changes.continuation.yield() }
        if isBack { returns.continuation.yield() }
        if let first { known.continuation.yield(first) }
    }

    private func note(_ error: FleetEngineError, as first: First) {
        state.withLock { $0.failure = error }
        known.continuation.yield(first)
    }

    /// A stream that yields an element after each change of the shipment.
    var shipmentChanges: AsyncStream<Void> { changes.stream }

    /// A stream that yields an element each time the server behind the link answers again after a failure.
    var serverReturns: AsyncStream<Void> { returns.stream }

    /// The title of the link's shipment; nil for a trip.
    var shipmentTitle: String? { state.withLock { $0.shipment.title } }

    /// Yields the reasons why the trip or shipment is not known yet, and then its name.
    var firsts: AsyncStream<First> { known.stream }

    func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip {
        let now = time.now()
        let (trip, failure) = state.withLock { ($0.trip, $0.failure) }
        if let failure, !trip.isOver { throw failure }
        return try trip.trip(at: now)
    }

    func getTaskTrackingInfo(_ name: TaskTrackingName, header: TripRequestHeader?) async throws(FleetEngineError) -> TaskTrackingInfo {
        let (shipment, isOver, failure) = state.withLock { ($0.shipment, $0.trip.isOver, $0.failure) }
        if let failure, !isOver { throw failure }
        return try shipment.current
    }

    /// Always throws, since the vehicle's details are in the link's trip.
    func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle {
        throw FleetEngineError(code: .notFound, message: "a link does not give access to vehicles", origin: .local)
    }

    func renewToken(for name: TripName) async -> Bool { false }

    func renewToken(for name: TaskTrackingName) async -> Bool { false }

    func connectionsMade() -> AsyncStream<Void> { connections.stream }
}
