public import TerminalMap

/// The styles of the lines and markers of journeys (`GMTCConsumerMapStyleCoordinator`). Each type has its own options. Options are copied
/// when they are set or read.
public struct MapStyleCoordinator: Sendable, Hashable {
    private var polylines: [PolylineType: PolylineStyleOptions] = [:]
    private var markers: [CustomizableMarkerType: MarkerStyleOptions] = [:]

    /// Creates the styles with the SDK's defaults, with two exceptions: the taken route is hidden, as in the web SDK, and the vehicle's
    /// icon turns with its heading.
    public init() {}

    /// Returns the current options of a line.
    public func polylineStyleOptions(polylineType type: PolylineType) -> PolylineStyleOptions {
        polylines[type] ?? Self.defaultPolylineStyleOptions(type)
    }

    /// - Parameter options: nil for the defaults.
    public mutating func setPolylineStyleOptions(_ options: PolylineStyleOptions?, polylineType type: PolylineType) {
        polylines[type] = options
    }

    /// Returns the current options of a marker.
    public func markerStyleOptions(markerType type: CustomizableMarkerType) -> MarkerStyleOptions {
        markers[type] ?? Self.defaultMarkerStyleOptions(type)
    }

    /// - Parameter options: nil for the defaults.
    public mutating func setMarkerStyleOptions(_ options: MarkerStyleOptions?, markerType type: CustomizableMarkerType) {
        markers[type] = options
    }

    /// Returns the SDK's defaults: two dots wide, blue, visible, z-index 10. An exception is the taken route, which is hidden.
    private static func defaultPolylineStyleOptions(_ type: PolylineType) -> PolylineStyleOptions {
        PolylineStyleOptions(isVisible: type != .takenRoute)
    }

    /// Returns the SDK's defaults, except that the marker of a vehicle is flat: its icon is an arrow that turns with the heading.
    private static func defaultMarkerStyleOptions(_ type: CustomizableMarkerType) -> MarkerStyleOptions {
        MarkerStyleOptions(isFlat: type == .tripVehicle || type == .otherVehicle)
    }
}
