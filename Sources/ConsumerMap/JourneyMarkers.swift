import FleetEngine
import Geo
import JourneySharing
import TerminalMap

/// The words beside the markers of a journey. Everything else on the map is the server's text and made safe where it is drawn.
public struct MarkerLabels: Sendable, Hashable {
    /// At the pickup, before the rider is in.
    public var pickup = "you"
    /// At the end of the trip; empty for nothing.
    public var dropoff = ""
    /// Before the number of a stop without a name.
    public var stop = "stop"
    /// At the stops, in their order; empty for the number of one.
    public var stops: [String] = []
    /// At the user's own position, where that is not the pickup.
    public var ownPosition = "me"
    /// At a vehicle whose position is old, such as how long ago it was seen; nil for nothing.
    public var lastSeen: String?
    /// At a vehicle that has left its route.
    public var offRoute = "off route"

    /// The English words.
    public init() {}
}

/// A marker of a journey and where it stands.
struct JourneyMarker {
    var marker: ConsumerMarker
    var coordinate: Coordinate
    var headingDegrees: Double?
    var icon: MarkerIcon
    var style: CustomizableMarkerType
    var label: String
}

extension JourneyTracker {
    /// Own position and pickup closer than this are one place, metres.
    static let samePlaceMeters = 60.0

    /// The markers that are shown now, the weakest first.
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
        for (index, place) in trip.intermediateDestinations.enumerated() where index >= first {
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
