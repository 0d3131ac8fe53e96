import FleetEngine
import Geo
import JourneySharing
import TerminalMap

/// The lines of one journey, before they get their looks.
struct JourneyLines {
    /// Where the next stop is another rider's, the drawn route ends this far before it, metres, to keep that stop private.
    static let foreignStopMeters = 150.0

    struct Line {
        var type: PolylineType
        var role: RouteRole
        var coordinates: [Coordinate]
        var traffic: [PolylineOverlay.TrafficInterval] = []

        /// Adds a part of a route, with points where its traffic changes.
        mutating func append(_ route: RouteLine, fromMeters start: Double, toMeters end: Double) {
            for run in route.runs(fromMeters: start, toMeters: end) {
                let part = route.line.slice(fromMeters: run.startMeters, toMeters: run.endMeters).coordinates
                let first = max(0, coordinates.count - 1)
                coordinates += coordinates.isEmpty ? part[...] : part.dropFirst()
                guard coordinates.count - 1 > first, run.speed != .noData else { continue }
                traffic.append(PolylineOverlay.TrafficInterval(points: first...coordinates.count - 1, speed: run.speed))
            }
        }
    }

    private(set) var lines: [Line] = []

    init(_ journey: JourneyTracker, isSummary: Bool) {
        addTaken(journey, isSummary: isSummary)
        guard let trip = journey.trip, !trip.status.isFinal else {
            if lines.isEmpty, let trip = journey.trip, isSummary { addPreview(trip) }
            return
        }
        addActive(journey, trip.activeRoute)
        addLaterLegs(trip)
        if lines.allSatisfy({ $0.type == .takenRoute }) { addPreview(trip) }
    }

    /// In the summary of a finished trip the driven way is the main line and drawn as such.
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

    private mutating func addActive(_ journey: JourneyTracker, _ route: RouteLine) {
        guard route.coordinates.count > 1 else { return }
        // Off its route a vehicle has passed the part before the nearest place on it; before its start it has passed nothing.
        let approach = journey.vehicle?.pathToRoute ?? []
        let along = journey.vehicle.flatMap { $0.alongMeters ?? route.line.nearest(to: $0.coordinate)?.alongMeters }
        let start = approach.isEmpty ? along ?? 0 : 0
        let end = route.lengthMeters - (journey.isNextStopForeign ? Self.foreignStopMeters : 0)
        guard end > start else { return }
        var line = Line(type: .activeRoute, role: .ahead, coordinates: approach)
        line.append(route, fromMeters: start, toMeters: end)
        if line.coordinates.count > 1 { lines.append(line) }
    }

    /// The legs after the next stop, each without the ends that lie at another rider's stop.
    private mutating func addLaterLegs(_ trip: Trip) {
        for (from, leg) in zip(trip.remainingWaypoints, trip.remainingWaypoints.dropFirst()) where leg.path.coordinates.count > 1 {
            let start = trip.owns(from) ? 0 : Self.foreignStopMeters
            let end = leg.path.lengthMeters - (trip.owns(leg) ? 0 : Self.foreignStopMeters)
            guard end > start else { continue }
            var line = Line(type: .remainingRoute, role: .later, coordinates: [])
            line.append(leg.path, fromMeters: start, toMeters: end)
            if line.coordinates.count > 1 { lines.append(line) }
        }
    }

    /// Straight lines from stop to stop while no route is known.
    private mutating func addPreview(_ trip: Trip) {
        let stops = [trip.pickupPoint].compactMap { $0 } + trip.intermediateDestinations + [trip.dropoffPoint].compactMap { $0 }
        guard stops.count > 1 else { return }
        lines.append(Line(type: .remainingRoute, role: .later, coordinates: stops))
    }
}
