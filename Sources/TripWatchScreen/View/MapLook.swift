import ConsumerMap
import JourneySharing
import TerminalCanvas
import TerminalMap
import TripWatchSettings

/// Gives the lines and markers of journeys the theme's looks.
struct MapLook {
    let theme: Theme

    func coordinator(for journey: JourneyTracker?) -> MapStyleCoordinator {
        var coordinator = MapStyleCoordinator()
        coordinator.setPolylineStyleOptions(line(.ahead), polylineType: .activeRoute)
        coordinator.setPolylineStyleOptions(line(.later), polylineType: .remainingRoute)
        coordinator.setPolylineStyleOptions(line(.behind), polylineType: .takenRoute)
        let isStale = journey.map { !$0.isLive } ?? false
        let isOffRoute = journey?.vehicle?.isOffRoute ?? false
        let vehicle: ThemeMarker = isStale ? .vehicleStale : isOffRoute ? .vehicleOffRoute : .vehicle
        // Where a fleet is what the map is for they are the vehicles; beside a trip they are not.
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

    /// Traffic is shown where it is news; what has no colour of its own, such as normal traffic, looks like the route.
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
