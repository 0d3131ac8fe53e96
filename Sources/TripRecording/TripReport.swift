import FleetEngineAPI
import FleetEngineWire

/// A log entry's report of a trip: the server's answer. An entry holds a part of the trip only, so that unset fields may be merely left
/// out.
struct TripReport: Sendable {
    let wire: WireTrip
    /// The entry says which vehicle the trip has; an empty id means no vehicle.
    let saysVehicle: Bool
    /// The entry says which stops are ahead; the list may be empty.
    let saysStops: Bool

    /// - Parameter mask: the fields that the request changes; nil when the log does not say.
    init(_ value: JSONValue, mask: FieldMask?) {
        wire = WireTrip(log: value)
        saysVehicle = value["vehicleid"]?.string != nil || mask?.contains("vehicleid") == true
        saysStops = value["remainingwaypoints"]?.array != nil
    }
}
