import FleetEngine
import FleetEngineWire

extension VehicleSettingsBody {
    static let complaint =
        "supportedTripTypes holds EXCLUSIVE and SHARED, maximumCapacity is a number, attributes have key and value, "
        + "plate, color, model and driver are texts"

    /// Nil when the word is not a type of trip.
    var settings: VehicleSettings? {
        let types = supportedTripTypes?.compactMap(TripType.init(word:))
        guard types?.count == supportedTripTypes?.count else { return nil }
        return VehicleSettings(
            tripTypes: types, capacity: maximumCapacity, backToBack: backToBackEnabled,
            attributes: attributes?.map { ($0.key, $0.value) }, identity: identity)
    }
}

extension TripType {
    /// Nil for a word that is no type of trip.
    init?(word: String) {
        self = TripType(rawValue: word.uppercased()) ?? .unknown
        if self == .unknown { return nil }
    }
}
