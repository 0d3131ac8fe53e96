import FleetEngine
public import Geo
public import JourneySharing
import TerminalMap

/// The values of a shipment that a map shows: the planned location, and the vehicle and the route while the server shares them.
public struct ShipmentOnMap: Sendable, Hashable {
    /// Planned location of the delivery; nil if it is not shared.
    public var place: Coordinate?
    /// Last position of the vehicle; nil if it is not shared.
    public var vehicle: Coordinate?
    /// Heading of the vehicle in degrees clockwise from north; nil if it is not known.
    public var headingDegrees: Double?
    /// Route to the planned location; empty if it is not shared.
    public var route: [Coordinate]
    /// Whether the vehicle's position is recent and the server answers.
    public var isLive: Bool

    /// Creates the values from the last answer. Without an answer, all values are empty. After the end of the shipment, only
    /// the planned location is set.
    public init(_ tracker: ShipmentTracker) {
        let shipment = tracker.shipment
        place = shipment?.plannedLocation.flatMap { $0.isValid ? $0 : nil }
        let isUnderWay = shipment?.state == .open && shipment?.outcome == nil
        let location = isUnderWay ? shipment?.vehicleLocation.flatMap { $0.coordinate.isValid ? $0 : nil } : nil
        vehicle = location?.coordinate
        headingDegrees = location?.headingDegrees
        route = isUnderWay ? shipment?.route?.coordinates ?? [] : []
        isLive = tracker.isLive
    }

    /// All coordinates that the view must include.
    var coordinates: [Coordinate] { [place, vehicle].compactMap { $0 } + route }

    func placeMarker(_ labels: MarkerLabels) -> JourneyMarker? {
        place.map {
            JourneyMarker(
                marker: ConsumerMarker(trip: nil, type: .tripPickupPoint), coordinate: $0, icon: .pickup, style: .tripPickupPoint,
                label: labels.pickup)
        }
    }

    func vehicleMarker(_ labels: MarkerLabels) -> JourneyMarker? {
        vehicle.map {
            JourneyMarker(
                marker: ConsumerMarker(trip: nil, type: .vehicle), coordinate: $0, headingDegrees: headingDegrees,
                icon: isLive ? .vehicle : .vehicleNotLive, style: .tripVehicle, label: isLive ? "" : labels.lastSeen ?? "")
        }
    }

    /// Returns the route as a line; nil if it is not shared.
    func line(_ style: PolylineStyleOptions) -> PolylineOverlay? {
        route.count > 1 ? PolylineOverlay(route: RouteLine(route), role: .ahead, style: style) : nil
    }
}
