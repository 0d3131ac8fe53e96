public import FleetEngine

/// The lines of a journey whose look can be set (`GMTCPolylineType`; the taken route comes from the web SDK and has a number of our own).
public enum PolylineType: Int, Sendable, Hashable, CaseIterable {
    /// The way to the next stop.
    case activeRoute = 0
    /// The legs after the next stop.
    case remainingRoute = 1
    /// The way driven so far.
    case takenRoute = 2
}

/// The markers of a journey whose look can be set (`GMTCCustomizableMarkerType`).
public enum CustomizableMarkerType: Int, Sendable, Hashable, CaseIterable {
    /// A marker of no trip: the user's own position.
    case unknown = -1
    /// Where the rider gets in.
    case tripPickupPoint = 0
    /// Where the rider gets out.
    case tripDropoffPoint = 1
    /// The vehicle.
    case tripVehicle = 2
    /// A stop between pick-up and drop-off.
    case intermediateDestination = 3
    /// A vehicle that serves none of the journeys; the SDK has no such marker.
    case otherVehicle = 100
}

/// The kind of a tapped marker (`GMTCMapViewMarkerType`).
public enum MapViewMarkerType: Int, Sendable, Hashable, CaseIterable {
    /// A marker of no trip: the user's own position.
    case unknown = 0
    /// The vehicle.
    case vehicle = 1
    /// Where the rider gets in.
    case tripPickupPoint = 2
    /// Where the rider gets out.
    case tripDropoffPoint = 3
    /// A stop between pick-up and drop-off.
    case intermediateDestination = 4
}

/// How a map moves its camera automatically (the web SDK's `AutomaticViewportMode`).
public enum AutomaticViewportMode: Sendable, Hashable, CaseIterable {
    /// Nothing.
    case none
    /// Shows the vehicle, its next stop and the way between.
    case fitAnticipatedRoute
}

/// A marker of a journey, as a tap reports it.
public struct ConsumerMarker: Sendable, Hashable {
    /// Nil for the user's own position, for places of a trip that is not booked yet, and for vehicles beside the journeys.
    public let trip: TripName?
    /// The kind of the marker.
    public let type: MapViewMarkerType
    /// For intermediate destinations the place in the trip's list, from 0; for vehicles of no trip their number; else 0.
    public let index: Int

    /// The marker of a trip; `index` counts for intermediate destinations and vehicles of no trip.
    public init(trip: TripName?, type: MapViewMarkerType, index: Int = 0) {
        self.trip = trip
        self.type = type
        self.index = index
    }

    /// The id of the marker among the overlays of a map.
    var overlayID: String { "\(trip?.description ?? "here")#\(type.rawValue)#\(index)" }
}
