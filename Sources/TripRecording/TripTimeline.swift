import FleetEngine
import FoundationEssentials
import Geo

/// A recorded change, with the trip as it was from then on.
struct RecordedMoment: Sendable {
    let time: LogInstant
    let date: Date
    let trip: Trip
    let vehicle: Vehicle?
}

/// Follows the entries of a log and keeps what GetTrip would have answered after each of them.
///
/// Entries of the trip say what it is, where it stands and what the server had computed; between them the vehicle's updates move
/// location, distance, time, route and traffic. What an entry does not say stays as it was; a final status clears all that lives.
struct TripTimeline {
    private let name: TripName
    private(set) var moments: [RecordedMoment] = []
    private var trip: Trip?
    /// Every vehicle of the provider as last seen; one of them may get the trip later.
    private var vehicles: [String: Vehicle] = [:]
    /// The vehicle's last update told the stops ahead, so that it tells them better than an older trip entry.
    private var vehicleTellsStops = false
    /// An entry of the trip named its vehicle; until then the vehicle's own list of trips counts.
    private var isVehicleNamed = false
    private var paths = PathCache()

    init(name: TripName) { self.name = name }

    private var isFinal: Bool { trip?.status.isFinal ?? false }

    private var vehicle: Vehicle? { trip?.vehicleID.flatMap { vehicles[$0] } }

    mutating func apply(_ entry: LogEntry) {
        guard !isFinal else { return }
        switch entry.content {
        case .trip(let name, let report) where name == self.name: apply(report, at: entry.time)
        case .vehicle(let name, let report) where name.provider == self.name.provider: apply(report, of: name, at: entry.time)
        case .trip, .vehicle: break
        }
    }

    /// Keeps `next` as what holds from `time` on, unless nothing changed.
    private mutating func commit(_ next: Trip, at time: LogInstant) {
        guard next != trip else { return }
        let time = moments.last.map { max(time, $0.time.next) } ?? time
        var next = next
        next.updateVersions(from: trip, version: time.version)
        trip = next
        moments.append(RecordedMoment(time: time, date: time.date, trip: next, vehicle: vehicle))
    }
}

// MARK: - Entries of the trip

extension TripTimeline {
    private mutating func apply(_ report: TripReport, at time: LogInstant) {
        var next = trip ?? Trip(name: name)
        next.takeFacts(from: report)
        if report.vehicleID != nil { isVehicleNamed = true }
        if next.status.isFinal {
            next.finish(location: report.location)
        } else if next.vehicleID == nil {
            next.clearLiveFields()
        } else {
            takeLiveFields(from: report, into: &next, at: time)
        }
        commit(next, at: time)
    }

    private mutating func takeLiveFields(from report: TripReport, into next: inout Trip, at time: LogInstant) {
        let isSameVehicle = next.vehicleID == trip?.vehicleID
        if !isSameVehicle {
            next.clearLiveFields()
            next.takeForecasts(from: report)
            vehicleTellsStops = false
        }
        let isOlder = isSameVehicle && report.isOlder(than: next.lastLocation)
        if let location = report.location, location.isNewer(than: next.lastLocation) { next.lastLocation = location }
        if next.lastLocation == nil { next.lastLocation = next.vehicleID.flatMap { vehicles[$0]?.lastLocation } }
        if isOlder && vehicleTellsStops {
            // The server had made this answer before the vehicle's update that is already in the log before it.
            next.dropoffTime = trip?.dropoffTime ?? next.dropoffTime
        } else {
            takeWay(from: report, into: &next, at: time)
        }
        next.alignStopsWithStatus()
    }

    private mutating func takeWay(from report: TripReport, into next: inout Trip, at time: LogInstant) {
        if let route = report.route {
            let line = paths.line(of: route)
            if line != next.activeRoute.line { next.activeRoute = RouteLine(line) }
        }
        if let traffic = report.traffic?.stretches(on: next.activeRoute.line, paths: &paths) {
            next.activeRoute = RouteLine(next.activeRoute.line, traffic: traffic)
        }
        if let waypoints = report.waypoints { next.remainingWaypoints = stops(waypoints, of: next) }
        next.remainingDistanceMeters = report.remainingDistanceMeters ?? next.remainingDistanceMeters
        let eta = report.eta ?? report.remainingTimeSeconds.map { time.date.addingTimeInterval($0) }
        next.etaToNextWaypoint = eta ?? next.etaToNextWaypoint
        next.completeStops()
    }
}

// MARK: - Entries of a vehicle

extension TripTimeline {
    private mutating func apply(_ report: VehicleReport, of name: VehicleName, at time: LogInstant) {
        vehicles[name.vehicle, default: Vehicle(name: name)].take(report)
        guard var next = trip else { return }
        if !isVehicleNamed, report.currentTrips?.contains(self.name.trip) == true { next.vehicleID = name.vehicle }
        guard next.vehicleID == name.vehicle else { return }
        if let location = report.location, report.isLocationNew || location.isNewer(than: next.lastLocation),
            !location.isSameFix(as: next.lastLocation)
        {
            next.lastLocation = location
        }
        if report.currentTrips?.contains(self.name.trip) ?? true { move(&next, by: report) }
        commit(next, at: time)
    }

    private mutating func move(_ next: inout Trip, by report: VehicleReport) {
        if let route = report.route {
            let line = paths.line(of: route)
            if line != next.activeRoute.line { next.activeRoute = RouteLine(line) }
        }
        if let stretches = report.stretches, !next.activeRoute.isEmpty {
            next.activeRoute = RouteLine(next.activeRoute.line, slower: stretches)
        }
        next.remainingDistanceMeters = report.remainingDistanceMeters ?? next.remainingDistanceMeters
        let before = next.remainingWaypoints
        if let waypoints = report.waypoints {
            next.remainingWaypoints = stops(waypoints, of: next)
            vehicleTellsStops = !next.remainingWaypoints.isEmpty
        }
        next.moveForecasts(to: report.eta, stopsBefore: before)
        next.alignStopsWithStatus()
    }

    /// The stops through this trip's last one, with what the log left out.
    private mutating func stops(_ reports: [WaypointReport], of trip: Trip) -> [TripWaypoint] {
        let others = vehicles[trip.vehicleID ?? ""]?.currentTrips.filter { $0 != name.trip } ?? []
        var stops = reports.map { report in
            let line = report.path.map { paths.line(of: $0) } ?? Polyline([])
            let path = RouteLine(line, traffic: report.traffic?.stretches(on: line, paths: &paths) ?? [])
            return TripWaypoint(
                coordinate: report.coordinate, tripID: report.tripID ?? owner(of: report, in: trip, others: others),
                type: report.type ?? .unknown, path: path, distanceMeters: report.distanceMeters, eta: report.eta,
                durationSeconds: report.durationSeconds)
        }
        let last = stops.lastIndex(where: trip.owns)
        stops.removeSubrange((last.map { $0 + 1 } ?? 0)...)
        trip.nameTypes(of: &stops)
        return stops
    }

    /// Who stops at a place for which the log names nobody: this trip, unless the vehicle has others and no stop of this one is there.
    private func owner(of report: WaypointReport, in trip: Trip, others: [String]) -> String {
        guard let other = others.first else { return name.trip }
        return trip.allStops.contains { $0.coordinate.isSameStop(as: report.coordinate) } ? name.trip : other
    }
}
