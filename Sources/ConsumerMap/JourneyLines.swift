import FleetEngine
import Geo
import JourneySharing
import TerminalMap

/// The lines of one journey, not yet styled.
struct JourneyLines {
    /// The length of route, in metres, that is not drawn on each side of another rider's stop, to keep the stop's location private.
    static let foreignStopMeters = 150.0

    struct Line {
        var type: PolylineType
        var role: RouteRole
        var route: RouteLine
    }

    private(set) var lines: [Line] = []

    /// - Parameter showsPreview: whether straight lines join the stops while no route is known.
    init(_ journey: JourneyTracker, isSummary: Bool, showsPreview: Bool = true) {
        let preview = showsPreview ? journey.trip : nil
        addTaken(journey, isSummary: isSummary)
        guard let trip = journey.trip, !trip.status.isFinal else {
            if lines.isEmpty, let preview, isSummary { addPreview(preview) }
            return
        }
        addActive(journey, trip.activeRoute)
        addLaterLegs(trip)
        if let preview, lines.allSatisfy({ $0.type == .takenRoute }) { addPreview(preview) }
    }

    /// Adds the route driven so far. In the summary of a finished trip, it is the main line.
    private mutating func addTaken(_ journey: JourneyTracker, isSummary: Bool) {
        var pieces = journey.taken.pieces
        if let last = pieces.indices.last {
            // The last piece and the part from its end to the vehicle form one line, so that the dots stay in place while the line
            // grows.
            pieces[last] = pieces[last].appending(journey.taken.tail(to: journey.vehicle, route: journey.activeRoute))
        }
        for piece in pieces where piece.coordinates.count > 1 {
            lines.append(
                Line(type: isSummary ? .activeRoute : .takenRoute, role: isSummary ? .ahead : .behind, route: RouteLine(piece)))
        }
    }

    private mutating func addActive(_ journey: JourneyTracker, _ route: RouteLine) {
        guard route.coordinates.count > 1 else { return }
        // The drawn route begins at the point of the route nearest to the vehicle. Before the vehicle reaches the route's start, the
        // whole route is drawn, and so is the path from the vehicle to that start.
        let approach = journey.vehicle?.pathToRoute ?? []
        let along = journey.vehicle.flatMap { $0.alongMeters ?? route.line.nearest(to: $0.coordinate)?.alongMeters }
        let start = approach.isEmpty ? along ?? 0 : 0
        let end = route.lengthMeters - (journey.isNextStopForeign ? Self.foreignStopMeters : 0)
        guard end > start else { return }
        var ahead = route.slice(fromMeters: start, toMeters: end)
        if !approach.isEmpty { ahead = RouteLine(approach).appending(ahead) }
        add(ahead, .activeRoute, .ahead)
    }

    /// Adds the legs after the next stop. A leg that starts or ends at another rider's stop is shortened there.
    private mutating func addLaterLegs(_ trip: Trip) {
        for (from, leg) in zip(trip.remainingWaypoints, trip.remainingWaypoints.dropFirst()) where leg.path.coordinates.count > 1 {
            let start = trip.owns(from) ? 0 : Self.foreignStopMeters
            let end = leg.path.lengthMeters - (trip.owns(leg) ? 0 : Self.foreignStopMeters)
            guard end > start else { continue }
            add(leg.path.slice(fromMeters: start, toMeters: end), .remainingRoute, .later)
        }
    }

    /// Adds straight lines between the stops while no route is known.
    private mutating func addPreview(_ trip: Trip) {
        let stops = [trip.pickupPoint].compactMap { $0 } + trip.intermediateDestinations + [trip.dropoffPoint].compactMap { $0 }
        guard stops.count > 1 else { return }
        add(RouteLine(stops), .remainingRoute, .later)
    }

    private mutating func add(_ route: RouteLine, _ type: PolylineType, _ role: RouteRole) {
        if route.coordinates.count > 1 { lines.append(Line(type: type, role: role, route: route)) }
    }
}
