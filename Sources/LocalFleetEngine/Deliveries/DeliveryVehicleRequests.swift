import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FleetEngineCore
import SwiftProtobuf

extension WireCreateDeliveryVehicleRequest: EngineRequest {
    static let rpc = EngineRPC.createDeliveryVehicle
    var call: EngineCall { .delivery(.createVehicle(try? DeliveryVehicleName(subject))) }
    var subject: String { parent + "/deliveryVehicles/" + deliveryVehicleID }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireDeliveryVehicle {
        try await engine.createDeliveryVehicle(self)
    }

    func carryOut(by engine: LocalFleetEngine, for account: String) async throws(FleetEngineError) -> WireDeliveryVehicle {
        try await engine.createDeliveryVehicle(self, account: account)
    }
}

extension WireGetDeliveryVehicleRequest: EngineRequest {
    static let rpc = EngineRPC.getDeliveryVehicle
    var call: EngineCall { .delivery(.getVehicle(try? DeliveryVehicleName(name))) }
    var subject: String { name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireDeliveryVehicle {
        try await engine.getDeliveryVehicle(self)
    }
}

extension WireUpdateDeliveryVehicleRequest: EngineRequest {
    static let rpc = EngineRPC.updateDeliveryVehicle
    var call: EngineCall {
        let fields = updateMask.paths.lazy.compactMap { DeliveryVehicleField(rawValue: UpdateMask.snakeCase($0)) }
        let field = fields.first { !$0.isOfReport }
        return .delivery(.updateVehicle(try? DeliveryVehicleName(deliveryVehicle.name), trustedField: field?.rawValue))
    }
    var subject: String { deliveryVehicle.name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireDeliveryVehicle {
        try await engine.updateDeliveryVehicle(self)
    }
}

extension WireDeleteDeliveryVehicleRequest: EngineRequest {
    static let rpc = EngineRPC.deleteDeliveryVehicle
    var call: EngineCall { .delivery(.deleteVehicle(try? DeliveryVehicleName(name))) }
    var subject: String { name }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> Google_Protobuf_Empty {
        try await engine.deleteDeliveryVehicle(self)
        return Google_Protobuf_Empty()
    }
}

extension WireListDeliveryVehiclesRequest: EngineRequest {
    static let rpc = EngineRPC.listDeliveryVehicles
    var call: EngineCall { .delivery(.listVehicles) }
    var subject: String { parent }

    func carryOut(by engine: LocalFleetEngine) async throws(FleetEngineError) -> WireListDeliveryVehiclesResponse {
        try await engine.listDeliveryVehicles(self)
    }
}
