import FleetEngineAPI
import FleetEngineWire

/// A log entry's report of a trip, from the server's answer or else from the request. Unset fields may be unchanged, because an entry can
/// hold a part of the trip.
struct TripReport: Sendable {
    let wire: WireTrip
    /// Whether the entry says which vehicle has the trip. If so and the id is empty, no vehicle has it.
    let saysVehicle: Bool
    /// Whether the entry lists the stops ahead; the list may be empty.
    let saysStops: Bool

    /// - Parameter mask: the fields that the request changes; nil if the log does not have it.
    init(_ value: JSONValue, mask: FieldMask?) {
        wire = WireTrip(log: value)
        saysVehicle = value["vehicleid"]?.string != nil || mask?.contains("vehicleid") == true
        saysStops = value["remainingwaypoints"]?.array != nil
    }
}
