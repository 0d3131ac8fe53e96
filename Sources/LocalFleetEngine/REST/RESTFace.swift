import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import SwiftProtobuf

/// Fleet Engine's API over HTTP: a call's path, query and body in, the answer's JSON out. The engine is the one that gRPC asks.
struct RESTFace: Sendable {
    let engine: LocalFleetEngine
    /// What the caller's token allows; nil where no tokens are checked.
    var grant: AccessGrant?

    /// - Parameters:
    ///   - query: what stands after the question mark, as it was sent.
    ///   - body: proto3 JSON; empty stands for a message without members.
    /// - Returns: proto3 JSON.
    /// - Throws: the refusal of a call that cannot be read, and the engine's.
    func answer(_ call: RESTCall, query text: String?, body: [UInt8]) async throws(FleetEngineError) -> [UInt8] {
        let query = try RESTQuery(text)
        switch call.rpc {
        case .createTrip, .getTrip, .updateTrip, .searchTrips, .reportBillableTrip, .deleteTrip:
            return try await answerTrips(call, query, body)
        case .createVehicle, .getVehicle, .updateVehicle, .updateVehicleAttributes, .listVehicles, .searchVehicles, .deleteVehicle:
            return try await answerVehicles(call, query, body)
        }
    }

    private func answerTrips(_ call: RESTCall, _ query: RESTQuery, _ body: [UInt8]) async throws(FleetEngineError) -> [UInt8] {
        switch call.rpc {
        case .createTrip:
            var request = try fields(of: WireCreateTripRequest.self, query)
            request.parent = call.name
            request.trip = try RESTMessage.read(body, field: "trip")
            return try json(try await engine.createTrip(try allowed(request)), query)
        case .updateTrip:
            var request: WireUpdateTripRequest = try query.message()
            request.name = call.name
            request.updateMask.paths = query.updateMask
            request.trip = try RESTMessage.read(body, field: "trip")
            return try json(try await engine.updateTrip(try allowed(request)), query)
        case .searchTrips:
            var request = try whole(WireSearchTripsRequest.self, query, body)
            request.parent = call.name
            return try json(try await engine.searchTrips(try allowed(request)), query)
        case .reportBillableTrip:
            var request = try whole(WireReportBillableTripRequest.self, query, body)
            request.name = call.name
            try await engine.reportBillableTrip(try allowed(request))
        case .deleteTrip:
            var request = try fields(of: WireDeleteTripRequest.self, query)
            request.name = call.name
            try await engine.deleteTrip(try allowed(request))
        default:
            var request = try fields(of: WireGetTripRequest.self, query)
            request.name = call.name
            return try json(try await engine.getTrip(try allowed(request)), query)
        }
        return try json(Google_Protobuf_Empty(), query)
    }

    private func answerVehicles(_ call: RESTCall, _ query: RESTQuery, _ body: [UInt8]) async throws(FleetEngineError) -> [UInt8] {
        switch call.rpc {
        case .createVehicle:
            var request = try fields(of: WireCreateVehicleRequest.self, query)
            request.parent = call.name
            request.vehicle = try RESTMessage.read(body, field: "vehicle")
            return try json(try await engine.createVehicle(try allowed(request)), query)
        case .updateVehicle:
            var request: WireUpdateVehicleRequest = try query.message()
            request.name = call.name
            request.updateMask.paths = query.updateMask
            request.vehicle = try RESTMessage.read(body, field: "vehicle")
            return try json(try await engine.updateVehicle(try allowed(request)), query)
        case .updateVehicleAttributes:
            var request = try whole(WireUpdateVehicleAttributesRequest.self, query, body)
            request.name = call.name
            return try json(try await engine.updateVehicleAttributes(try allowed(request)), query)
        case .listVehicles:
            var request = try fields(of: WireListVehiclesRequest.self, query)
            request.parent = call.name
            return try json(try await engine.listVehicles(try allowed(request)), query)
        case .searchVehicles:
            var request = try whole(WireSearchVehiclesRequest.self, query, body)
            request.parent = call.name
            return try json(try await engine.searchVehicles(try allowed(request)), query)
        case .deleteVehicle:
            var request = try fields(of: WireDeleteVehicleRequest.self, query)
            request.name = call.name
            try await engine.deleteVehicle(try allowed(request))
            return try json(Google_Protobuf_Empty(), query)
        default:
            var request = try fields(of: WireGetVehicleRequest.self, query)
            request.name = call.name
            var vehicle = try await engine.getVehicle(try allowed(request))
            if let grant { vehicle.hideTrips(from: grant) }
            return try json(vehicle, query)
        }
    }

    /// The request, where the token allows it.
    /// - Throws: PERMISSION_DENIED.
    private func allowed<Request: Message>(_ request: Request) throws(FleetEngineError) -> Request {
        guard let grant else { return request }
        guard let call = EngineCall(request) else { throw FleetEngineError(code: .unimplemented, message: "there is no such call") }
        try engine.check(grant, for: call)
        return request
    }

    /// A request whose fields are in the query, apart from its resource and its body, and which has no mask.
    private func fields<Request: Message>(of type: Request.Type, _ query: RESTQuery) throws(FleetEngineError) -> Request {
        try query.requireNoMask()
        return try query.message()
    }

    /// A request that is its body.
    private func whole<Request: Message>(_ type: Request.Type, _ query: RESTQuery, _ body: [UInt8]) throws(FleetEngineError) -> Request {
        try query.requireNoFields()
        return try RESTMessage.read(body)
    }

    private func json(_ answer: some Message, _ query: RESTQuery) throws(FleetEngineError) -> [UInt8] {
        var options = JSONEncodingOptions()
        options.alwaysPrintEnumsAsInts = query.hasEnumsAsNumbers
        do {
            return try answer.jsonUTF8Bytes(options: options)
        } catch {
            throw FleetEngineError(code: .internal, message: "the answer cannot be written as JSON")
        }
    }
}
