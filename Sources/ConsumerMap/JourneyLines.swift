import FleetEngine
import Geo
import JourneySharing
import TerminalMap

/// The lines of one journey, before they get their looks.
struct JourneyLines {
    /// Where the next stop is another rider's, the drawn route ends this far before it, metres: nobody learns where that stop is.
    static let foreignStopMeters = 150.0

    struct Line {
        var type: PolylineType
        var role: RouteRole
        var coordinates: [Coordinate]
        var traffic: [PolylineOverlay.TrafficInterval] = []
    }

    private(set) var lines: [Line] = []

    init(_ journey: JourneyTracker, isSummary: Bool) {
        addTaken(journey, isSummary: isSummary)
        guard let trip = journey.trip, !trip.status.isFinal else {
            if lines.isEmpty, let trip = journey.trip, isSummary { addPreview(trip) }
            return
        }
        addActive(journey, trip)
        addLaterLegs(trip)
        if lines.allSatisfy({ $0.type == .takenRoute }) { addPreview(trip) }
    }

    /// In the summary of a finished trip what was driven is the main thing and drawn as such.
    private mutating func addTaken(_ journey: JourneyTracker, isSummary: Bool) {
        var pieces = journey.taken.pieces
        if let last = pieces.indices.last {
            // One line with the tail, so that its dots stay where they are while it grows.
            pieces[last] += journey.taken.tail(to: journey.vehicle, route: journey.activeRoute).dropFirst()
        }
        for piece in pieces where piece.count > 1 {
            lines.append(Line(type: isSummary ? .activeRoute : .takenRoute, role: isSummary ? .ahead : .behind, coordinates: piece))
        }
    }

    private mutating func addActive(_ journey: JourneyTracker, _ trip: Trip) {
        let route = journey.activeRoute
        guard route.coordinates.count > 1 else { return }
        // Off its route a vehicle has passed what lies before the nearest place on it; before its start it has passed nothing.
        let approach = journey.vehicle?.pathToRoute ?? []
        let along = journey.vehicle.flatMap { $0.alongMeters ?? route.nearest(to: $0.coordinate)?.alongMeters }
        let start = approach.isEmpty ? along ?? 0 : 0
        let end = route.lengthMeters - (journey.isNextStopForeign ? Self.foreignStopMeters : 0)
        guard end > start else { return }
        var line = Line(type: .activeRoute, role: .ahead, coordinates: approach)
        for run in TrafficRuns(trip, route: route).runs(fromMeters: start, toMeters: end) {
            let part = route.slice(fromMeters: run.start, toMeters: run.end).coordinates
            let first = max(0, line.coordinates.count - 1)
            line.coordinates += line.coordinates.isEmpty ? part[...] : part.dropFirst()
            guard line.coordinates.count - 1 > first, run.speed != .noData else { continue }
            line.traffic.append(PolylineOverlay.TrafficInterval(points: first...line.coordinates.count - 1, speed: run.speed))
        }
        if line.coordinates.count > 1 { lines.append(line) }
    }

    /// The legs after the next stop, each without the ends that lie at another rider's stop.
    private mutating func addLaterLegs(_ trip: Trip) {
        for (from, leg) in zip(trip.remainingWaypoints, trip.remainingWaypoints.dropFirst()) where leg.path.count > 1 {
            let path = Polyline(leg.path)
            let start = trip.owns(from) ? 0 : Self.foreignStopMeters
            let end = path.lengthMeters - (trip.owns(leg) ? 0 : Self.foreignStopMeters)
            guard end > start else { continue }
            let part = path.slice(fromMeters: start, toMeters: end).coordinates
            guard part.count > 1 else { continue }
            lines.append(Line(type: .remainingRoute, role: .later, coordinates: part))
        }
    }

    /// Straight lines from stop to stop while no route is known.
    private mutating func addPreview(_ trip: Trip) {
        let stops = [trip.pickupPoint].compactMap { $0 } + trip.intermediateDestinations + [trip.dropoffPoint].compactMap { $0 }
        guard stops.count > 1 else { return }
        lines.append(Line(type: .remainingRoute, role: .later, coordinates: stops))
    }
}

/// The traffic on an active route in metres along it.
struct TrafficRuns {
    struct Run {
        var start: Double
        var end: Double
        var speed: TerminalMap.TrafficSpeed
    }

    private var known: [Run] = []

    /// Indices become metres on the line that they address, which is the traffic's own path where it has one.
    init(_ trip: Trip, route: Polyline) {
        guard let traffic = trip.activeRouteTraffic else { return }
        let line = traffic.path.isEmpty ? route : Polyline(traffic.path)
        guard let last = line.cumulativeMeters.indices.last else { return }
        var reached = 0.0
        for interval in traffic.intervals.sorted(by: { $0.startIndex < $1.startIndex }) where interval.startIndex < last {
            let start = max(reached, line.cumulativeMeters[max(0, interval.startIndex)])
            let end = line.cumulativeMeters[min(last, max(0, interval.endIndex))]
            guard end > start else { continue }
            known.append(Run(start: start, end: end, speed: Self.speed(interval.speed)))
            reached = end
        }
    }

    /// A stretch of the route cut where the traffic changes; unknown parts are runs without data.
    func runs(fromMeters start: Double, toMeters end: Double) -> [Run] {
        var runs: [Run] = []
        var next = start
        for run in known where run.end > start && run.start < end {
            if run.start > next { runs.append(Run(start: next, end: run.start, speed: .noData)) }
            next = min(run.end, end)
            runs.append(Run(start: max(run.start, start), end: next, speed: run.speed))
        }
        if next < end { runs.append(Run(start: next, end: end, speed: .noData)) }
        return runs
    }

    private static func speed(_ speed: FleetEngine.TrafficSpeed) -> TerminalMap.TrafficSpeed {
        switch speed {
        case .noData: .noData
        case .normal: .normal
        case .slow: .slow
        case .trafficJam: .trafficJam
        }
    }
}
