package import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import Geo
package import SwiftProtobuf

/// Checks of data from callers. Each check throws INVALID_ARGUMENT and names the invalid field.
package enum Check {
    package static func tripName(_ text: String, field: String = "name") throws(FleetEngineError) -> TripName {
        do { return try TripName(text) } catch { throw .invalid(field, error.description) }
    }

    package static func vehicleName(_ text: String, field: String = "name") throws(FleetEngineError) -> VehicleName {
        do { return try VehicleName(text) } catch { throw .invalid(field, error.description) }
    }

    package static func provider(_ parent: String) throws(FleetEngineError) -> ProviderName {
        do { return try ProviderName(parent) } catch { throw .invalid("parent", error.description) }
    }

    static func tripName(parent: String, id: String) throws(FleetEngineError) -> TripName {
        let provider = try provider(parent)
        do { return try TripName(provider: provider.provider, trip: id) } catch { throw .invalid("trip_id", error.description) }
    }

    static func vehicleName(
        provider: String, id: String, field: String = "vehicle_id"
    ) throws(FleetEngineError) -> VehicleName {
        do { return try VehicleName(provider: provider, vehicle: id) } catch { throw .invalid(field, error.description) }
    }

    static func place(_ place: WireLatLng, _ field: String) throws(FleetEngineError) {
        // NaN is refused too, because comparisons with NaN are false.
        guard abs(place.latitude) <= 90 else { throw .invalid("\(field).latitude", "\(field).latitude must be from -90 to 90") }
        guard abs(place.longitude) <= 180 else { throw .invalid("\(field).longitude", "\(field).longitude must be from -180 to 180") }
    }

    static func terminal(_ location: WireTerminalLocation, _ field: String) throws(FleetEngineError) {
        guard location.hasPoint else { throw .invalid("\(field).point", "\(field).point is required") }
        try place(location.point, "\(field).point")
    }

    static func stop(_ stop: WireStopLocation, _ field: String) throws(FleetEngineError) {
        guard stop.hasPoint else { throw .invalid("\(field).point", "\(field).point is required") }
        try place(stop.point, "\(field).point")
        if stop.hasTimestamp { try time(stop.timestamp, "\(field).timestamp") }
        if stop.hasStopTime { try time(stop.stopTime, "\(field).stop_time") }
    }

    static func stops(_ list: [WireStopLocation], _ field: String, limits: EngineLimits) throws(FleetEngineError) {
        guard list.count <= limits.intermediateDestinations else {
            throw .invalid(field, "\(field) has more than \(limits.intermediateDestinations) entries")
        }
        for (index, one) in list.enumerated() { try stop(one, "\(field)[\(index)]") }
    }

    package static func time(_ time: Google_Protobuf_Timestamp, _ field: String) throws(FleetEngineError) {
        guard time.isInRange else { throw .invalid(field, "\(field) must be in the years 1 to 9999, with nanos from 0 to 999999999") }
    }

    /// Checks that the size of the message on the wire is within the limit for one record.
    static func size(_ message: some Message, _ field: String, limits: EngineLimits) throws(FleetEngineError) {
        let bytes: [UInt8]? = try? message.serializedBytes(partial: true)
        guard let bytes, bytes.count <= limits.storedBytes else {
            throw .invalid(field, "\(field) is larger than \(limits.storedBytes) bytes")
        }
    }

    package static func count(_ number: Int, atMost limit: Int, _ field: String) throws(FleetEngineError) {
        guard number <= limit else { throw .invalid(field, "\(field) has more than \(limit) entries") }
    }

    static func notNegative(_ number: Int32, _ field: String) throws(FleetEngineError) {
        guard number >= 0 else { throw .invalid(field, "\(field) must not be negative") }
    }
}
