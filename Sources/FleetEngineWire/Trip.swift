package import FleetEngine
package import FleetEngineAPI
import FoundationEssentials
package import Geo
import SwiftProtobuf

extension TripWaypoint {
    /// Creates the waypoint; nil without a valid position.
    package init?(_ wire: WireTripWaypoint, paths: inout PathReader) {
        guard wire.location.hasPoint, let coordinate = Coordinate(wire.location.point) else { return nil }
        let path = RouteLine(
            encoded: wire.encodedPathToWaypoint, list: wire.pathToWaypoint,
            traffic: wire.hasTrafficToWaypoint ? wire.trafficToWaypoint : nil, paths: &paths)
        self.init(
            coordinate: coordinate, tripID: wire.tripID, type: WaypointType(wire.waypointType), path: path,
            distanceMeters: wire.hasDistanceMeters ? Double(wire.distanceMeters.value).plausible(in: Plausible.meters) : nil,
            eta: wire.hasEta ? wire.eta.plausibleDate : nil,
            durationSeconds: wire.hasDuration ? wire.duration.plausibleSeconds.flatMap { $0 >= 0 ? $0 : nil } : nil)
    }
}

extension Trip {
    /// - Parameters:
    ///   - name: the name in the request, because an answer cannot rename a trip.
    ///   - knownRoute: the route that the caller already has. If an answer has traffic but no route, the traffic refers to this route.
    package init(_ wire: WireTrip, name: TripName, knownRoute: Polyline? = nil) {
        var paths = PathReader()
        self.init(wire, name: name, knownRoute: knownRoute, paths: &paths)
    }

    package init(_ wire: WireTrip, name: TripName, knownRoute: Polyline?, paths: inout PathReader) {
        self.init(name: name, status: TripStatus(wire.tripStatus), type: TripType(wire.tripType))
        vehicleID = wire.vehicleID.isEmpty ? nil : wire.vehicleID
        numberOfPassengers = max(0, Int(wire.numberOfPassengers))
        pickupPoint = wire.hasPickupPoint ? Coordinate(wire.pickupPoint.point) : nil
        dropoffPoint = wire.hasDropoffPoint ? Coordinate(wire.dropoffPoint.point) : nil
        intermediateDestinations = wire.intermediateDestinations.compactMap { Coordinate($0.point) }
        intermediateDestinationIndex = max(0, Int(wire.intermediateDestinationIndex))
        intermediateDestinationsVersion = wire.hasIntermediateDestinationsVersion ? wire.intermediateDestinationsVersion.version : nil
        pickupTime = wire.hasPickupTime ? wire.pickupTime.plausibleDate : nil
        dropoffTime = wire.hasDropoffTime ? wire.dropoffTime.plausibleDate : nil
        lastLocation = wire.hasLastLocation ? VehicleLocation(wire.lastLocation) : nil
        attributes = Dictionary(wire.attributes.map { ($0.key, $0.text) }, uniquingKeysWith: { first, _ in first })
        actualPickup = wire.hasActualPickupPoint ? StopLocation(wire.actualPickupPoint) : nil
        actualDropoff = wire.hasActualDropoffPoint ? StopLocation(wire.actualDropoffPoint) : nil
        setRoute(wire, knownRoute: knownRoute, paths: &paths)
    }

    private mutating func setRoute(_ wire: WireTrip, knownRoute: Polyline?, paths: inout PathReader) {
        activeRoute = RouteLine(
            encoded: wire.currentRouteSegment, list: wire.route,
            traffic: wire.hasCurrentRouteSegmentTraffic ? wire.currentRouteSegmentTraffic : nil, knownRoute: knownRoute, paths: &paths)
        activeRouteVersion = wire.hasCurrentRouteSegmentVersion ? wire.currentRouteSegmentVersion.version : nil
        activeRouteTrafficVersion = wire.hasCurrentRouteSegmentTrafficVersion ? wire.currentRouteSegmentTrafficVersion.version : nil
        remainingDistanceMeters =
            wire.hasRemainingDistanceMeters ? Double(wire.remainingDistanceMeters.value).plausible(in: Plausible.meters) : nil
        etaToNextWaypoint = wire.hasEtaToFirstWaypoint ? wire.etaToFirstWaypoint.plausibleDate : nil
        remainingTimeToNextWaypointSeconds =
            wire.hasRemainingTimeToFirstWaypoint ? wire.remainingTimeToFirstWaypoint.plausibleSeconds : nil
        remainingWaypoints = wire.remainingWaypoints.compactMap { TripWaypoint($0, paths: &paths) }
        remainingWaypointsRouteVersion = wire.hasRemainingWaypointsRouteVersion ? wire.remainingWaypointsRouteVersion.version : nil
    }
}

extension WireTripAttribute {
    package var text: String {
        switch tripAttributeValue {
        case .stringValue(let value): value
        case .boolValue(let value): value ? "true" : "false"
        case .numberValue(let value): value.attributeText
        case nil: ""
        }
    }
}

extension WireGetTripRequest {
    package init(_ request: GetTripRequest, header: WireRequestHeader) {
        self.init()
        self.header = header
        name = request.name.description
        view = .journeySharingV1S
        routeFormatType = .latLngListType
        if let version = request.activeRouteVersion { currentRouteSegmentVersion = .init(version) }
        if let version = request.activeRouteTrafficVersion { currentRouteSegmentTrafficVersion = .init(version) }
        if let version = request.remainingWaypointsRouteVersion { remainingWaypointsRouteVersion = .init(version) }
    }
}

extension WireCreateTripRequest {
    package init(_ trip: NewTrip, header: WireRequestHeader) {
        self.init()
        self.header = header
        parent = "providers/\(trip.name.provider)"
        tripID = trip.name.trip
        self.trip = .with { wire in
            wire.tripType = trip.type.wire
            wire.numberOfPassengers = Int32(clamping: trip.numberOfPassengers)
            wire.pickupPoint.point = WireLatLng(trip.pickupPoint)
            if let dropoff = trip.dropoffPoint { wire.dropoffPoint.point = WireLatLng(dropoff) }
            wire.intermediateDestinations = trip.intermediateDestinations.map { point in .with { $0.point = WireLatLng(point) } }
            wire.vehicleID = trip.vehicleID ?? ""
        }
    }
}

extension WireUpdateTripRequest {
    package init(_ request: TripUpdateRequest, header: WireRequestHeader) {
        self.init()
        self.header = header
        name = request.name.description
        if let status = request.status {
            trip.tripStatus = status.wire
            updateMask.paths.append("trip_status")
        }
        if let vehicleID = request.vehicleID {
            trip.vehicleID = vehicleID
            updateMask.paths.append("vehicle_id")
        }
        if let index = request.intermediateDestinationIndex {
            trip.intermediateDestinationIndex = Int32(clamping: index)
            updateMask.paths.append("intermediate_destination_index")
        }
        if let version = request.intermediateDestinationsVersion { trip.intermediateDestinationsVersion = .init(version) }
    }
}
