import FleetEngine
import FoundationEssentials
import Geo

extension Trip {
    /// Copies the values that the server does not compute.
    /// - Parameter known: the trip as it is after the entries applied so far.
    mutating func setFacts(_ known: Trip) {
        status = known.status
        type = known.type
        numberOfPassengers = known.numberOfPassengers
        pickupPoint = known.pickupPoint
        dropoffPoint = known.dropoffPoint
        intermediateDestinations = known.intermediateDestinations
        intermediateDestinationIndex = known.intermediateDestinationIndex
        actualPickup = known.actualPickup
        actualDropoff = known.actualDropoff
        attributes = known.attributes
    }

    mutating func setForecasts(_ said: Trip) {
        pickupTime = said.pickupTime ?? pickupTime
        dropoffTime = said.dropoffTime ?? dropoffTime
    }

    /// Clears the values that the server computes from the vehicle. After the pickup, the pickup time stays.
    mutating func clearLiveFields() {
        lastLocation = nil
        activeRoute = RouteLine()
        remainingDistanceMeters = nil
        etaToNextWaypoint = nil
        remainingWaypoints = []
        if status.isBeforePickup { pickupTime = nil }
        dropoffTime = nil
    }

    /// Clears the live values of a trip that has ended. The pickup time stays. A COMPLETE trip also keeps its drop-off time and the
    /// coordinate of its last location.
    mutating func finish(location: VehicleLocation?) {
        let isComplete = status == .complete
        let place = (location ?? lastLocation)?.coordinate
        let pickup = pickupTime, dropoff = dropoffTime
        clearLiveFields()
        pickupTime = pickup
        dropoffTime = isComplete ? dropoff : nil
        lastLocation = isComplete ? place.map { VehicleLocation(coordinate: $0) } : nil
    }

    /// Sets `version` on the parts that differ from `previous`. The routes of a final trip get no version, as in the server's answers.
    mutating func updateVersions(from previous: Trip?, version: DataVersion) {
        if status.isFinal {
            activeRouteVersion = nil
            activeRouteTrafficVersion = nil
            remainingWaypointsRouteVersion = nil
        } else {
            if activeRoute.line != previous?.activeRoute.line ?? Polyline([]) { activeRouteVersion = version }
            if activeRoute.traffic != previous?.activeRoute.traffic ?? [] { activeRouteTrafficVersion = version }
            let old = previous?.remainingWaypoints ?? []
            if remainingWaypoints.map(\.path) != old.map(\.path) { remainingWaypointsRouteVersion = version }
        }
        if intermediateDestinations != previous?.intermediateDestinations ?? [] { intermediateDestinationsVersion = version }
    }
}

// MARK: - Stops

/// A stop in a trip's booking.
struct BookedStop {
    let coordinate: Coordinate
    let type: WaypointType
}

extension Coordinate {
    /// Two reported stops are treated as the same stop if they are at most this far apart, in metres. Servers round the coordinates, and
    /// the stops of a trip are farther apart than this.
    private static let sameStopMeters = 25.0

    func isSameStop(as other: Coordinate) -> Bool { distanceMeters(to: other) <= Self.sameStopMeters }
}

extension Trip {
    /// All booked stops, in the order of the trip.
    var allStops: [BookedStop] {
        var stops = intermediateDestinations.map { BookedStop(coordinate: $0, type: .intermediate) }
        if let pickupPoint { stops.insert(BookedStop(coordinate: pickupPoint, type: .pickup), at: 0) }
        if let dropoffPoint { stops.append(BookedStop(coordinate: dropoffPoint, type: .dropoff)) }
        return stops
    }

    /// The stops ahead, derived from the status alone. If the vehicle waits at a stop, that stop is included.
    private var stopsAheadByStatus: [BookedStop] {
        if status.isFinal { return [] }
        if status.isBeforePickup || status == .unknown { return allStops }
        let ahead = status.intermediatesAhead(of: intermediateDestinations.count, index: intermediateDestinationIndex)
        return allStops.suffix(ahead.count + (dropoffPoint == nil ? 0 : 1))
    }

    /// Sets the missing types of this trip's stops. The stops that remain are always the last stops of the booking.
    func nameTypes(of stops: inout [TripWaypoint]) {
        let own = stops.indices.filter { owns(stops[$0]) }
        for (index, booked) in zip(own.reversed(), allStops.reversed()) where stops[index].type == .unknown {
            stops[index].type = booked.type
        }
    }

    /// Removes the stops of this trip that the vehicle has passed according to the status. If the log has no stops, uses the booked stops
    /// that are still ahead.
    mutating func alignStopsWithStatus() {
        let ahead = stopsAheadByStatus
        let surplus = ownRemainingWaypoints.count - ahead.count
        if remainingWaypoints.isEmpty {
            remainingWaypoints = ahead.map { TripWaypoint(coordinate: $0.coordinate, tripID: name.trip, type: $0.type) }
            completeStops()
        } else if surplus > 0, !ahead.isEmpty {
            let own = remainingWaypoints.indices.filter { owns(remainingWaypoints[$0]) }
            let isFirstGone = own.first == 0
            for index in own.prefix(surplus).reversed() { remainingWaypoints.remove(at: index) }
            guard isFirstGone else { return }
            etaToNextWaypoint = remainingWaypoints.first?.eta
            remainingDistanceMeters = remainingWaypoints.first?.distanceMeters
        }
    }

    /// Completes the arrivals and distances of the stops. The first stop gets `etaToNextWaypoint` and `remainingDistanceMeters` where these
    /// are known; later stops get only what they lack. Conversely, if `etaToNextWaypoint` is nil, it is set to the first stop's arrival.
    mutating func completeStops() {
        for index in remainingWaypoints.indices {
            if index == 0 {
                remainingWaypoints[0].eta = etaToNextWaypoint ?? remainingWaypoints[0].eta
                remainingWaypoints[0].distanceMeters = remainingDistanceMeters ?? remainingWaypoints[0].distanceMeters
                continue
            }
            let stop = remainingWaypoints[index]
            if stop.eta == nil, owns(stop) { remainingWaypoints[index].eta = forecast(of: stop.type) }
            if stop.distanceMeters == nil, stop.path.coordinates.count > 1 {
                remainingWaypoints[index].distanceMeters = stop.path.lengthMeters.rounded()
            }
        }
        etaToNextWaypoint = etaToNextWaypoint ?? remainingWaypoints.first?.eta
    }

    private func forecast(of type: WaypointType) -> Date? {
        switch type {
        case .pickup: pickupTime
        case .dropoff: dropoffTime
        case .intermediate, .unknown: nil
        }
    }

    /// Sets the estimated arrival at the first remaining stop to `eta`, and shifts the times of the later stops by the same amount. The
    /// times between stops stay the same.
    /// - Parameters:
    ///   - eta: new estimated arrival at the first stop; nil if the vehicle sent no estimate.
    ///   - before: the stops before this change. If the new stops have no estimated times, the times of these stops are used.
    mutating func moveForecasts(to eta: Date?, stopsBefore before: [TripWaypoint]) {
        for index in remainingWaypoints.indices where remainingWaypoints[index].eta == nil {
            let stop = remainingWaypoints[index]
            let known = before.first { $0.tripID == stop.tripID && $0.type == stop.type && $0.coordinate.isSameStop(as: stop.coordinate) }
            remainingWaypoints[index].eta = known?.eta
            remainingWaypoints[index].durationSeconds = stop.durationSeconds ?? known?.durationSeconds
        }
        if let eta {
            let shift = remainingWaypoints.first?.eta.map { eta.timeIntervalSince($0) } ?? 0
            for index in remainingWaypoints.indices.dropFirst() { remainingWaypoints[index].eta?.addTimeInterval(shift) }
            etaToNextWaypoint = eta
        }
        completeStops()
        for stop in remainingWaypoints where owns(stop) {
            if stop.type == .pickup { pickupTime = stop.eta ?? pickupTime }
            if stop.type == .dropoff { dropoffTime = stop.eta ?? dropoffTime }
        }
    }
}
