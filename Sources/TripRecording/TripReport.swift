import FleetEngineAPI
import FleetEngineWire

/// A log entry's report of a trip, from the server's answer. An entry holds only a part of the trip, so unset fields may be merely left
/// out.
struct TripReport: Sendable {
    let wire: WireTrip
    /// Whether the entry has the trip's vehicle. An empty id means no vehicle.
    let saysVehicle: Bool
    /// Whether the entry has the stops ahead. The list may be empty.
    let saysStops: Bool

    /// - Parameter mask: the fields that the request changes; nil if the log does not have it.
    init(_ value: JSONValue, mask: FieldMask?) {
        wire = WireTrip(log: value)
        saysVehicle = value["vehicleid"]?.string != nil || mask?.contains("vehicleid") == true
        saysStops = value["remainingwaypoints"]?.array != nil
    }
}
