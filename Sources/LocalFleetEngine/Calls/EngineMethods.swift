import FleetEngine
import FleetEngineAPI
package import FleetEngineAccess
import FleetEngineWire
import GRPCCore
package import GRPCServing
import NIOCore
import SwiftProtobuf

/// The gRPC methods that an engine answers: those of `maps.fleetengine.v1.TripService`, `VehicleService` and
/// `maps.fleetengine.delivery.v1.DeliveryService`.
///
/// The provider and the ids are read from the messages, never from headers. The token is the only header that the engine reads.
package struct EngineMethods {
    let engine: LocalFleetEngine
    /// Checks the tokens of calls; nil accepts every call.
    let gate: AccessGate?

    package init(engine: LocalFleetEngine, gate: AccessGate?) {
        self.engine = engine
        self.gate = gate
    }

    /// Methods by path.
    package var all: [String: GRPCMethod] {
        Dictionary(EngineRPC.allCases.map { rpc in (rpc.grpcPath, method(of: rpc)) }) { first, _ in first }
    }

    /// Returns the method of an RPC. Each type is written out, because specialised code is faster than generic code.
    private func method(of rpc: EngineRPC) -> GRPCMethod {
        switch rpc {
        case .createTrip: method(WireCreateTripRequest.self)
        case .getTrip: method(WireGetTripRequest.self)
        case .updateTrip: method(WireUpdateTripRequest.self)
        case .searchTrips: method(WireSearchTripsRequest.self)
        case .reportBillableTrip: method(WireReportBillableTripRequest.self)
        case .deleteTrip: method(WireDeleteTripRequest.self)
        case .createVehicle: method(WireCreateVehicleRequest.self)
        case .getVehicle: method(WireGetVehicleRequest.self)
        case .updateVehicle: method(WireUpdateVehicleRequest.self)
        case .updateVehicleAttributes: method(WireUpdateVehicleAttributesRequest.self)
        case .listVehicles: method(WireListVehiclesRequest.self)
        case .searchVehicles: method(WireSearchVehiclesRequest.self)
        case .deleteVehicle: method(WireDeleteVehicleRequest.self)
        default: deliveryMethod(of: rpc)
        }
    }

    private func deliveryMethod(of rpc: EngineRPC) -> GRPCMethod {
        switch rpc {
        case .createDeliveryVehicle: method(WireCreateDeliveryVehicleRequest.self)
        case .getDeliveryVehicle: method(WireGetDeliveryVehicleRequest.self)
        case .updateDeliveryVehicle: method(WireUpdateDeliveryVehicleRequest.self)
        case .deleteDeliveryVehicle: method(WireDeleteDeliveryVehicleRequest.self)
        case .listDeliveryVehicles: method(WireListDeliveryVehiclesRequest.self)
        case .createTask: method(WireCreateTaskRequest.self)
        case .batchCreateTasks: method(WireBatchCreateTasksRequest.self)
        case .getTask: method(WireGetTaskRequest.self)
        case .updateTask: method(WireUpdateTaskRequest.self)
        case .deleteTask: method(WireDeleteTaskRequest.self)
        case .listTasks: method(WireListTasksRequest.self)
        default: method(WireGetTaskTrackingInfoRequest.self)
        }
    }

    private func method<Request: EngineRequest>(_ request: Request.Type) -> GRPCMethod {
        let (engine, gate) = (engine, gate)
        let method = GRPCMethod.unary { head, message in
            let answer = try await engine.answer(
                from: CallSource(peer: head.peer),
                grant: { try await engine.grant(to: &$0, by: gate, head.authorization, isCounted: head.isAdmitted) }
            ) { () async throws -> (Request, EngineCall?) in
                try await DecodingThread.run(message.readableBytes) { () throws(FleetEngineError) -> (Request, EngineCall?) in
                    let request: Request = try Self.read(message)
                    return (request, gate == nil ? nil : request.call)
                }
            }
            return ByteBuffer(grpcMessage: try answer.serializedBytes())
        }
        guard gate != nil || engine.rate != nil else { return method }
        return method.admitting { head in
            try await engine.admit(Request.self, from: CallSource(peer: head.peer)) {
                try await engine.grant(to: &$0, by: gate, head.authorization)
            }
        }
    }

    /// Decodes the request in a gRPC message.
    /// - Throws: INVALID_ARGUMENT for bytes that cannot be decoded as the request, and for a message with too many parts.
    private static func read<Request: EngineRequest>(_ message: ByteBuffer) throws(FleetEngineError) -> Request {
        guard !message.withUnsafeReadableBytes({ MessageParts.areTooMany(in: $0) }) else {
            throw FleetEngineError(code: .invalidArgument, message: "the message has more than \(MessageParts.most) parts")
        }
        do {
            return try Request(serializedBytes: Array(buffer: message))
        } catch {
            throw FleetEngineError(code: .invalidArgument, message: "the message is not a valid \(Request.protoMessageName)")
        }
    }
}

extension EngineRPC {
    /// The path of the RPC in a gRPC request: `/SERVICE/METHOD`.
    var grpcPath: String {
        let descriptor =
            switch service {
            case .trips: WireTripService.descriptor
            case .vehicles: WireVehicleService.descriptor
            case .deliveries: WireDeliveryService.descriptor
            }
        return "/\(descriptor.fullyQualifiedService)/\(name)"
    }
}
