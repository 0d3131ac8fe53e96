import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import FleetEngineWire
import FoundationEssentials
import Geo
import SwiftProtobuf

extension DeliveryVehicleValues {
    /// Reads the vehicle of a request. The engine checks the values.
    ///
    /// - Parameter hasAttributes: whether the call sets the attributes. If not, they are not read.
    /// - Throws: INVALID_ARGUMENT for an attribute with two different values.
    init(_ wire: WireDeliveryVehicle, hasAttributes: Bool = true) throws(FleetEngineError) {
        self.init()
        type = DeliveryVehicleType(wire.type)
        lastLocation = wire.hasLastLocation ? wire.lastLocation : nil
        pastLocations = wire.pastLocations
        navigationStatus = wire.navigationStatus
        currentRouteSegment = String(decoding: wire.currentRouteSegment, as: UTF8.self)
        currentRouteSegmentEndPoint = wire.hasCurrentRouteSegmentEndPoint ? wire.currentRouteSegmentEndPoint.coordinate : nil
        remainingDistanceMeters = wire.hasRemainingDistanceMeters ? wire.remainingDistanceMeters.value : nil
        remainingDurationSeconds = wire.hasRemainingDuration ? wire.remainingDuration.lengthSeconds : nil
        stops = wire.remainingVehicleJourneySegments.map { Stop($0.stop) }
        guard hasAttributes else { return }
        for attribute in wire.attributes { attributes.append(try DeliveryAttribute(request: attribute)) }
    }
}

extension DeliveryVehicleValues.Stop {
    fileprivate init(_ wire: WireVehicleStop) {
        self.init(
            place: wire.plannedLocation.hasPoint ? wire.plannedLocation.point.coordinate : nil, taskIDs: wire.tasks.map(\.taskID),
            state: VehicleStopState(wire.state))
    }
}

extension DeliveryAttribute {
    /// Reads an attribute of a request.
    /// - Throws: INVALID_ARGUMENT if the attribute has two different values.
    fileprivate init(request wire: WireVehicleAttribute) throws(FleetEngineError) {
        switch wire.vehicleAttributeValue {
        case .stringValue(let text):
            guard wire.value.isEmpty || wire.value == text else {
                throw .invalid("attributes", "value and string_value of attribute \(FleetEngineError.shown(wire.key)) differ")
            }
            self.init(key: wire.key, text: text)
        case .boolValue(let flag): self.init(key: wire.key, value: .truth(flag))
        case .numberValue(let number): self.init(key: wire.key, value: .number(number))
        case nil: self.init(key: wire.key, text: wire.value)
        }
    }
}
