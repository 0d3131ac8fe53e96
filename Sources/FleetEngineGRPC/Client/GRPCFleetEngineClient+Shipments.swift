public import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import GRPCCore
import GRPCProtobuf
import SwiftProtobuf

extension GRPCFleetEngineClient: ShipmentClient {
    /// Returns the shipment as the server shows it now.
    /// - Throws: `FleetEngineError` of any origin; DEADLINE_EXCEEDED after 15 s, as for every call.
    public func getTaskTrackingInfo(
        _ name: TaskTrackingName, header asked: TripRequestHeader? = nil
    ) async throws(FleetEngineError) -> TaskTrackingInfo {
        var header = header
        if let language = asked?.languageCode { header.languageCode = language }
        if let region = asked?.regionCode { header.regionCode = region }
        let wire = WireGetTaskTrackingInfoRequest(name, header: header)
        let answer = try await call(AuthorizationContext(trackingID: name.trackingID)) { metadata, options in
            try await deliveries.getTaskTrackingInfo(
                request: ClientRequest(message: wire, metadata: metadata), serializer: ProtobufSerializer<WireGetTaskTrackingInfoRequest>(),
                deserializer: BoundedAnswer<WireTaskTrackingInfo>(), options: options
            ).confirmed(as: name)
        }
        onAnswer?(.shipment(answer, of: name))
        return TaskTrackingInfo(answer, name: name)
    }

    /// Removes this shipment's token from the cache, so that the next call fetches another token from the source.
    /// - Returns: whether the source can give another token; false for a client without tokens.
    public func renewToken(for name: TaskTrackingName) async -> Bool {
        guard let tokens else { return false }
        return await tokens.drop(AuthorizationContext(trackingID: name.trackingID))
    }

    /// Forgets everything that the cache holds for this shipment. Cancels a request for its token that is still in progress.
    public func releaseToken(for name: TaskTrackingName) async {
        await tokens?.forget(AuthorizationContext(trackingID: name.trackingID))
    }
}
