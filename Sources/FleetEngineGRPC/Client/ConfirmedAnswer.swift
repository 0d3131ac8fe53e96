import FleetEngine
import FleetEngineAPI

/// Checks that an answer has the requested id, because a cache or a proxy may mix up answers. The error is retryable.
/// Providers are not compared, because a server may know a provider by its number.
extension WireTrip {
    func confirmed(as asked: TripName) throws(FleetEngineError) -> WireTrip {
        guard !name.isEmpty else { throw .mistaken("the server's answer names no trip") }
        guard (try? TripName(name))?.trip == asked.trip else { throw .mistaken("the server answered with a different trip") }
        return self
    }
}

extension WireVehicle {
    func confirmed(as asked: VehicleName) throws(FleetEngineError) -> WireVehicle {
        guard !name.isEmpty else { throw .mistaken("the server's answer names no vehicle") }
        guard (try? VehicleName(name))?.vehicle == asked.vehicle else { throw .mistaken("the server answered with a different vehicle") }
        return self
    }
}

extension WireDeliveryVehicle {
    func confirmed(as asked: DeliveryVehicleName) throws(FleetEngineError) -> WireDeliveryVehicle {
        guard !name.isEmpty else { throw .mistaken("the server's answer names no delivery vehicle") }
        guard (try? DeliveryVehicleName(name))?.vehicle == asked.vehicle else {
            throw .mistaken("the server answered with a different delivery vehicle")
        }
        return self
    }
}

extension WireTaskTrackingInfo {
    /// Accepts an empty answer too, because some servers send one for an unknown shipment.
    func confirmed(as asked: TaskTrackingName) throws(FleetEngineError) -> WireTaskTrackingInfo {
        guard !name.isEmpty else {
            guard state == .unspecified else { throw .mistaken("the server's answer names no shipment") }
            return self
        }
        guard (try? TaskTrackingName(name))?.trackingID == asked.trackingID else {
            throw .mistaken("the server answered with a different shipment")
        }
        return self
    }
}

extension FleetEngineError {
    fileprivate static func mistaken(_ words: String) -> FleetEngineError {
        FleetEngineError(code: .internal, message: words, origin: .local)
    }
}
