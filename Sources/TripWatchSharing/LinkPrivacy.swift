package import FleetEngine
import FoundationEssentials
import Geo
import Glibc
package import JourneySharing
import TripWatchWords

/// The details of a trip that a link discloses. Every picture and every event of a link is made from the filtered trip.
package struct LinkPrivacy: Hashable, Sendable {
    /// Allowed range of ``blurMeters``, in metres.
    package static let blurs = 1.0...100_000.0
    /// Length that is removed from a route, in metres: before a hidden address, and before and after another rider's stop.
    private static let foreignStopMeters = 150.0

    package var showsVehicle: Bool
    package var showsRoute: Bool
    /// Size of the grid to which positions are rounded, in metres; nil for exact positions.
    package var blurMeters: Double?
    /// Whether a shipment's planned location and the route to it are disclosed.
    package var showsAddress: Bool

    package init(showsVehicle: Bool = true, showsRoute: Bool = true, blurMeters: Double? = nil, showsAddress: Bool = false) {
        self.showsVehicle = showsVehicle
        self.showsRoute = showsRoute
        self.blurMeters = blurMeters
        self.showsAddress = showsAddress
    }

    /// Returns the trip with the details that viewers may see, under the link's own trip name.
    /// - Parameter isPooled: whether the trip has or had stops of other riders. If so, its route may start at such a stop.
    package func told(_ trip: Trip, as name: TripName, isPooled: Bool = false) -> Trip {
        var told = trip
        told.remainingWaypoints = waypoints(of: trip, isPooled: isPooled)
        told.name = name
        let leadsAway = trip.remainingWaypoints.first.map { !trip.owns($0) } ?? false
        told.activeRoute = showsRoute ? route(trip.activeRoute, leadsAway: leadsAway, isPooled: isPooled) : RouteLine()
        told.lastLocation = trip.lastLocation.map(location)
        if blurMeters != nil { blurFigures(of: &told) }
        if !showsVehicle {
            // With an empty id, viewers see that a vehicle is assigned, but not which one.
            told.vehicleID = trip.vehicleID.map { _ in "" }
            told.attributes = trip.attributes.filter { key, _ in
                ["title", "stop_names", TripKind.attributeKey].contains(key) || key.hasSuffix("_name") && !key.hasPrefix("driver")
            }
        }
        return told
    }

    /// Returns the shipment with the details that viewers may see, under the link's own tracking name.
    package func told(_ shipment: TaskTrackingInfo, as name: TaskTrackingName) -> TaskTrackingInfo {
        var told = shipment
        told.name = name
        told.attributes = []
        if !showsAddress { told.plannedLocation = nil }
        told.route = shipment.route.flatMap(route)
        told.vehicleLocation = shipment.vehicleLocation.map(location)
        told.remainingDistanceMeters = shipment.remainingDistanceMeters.map(coarse)
        told.outcomeTime = shipment.outcomeTime.map(coarse)
        told.estimatedArrivalTime = shipment.estimatedArrivalTime.map(coarse)
        told.estimatedCompletionTime = shipment.estimatedCompletionTime.map(coarse)
        return told
    }

    /// Returns the part of a shipment's route that may be shown; nil for none. The end of the route is cut off if it would reveal a hidden
    /// address.
    private func route(_ line: Polyline) -> Polyline? {
        guard showsRoute else { return nil }
        let told = route(RouteLine(line), leadsAway: !showsAddress, isPooled: false).line
        return told.isEmpty ? nil : told
    }

    /// Returns the vehicle with the details that the link discloses; nil if the link discloses no vehicle.
    package func told(_ vehicle: Vehicle) -> Vehicle? {
        guard showsVehicle else { return nil }
        var told = vehicle
        told.lastLocation = nil
        told.waypoints = []
        told.currentTrips = []
        told.remainingDistanceMeters = nil
        told.etaToFirstWaypoint = nil
        return told
    }

    /// Returns a failure without its cause, which viewers cannot fix. Viewers learn only the number of failures in a row, the time until
    /// the next attempt, whether the server answers, and whether it had answered before.
    package func told(_ failure: PollFailure) -> PollFailure {
        let origin: FleetEngineError.Origin = FailureWords.isAnswer(failure.error) ? .server : .local
        return PollFailure(
            error: FleetEngineError(code: .unavailable, message: "", origin: origin), errorClass: .retryable,
            retryInSeconds: failure.retryInSeconds, attempt: failure.attempt, serverWasHeard: failure.serverWasHeard)
    }

    /// Returns the waypoints. Stops of other riders stay in the list, so that viewers can count them. Their coordinates and trip ids are
    /// replaced, and the paths to and from them are removed. A stop without a trip id counts as this trip's own stop.
    private func waypoints(of trip: Trip, isPooled: Bool) -> [TripWaypoint] {
        let isOwnNext = trip.remainingWaypoints.first.map(trip.owns) ?? false
        let here = trip.ownRemainingWaypoints.first?.coordinate ?? trip.pickupPoint ?? Coordinate(latitude: 0, longitude: 0)
        var leadsFromForeign = false
        return trip.remainingWaypoints.enumerated().map { index, waypoint in
            var told = waypoint
            if index == 0, isOwnNext { told.path = route(waypoint.path, leadsAway: false, isPooled: isPooled) }
            if blurMeters != nil { blurFigures(of: &told) }
            if !trip.owns(waypoint) { (told.coordinate, told.tripID) = (here, "other") }
            if !showsRoute || leadsFromForeign || !trip.owns(waypoint) { told.path = RouteLine() }
            leadsFromForeign = !trip.owns(waypoint)
            return told
        }
    }

    private func route(_ route: RouteLine, leadsAway: Bool, isPooled: Bool) -> RouteLine {
        let end = route.lengthMeters - (leadsAway ? Self.foreignStopMeters : 0)
        if blurMeters == nil, !leadsAway, !isPooled { return route }
        let blurred = blurMeters.map { route.lengthMeters - keptMeters(of: route.lengthMeters, $0) } ?? 0
        let start = max(blurred, isPooled ? Self.foreignStopMeters : 0)
        return start < end ? route.slice(fromMeters: start, toMeters: end) : RouteLine()
    }

    /// Returns the length of the last part of a route, in metres. Only this part is disclosed when positions are blurred. The length
    /// changes in whole steps, so that the start of the part does not reveal the vehicle's position.
    private func keptMeters(of length: Double, _ blur: Double) -> Double {
        max(0, ((length - blur) / blur).rounded(.down) * blur)
    }

    private func location(_ location: VehicleLocation) -> VehicleLocation {
        var told = location
        told.rawCoordinate = nil
        told.supplemental = nil
        told.altitudeMeters = nil
        guard let blurMeters, let blurSeconds else { return told }
        told.coordinate = location.coordinate.onGrid(ofMeters: blurMeters)
        told.headingDegrees = nil
        told.speedMetersPerSecond = nil
        told.accuracyMeters = blurMeters
        told.isRoadSnapped = nil
        told.timeStepSeconds = blurSeconds
        let sensor = location.updateTime ?? location.rawLocationTime
        told.rawLocationTime = nil
        told.serverTime = location.serverTime.map { $0.rounded(toSeconds: blurSeconds, .down) }
        told.updateTime = sensor.map { sensor in
            guard let server = location.serverTime, let begun = told.serverTime else {
                return sensor.rounded(toSeconds: blurSeconds, .down)
            }
            // The delay between the sensor's time and the server's time is rounded. If each of the two times were rounded instead, a report
            // without delay could seem late by a whole step.
            let late = (server.timeIntervalSince(sensor) / blurSeconds).rounded(.towardZero) * blurSeconds
            return begun.addingTimeInterval(-late)
        }
        return told
    }
}

// MARK: - Figures

extension LinkPrivacy {
    /// Step to which times are rounded, in seconds; nil for exact times. An exact arrival time and a known speed would reveal the
    /// position.
    package var blurSeconds: Double? { blurMeters.map { $0 < 500 ? 30 : 60 } }

    private func blurFigures(of trip: inout Trip) {
        trip.remainingDistanceMeters = trip.remainingDistanceMeters.map(coarse)
        trip.pickupTime = trip.pickupTime.map(coarse)
        trip.dropoffTime = trip.dropoffTime.map(coarse)
        let arrival = trip.etaToNextWaypoint.map(coarse)
        // Clients compute the server's clock from the arrival time minus the remaining time, so this difference must not change.
        if let exact = trip.etaToNextWaypoint, let arrival {
            trip.remainingTimeToNextWaypointSeconds? += arrival.timeIntervalSince(exact)
        } else {
            trip.remainingTimeToNextWaypointSeconds = trip.remainingTimeToNextWaypointSeconds.map(coarseSeconds)
        }
        trip.etaToNextWaypoint = arrival
        (trip.actualPickup, trip.actualDropoff) = (nil, nil)
    }

    private func blurFigures(of waypoint: inout TripWaypoint) {
        waypoint.distanceMeters = waypoint.distanceMeters.map(coarse)
        waypoint.eta = waypoint.eta.map(coarse)
        waypoint.durationSeconds = waypoint.durationSeconds.map(coarseSeconds)
    }

    /// Rounds a distance up to a multiple of the blur, because an exact distance along a known route would reveal the position.
    private func coarse(_ meters: Double) -> Double { blurMeters.map { (meters / $0).rounded(.up) * $0 } ?? meters }

    private func coarse(_ arrival: Date) -> Date { blurSeconds.map { arrival.rounded(toSeconds: $0, .up) } ?? arrival }

    private func coarseSeconds(_ seconds: Double) -> Double { blurSeconds.map { (seconds / $0).rounded(.up) * $0 } ?? seconds }
}

extension Date {
    fileprivate func rounded(toSeconds step: Double, _ rule: FloatingPointRoundingRule) -> Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 / step).rounded(rule) * step)
    }
}

extension Coordinate {
    /// Metres per degree of latitude.
    private static let metersPerDegree = 111_195.0

    /// Returns the centre of the grid cell that contains this coordinate. The cells of the fixed grid have the given height, and
    /// about the same width.
    func onGrid(ofMeters meters: Double) -> Coordinate {
        guard isValid, meters > 0 else { return self }
        let rows = meters / Self.metersPerDegree
        let latitude = min(max(((self.latitude / rows).rounded(.down) + 0.5) * rows, -90), 90)
        let columns = rows / max(0.01, cos(latitude * .pi / 180))
        let longitude = ((self.longitude / columns).rounded(.down) + 0.5) * columns
        return Coordinate(latitude: latitude, longitude: longitude > 180 ? longitude - 360 : longitude)
    }
}
