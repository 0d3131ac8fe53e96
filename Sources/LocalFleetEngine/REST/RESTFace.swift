import FleetEngine
import FleetEngineAPI
package import FleetEngineAccess
import FleetEngineCore
import FleetEngineSnapshot
import SwiftProtobuf

/// Fleet Engine's API over HTTP: it reads a call from the path, query and body of a request, and answers in JSON. It uses the
/// same engine as the gRPC server.
package struct RESTFace: Sendable {
    /// A call as received.
    package struct Input: Sendable {
        let call: RESTCall
        /// `Authorization` header.
        let authorization: String?
        /// Query string without its question mark, as sent.
        let query: String?
        /// Body in proto3 JSON; an empty body stands for an empty message.
        let body: @Sendable () async throws -> [UInt8]

        package init(call: RESTCall, authorization: String?, query: String?, body: @escaping @Sendable () async throws -> [UInt8]) {
            self.call = call
            self.authorization = authorization
            self.query = query
            self.body = body
        }
    }

    let engine: LocalFleetEngine
    /// Checks the tokens of calls; nil accepts every call.
    let gate: AccessGate?

    package init(engine: LocalFleetEngine, gate: AccessGate?) {
        self.engine = engine
        self.gate = gate
    }

    /// Answers a call.
    /// - Returns: proto3 JSON.
    /// - Throws: the refusal of an unreadable call, and errors of the engine.
    package func answer(_ input: Input) async throws -> [UInt8] {
        switch input.call.rpc {
        case .createDeliveryVehicle, .getDeliveryVehicle, .updateDeliveryVehicle, .deleteDeliveryVehicle, .listDeliveryVehicles:
            try await answerDeliveryVehicles(input)
        default:
            switch input.call.rpc.service {
            case .trips: try await answerTrips(input)
            case .vehicles: try await answerVehicles(input)
            case .deliveries: try await answerTasks(input)
            }
        }
    }

    private func answerTrips(_ input: Input) async throws -> [UInt8] {
        switch input.call.rpc {
        case .createTrip:
            try await answer(input) { (query, body, request: inout WireCreateTripRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.parent = input.call.name
                request.trip = try RESTMessage.read(body, field: "trip")
            }
        case .updateTrip:
            try await answer(input) { (query, body, request: inout WireUpdateTripRequest) throws(FleetEngineError) in
                request = try query.message()
                request.name = input.call.name
                request.updateMask.paths = query.updateMask
                request.trip = try RESTMessage.read(body, field: "trip")
            }
        case .searchTrips:
            try await answer(input) { (query, body, request: inout WireSearchTripsRequest) throws(FleetEngineError) in
                request = try whole(query, body)
                request.parent = input.call.name
            }
        case .reportBillableTrip:
            try await answer(input) { (query, body, request: inout WireReportBillableTripRequest) throws(FleetEngineError) in
                request = try whole(query, body)
                request.name = input.call.name
            }
        case .deleteTrip:
            try await answer(input) { (query, _, request: inout WireDeleteTripRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.name = input.call.name
            }
        default:
            try await answer(input) { (query, _, request: inout WireGetTripRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.name = input.call.name
            }
        }
    }

    private func answerVehicles(_ input: Input) async throws -> [UInt8] {
        switch input.call.rpc {
        case .createVehicle:
            try await answer(input) { (query, body, request: inout WireCreateVehicleRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.parent = input.call.name
                request.vehicle = try RESTMessage.read(body, field: "vehicle")
            }
        case .updateVehicle:
            try await answer(input) { (query, body, request: inout WireUpdateVehicleRequest) throws(FleetEngineError) in
                request = try query.message()
                request.name = input.call.name
                request.updateMask.paths = query.updateMask
                request.vehicle = try RESTMessage.read(body, field: "vehicle")
            }
        case .updateVehicleAttributes:
            try await answer(input) { (query, body, request: inout WireUpdateVehicleAttributesRequest) throws(FleetEngineError) in
                request = try whole(query, body)
                request.name = input.call.name
            }
        case .listVehicles:
            try await answer(input) { (query, _, request: inout WireListVehiclesRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.parent = input.call.name
            }
        case .searchVehicles:
            try await answer(input) { (query, body, request: inout WireSearchVehiclesRequest) throws(FleetEngineError) in
                request = try whole(query, body)
                request.parent = input.call.name
            }
        case .deleteVehicle:
            try await answer(input) { (query, _, request: inout WireDeleteVehicleRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.name = input.call.name
            }
        default:
            try await answer(input) { (query, _, request: inout WireGetVehicleRequest) throws(FleetEngineError) in
                request = try fields(query)
                request.name = input.call.name
            }
        }
    }

    /// Answers a call.
    /// - Parameter read: adds the fields of the query and the body to an empty request.
    func answer<Request: EngineRequest>(
        _ input: Input, _ read: @escaping @Sendable (RESTQuery, [UInt8], inout Request) throws(FleetEngineError) -> Void
    ) async throws -> [UInt8] {
        var options = JSONEncodingOptions()
        let answer = try await engine.answer(
            named: input.call.name, grant: { try await engine.grant(to: &$0, by: gate, input.authorization) }
        ) { () async throws -> (Request, EngineCall?) in
            let body = try await input.body()
            let query = try RESTQuery(input.query)
            options.alwaysPrintEnumsAsInts = query.hasEnumsAsNumbers
            return try await DecodingThread.run(body.count) { [gate] () throws(FleetEngineError) -> (Request, EngineCall?) in
                var request = Request()
                try read(query, body, &request)
                return (request, gate == nil ? nil : request.call)
            }
        }
        return try answer.jsonUTF8Bytes(options: options)
    }

    /// Creates a request from the query, which must have no update mask. The caller adds the resource's name and the body.
    func fields<Request: Message>(_ query: RESTQuery) throws(FleetEngineError) -> Request {
        try query.requireNoMask()
        return try query.message()
    }

    /// Creates a request whose fields are all in the body.
    func whole<Request: Message>(_ query: RESTQuery, _ body: [UInt8]) throws(FleetEngineError) -> Request {
        try query.requireNoFields()
        return try RESTMessage.read(body)
    }
}
