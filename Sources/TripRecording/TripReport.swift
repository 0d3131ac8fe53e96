import FleetEngineAPI
import FleetEngineWire

/// What a log entry says of a trip: the server's answer. An entry says only a part, so that what is unset may be unsaid.
struct TripReport: Sendable {
    let wire: WireTrip
    /// The entry says which vehicle the trip has; an empty id says that it has none.
    let saysVehicle: Bool
    /// The entry says which stops are ahead, though there may be none.
    let saysStops: Bool

    /// - Parameter mask: what the request changes; nil when the log does not say.
    init(_ value: JSONValue, mask: FieldMask?) {
        wire = WireTrip(log: value)
        saysVehicle = value["vehicleid"]?.string != nil || mask?.contains("vehicleid") == true
        saysStops = value["remainingwaypoints"]?.array != nil
    }
}
