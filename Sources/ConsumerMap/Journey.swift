public import FleetEngine
public import Geo
public import JourneySharing

/// One journey as a map shows it: the trip, where its vehicle is drawn, how far that can be believed, and what was driven.
///
/// A plain value; whoever follows a trip hands every change to ``observe(trip:vehicle:freshness:ageSeconds:)``.
public struct Journey: Sendable, Hashable, Identifiable {
    public let tripName: TripName
    public private(set) var trip: Trip?
    public private(set) var vehicle: VehicleMotion.Drawn?
    public private(set) var freshness: Freshness?
    /// Of the vehicle's position, seconds.
    public private(set) var ageSeconds: Double?
    /// The trip's active route with its metres.
    public private(set) var activeRoute = Polyline([])
    public private(set) var taken = TakenRoute()
    private var routeCoordinates: [Coordinate] = []

    public init(tripName: TripName) { self.tripName = tripName }

    public var id: TripName { tripName }

    /// Takes in the present state of things. A trip that is over keeps what was driven and loses its vehicle.
    public mutating func observe(trip: Trip?, vehicle: VehicleMotion.Drawn?, freshness: Freshness?, ageSeconds: Double?) {
        let isNewRoute = trip.map { $0.activeRoute != routeCoordinates } ?? false
        if isNewRoute, let trip {
            routeCoordinates = trip.activeRoute
            activeRoute = Polyline(trip.activeRoute)
        }
        let isAnotherVehicle = self.trip?.vehicleID != nil && self.trip?.vehicleID != trip?.vehicleID && trip?.status.isFinal != true
        if isAnotherVehicle { taken = TakenRoute() }
        self.trip = trip
        self.freshness = freshness
        self.ageSeconds = ageSeconds
        self.vehicle = trip?.status.isFinal == true ? nil : vehicle
        if let drawn = self.vehicle { taken.observe(drawn, route: activeRoute, isNewRoute: isNewRoute) }
    }

    /// Whether the vehicle's position is recent enough to be drawn as one.
    public var isLive: Bool {
        switch freshness {
        case .live, .quiet, .ended, nil: true
        case .notLive, .offline, .stopped: false
        }
    }

    /// Whether the vehicle goes to a stop of another rider first.
    public var isNextStopForeign: Bool {
        guard let trip, let next = trip.remainingWaypoints.first else { return false }
        return !trip.owns(next)
    }

    /// This trip's own next stop.
    public var nextStop: Coordinate? {
        guard let trip else { return nil }
        if let own = trip.ownRemainingWaypoints.first { return own.coordinate }
        switch trip.status {
        case .new, .enrouteToPickup, .arrivedAtPickup: return trip.pickupPoint
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination:
            let index = trip.intermediateDestinationIndex
            return trip.intermediateDestinations.indices.contains(index) ? trip.intermediateDestinations[index] : trip.dropoffPoint
        case .enrouteToDropoff, .unknown: return trip.dropoffPoint
        case .complete, .canceled: return nil
        }
    }
}
