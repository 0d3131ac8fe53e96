public import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
public import GRPCCore
import GRPCProtobuf
import SwiftProtobuf

enum GRPCLimits {
    /// Maximum size of a request or an answer, in bytes. A route of 100,000 points in list form takes 2 MB.
    static let largestMessageBytes = 16 * 1024 * 1024
    /// Time limit of a call, in seconds. It is Fleet Engine's own default for all methods.
    static let deadlineSeconds = 15
    /// Number of vehicles in one page of a list.
    static let vehiclesOnPage = 100
}

/// The caller's identity, sent with every request.
public struct ClientIdentity: Hashable, Sendable {
    /// The kind of app. It is sent in a header as `sdk_type`; for `server`, the value is "unspecified".
    public enum Role: Hashable, Sendable { case consumer, driver, server }

    /// The kind of app that calls.
    public var role: Role
    /// Bare id of the driver's vehicle; all calls use the token of this vehicle. If nil, each call uses a token for the trip, vehicle or
    /// shipment that it is about.
    public var vehicleID: String?
    /// BCP 47 language code, such as `en`.
    public var languageCode: String
    /// Two-letter region code, such as `US`.
    public var regionCode: String
    /// The version of the calling program, such as `1.2.0`; it is sent as `sdk_version`.
    public var version: String

    /// Creates an identity. The default language and region are English and the United States.
    public init(role: Role, vehicleID: String? = nil, languageCode: String = "en", regionCode: String = "US", version: String) {
        self.role = role
        self.vehicleID = vehicleID
        self.languageCode = languageCode
        self.regionCode = regionCode
        self.version = version
    }
}

/// The client that calls a server. It has one connection, and a deadline for every call. If the server refuses a driver's token, and the
/// token source can give another one, the client repeats the call once with the new token. No other call is repeated.
///
/// The owner runs `runConnections()` while calls are made, or uses `withFleetEngineClient`.
public final class GRPCFleetEngineClient<Transport: ClientTransport>: FleetEngineClient, FleetClient {
    private let grpc: GRPCClient<Transport>
    private let trips: WireTripService.Client<Transport>
    private let vehicles: WireVehicleService.Client<Transport>
    let deliveries: WireDeliveryService.Client<Transport>
    let header: WireRequestHeader
    let tokens: AccessTokenCache?
    private let driverContext: AuthorizationContext?
    private let options: CallOptions
    /// The server, and the state of the connections to it; nil for a transport that the caller provides.
    private let server: (endpoint: ServerEndpoint, signals: ConnectionSignals)?
    private let onCall: (@Sendable (CallReport) -> Void)?
    let onAnswer: (@Sendable (ReceivedAnswer) -> Void)?

    /// Creates a client with a transport that the caller provides.
    /// - Parameter tokens: the cache of tokens; if nil, no `authorization` header is sent.
    public convenience init(transport: Transport, identity: ClientIdentity, tokens: AccessTokenCache?) {
        self.init(transport: transport, identity: identity, tokens: tokens, server: nil)
    }

    init(
        transport: Transport, identity: ClientIdentity, tokens: AccessTokenCache?,
        server: (endpoint: ServerEndpoint, signals: ConnectionSignals)?, onCall: (@Sendable (CallReport) -> Void)? = nil,
        onAnswer: (@Sendable (ReceivedAnswer) -> Void)? = nil
    ) {
        self.server = server
        self.onCall = onCall
        self.onAnswer = onAnswer
        grpc = GRPCClient(transport: transport)
        trips = WireTripService.Client(wrapping: grpc)
        vehicles = WireVehicleService.Client(wrapping: grpc)
        deliveries = WireDeliveryService.Client(wrapping: grpc)
        header = .with {
            $0.languageCode = identity.languageCode
            $0.regionCode = identity.regionCode
            $0.sdkVersion = "tripwatch/\(identity.version)"
            $0.sdkType = identity.role == .driver ? .driver : identity.role == .consumer ? .consumer : .unspecified
        }
        self.tokens = tokens
        driverContext = identity.vehicleID.map { AuthorizationContext(vehicleID: $0) }
        var options = CallOptions.defaults
        options.timeout = .seconds(GRPCLimits.deadlineSeconds)
        options.waitForReady = false
        options.maxResponseMessageBytes = GRPCLimits.largestMessageBytes
        options.maxRequestMessageBytes = GRPCLimits.largestMessageBytes
        self.options = options
    }

    /// Runs the connection until the task is cancelled, or until `beginGracefulShutdown` has been called and the last call has ended.
    /// Call it only once. RPCs that are started earlier wait until the connection runs.
    /// - Throws: the transport's error if the connection cannot be run.
    public func runConnections() async throws { try await grpc.runConnections() }

    /// Lets active calls end and refuses new calls. `runConnections` returns after the last call.
    public func beginGracefulShutdown() { grpc.beginGracefulShutdown() }

    /// The times between which the server's certificate is valid, in seconds since 1970; nil without TLS, or before the first connection.
    package var certificateDates: (from: Int, to: Int)? { server?.signals.certificateDates }

    /// Returns a stream with an element for each new usable connection. It keeps at most one unread element. With a transport that the
    /// caller provides, the stream ends at once.
    public func connectionsMade() -> AsyncStream<Void> { server?.signals.stream() ?? AsyncStream { $0.finish() } }

    /// Makes one call with a token and a deadline, and throws `FleetEngineError`. If the server refuses a driver's token, and the token
    /// source can give another one, the call is repeated once with the new token. A rider's token is renewed by the code that polls.
    func call<Answer: Sendable>(
        _ context: AuthorizationContext, function: StaticString = #function, _ body: (Metadata, CallOptions) async throws -> Answer
    ) async throws(FleetEngineError) -> Answer {
        guard let onCall else { return try await callWithToken(context, body) }
        let start = ContinuousClock.now
        var failure: FleetEngineError?
        defer { onCall(CallReport(function: "\(function)", about: context, failure: failure, seconds: (.now - start) / .seconds(1))) }
        do throws(FleetEngineError) {
            return try await callWithToken(context, body)
        } catch {
            failure = error
            throw error
        }
    }

    private func callWithToken<Answer: Sendable>(
        _ context: AuthorizationContext, _ body: (Metadata, CallOptions) async throws -> Answer
    ) async throws(FleetEngineError) -> Answer {
        let token = try await token(for: driverContext ?? context)
        do throws(FleetEngineError) {
            return try await attempt(token, body)
        } catch {
            guard let driverContext, let tokens, let token, error.isAboutToken, await tokens.drop(token, of: driverContext) else {
                throw error
            }
        }
        return try await attempt(try await self.token(for: driverContext ?? context), body)
    }

    private func token(for context: AuthorizationContext) async throws(FleetEngineError) -> AccessToken? {
        do throws(AccessTokenError) {
            return try await tokens?.token(for: context)
        } catch {
            throw error.fleetEngineError
        }
    }

    private func attempt<Answer: Sendable>(
        _ token: AccessToken?, _ body: (Metadata, CallOptions) async throws -> Answer
    ) async throws(FleetEngineError) -> Answer {
        var metadata: Metadata = [:]
        if let token { metadata.addString("Bearer \(token.secret)", forKey: "authorization") }
        do {
            return try await body(metadata, options)
        } catch {
            let asked = server.map {
                AskedServer(endpoint: $0.endpoint, wasConnected: $0.signals.wasConnected, isSilent: $0.signals.isSilent)
            }
            var failure = FleetEngineError(error, from: asked, now: Date())
            failure.lacksToken = token == nil && failure.isAboutToken
            throw failure
        }
    }
}

extension GRPCFleetEngineClient {
    /// Returns the trip as it is now. Routes and traffic that have not changed since the request's versions are left out.
    /// - Throws: `FleetEngineError` of any origin; DEADLINE_EXCEEDED after 15 s, as for every call.
    public func getTrip(_ request: GetTripRequest) async throws(FleetEngineError) -> Trip {
        var header = header
        if let language = request.header?.languageCode { header.languageCode = language }
        if let region = request.header?.regionCode { header.regionCode = region }
        let wire = WireGetTripRequest(request, header: header)
        let answer = try await call(AuthorizationContext(tripID: request.name.trip)) { metadata, options in
            try await trips.getTrip(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireGetTripRequest>(),
                deserializer: BoundedAnswer<WireTrip>(), options: options
            ).confirmed(as: request.name)
        }
        onAnswer?(.trip(answer, of: request.name))
        return Trip(answer, name: request.name, knownRoute: request.knownRoute)
    }

    /// Creates a trip, with a token for the new trip's id.
    /// - Throws: `FleetEngineError`, such as ALREADY_EXISTS.
    public func createTrip(_ trip: NewTrip) async throws(FleetEngineError) -> Trip {
        let wire = WireCreateTripRequest(trip, header: header)
        let answer = try await call(AuthorizationContext(tripID: trip.name.trip)) { metadata, options in
            try await trips.createTrip(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireCreateTripRequest>(),
                deserializer: BoundedAnswer<WireTrip>(), options: options
            )
        }
        return Trip(answer, name: trip.name)
    }

    /// Changes the members of the trip that are set in `request`, and returns the trip after the change.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND or FAILED_PRECONDITION.
    public func updateTrip(_ request: TripUpdateRequest) async throws(FleetEngineError) -> Trip {
        let wire = WireUpdateTripRequest(request, header: header)
        let answer = try await call(AuthorizationContext(tripID: request.name.trip)) { metadata, options in
            try await trips.updateTrip(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireUpdateTripRequest>(),
                deserializer: BoundedAnswer<WireTrip>(), options: options
            )
        }
        return Trip(answer, name: request.name)
    }

    /// Deletes a trip.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND, or FAILED_PRECONDITION while a vehicle serves the trip.
    public func deleteTrip(_ name: TripName) async throws(FleetEngineError) {
        let wire = WireDeleteTripRequest.with {
            $0.header = header
            $0.name = name.description
        }
        _ = try await call(AuthorizationContext(tripID: name.trip)) { metadata, options in
            try await trips.deleteTrip(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireDeleteTripRequest>(),
                deserializer: BoundedAnswer<Google_Protobuf_Empty>(), options: options
            )
        }
    }

    /// Creates a vehicle, with a token for the new vehicle's id.
    /// - Throws: `FleetEngineError`, such as ALREADY_EXISTS.
    public func createVehicle(_ vehicle: Vehicle) async throws(FleetEngineError) -> Vehicle {
        let wire = WireCreateVehicleRequest(vehicle, header: header)
        let answer = try await call(AuthorizationContext(vehicleID: vehicle.name.vehicle)) { metadata, options in
            try await vehicles.createVehicle(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireCreateVehicleRequest>(),
                deserializer: BoundedAnswer<WireVehicle>(), options: options
            )
        }
        return Vehicle(answer, name: vehicle.name)
    }

    /// Returns the vehicle as the server shows it now.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    public func getVehicle(_ name: VehicleName) async throws(FleetEngineError) -> Vehicle {
        let wire = WireGetVehicleRequest.with {
            $0.header = header
            $0.name = name.description
        }
        let answer = try await call(AuthorizationContext(vehicleID: name.vehicle)) { metadata, options in
            try await vehicles.getVehicle(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireGetVehicleRequest>(),
                deserializer: BoundedAnswer<WireVehicle>(), options: options
            ).confirmed(as: name)
        }
        onAnswer?(.vehicle(answer, of: name))
        return Vehicle(answer, name: name)
    }

    /// Returns at most `query.limit` vehicles that match the query, in the server's order. They are read page by page. The call needs a
    /// token for all vehicles.
    /// - Returns: the vehicles. `isComplete` is false if the query's limit was reached before the last page.
    /// - Throws: `FleetEngineError`, such as PERMISSION_DENIED for a token that is valid for only one vehicle.
    public func listVehicles(_ query: FleetQuery) async throws(FleetEngineError) -> (vehicles: [Vehicle], isComplete: Bool) {
        var wire = WireListVehiclesRequest(query, header: header)
        var found: [Vehicle] = []
        while true {
            wire.pageSize = Int32(clamping: min(GRPCLimits.vehiclesOnPage, query.limit - found.count))
            let request = wire
            let answer = try await call(AuthorizationContext(vehicleID: "*")) { metadata, options in
                try await vehicles.listVehicles(
                    request: ClientRequest(message: request, metadata: metadata), serializer: ProtobufSerializer<WireListVehiclesRequest>(),
                    deserializer: BoundedAnswer<WireListVehiclesResponse>(), options: options
                )
            }
            found += answer.vehicles.compactMap(Vehicle.init)
            // Reading stops at an empty page, because a server could send empty pages without end.
            guard !answer.nextPageToken.isEmpty, !answer.vehicles.isEmpty else { return (found, true) }
            guard found.count < query.limit else { return (Array(found.prefix(query.limit)), false) }
            wire.pageToken = answer.nextPageToken
        }
    }

    /// Returns vehicles that have no trip, at most `query.limit`. The vehicle nearest to the query's place comes first. The call uses the
    /// token of the waiting rider's trip.
    /// - Throws: `FleetEngineError`, such as PERMISSION_DENIED.
    public func searchVehicles(_ query: NearbyQuery) async throws(FleetEngineError) -> [Vehicle] {
        let wire = WireSearchVehiclesRequest(query, header: header)
        let answer = try await call(AuthorizationContext(tripID: query.trip.trip)) { metadata, options in
            try await vehicles.searchVehicles(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireSearchVehiclesRequest>(),
                deserializer: BoundedAnswer<WireSearchVehiclesResponse>(), options: options
            )
        }
        return answer.matches.prefix(query.limit).compactMap { Vehicle($0.vehicle) }
    }

    /// Changes the fields in the mask of `update`, and returns the vehicle after the change.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND or INVALID_ARGUMENT.
    public func updateVehicle(_ name: VehicleName, _ update: VehicleUpdate) async throws(FleetEngineError) -> Vehicle {
        let wire = WireUpdateVehicleRequest(name: name, update, header: header)
        let answer = try await call(AuthorizationContext(vehicleID: name.vehicle)) { metadata, options in
            try await vehicles.updateVehicle(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireUpdateVehicleRequest>(),
                deserializer: BoundedAnswer<WireVehicle>(), options: options
            )
        }
        return Vehicle(answer, name: name)
    }

    /// Forgets the token of this trip in the cache, so that the next call fetches another token from the source.
    /// - Returns: whether the source can give another token; false for a client without tokens.
    public func renewToken(for name: TripName) async -> Bool {
        guard let tokens else { return false }
        return await tokens.drop(AuthorizationContext(tripID: name.trip))
    }

    /// Forgets everything that the cache holds for this trip. Cancels a request for its token that is still in progress.
    public func releaseToken(for name: TripName) async { await tokens?.forget(AuthorizationContext(tripID: name.trip)) }
}
