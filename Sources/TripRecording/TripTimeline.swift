import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials
import Geo

/// Goes through the entries of a log and derives GetTrip's answer after each entry. It keeps only the last answer.
///
/// An entry about the trip has the trip's settings and status, and the values that the server computes. Between such entries, the vehicle's
/// updates change the location, distance, time, route, traffic and stops. A value that an entry leaves out stays the same. A final status
/// clears the live values; see `Trip.finish(location:)` for those that stay.
struct TripTimeline {
    private let name: TripName
    private var moment: RecordedMoment?
    private var trip: Trip?
    /// The state of the fleet after the entries applied so far. It has all vehicles whose entries were applied.
    private var fleet = LoggedFleet()
    /// Whether the vehicle's last update listed the stops ahead. If so, these stops replace the stops in an older answer about the
    /// trip.
    private var vehicleTellsStops = false
    /// Whether an entry about the trip has named its vehicle. Before such an entry, the trip's vehicle is the one whose list of trips
    /// contains the trip.
    private var isVehicleNamed = false
    private var paths = PathReader(isRemembering: true)

    init(name: TripName) { self.name = name }

    /// Whether the trip is complete or cancelled.
    var isFinal: Bool { trip?.status.isFinal ?? false }

    /// Returns a vehicle of the trip's provider, as it is after the entries applied so far.
    private func logged(_ id: String?) -> WireVehicle? {
        guard let id, let name = try? VehicleName(provider: name.provider, vehicle: id) else { return nil }
        return fleet.vehicles[name]
    }

    /// Applies the next entry.
    /// - Returns: the moment at which the entry changed the answer; nil if the answer stays the same.
    mutating func apply(_ entry: LogEntry) -> RecordedMoment? {
        guard !isFinal else { return nil }
        fleet.apply(entry)
        let before = moment?.time
        switch entry.content {
        case .trip(let name, let report) where name == self.name: apply(report, at: entry.time)
        case .vehicle(let name, let report) where name.provider == self.name.provider: apply(report, of: name, at: entry.time)
        case .trip, .vehicle, .attributes, .tripDeleted, .vehicleDeleted: break
        case .tasks, .taskDeleted, .deliveryVehicle, .deliveryVehicleDeleted: break
        }
        return moment?.time == before ? nil : moment
    }

    /// Makes `next` the answer from `time` on. Does nothing if `next` equals the current answer.
    private mutating func commit(_ next: Trip, at time: LogInstant) {
        guard next != trip else { return }
        let time = moment.map { max(time, $0.time.next) } ?? time
        var next = next
        next.updateVersions(from: trip, version: time.version)
        trip = next
        let shown = vehicle(next.vehicleID)
        moment = RecordedMoment(time: time, date: time.date, outcome: .trip(next, vehicle: shown))
    }

    private mutating func vehicle(_ id: String?) -> Vehicle? {
        guard let wire = logged(id), let name = try? VehicleName(wire.name) else { return nil }
        return Vehicle(wire, name: name, paths: &paths)
    }
}

// MARK: - Entries about the trip

extension TripTimeline {
    private mutating func apply(_ report: TripReport, at time: LogInstant) {
        var next = trip ?? Trip(name: name)
        let said = Trip(report.wire, name: name, knownRoute: next.activeRoute.line, paths: &paths)
        if let known = fleet.trips[name] { next.setFacts(Trip(known, name: name, knownRoute: nil, paths: &paths)) }
        next.setForecasts(said)
        if report.saysVehicle {
            isVehicleNamed = true
            next.vehicleID = said.vehicleID
        }
        if next.status.isFinal {
            next.finish(location: said.lastLocation)
        } else if next.vehicleID == nil {
            next.clearLiveFields()
        } else {
            setLiveFields(said, report, in: &next, at: time)
        }
        commit(next, at: time)
    }

    private mutating func setLiveFields(_ said: Trip, _ report: TripReport, in next: inout Trip, at time: LogInstant) {
        let isSameVehicle = next.vehicleID == trip?.vehicleID
        if !isSameVehicle {
            next.clearLiveFields()
            next.setForecasts(said)
            vehicleTellsStops = false
        }
        let isOlder = isSameVehicle && said.lastLocation?.isOlder(than: next.lastLocation) ?? false
        if let location = said.lastLocation, location.isNewer(than: next.lastLocation) { next.lastLocation = location }
        if next.lastLocation == nil { next.lastLocation = logged(next.vehicleID).flatMap { VehicleLocation($0.lastLocation) } }
        if isOlder && vehicleTellsStops {
            // The server made this answer before the vehicle's last update, although the update comes first in the log.
            next.dropoffTime = trip?.dropoffTime ?? next.dropoffTime
        } else {
            setWay(said, report, in: &next, at: time)
        }
        next.alignStopsWithStatus()
    }

    private func setWay(_ said: Trip, _ report: TripReport, in next: inout Trip, at time: LogInstant) {
        if !said.activeRoute.isEmpty { next.setRoute(said.activeRoute.line) }
        if !said.activeRoute.traffic.isEmpty { next.setTraffic(said.activeRoute.traffic) }
        if report.saysStops { next.remainingWaypoints = stops(said.remainingWaypoints, of: next) }
        next.remainingDistanceMeters = said.remainingDistanceMeters ?? next.remainingDistanceMeters
        let eta = said.etaToNextWaypoint ?? said.remainingTimeToNextWaypointSeconds.map { time.date.addingTimeInterval($0) }
        next.etaToNextWaypoint = eta ?? next.etaToNextWaypoint
        next.completeStops()
    }
}

// MARK: - Entries about a vehicle

extension TripTimeline {
    private mutating func apply(_ report: VehicleReport, of name: VehicleName, at time: LogInstant) {
        guard var next = trip else { return }
        if !isVehicleNamed, report.currentTrips?.contains(self.name.trip) == true { next.vehicleID = name.vehicle }
        guard next.vehicleID == name.vehicle else { return }
        let said = Vehicle(report.wire, name: name, paths: &paths)
        if let location = said.lastLocation, report.isLocationNew || location.isNewer(than: next.lastLocation),
            !location.isSameFix(as: next.lastLocation)
        {
            next.lastLocation = location
        }
        if report.currentTrips?.contains(self.name.trip) ?? true { move(&next, by: said, report) }
        commit(next, at: time)
    }

    private mutating func move(_ next: inout Trip, by said: Vehicle, _ report: VehicleReport) {
        if report.saysRoute { next.setRoute(paths.line(encoded: report.wire.currentRouteSegment, list: [])) }
        if let stretches = report.stretches {
            next.setTraffic(RouteLine(next.activeRoute.line, slower: stretches).traffic)
        }
        next.remainingDistanceMeters = said.remainingDistanceMeters ?? next.remainingDistanceMeters
        let before = next.remainingWaypoints
        if report.saysStops {
            next.remainingWaypoints = stops(said.waypoints, of: next)
            vehicleTellsStops = !next.remainingWaypoints.isEmpty
        }
        next.moveForecasts(to: report.eta, stopsBefore: before)
        next.alignStopsWithStatus()
    }

    /// Returns the stops up to and including the last one of this trip. Fills in values that the log left out.
    private func stops(_ said: [TripWaypoint], of trip: Trip) -> [TripWaypoint] {
        let others = logged(trip.vehicleID)?.currentTrips.filter { $0 != name.trip } ?? []
        var stops = said
        for index in stops.indices where stops[index].tripID.isEmpty {
            stops[index].tripID = owner(of: stops[index], in: trip, others: others)
        }
        let last = stops.lastIndex(where: trip.owns)
        stops.removeSubrange((last.map { $0 + 1 } ?? 0)...)
        trip.nameTypes(of: &stops)
        return stops
    }

    /// Returns the trip id for a stop that has no trip id in the log. The result is this trip, unless the vehicle has other trips and this
    /// trip has no stop at that position. In that case, the result is the first of the other trips.
    private func owner(of stop: TripWaypoint, in trip: Trip, others: [String]) -> String {
        guard let other = others.first else { return name.trip }
        return trip.allStops.contains { $0.coordinate.isSameStop(as: stop.coordinate) } ? name.trip : other
    }
}

extension Trip {
    /// Sets the route. A new route has no traffic until an entry reports it.
    fileprivate mutating func setRoute(_ line: Polyline) {
        if line != activeRoute.line { activeRoute = RouteLine(line) }
    }

    /// Sets the traffic if there is a route.
    fileprivate mutating func setTraffic(_ traffic: [TrafficStretch]) {
        if !activeRoute.isEmpty { activeRoute = RouteLine(activeRoute.line, traffic: traffic) }
    }
}
