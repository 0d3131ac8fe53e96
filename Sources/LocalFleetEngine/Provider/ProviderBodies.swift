import FleetEngine
import FleetEngineWire

extension VehicleSettingsBody {
    static let complaint =
        "supportedTripTypes must contain EXCLUSIVE, SHARED or both; maximumCapacity must be a number; "
        + "each attribute must have a key and a value; and plate, color, model and driver must be strings"

    /// The vehicle settings in the body; nil if a trip type is invalid.
    var settings: VehicleSettings? {
        let types = supportedTripTypes?.compactMap(TripType.init(word:))
        guard types?.count == supportedTripTypes?.count else { return nil }
        return VehicleSettings(
            tripTypes: types, capacity: maximumCapacity, backToBack: backToBackEnabled,
            attributes: attributes?.map { ($0.key, $0.value) }, identity: identity)
    }
}

extension TripType {
    /// Creates the trip type with this name; case is ignored. Nil if no type has the name.
    init?(word: String) {
        self = TripType(rawValue: word.uppercased()) ?? .unknown
        if self == .unknown { return nil }
    }
}
