public import TerminalMap

/// The styles of the lines and markers of journeys (`GMTCConsumerMapStyleCoordinator`): options by type, set and read as copies.
public struct MapStyleCoordinator: Sendable, Hashable {
    private var polylines: [PolylineType: PolylineStyleOptions] = [:]
    private var markers: [CustomizableMarkerType: MarkerStyleOptions] = [:]

    /// The defaults of the SDK for all types, except that the taken route is hidden and the vehicle's icon turns with its heading.
    public init() {}

    /// The current options of a line.
    public func polylineStyleOptions(polylineType type: PolylineType) -> PolylineStyleOptions {
        polylines[type] ?? Self.defaultPolylineStyleOptions(type)
    }

    /// - Parameter options: nil for the defaults.
    public mutating func setPolylineStyleOptions(_ options: PolylineStyleOptions?, polylineType type: PolylineType) {
        polylines[type] = options
    }

    /// The current options of a marker.
    public func markerStyleOptions(markerType type: CustomizableMarkerType) -> MarkerStyleOptions {
        markers[type] ?? Self.defaultMarkerStyleOptions(type)
    }

    /// - Parameter options: nil for the defaults.
    public mutating func setMarkerStyleOptions(_ options: MarkerStyleOptions?, markerType type: CustomizableMarkerType) {
        markers[type] = options
    }

    /// The SDK's defaults: two dots wide, blue, visible, index 10. The taken route is hidden unless its style changes that, as in the web
    /// SDK.
    private static func defaultPolylineStyleOptions(_ type: PolylineType) -> PolylineStyleOptions {
        PolylineStyleOptions(isVisible: type != .takenRoute)
    }

    /// The SDK's defaults, except that the marker of a vehicle is flat: its icon is an arrow, which has to turn with the heading.
    private static func defaultMarkerStyleOptions(_ type: CustomizableMarkerType) -> MarkerStyleOptions {
        MarkerStyleOptions(isFlat: type == .tripVehicle || type == .otherVehicle)
    }
}
