import FleetEngineAPI
import FleetEngineWire

/// The data of a trip in a log entry: the server's answer, completed with the values that the request changes. If there is no answer, it is
/// the data of the request. An entry can hold only a part of the trip, so an unset field may mean that the trip's value did not change.
struct TripReport: Sendable {
    /// A field that an update can clear. The raw value is its name in JSON.
    enum Field: String, CaseIterable {
        case dropoffPoint, intermediateDestinations, intermediateDestinationIndex, attributes
    }

    let wire: WireTrip
    /// The fields that the entry sets, perhaps to an empty value. A field with a string or an object is not included, because such a value
    /// never clears it. If an included field is unset in `wire`, the entry cleared it.
    let saidFields: Set<Field>
    /// Whether the entry says which vehicle has the trip. If so, an empty vehicle id means that no vehicle has the trip.
    let saysVehicle: Bool
    /// Whether the entry lists the stops ahead; the list may be empty.
    let saysStops: Bool

    /// - Parameters:
    ///   - value: the values of the answer and the request.
    ///   - answer: the trip in the response; nil if the entry has none.
    ///   - mask: the fields that the request changes; nil if the log does not name them.
    init(_ value: JSONValue, answer: JSONValue?, mask: FieldMask?) {
        wire = WireTrip(log: value)
        saidFields = Set(Field.allCases.filter { value.sets($0.rawValue, answer: answer, mask: mask) })
        saysVehicle = value["vehicleid"]?.string != nil || mask?.contains("vehicleid") == true
        saysStops = value["remainingwaypoints"]?.array != nil
    }
}
