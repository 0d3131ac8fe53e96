import FleetEngine
import Geo
import JourneySharing
import TerminalMap

/// The texts beside the markers of a journey: the program's own words, and the names of stops. All texts on the map are made safe when
/// drawn.
public struct MarkerLabels: Sendable, Hashable {
    /// Label of the pickup, before the rider is on board.
    public var pickup = "you"
    /// Label of the drop-off; empty for no label.
    public var dropoff = ""
    /// Word before the number of a stop without a name.
    public var stop = "stop"
    /// Labels of the stops, in order; an empty label is replaced by ``stop`` and the number.
    public var stops: [String] = []
    /// Label of the user's own position, if it is not the pickup.
    public var ownPosition = "me"
    /// Label of a vehicle with an old position, such as the age of that position; nil for no label.
    public var lastSeen: String?
    /// Label of a vehicle that is off its route.
    public var offRoute = "off route"

    /// Creates the labels with English words.
    public init() {}
}

/// A marker of a journey and its position.
struct JourneyMarker {
    var marker: ConsumerMarker
    var coordinate: Coordinate
    var headingDegrees: Double?
    var icon: MarkerIcon
    var style: CustomizableMarkerType
    var label: String
}

extension JourneyTracker {
    /// Within this distance from the pickup, in metres, the user's own position has no marker.
    static let samePlaceMeters = 60.0

    /// Returns the markers of the remaining stops and of the vehicle, the least important first. A summary has markers for all stops.
    func markers(labels: MarkerLabels, isSummary: Bool) -> [JourneyMarker] {
        guard let trip else { return [] }
        return stopMarkers(trip, labels, isSummary: isSummary) + [vehicleMarker(labels)].compactMap { $0 }
    }

    private func stopMarkers(_ trip: Trip, _ labels: MarkerLabels, isSummary: Bool) -> [JourneyMarker] {
        var markers: [JourneyMarker] = []
        func add(
            _ type: MapViewMarkerType, _ style: CustomizableMarkerType, _ place: Coordinate, _ icon: MarkerIcon, _ label: String,
            index: Int = 0
        ) {
            markers.append(
                JourneyMarker(
                    marker: ConsumerMarker(trip: tripName, type: type, index: index), coordinate: place, icon: icon, style: style,
                    label: label))
        }
        if let place = trip.dropoffPoint { add(.tripDropoffPoint, .tripDropoffPoint, place, .destination, labels.dropoff) }
        let first = isSummary || trip.status.isBeforePickup ? 0 : trip.intermediateDestinationIndex
        for (index, place) in trip.intermediateDestinations.enumerated().reversed() where index >= first {
            let name = labels.stops.indices.contains(index) ? labels.stops[index] : ""
            let label = name.isEmpty ? "\(labels.stop) \(index + 1)" : name
            add(.intermediateDestination, .intermediateDestination, place, .stop, label, index: index)
        }
        if let place = trip.pickupPoint, isSummary || trip.status.isBeforePickup || trip.status == .unknown {
            add(.tripPickupPoint, .tripPickupPoint, place, .pickup, labels.pickup)
        }
        return markers
    }

    private func vehicleMarker(_ labels: MarkerLabels) -> JourneyMarker? {
        guard let vehicle else { return nil }
        let label = isLive ? (vehicle.isOffRoute ? labels.offRoute : "") : labels.lastSeen ?? ""
        return JourneyMarker(
            marker: ConsumerMarker(trip: tripName, type: .vehicle), coordinate: vehicle.coordinate, headingDegrees: vehicle.headingDegrees,
            icon: isLive ? .vehicle : .vehicleNotLive, style: .tripVehicle, label: label)
    }
}
