import FleetEngine
package import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf

/// Builds an answer about a trip from its record and its vehicle.
package struct TripAnswer: Sendable {
    let record: TripRecord
    /// The vehicle that serves the trip now; nil if no vehicle serves it.
    let vehicle: VehicleRecord?
    /// Whether the status of the first stop's trip says that the vehicle is at that stop.
    let hasArrived: Bool
    let now: Date

    /// Returns the answer to `GetTrip` in the requested form and view. Fields that have not changed since the caller's versions are left
    /// unset.
    package func answer(to request: WireGetTripRequest) -> WireTrip {
        let form: PathForm = request.routeFormatType == .encodedPolylineType ? [.encoded, .traffic] : [.list, .traffic]
        var trip = base(view: request.view)
        guard let vehicle else { return trip }
        let figures = vehicle.figures(now: now, hasArrived: hasArrived)
        addLive(vehicle, figures, to: &trip)
        let known = KnownVersions(
            route: request.hasCurrentRouteSegmentVersion ? request.currentRouteSegmentVersion : nil,
            traffic: request.hasCurrentRouteSegmentTrafficVersion ? request.currentRouteSegmentTrafficVersion : nil,
            waypointsRoute: request.hasRemainingWaypointsRouteVersion ? request.remainingWaypointsRouteVersion : nil)
        addRoutes(vehicle, figures, form: form, known: known, to: &trip)
        return trip
    }

    /// Returns the answer to `CreateTrip` and `UpdateTrip`, with both forms of every route. Only these answers have all stops of the
    /// vehicle.
    func fullAnswer() -> WireTrip {
        var trip = base(view: .unspecified)
        guard let vehicle else { return trip }
        let figures = vehicle.figures(now: now, hasArrived: hasArrived)
        addLive(vehicle, figures, to: &trip)
        addRoutes(vehicle, figures, form: .whole, known: KnownVersions(), to: &trip)
        trip.vehicleWaypoints = vehicle.waypoints(count: vehicle.stops.count, paths: .whole, figures: figures, now: now)
        return trip
    }

    /// Returns a trip in the answer to a search. It has a route, waypoints, distance and ETA only if the search named a vehicle.
    func searchAnswer(namesVehicle: Bool) -> WireTrip {
        var trip = base(view: .unspecified)
        guard let vehicle else { return trip }
        let figures = vehicle.figures(now: now, hasArrived: hasArrived)
        addLive(vehicle, figures, to: &trip)
        guard namesVehicle else {
            trip.clearRemainingDistanceMeters()
            trip.clearEtaToFirstWaypoint()
            trip.clearRemainingTimeToFirstWaypoint()
            return trip
        }
        addRoutes(vehicle, figures, form: .whole, known: KnownVersions(), to: &trip)
        return trip
    }

    private struct KnownVersions {
        var route: Google_Protobuf_Timestamp?
        var traffic: Google_Protobuf_Timestamp?
        var waypointsRoute: Google_Protobuf_Timestamp?
    }

    private func base(view: WireTripView) -> WireTrip {
        var trip = record.trip
        trip.name = record.name.description
        trip.view = view == .journeySharingV1S ? .journeySharingV1S : .sdk
        if vehicle == nil, !record.status.isFinal, let stamp = record.assignmentStamp {
            // A new version without a route shows that the trip has lost its vehicle.
            let version = Google_Protobuf_Timestamp(stamp: stamp)
            trip.currentRouteSegmentVersion = version
            trip.currentRouteSegmentTrafficVersion = version
            trip.remainingWaypointsVersion = version
            trip.remainingWaypointsRouteVersion = version
        }
        return trip
    }

    private func addLive(_ vehicle: VehicleRecord, _ figures: [StopFigures], to trip: inout WireTrip) {
        if vehicle.vehicle.hasLastLocation {
            trip.lastLocation = vehicle.vehicle.lastLocation.forTripAnswer
            trip.lastLocationSnappable = vehicle.isOnRoute
        }
        guard vehicle.stopCount(through: record.name.trip) > 0 else { return }
        if let meters = figures.first?.legMeters { trip.remainingDistanceMeters = Google_Protobuf_Int32Value(rounding: meters) }
        if let arrival = figures.first?.arrival {
            trip.etaToFirstWaypoint = Google_Protobuf_Timestamp(moment: arrival)
            trip.remainingTimeToFirstWaypoint = Google_Protobuf_Duration(lengthSeconds: max(0, arrival.timeIntervalSince(now)))
        }
        for (stop, figures) in zip(vehicle.stops, figures) where stop.tripID == record.name.trip {
            guard let arrival = figures.arrival else { continue }
            if stop.kind == .pickup { trip.pickupTime = Google_Protobuf_Timestamp(moment: arrival) }
            if stop.kind == .dropoff { trip.dropoffTime = Google_Protobuf_Timestamp(moment: arrival) }
        }
    }

    private func addRoutes(
        _ vehicle: VehicleRecord, _ figures: [StopFigures], form: PathForm, known: KnownVersions, to trip: inout WireTrip
    ) {
        let count = vehicle.stopCount(through: record.name.trip)
        let assigned = record.assignmentStamp
        let route = latest(vehicle.approachStamp, assigned)
        let traffic = latest(vehicle.trafficStamp, assigned)
        let between = vehicle.between.prefix(max(0, count - 1)).map(\.stamp).max()
        let waypointsRoute = latest(latest(route, traffic), latest(between, vehicle.stopsStamp))
        if let route { trip.currentRouteSegmentVersion = Google_Protobuf_Timestamp(stamp: route) }
        if let traffic { trip.currentRouteSegmentTrafficVersion = Google_Protobuf_Timestamp(stamp: traffic) }
        if let waypointsRoute { trip.remainingWaypointsRouteVersion = Google_Protobuf_Timestamp(stamp: waypointsRoute) }
        if let stops = latest(vehicle.stopsStamp, assigned) {
            trip.remainingWaypointsVersion = Google_Protobuf_Timestamp(stamp: stops)
        }
        let wantsPaths = waypointsRoute?.isNewer(than: known.waypointsRoute) ?? false
        trip.remainingWaypoints = vehicle.waypoints(count: count, paths: wantsPaths ? form : [], figures: figures, now: now)
        guard count > 0, let approach = vehicle.approach else { return }
        if route?.isNewer(than: known.route) ?? false {
            if form.contains(.list) { trip.route = approach.points }
            if form.contains(.encoded) { trip.currentRouteSegment = approach.encoded }
            if let endPoint = vehicle.endPoint { trip.currentRouteSegmentEndPoint = endPoint }
        }
        if traffic?.isNewer(than: known.traffic) ?? false { trip.currentRouteSegmentTraffic = approach.traffic }
    }

    private func latest(_ one: ChangeStamp?, _ other: ChangeStamp?) -> ChangeStamp? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }
}
