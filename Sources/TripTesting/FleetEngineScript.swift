public import FleetEngineAPI
public import GRPCCore
public import SwiftProtobuf
import Synchronization

/// The answers of a ``ScriptedFleetEngine``, one for each rpc. A call to an rpc that has no answer fails with UNIMPLEMENTED.
///
/// ```swift
/// var script = FleetEngineScript()
/// script.getVehicle = { request, call in
///     guard call.number > 1 else { throw RPCError(code: .unavailable, message: "not yet") }
///     return .with { $0.name = request.name }
/// }
/// ```
public struct FleetEngineScript: Sendable {
    /// A function that answers a call. It throws an `RPCError` to make the call fail.
    public typealias Answer<Request, Response> = @Sendable (_ request: Request, _ call: Call) async throws -> Response

    /// The facts about a call, apart from its message.
    public struct Call: Sendable {
        /// The number of the call among all calls of its rpc, from 1.
        public let number: Int
        /// The headers of the call, including the token.
        public let metadata: Metadata
    }

    /// Answers CreateTrip.
    public var createTrip: Answer<WireCreateTripRequest, WireTrip>?
    /// Answers GetTrip.
    public var getTrip: Answer<WireGetTripRequest, WireTrip>?
    /// Answers UpdateTrip.
    public var updateTrip: Answer<WireUpdateTripRequest, WireTrip>?
    /// Answers SearchTrips.
    public var searchTrips: Answer<WireSearchTripsRequest, WireSearchTripsResponse>?
    /// Answers ReportBillableTrip.
    public var reportBillableTrip: Answer<WireReportBillableTripRequest, Google_Protobuf_Empty>?
    /// Answers DeleteTrip.
    public var deleteTrip: Answer<WireDeleteTripRequest, Google_Protobuf_Empty>?
    /// Answers CreateVehicle.
    public var createVehicle: Answer<WireCreateVehicleRequest, WireVehicle>?
    /// Answers GetVehicle.
    public var getVehicle: Answer<WireGetVehicleRequest, WireVehicle>?
    /// Answers UpdateVehicle.
    public var updateVehicle: Answer<WireUpdateVehicleRequest, WireVehicle>?
    /// Answers UpdateVehicleAttributes.
    public var updateVehicleAttributes: Answer<WireUpdateVehicleAttributesRequest, WireUpdateVehicleAttributesResponse>?
    /// Answers DeleteVehicle.
    public var deleteVehicle: Answer<WireDeleteVehicleRequest, Google_Protobuf_Empty>?
    /// Answers ListVehicles.
    public var listVehicles: Answer<WireListVehiclesRequest, WireListVehiclesResponse>?
    /// Answers SearchVehicles.
    public var searchVehicles: Answer<WireSearchVehiclesRequest, WireSearchVehiclesResponse>?
    /// Answers CreateDeliveryVehicle.
    public var createDeliveryVehicle: Answer<WireCreateDeliveryVehicleRequest, WireDeliveryVehicle>?
    /// Answers GetDeliveryVehicle.
    public var getDeliveryVehicle: Answer<WireGetDeliveryVehicleRequest, WireDeliveryVehicle>?
    /// Answers UpdateDeliveryVehicle.
    public var updateDeliveryVehicle: Answer<WireUpdateDeliveryVehicleRequest, WireDeliveryVehicle>?
    /// Answers DeleteDeliveryVehicle.
    public var deleteDeliveryVehicle: Answer<WireDeleteDeliveryVehicleRequest, Google_Protobuf_Empty>?
    /// Answers ListDeliveryVehicles.
    public var listDeliveryVehicles: Answer<WireListDeliveryVehiclesRequest, WireListDeliveryVehiclesResponse>?
    /// Answers CreateTask.
    public var createTask: Answer<WireCreateTaskRequest, WireTask>?
    /// Answers BatchCreateTasks.
    public var batchCreateTasks: Answer<WireBatchCreateTasksRequest, WireBatchCreateTasksResponse>?
    /// Answers GetTask.
    public var getTask: Answer<WireGetTaskRequest, WireTask>?
    /// Answers UpdateTask.
    public var updateTask: Answer<WireUpdateTaskRequest, WireTask>?
    /// Answers DeleteTask.
    public var deleteTask: Answer<WireDeleteTaskRequest, Google_Protobuf_Empty>?
    /// Answers ListTasks.
    public var listTasks: Answer<WireListTasksRequest, WireListTasksResponse>?
    /// Answers GetTaskTrackingInfo.
    public var getTaskTrackingInfo: Answer<WireGetTaskTrackingInfoRequest, WireTaskTrackingInfo>?

    /// Creates a script without answers.
    public init() {}
}

/// Counts the calls of each rpc.
final class CallCounts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func count(of rpc: String) -> Int { counts.withLock { $0[rpc, default: 0] } }

    /// Counts a call.
    /// - Returns: the number of the call, from 1.
    func next(_ rpc: String) -> Int {
        counts.withLock {
            $0[rpc, default: 0] += 1
            return $0[rpc, default: 0]
        }
    }

    /// Counts a call, and answers it as the script says.
    func answer<Request: Sendable, Response: Sendable>(
        _ answer: FleetEngineScript.Answer<Request, Response>?, _ request: ServerRequest<Request>, _ context: ServerContext
    ) async throws -> ServerResponse<Response> {
        let rpc = context.descriptor.method
        let number = next(rpc)
        guard let answer else { throw RPCError(code: .unimplemented, message: "the script has no answer to \(rpc)") }
        return ServerResponse(
            message: try await answer(request.message, FleetEngineScript.Call(number: number, metadata: request.metadata)))
    }
}
