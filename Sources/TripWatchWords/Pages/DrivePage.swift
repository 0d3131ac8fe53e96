package import Driver
package import FleetEngine
package import FoundationEssentials
package import Geo
package import JourneySharing
import Navigation

/// The options with which the driver's screen starts.
package struct DriveOptions: Hashable, Sendable {
    package var vehicle: VehicleName
    /// Whether this screen can ask the provider to give an offered trip to another car.
    package var declining = AppOptions.Cancelling.unavailable(
        "Set --provider-url, or provider_url in the configuration, to decline trips.")
    /// The description of the position source, as displayed.
    package var source = ""
    /// Whether the position source always provides a first position. A simulated car without a route may have none.
    package var getsPosition = true
    /// The interval between reports, in seconds.
    package var reportSeconds = 10.0

    package init(vehicle: VehicleName) { self.vehicle = vehicle }
}

/// A driver's shift on the screen.
package struct DrivePage: Sendable {
    package let options: DriveOptions
    package private(set) var shift: DriverShiftState
    /// The shift in the form of a journey, so that the map can show it.
    package var journey: JourneyTracker
    package var log = EventLog()
    /// The times at which the trips under way entered their statuses.
    private var entered: [TripName: [TripStatus: Date]] = [:]
    /// The planned arrival at the next stop, as estimated when the route to the stop was found.
    private(set) var planned: Date?
    /// The offer that the driver has declined; nil once the provider has answered.
    package var declining: TripName?
    /// The last offer that the provider withdrew because the driver declined it.
    package var declined: TripName?
    /// The number of the notice that asks the driver to press the same key again.
    package var armedNotice: Int?
    private var plannedFor: TripStop?
    /// The time to each later stop in seconds, from the server's first forecast after the vehicle stopped. Empty while the vehicle
    /// is driving.
    private var secondsAhead: [Stop: Double] = [:]
    private var leg: (revision: Int, line: RouteLine)?

    /// Creates the page; nil if the vehicle's name would not be valid as a trip's name.
    package init?(_ options: DriveOptions, now: Date) {
        guard let name = try? TripName(provider: options.vehicle.provider, trip: options.vehicle.vehicle) else { return nil }
        self.options = options
        shift = DriverShiftState(since: now)
        journey = JourneyTracker(tripName: name, pollIntervalSeconds: 1)
    }

    /// The first offered trip; nil if no trip is offered.
    package var offer: Trip? { shift.offers.first }

    /// The current trip, and the other trips that are under way or accepted.
    package var underWay: [Trip] { [shift.trip].compactMap { $0 } + shift.later }

    /// Applies a new state of the shift.
    /// - Returns: the newly offered trips.
    package mutating func show(_ new: DriverShiftState, at now: Date) -> [Trip] {
        let known = Set(shift.offers.map(\.name))
        if new.isOnline != shift.isOnline {
            log.add(note: new.isOnline ? "Online: ready for new trips" : "Offline: no new trips", at: now)
        }
        let before = Dictionary(underWay.map { ($0.name, $0.status) }) { first, _ in first }
        shift = new
        for trip in underWay where before[trip.name] == nil && (known.contains(trip.name) || trip.status == .new) {
            log.add(note: "Trip accepted", at: now)
        }
        for trip in underWay where trip.status != before[trip.name] {
            // If the rider was already on board when this program started, the time of the pickup is unknown.
            guard before[trip.name] != nil || trip.status.isBeforePickup else { continue }
            // A trip gets the same statuses again for each further intermediate stop. The first times are kept.
            entered[trip.name, default: [:]][trip.status] = entered[trip.name]?[trip.status] ?? now
        }
        let names = Set(underWay.map(\.name))
        entered = entered.filter { names.contains($0.key) }
        plan(at: now)
        measureAhead(at: now)
        journey.observe(TripUpdate(name: journey.tripName, time: now, kind: .trip(shown(), changed: [])))
        journey.advance(to: now)
        return new.offers.filter { !known.contains($0.name) }
    }

    /// Whether the vehicle's work has changed, so that a notice about the driver's last key may be outdated.
    package func hasMoved(since before: DrivePage) -> Bool {
        isOnline != before.isOnline || offer?.name != before.offer?.name || current != before.current
            || isStanding != before.isStanding || shift.trip?.status != before.shift.trip?.status
    }

    private mutating func plan(at now: Date) {
        guard case .driving(let stop, _) = shift.phase else { return (planned, plannedFor) = (nil, nil) }
        guard stop != plannedFor, let seconds = shift.navigation.remaining?.timeSeconds else { return }
        (planned, plannedFor) = (now.addingTimeInterval(seconds), stop)
    }

    private mutating func measureAhead(at now: Date) {
        guard isStanding || isThere else { return secondsAhead = [:] }
        for stop in stops.dropFirst() where secondsAhead[stop.bare] == nil {
            if let eta = stop.eta { secondsAhead[stop.bare] = max(0, eta.timeIntervalSince(now)) }
        }
    }

    /// Returns the arrival at a later stop. The server's forecast does not change while the vehicle is stationary, so the waiting
    /// time is added.
    package func arrival(at stop: Stop, now: Date) -> Date? {
        guard isStanding || isThere, let seconds = secondsAhead[stop.bare] else { return stop.eta }
        let moved = now.addingTimeInterval(seconds)
        return max(stop.eta ?? moved, moved)
    }

    /// Returns the current trip, or else the offered trip, as a rider sees it, but with the latest position. Without a trip, returns only
    /// the position.
    private mutating func shown() -> Trip {
        let navigation = shift.navigation
        var trip = Trip(
            name: journey.tripName, vehicleID: options.vehicle.vehicle, lastLocation: navigation.location.map { VehicleLocation($0) })
        guard let own = shift.trip ?? offer else { return trip }
        trip.status = own.status
        trip.pickupPoint = own.pickupPoint
        trip.dropoffPoint = own.dropoffPoint
        trip.intermediateDestinations = own.intermediateDestinations
        trip.intermediateDestinationIndex = own.intermediateDestinationIndex
        guard shift.trip != nil else { return trip }
        if let route = navigation.route, navigation.currentRouteLeg != nil {
            let isKnown = leg?.revision == navigation.routeRevision
            let line = isKnown ? leg?.line : route.route(ofLeg: navigation.legIndex)
            leg = line.map { (navigation.routeRevision, $0) }
            trip.activeRoute = line ?? RouteLine()
        }
        var last: Coordinate?
        trip.remainingWaypoints = stops.map { stop in
            defer { last = stop.coordinate }
            return TripWaypoint(
                coordinate: stop.coordinate, tripID: "", type: stop.type, path: RouteLine([last, stop.coordinate].compactMap { $0 }))
        }
        return trip
    }
}

// MARK: - Stops

extension DrivePage {
    /// Two locations less than this far apart can be the same stop, in metres. Servers round coordinates.
    package static let sameStopMeters = 30.0

    /// The stop that the vehicle is driving to or waiting at, or a later stop.
    package struct Stop: Hashable, Sendable {
        package var type: WaypointType
        package var coordinate: Coordinate
        /// The bare id of the trip that the stop belongs to.
        package var tripID: String
        /// The arrival time from the server, if the server gives one.
        package var eta: Date?

        /// The stop without its time.
        fileprivate var bare: Stop { Stop(type: type, coordinate: coordinate, tripID: tripID) }
    }

    /// The stop that the vehicle is driving to or waiting at.
    package var current: TripStop? {
        switch shift.phase {
        case .starting, .waiting: nil
        case .driving(let stop, _), .standing(let stop): stop
        }
    }

    /// The time of the pickup, if known.
    package var pickedUpAt: Date? {
        guard let trip = shift.trip else { return nil }
        let times = entered[trip.name] ?? [:]
        return times[.enrouteToIntermediateDestination] ?? times[.enrouteToDropoff] ?? trip.actualPickup?.time
    }

    /// Whether the vehicle accepts new trips.
    package var isOnline: Bool { shift.isOnline }

    /// Whether the vehicle has reached the stop that it was driving to.
    package var isThere: Bool { if case .driving(_, true) = shift.phase { true } else { false } }

    package var isStanding: Bool { if case .standing = shift.phase { true } else { false } }

    /// The stops from the current stop onwards, in the vehicle's order. The list ends at the last stop that belongs to a trip under way or
    /// accepted. If the vehicle lists no such stop, the stops come from the current trip. Empty without a current trip.
    package var stops: [Stop] {
        guard let trip = shift.trip else { return [] }
        var ahead = told(trip).map {
            Stop(type: $0.type, coordinate: $0.coordinate, tripID: $0.tripID.isEmpty ? trip.name.trip : $0.tripID, eta: $0.eta)
        }
        if ahead.isEmpty { ahead = Self.ownStops(trip) }
        guard let current else { return ahead }
        var present = Stop(type: current.type, coordinate: current.coordinate, tripID: trip.name.trip)
        let known = ahead.firstIndex {
            $0.tripID == present.tripID && ($0.type == present.type || $0.type == .unknown)
                && $0.coordinate.distanceMeters(to: present.coordinate) < Self.sameStopMeters
        }
        if let known { present.eta = ahead.remove(at: known).eta }
        return [present] + ahead
    }

    /// Returns the remaining stops that the server shows: those of the vehicle, or else those of the trip.
    private func told(_ trip: Trip) -> [TripWaypoint] {
        let ids = Set(underWay.map(\.name.trip))
        guard let last = shift.stops.lastIndex(where: { ids.contains($0.tripID) }) else { return trip.remainingWaypoints }
        return Array(shift.stops[...last])
    }

    /// The remaining stops, from the trip's own data only.
    private static func ownStops(_ trip: Trip) -> [Stop] {
        func stop(_ type: WaypointType, _ place: Coordinate?) -> [Stop] {
            place.map { [Stop(type: type, coordinate: $0, tripID: trip.name.trip)] } ?? []
        }
        let first = trip.status.isBeforePickup ? 0 : trip.stopIndex
        let between = trip.status == .enrouteToDropoff ? [] : trip.intermediateDestinations.dropFirst(first).prefix(99)
        return (trip.status.isBeforePickup ? stop(.pickup, trip.pickupPoint) : []) + between.flatMap { stop(.intermediate, $0) }
            + stop(.dropoff, trip.dropoffPoint)
    }

    /// Returns the distance to a trip's pickup, in metres. If the pickup is the vehicle's next stop and the server gives the distance by
    /// road, returns that distance, which the rider sees too. In all other cases, returns the distance in a straight line; nil if the
    /// pickup or the vehicle's position is unknown.
    package func metersToPickup(of trip: Trip) -> Double? {
        if let next = trip.remainingWaypoints.first, next.tripID == trip.name.trip, next.type == .pickup, let meters = next.distanceMeters {
            return meters
        }
        guard let pickup = trip.pickupPoint, let own = shift.navigation.location?.coordinate else { return nil }
        return own.distanceMeters(to: pickup)
    }

    /// The places on the screen whose names must be found.
    package var places: [Coordinate] {
        let trips = underWay + [offer].compactMap { $0 }
        return trips.flatMap { [$0.pickupPoint, $0.dropoffPoint].compactMap { $0 } + $0.intermediateDestinations.prefix(99) }
    }
}

// MARK: - Figures

extension DrivePage {
    /// Returns the delay at the next stop compared with the plan, in seconds; nil without a route to a stop, and at the stop.
    package func delaySeconds(now: Date) -> Double? {
        guard let planned, !isThere, let left = shift.navigation.remaining?.timeSeconds else { return nil }
        return now.addingTimeInterval(left).timeIntervalSince(planned)
    }

    /// The completed fraction of the route to the next stop, 0...1; nil without a route, and at a stop.
    package var fraction: Double? {
        guard !isStanding, !isThere, let left = shift.navigation.remaining?.distanceMeters, let leg = shift.navigation.currentRouteLeg,
            leg.distanceMeters > 0
        else { return nil }
        return min(1, max(0, 1 - left / leg.distanceMeters))
    }
}
