import FleetEngine
import FleetEngineWire

extension VehicleSettingsBody {
    static let complaint =
        "supportedTripTypes holds EXCLUSIVE and SHARED, maximumCapacity is a number, attributes have key and value, "
        + "plate, color, model and driver are texts"

    /// Settings of the body; nil if a trip type is invalid.
    var settings: VehicleSettings? {
        let types = supportedTripTypes?.compactMap(TripType.init(word:))
        guard types?.count == supportedTripTypes?.count else { return nil }
        return VehicleSettings(
            tripTypes: types, capacity: maximumCapacity, backToBack: backToBackEnabled,
            attributes: attributes?.map { ($0.key, $0.value) }, identity: identity)
    }
}

extension TripType {
    /// Creates the trip type of a word; nil for any other word.
    init?(word: String) {
        self = TripType(rawValue: word.uppercased()) ?? .unknown
        if self == .unknown { return nil }
    }
}
