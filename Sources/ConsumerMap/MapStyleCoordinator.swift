public import TerminalMap

/// How the lines and markers of journeys look (`GMTCConsumerMapStyleCoordinator`): options by type, set and read as copies.
public struct MapStyleCoordinator: Sendable, Hashable {
    private var polylines: [PolylineType: PolylineStyleOptions] = [:]
    private var markers: [CustomizableMarkerType: MarkerStyleOptions] = [:]

    /// The defaults of the SDK for all types, but that the taken route is hidden and the vehicle's icon turns with it.
    public init() {}

    /// The options in force for a line.
    public func polylineStyleOptions(polylineType type: PolylineType) -> PolylineStyleOptions {
        polylines[type] ?? Self.defaultPolylineStyleOptions(type)
    }

    /// - Parameter options: nil for the defaults.
    public mutating func setPolylineStyleOptions(_ options: PolylineStyleOptions?, polylineType type: PolylineType) {
        polylines[type] = options
    }

    /// The options in force for a marker.
    public func markerStyleOptions(markerType type: CustomizableMarkerType) -> MarkerStyleOptions {
        markers[type] ?? Self.defaultMarkerStyleOptions(type)
    }

    /// - Parameter options: nil for the defaults.
    public mutating func setMarkerStyleOptions(_ options: MarkerStyleOptions?, markerType type: CustomizableMarkerType) {
        markers[type] = options
    }

    /// The reference's defaults: two dots wide, blue, visible, index 10. The taken route is hidden until its style says otherwise, as in
    /// the web SDK.
    private static func defaultPolylineStyleOptions(_ type: PolylineType) -> PolylineStyleOptions {
        PolylineStyleOptions(isVisible: type != .takenRoute)
    }

    /// The reference's defaults, except that a vehicle lies flat: its icon is an arrow, which says nothing unless it turns.
    private static func defaultMarkerStyleOptions(_ type: CustomizableMarkerType) -> MarkerStyleOptions {
        MarkerStyleOptions(isFlat: type == .tripVehicle || type == .otherVehicle)
    }
}
