import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import Hummingbird
import Logging
import NIOCore

/// The provider's desk over HTTP, with the API of Google's sample provider: what apps are built against.
public struct ProviderServer: Sendable {
    /// The largest request that is read, bytes.
    static let largestRequest = 1 << 20

    private let desk: ProviderDesk
    private let host: String
    private let port: Int

    /// - Parameter port: 0 takes any free one.
    public init(desk: ProviderDesk, host: String = "127.0.0.1", port: Int) {
        self.desk = desk
        self.host = host
        self.port = port
    }

    /// Serves until the task is cancelled.
    /// - Parameter onListening: told the bound port.
    /// - Throws: when the address cannot be bound.
    public func serve(onListening: @escaping @Sendable (Int) -> Void) async throws {
        var logger = Logger(label: "provider")
        logger.logLevel = .critical
        let application = Application(
            router: router(), configuration: .init(address: .hostname(host, port: port), serverName: "tripwatch"),
            onServerRunning: { channel in onListening(channel.localAddress?.port ?? 0) }, logger: logger)
        try await application.run()
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: LocalOrigins())
        router.get("healthz") { _, _ in "ok\n" }
        addTrips(router)
        addVehicles(router)
        router.get("token/:kind") { _, context in try await token(context) }
        router.get("token/:kind/:id") { _, context in try await token(context) }
        return router
    }

    private func addTrips(_ router: Router<BasicRequestContext>) {
        router.post("trip/new") { request, context in try await book(request, context) }
        for path in ["trip", "trip/:id"] {
            let path = RouterPath(path)
            router.get(path) { _, context in
                try await answer { () throws(FleetEngineError) in WrappedTrip(trip: TripBody(try await desk.trip(try id(context)))) }
            }
            router.put(path) { request, context in try await updateTrip(request, context) }
        }
    }

    private func addVehicles(_ router: Router<BasicRequestContext>) {
        router.post("vehicle/new") { request, context in try await createVehicle(request, context) }
        router.get("vehicle/:id") { _, context in
            try await answer { () throws(FleetEngineError) in VehicleBody(try await desk.vehicle(try id(context))) }
        }
        router.put("vehicle/:id") { request, context in try await updateVehicle(request, context) }
        for path in ["vehicles", "vehicles/:id"] {
            let path = RouterPath(path)
            router.get(path) { _, context in
                try await answer { () throws(FleetEngineError) in
                    let restaurant = context.parameters.get("id") == nil ? nil : try id(context)
                    return try await desk.vehicles(restaurantID: restaurant).map(VehicleBody.init)
                }
            }
            // The sample provider answers these with nothing.
            router.post(path) { _, _ in Response(status: .ok) }
            router.put(path) { _, _ in Response(status: .ok) }
        }
    }

    private func token(_ context: BasicRequestContext) async throws -> Response {
        guard let kind = ProviderTokenKind(rawValue: context.parameters.get("kind")?.lowercased() ?? "") else {
            return Self.message("tokens are there for consumer, driver and server", .badRequest)
        }
        return try await answer { () throws(FleetEngineError) in
            try await desk.token(kind, id: kind == .server ? "" : try id(context))
        }
    }

    private func book(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let body = await read(NewTripBody.self, request), let pickup = body.pickup?.coordinate, let dropoff = body.dropoff?.coordinate
        else { return Self.message("pickup and dropoff are needed, each with latitude and longitude", .badRequest) }
        let stops = (body.intermediateDestinations ?? []).compactMap(\.coordinate)
        guard stops.count == body.intermediateDestinations?.count ?? 0 else {
            return Self.message("an intermediate destination is not a place on earth", .badRequest)
        }
        guard let type = Self.tripType(body.tripType ?? "EXCLUSIVE") else {
            return Self.message("tripType is EXCLUSIVE or SHARED", .badRequest)
        }
        return try await answer { () throws(FleetEngineError) in
            TripBody(try await desk.book(pickup: pickup, dropoff: dropoff, stops: stops, type: type))
        }
    }

    private func updateTrip(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let body = await read(TripUpdateBody.self, request), let text = body.status,
            let status = TripStatus(rawValue: text.uppercased())
        else { return Self.message("status is missing or is no trip status", .badRequest) }
        return try await answer { () throws(FleetEngineError) in
            TripBody(
                try await desk.update(try id(context), status: status, intermediateDestinationIndex: body.intermediateDestinationIndex))
        }
    }

    private func createVehicle(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let body = await read(VehicleSettingsBody.self, request), let id = body.vehicleId, !id.isEmpty else {
            return Self.message("vehicleId is missing", .badRequest)
        }
        guard let settings = body.settings else { return Self.message(VehicleSettingsBody.complaint, .badRequest) }
        do throws(FleetEngineError) {
            return Self.json(VehicleBody(try await desk.createVehicle(id, settings)), .ok)
        } catch {
            return Self.message(error.message, error.code == .alreadyExists ? .badRequest : .init(code: error.code.httpStatus))
        }
    }

    private func updateVehicle(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let settings = await read(VehicleSettingsBody.self, request)?.settings else {
            return Self.message(VehicleSettingsBody.complaint, .badRequest)
        }
        return try await answer { () throws(FleetEngineError) in
            VehicleBody(try await desk.updateVehicle(try id(context), settings))
        }
    }

    /// Nil for a word that is no type of trip.
    static func tripType(_ word: String) -> TripType? {
        switch word.uppercased() {
        case "EXCLUSIVE": .exclusive
        case "SHARED": .shared
        default: nil
        }
    }

    private func id(_ context: BasicRequestContext) throws(FleetEngineError) -> String {
        guard let id = context.parameters.get("id"), let decoded = id.removingURLPercentEncoding(), !decoded.isEmpty else {
            throw FleetEngineError(code: .invalidArgument, message: "the id is missing")
        }
        return decoded
    }

    private func read<Body: Decodable>(_ type: Body.Type, _ request: Request) async -> Body? {
        guard let buffer = try? await request.body.collect(upTo: Self.largestRequest) else { return nil }
        return try? JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
    }

    private func answer<Body: Encodable>(_ make: () async throws(FleetEngineError) -> Body) async throws -> Response {
        do throws(FleetEngineError) {
            return Self.json(try await make(), .ok)
        } catch {
            return Self.message(error.message, .init(code: error.code.httpStatus))
        }
    }

    static func json(_ body: some Encodable, _ status: HTTPResponse.Status) -> Response {
        let data = (try? JSONEncoder().encode(body)) ?? Data("{}".utf8)
        return Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"], body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }

    static func message(_ text: String, _ status: HTTPResponse.Status) -> Response {
        json(MessageBody(message: text, status: status.code), status)
    }
}

extension String {
    /// `%41` to `A`; nil for a broken escape.
    fileprivate func removingURLPercentEncoding() -> String? {
        var bytes: [UInt8] = []
        var rest = Substring(self)
        while let character = rest.popFirst() {
            guard character == "%" else {
                bytes += Array(String(character).utf8)
                continue
            }
            guard rest.count >= 2, rest.prefix(2).allSatisfy(\.isHexDigit), let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
