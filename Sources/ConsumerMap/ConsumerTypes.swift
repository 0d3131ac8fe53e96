public import FleetEngine

/// The line types of a journey, each with its own style (`GMTCPolylineType`). The raw value of `takenRoute` is this program's
/// own.
public enum PolylineType: Int, Sendable, Hashable, CaseIterable {
    /// The route to the next stop.
    case activeRoute = 0
    /// The legs after the next stop.
    case remainingRoute = 1
    /// The route driven so far.
    case takenRoute = 2
}

/// The marker types of a journey, each with its own style (`GMTCCustomizableMarkerType`).
public enum CustomizableMarkerType: Int, Sendable, Hashable, CaseIterable {
    /// The user's own position, which belongs to no trip.
    case unknown = -1
    /// The pickup point.
    case tripPickupPoint = 0
    /// The drop-off point.
    case tripDropoffPoint = 1
    /// The vehicle.
    case tripVehicle = 2
    /// A stop between pickup and drop-off.
    case intermediateDestination = 3
    /// A vehicle that belongs to no journey; the SDK has no such marker.
    case otherVehicle = 100
}

/// The kind of a tapped marker (`GMTCMapViewMarkerType`).
public enum MapViewMarkerType: Int, Sendable, Hashable, CaseIterable {
    /// The user's own position, which belongs to no trip.
    case unknown = 0
    /// The vehicle.
    case vehicle = 1
    /// The pickup point.
    case tripPickupPoint = 2
    /// The drop-off point.
    case tripDropoffPoint = 3
    /// A stop between pickup and drop-off.
    case intermediateDestination = 4
}

/// The automatic movement of a map's camera (the web SDK's `AutomaticViewportMode`).
public enum AutomaticViewportMode: Sendable, Hashable, CaseIterable {
    /// The camera does not move.
    case none
    /// The camera moves to show the vehicle, its next stop and the route between them.
    case fitAnticipatedRoute
}

/// A marker of a journey, as passed to the delegate when it is tapped.
public struct ConsumerMarker: Sendable, Hashable {
    /// The trip of the marker. Nil for the user's own position, for the pickup and drop-off before a booking, for a shipment, and for
    /// vehicles that belong to no journey.
    public let trip: TripName?
    /// The kind of the marker.
    public let type: MapViewMarkerType
    /// For an intermediate destination, its index in the trip's list, from 0. For an ``OtherVehicle``, its number. For all others, 0.
    public let index: Int

    /// Creates a marker. ``index`` is needed only for an intermediate destination and for an ``OtherVehicle``.
    public init(trip: TripName?, type: MapViewMarkerType, index: Int = 0) {
        self.trip = trip
        self.type = type
        self.index = index
    }

    /// The id of the marker among the overlays of a map.
    var overlayID: String { "\(trip?.description ?? "here")#\(type.rawValue)#\(index)" }
}
