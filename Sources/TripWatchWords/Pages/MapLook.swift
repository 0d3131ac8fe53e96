package import ConsumerMap
package import JourneySharing
import TerminalCanvas
import TerminalMap
package import TripWatchSettings

/// Applies the theme to the lines and markers of journeys.
package struct MapLook {
    private let theme: Theme

    package init(theme: Theme) { self.theme = theme }

    package func coordinator(for journey: JourneyTracker?, _ shipment: ShipmentOnMap? = nil) -> MapStyleCoordinator {
        var coordinator = MapStyleCoordinator()
        coordinator.setPolylineStyleOptions(line(.ahead), polylineType: .activeRoute)
        coordinator.setPolylineStyleOptions(line(.later), polylineType: .remainingRoute)
        coordinator.setPolylineStyleOptions(line(.behind), polylineType: .takenRoute)
        let isStale = journey.map { !$0.isLive } ?? shipment.map { !$0.isLive } ?? false
        let isOffRoute = journey?.vehicle?.isOffRoute ?? false
        let vehicle: ThemeMarker = isStale ? .vehicleStale : isOffRoute ? .vehicleOffRoute : .vehicle
        // On a trip's map, other vehicles have a style of their own. On a fleet's map, they look like a followed vehicle.
        var other = theme.markerStyle(journey == nil ? .vehicle : .other)
        other.isFlat = true
        coordinator.setMarkerStyleOptions(other, markerType: .otherVehicle)
        for (type, marker) in [
            (CustomizableMarkerType.tripVehicle, vehicle), (.tripPickupPoint, .pickup), (.intermediateDestination, .stop),
            (.tripDropoffPoint, .dropoff), (.unknown, .you),
        ] {
            coordinator.setMarkerStyleOptions(theme.markerStyle(marker), markerType: type)
        }
        return coordinator
    }

    /// Returns the colours of a route. Traffic that has no colour of its own, such as normal traffic, has the route's colour.
    private func line(_ role: RouteRole) -> PolylineStyleOptions {
        var options = theme.polylineStyle(role)
        let stroke = options.strokeColor
        var colors = options.trafficColors
        func set(_ color: inout Color) {
            if color == .default { color = stroke }
        }
        set(&colors.noData)
        set(&colors.normal)
        set(&colors.slow)
        set(&colors.trafficJam)
        options.trafficColors = colors
        return options
    }
}
