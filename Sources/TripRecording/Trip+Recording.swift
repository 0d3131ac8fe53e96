import FleetEngine
import FoundationEssentials
import Geo

extension Trip {
    /// Sets the values that the server does not compute.
    /// - Parameter known: the trip according to the log so far.
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

    /// Clears all values that the server computes from the vehicle. A pickup in the past keeps its time.
    mutating func clearLiveFields() {
        lastLocation = nil
        activeRoute = RouteLine()
        remainingDistanceMeters = nil
        etaToNextWaypoint = nil
        remainingWaypoints = []
        if status.isBeforePickup { pickupTime = nil }
        dropoffTime = nil
    }

    /// Ends the trip. The pickup time stays. A COMPLETE trip also keeps its drop-off time and the coordinate of its last location.
    mutating func finish(location: VehicleLocation?) {
        let isComplete = status == .complete
        let place = (location ?? lastLocation)?.coordinate
        let pickup = pickupTime, dropoff = dropoffTime
        clearLiveFields()
        pickupTime = pickup
        dropoffTime = isComplete ? dropoff : nil
        lastLocation = isComplete ? place.map { VehicleLocation(coordinate: $0) } : nil
    }

    /// Sets `version` on the parts that differ from `previous`. As in the server's answer, a final trip has no versions of its routes.
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
    /// Largest distance between two reports of one stop, metres. Servers round the places, and two stops of one trip are farther apart.
    private static let sameStopMeters = 25.0

    func isSameStop(as other: Coordinate) -> Bool { distanceMeters(to: other) <= Self.sameStopMeters }
}

extension Trip {
    /// All booked stops, in their order.
    var allStops: [BookedStop] {
        var stops = intermediateDestinations.map { BookedStop(coordinate: $0, type: .intermediate) }
        if let pickupPoint { stops.insert(BookedStop(coordinate: pickupPoint, type: .pickup), at: 0) }
        if let dropoffPoint { stops.append(BookedStop(coordinate: dropoffPoint, type: .dropoff)) }
        return stops
    }

    /// The stops ahead according to the status alone, including the one where the vehicle waits.
    private var stopsAheadByStatus: [BookedStop] {
        if status.isFinal { return [] }
        if status.isBeforePickup || status == .unknown { return allStops }
        let ahead = status.intermediatesAhead(of: intermediateDestinations.count, index: intermediateDestinationIndex)
        return allStops.suffix(ahead.count + (dropoffPoint == nil ? 0 : 1))
    }

    /// Sets the missing types of this trip's stops. The stops ahead are always the last ones of the booking.
    func nameTypes(of stops: inout [TripWaypoint]) {
        let own = stops.indices.filter { owns(stops[$0]) }
        for (index, booked) in zip(own.reversed(), allStops.reversed()) where stops[index].type == .unknown {
            stops[index].type = booked.type
        }
    }

    /// Removes this trip's stops that have been passed according to the status. If the log has no stops, they are taken from the booking.
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

    /// Fills missing values of the stops from the trip, and of the trip from the stops.
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

    /// Shifts the forecasts of all stops ahead together with that of the first stop, so that the times between stops stay the same.
    /// - Parameters:
    ///   - eta: new forecast of the first stop; nil if the vehicle sent no forecast.
    ///   - before: the stops before this change. They supply the forecasts that the new stops lack.
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
