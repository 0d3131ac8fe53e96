import BoundedJSON
import FleetEngine
import FleetEngineAPI
public import FleetEngineAccess
public import FleetEngineCore
import FleetEngineWire
import FoundationEssentials
import Geo
public import HTTPServing
import Hummingbird
public import Logging
import NIOCore
import NIOSSL
import Synchronization

/// The HTTP server of a provider backend. It offers the API of Google's sample provider and, below `/v1`, Fleet Engine's API.
public struct ProviderServer: Sendable {
    let desk: ProviderDesk
    let phones: PhoneDesk
    let access: HostAccess
    let limits: ServerLimits
    private let port: ServerPort
    private let certificate: PortCertificate?
    let gate: AccessGate?
    let health: ServerHealth
    let log: Logger?
    let doors: SecretDoors
    private let hooks: TestHooks?
    private let enginePort = EnginePort()

    /// The TCP port number of the engine's gRPC server; nil until that server listens.
    private final class EnginePort: Sendable {
        let number = Mutex<Int?>(nil)
    }

    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address, or `localhost`.
    ///   - port: 0 for any free port.
    ///   - access: host names and web pages that are allowed besides this machine's own.
    ///   - gate: checks the provider API keys and signs tokens; nil accepts every request and signs nothing.
    ///   - phones: settings for cars with phones.
    ///   - health: source of the answers to `/readyz`.
    ///   - hooks: operations for tests, which the server offers below `/_tripwatch`; nil if it offers none.
    ///   - refused: counts the refused connections.
    ///   - log: log of the requests; nil for no log.
    /// - Throws: `ListenError` if the host or the port is invalid, or the certificate cannot be used.
    public init(
        desk: ProviderDesk, host: String = "127.0.0.1", port: Int, security: LocalFleetEngineServer.Security = .plaintext,
        access: HostAccess = HostAccess(), gate: AccessGate? = nil, phones: PhoneSettings = PhoneSettings(), hooks: TestHooks? = nil,
        limits: ServerLimits = ServerLimits(), refused: RefusedConnections = RefusedConnections(), health: ServerHealth = ServerHealth(),
        log: Logger? = nil
    ) throws(LocalFleetEngineServer.ListenError) {
        self.desk = desk
        self.phones = PhoneDesk(desk: desk, settings: phones)
        self.access = access
        self.gate = gate
        self.hooks = hooks
        self.limits = limits
        self.health = health
        self.log = log
        doors = SecretDoors(log: log)
        self.port = try ServerPort(host: host, port: port, limits: limits.port, refused: refused)
        certificate = try PortCertificate(security, protocols: ["http/1.1"])
    }

    /// Serves requests until `beginGracefulShutdown` has been called and the last request has been answered, or until the task is
    /// cancelled. Call it only once.
    /// - Parameter onListening: receives the bound address.
    /// - Throws: `ListenError` if the address cannot be bound.
    public func serve(onListening: @escaping @Sendable (LocalFleetEngineServer.Address) -> Void) async throws {
        let responder = router().buildResponder()
        let connections = HTTPConnections(port: port, limits: limits.port, certificate: certificate) { request, channel in
            let source = ApplicationRequestContextSource(channel: channel, logger: HTTPConnections.silent)
            return try await HTTPCaller.$current.withValue(HTTPCaller(peer: channel.remoteAddress)) {
                try await responder.respond(to: request, context: BasicRequestContext(source: source))
            }
        }
        try await withThrowingTaskGroup { group in
            group.addTask { await phones.run() }
            defer { group.cancelAll() }
            try await connections.serve(onListening: onListening)
        }
    }

    /// Sets the port of the engine's gRPC server. From now on, the answer to a booking contains this port. Has no effect if the
    /// provider API has a public URL.
    public func tellEngine(port: Int) { if access.publicURL == nil { enginePort.number.withLock { $0 = port } } }

    /// See `LocalFleetEngineServer.readCertificateAgain`.
    public func readCertificateAgain() throws(LocalFleetEngineServer.ListenError) { try certificate?.readAgain() }

    /// Number of open connections.
    var connectionCount: Int { port.door.count }

    /// Stops accepting connections, answers the requests under way, and then lets `serve` return.
    public func beginGracefulShutdown() {
        health.noteEnding()
        port.door.beginClosing()
    }

    /// Cuts off the requests that are still under way, so that `serve` returns.
    public func endNow() { port.door.closeNow() }

    /// The routes of the server: method and path of each.
    var routes: [(method: String, path: String)] { router().routes.map { ($0.method.rawValue, $0.path.description) } }

    private func router() -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        if let log, log.logLevel <= .info { router.add(middleware: RequestLog(log: log)) }
        if let rate = desk.engine.rate { router.add(middleware: RateCheck(rate: rate)) }
        router.add(middleware: DeskAccessCheck(access: access, listening: port.address.host))
        if let gate { router.add(middleware: DeskKeyCheck(gate: gate, doors: doors, rate: desk.engine.rate)) }
        router.add(middleware: NoSuchAddress())
        addHealth(router, of: desk.engine)
        addREST(router, RESTFace(engine: desk.engine, gate: gate))
        addFrontPage(router)
        addTrips(router)
        addVehicles(router)
        addPhones(router)
        addDeliveries(router)
        if let hooks { addTestHooks(router, hooks) }
        router.get("token/:kind") { _, context in try await token(context) }
        router.get("token/:kind/:id") { _, context in try await token(context) }
        return router
    }

    private func addTrips(_ router: Router<BasicRequestContext>) {
        router.post("trip/new") { request, context in try await book(request, context) }
        for path in ["trip", "trip/:id"] {
            let path = RouterPath(path)
            router.get(path) { _, context in
                try await answer { () throws(FleetEngineError) in WrappedTripBody(trip: TripBody(try await desk.trip(try id(context)))) }
            }
            router.put(path) { request, context in try await updateTrip(request, context) }
        }
    }

    private func addVehicles(_ router: Router<BasicRequestContext>) {
        router.post("vehicle/new") { request, context in try await createVehicle(request, context) }
        router.get("vehicle/:id") { _, context in
            try await answer { () throws(FleetEngineError) in
                let id = try id(context)
                return VehicleBody(try await desk.vehicle(id), phoneClockAheadSeconds: phones.clockAheadSeconds(id))
            }
        }
        router.get("vehicle/:id/driven") { _, context in
            try await answer { () throws(FleetEngineError) in try await phones.driven(try id(context)) }
        }
        router.put("vehicle/:id") { request, context in try await updateVehicle(request, context) }
        for path in ["vehicles", "vehicles/:id"] {
            let path = RouterPath(path)
            router.get(path) { _, context in
                try await answer { () throws(FleetEngineError) in
                    let restaurant = context.parameters.get("id") == nil ? nil : try id(context)
                    return try await desk.vehicles(restaurantID: restaurant).map { VehicleBody($0) }
                }
            }
            // The sample provider sends empty answers to these requests.
            router.post(path) { _, _ in Response(status: .ok) }
            router.put(path) { _, _ in Response(status: .ok) }
        }
    }

    private func token(_ context: BasicRequestContext) async throws -> Response {
        let word = context.parameters.get("kind")?.lowercased() ?? ""
        if let kind = DeliveryTokenKind(rawValue: word) { return try await deliveryToken(kind, context) }
        guard let kind = ProviderTokenKind(rawValue: word) else {
            let kinds = "consumer, driver, server, delivery_consumer, delivery_driver or fleet_reader"
            return Self.message("the kind of token must be \(kinds)", .badRequest)
        }
        return try await answer { () throws(FleetEngineError) in
            try await desk.token(kind, id: kind == .server ? "" : try id(context), signedBy: gate)
        }
    }

    private func book(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let body = try await read(NewTripBody.self, request) else {
            return Self.message(
                "the body must be a JSON object with pickup and dropoff, each with latitude and longitude; "
                    + "optional: attributes (an object of strings)", .badRequest)
        }
        guard let from = body.pickup, let to = body.dropoff else {
            return Self.message("pickup and dropoff are needed, each with latitude and longitude", .badRequest)
        }
        guard let pickup = from.coordinate, let dropoff = to.coordinate else {
            let name = from.coordinate == nil ? "pickup" : "dropoff"
            return Self.message("\(name) needs a latitude from -90 to 90 and a longitude from -180 to 180", .badRequest)
        }
        let stops = (body.intermediateDestinations ?? []).compactMap(\.coordinate)
        guard stops.count == body.intermediateDestinations?.count ?? 0 else {
            return Self.message(
                "each intermediate destination needs a latitude from -90 to 90 and a longitude from -180 to 180", .badRequest)
        }
        guard let type = TripType(word: body.tripType ?? "EXCLUSIVE") else {
            return Self.message("tripType must be EXCLUSIVE or SHARED", .badRequest)
        }
        var response = try await answer { () throws(FleetEngineError) in
            TripBody(try await desk.book(pickup: pickup, dropoff: dropoff, stops: stops, type: type, attributes: body.attributes ?? [:]))
        }
        if response.status == .ok, let port = enginePort.number.withLock({ $0 }), let name = HTTPFields.Element.Name(EnginePortHeader.name)
        {
            response.headers[name] = "\(port)"
        }
        return response
    }

    private func updateTrip(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let body = try await read(TripUpdateBody.self, request), let text = body.status,
            let status = TripStatus(rawValue: text.uppercased())
        else { return Self.message("status must be a trip status such as ENROUTE_TO_PICKUP", .badRequest) }
        if body.vehicleId == "" {
            guard status == .new else {
                return Self.message("an empty vehicleId removes the trip from its vehicle, so status must be NEW", .badRequest)
            }
            return try await answer { () throws(FleetEngineError) in TripBody(try await desk.release(try id(context))) }
        }
        return try await answer { () throws(FleetEngineError) in
            TripBody(
                try await desk.update(
                    try id(context), status: status, intermediateDestinationIndex: body.intermediateDestinationIndex,
                    vehicle: body.vehicleId))
        }
    }

    private func createVehicle(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let body = try await read(VehicleSettingsBody.self, request) else {
            let complaint = "the body must be a JSON object with vehicleId and valid settings: \(VehicleSettingsBody.complaint)"
            return Self.message(complaint, .badRequest)
        }
        guard let id = body.vehicleId, !id.isEmpty else { return Self.message("vehicleId is missing", .badRequest) }
        guard let settings = body.settings else { return Self.message(VehicleSettingsBody.complaint, .badRequest) }
        do throws(FleetEngineError) {
            return Self.json(VehicleBody(try await desk.createVehicle(id, settings)), .ok)
        } catch {
            return error.code == .alreadyExists ? Self.message(error.message, .badRequest) : Self.refusal(error)
        }
    }

    private func updateVehicle(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let settings = try await read(VehicleSettingsBody.self, request)?.settings else {
            return Self.message(VehicleSettingsBody.complaint, .badRequest)
        }
        return try await answer { () throws(FleetEngineError) in
            VehicleBody(try await desk.updateVehicle(try id(context), settings))
        }
    }

    func id(_ context: BasicRequestContext) throws(FleetEngineError) -> String {
        guard let id = context.parameters.get("id"), let decoded = PercentEncoding.text(id), !decoded.isEmpty else {
            throw FleetEngineError(code: .invalidArgument, message: "the id is missing from the address")
        }
        return decoded
    }

    /// Decodes a request's body. Returns nil if the body is not valid JSON for the type.
    /// - Throws: errors of `collect` and of `DecodingThread.run`.
    func read<Body: Decodable & Sendable>(_ type: Body.Type, _ request: Request) async throws -> Body? {
        let buffer = try await collect(request)
        return try await DecodingThread.run(buffer.readableBytes) {
            try? JSONDecoder().decodeBounded(type, from: Data(buffer.readableBytesView))
        }
    }

    /// Reads a request's body, and decompresses it if needed.
    /// - Throws: an error with status 413 if the body is too large, or 400 or 415 if it cannot be decompressed.
    func collect(_ request: Request) async throws -> ByteBuffer {
        do {
            return try await request.wholeBody(upTo: limits.bodyBytes)
        } catch is NIOTooManyBytesError {
            throw RefusedRequest(status: .contentTooLarge, message: "the request has more than \(limits.bodyBytes) bytes")
        } catch let error as UnreadableBody {
            throw RefusedRequest(status: error.status, message: error.message)
        }
    }

    func answer<Body: Encodable>(
        keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys, _ make: () async throws(FleetEngineError) -> Body
    ) async throws -> Response {
        do throws(FleetEngineError) {
            return Self.json(try await make(), .ok, keys: keys)
        } catch {
            return Self.refusal(error)
        }
    }

    static func json(
        _ body: some Encodable, _ status: HTTPResponse.Status, keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
    ) -> Response {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = keys
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? encoder.encode(body)) ?? Data("{}".utf8)
        return Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"], body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// Returns the response for an error of the engine. It includes the time to wait before the next attempt, if the error has one.
    static func refusal(_ error: FleetEngineError) -> Response {
        var response = message(error.message, .init(code: error.code.httpStatus))
        response.addRetryAfter(error)
        return response
    }

    static func message(_ text: String, _ status: HTTPResponse.Status) -> Response {
        json(MessageBody(message: text, status: status.code), status)
    }
}

/// An error for a request that is refused before the provider backend handles it. It has the status and the message of the response.
struct RefusedRequest: HTTPResponseError {
    let status: HTTPResponse.Status
    let message: String

    func response(from request: Request, context: some RequestContext) throws -> Response { ProviderServer.message(message, status) }
}
