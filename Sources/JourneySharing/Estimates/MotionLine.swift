import Geo

/// Line along which a vehicle is drawn: the active route, preceded by the part of the previous line that leads onto it.
///
/// About once a minute, drivers upload their route again, starting at their current position. The drawn vehicle is behind that position, so
/// it would jump if the line started there.
struct MotionLine: Sendable {
    let line: Polyline
    /// Length of the part of `line` before it joins the route, in metres.
    private let leadMeters: Double
    /// Distance along the route at which `line` joins it, in metres.
    private let joinMeters: Double
    /// Start of a sideways move onto the route, in metres along `line`, and the point of the route nearest to that start, in metres along
    /// the route.
    private let beside: (lineMeters: Double, routeMeters: Double)?

    /// Creates a line that consists of the route alone.
    init(_ route: Polyline) { self.init(line: route, leadMeters: 0, joinMeters: 0, beside: nil) }

    private init(line: Polyline, leadMeters: Double, joinMeters: Double, beside: (Double, Double)?) {
        self.line = line
        self.leadMeters = leadMeters
        self.joinMeters = joinMeters
        self.beside = beside.map { (lineMeters: $0.0, routeMeters: $0.1) }
    }

    /// Returns the distance along the route for a distance along the line, in metres; nil before the start of the route.
    func routeMeters(at meters: Double) -> Double? {
        if meters >= leadMeters { return joinMeters + (meters - leadMeters) }
        guard let beside else { return nil }
        let share = (meters - beside.lineMeters) / max(leadMeters - beside.lineMeters, 1)
        return max(0, beside.routeMeters + (joinMeters - beside.routeMeters) * share)
    }
}

extension MotionLine {
    /// Returns the coordinates from `meters` to the point where the line joins the route. Empty if `meters` is on the route already, or if
    /// the vehicle moves onto the route sideways.
    func pathToRoute(from meters: Double) -> [Coordinate] {
        guard meters < leadMeters, beside == nil else { return [] }
        return line.slice(fromMeters: meters, toMeters: leadMeters).coordinates
    }
}

// MARK: - Changing to another route

extension MotionLine {
    /// Length of the line that is kept behind the vehicle, in metres. A new route may start there.
    private static let keptMeters = 400.0
    /// Distance within which two lines count as the same road, in metres.
    private static let sameRoadMeters = 3.0
    /// Metres that a vehicle moves forward for each metre sideways, while it changes to another route.
    private static let slant = 3.0
    private static let shortestSlantMeters = 10.0
    /// Distance ahead that is searched for the start of a new route, in metres.
    private static let farMeters = 2_000.0

    /// Changes the route of a vehicle that is drawn at `along` on this line.
    /// - Returns: the new line, and the vehicle's distance along it; nil if the vehicle has to jump.
    func continued(at along: Double, on route: Polyline) -> (line: MotionLine, along: Double)? {
        guard route.lengthMeters > 0, let start = route.coordinates.first, let here = line.coordinate(atMeters: along) else { return nil }
        let near = line.nearest(to: start, alongMeters: (along - Self.keptMeters)...(along + VehicleMotion.jumpMeters))
        if let near, near.distanceMeters <= Self.sameRoadMeters {
            if near.alongMeters > along { return ahead(at: along, to: near, on: route) }
            let place = route.nearest(to: here, alongMeters: (along - near.alongMeters - 1)...(along - near.alongMeters + 1))
            if let place, place.distanceMeters <= Self.sameRoadMeters { return sideways(at: along, to: place, on: route) }
        }
        if let place = route.nearest(to: here, alongMeters: 0...VehicleMotion.jumpMeters), place.distanceMeters <= Self.sameRoadMeters {
            return sideways(at: along, to: place, on: route)
        }
        for reach in [VehicleMotion.jumpMeters, Self.farMeters] {
            let meeting = line.nearest(to: start, alongMeters: along...(along + reach))
            guard let meeting, meeting.distanceMeters <= VehicleMotion.slideMeters, meeting.alongMeters > along else { continue }
            return ahead(at: along, to: meeting, on: route)
        }
        guard let place = route.nearest(to: here), place.distanceMeters <= VehicleMotion.slideMeters else { return nil }
        return sideways(at: along, to: place, on: route)
    }

    /// Creates a line that continues along this line to a route that starts ahead.
    private func ahead(at along: Double, to meeting: Polyline.Projection, on route: Polyline) -> (line: MotionLine, along: Double) {
        let behind = max(0, along - Self.keptMeters)
        let whole = line.slice(fromMeters: behind, toMeters: meeting.alongMeters).appending(route)
        let next = MotionLine(line: whole, leadMeters: whole.lengthMeters - route.lengthMeters, joinMeters: 0, beside: nil)
        return (next, along - behind)
    }

    /// Creates a line that leads diagonally from the current position to `route`, which passes through that position or close by.
    private func sideways(at along: Double, to place: Polyline.Projection, on route: Polyline) -> (line: MotionLine, along: Double) {
        if place.distanceMeters < 0.01 { return (MotionLine(route), place.alongMeters) }
        let join = min(place.alongMeters + max(Self.shortestSlantMeters, Self.slant * place.distanceMeters), route.lengthMeters)
        let behind = max(0, along - Self.keptMeters)
        let rest = route.slice(fromMeters: join, toMeters: route.lengthMeters)
        let whole = line.slice(fromMeters: behind, toMeters: along).appending(rest)
        let next = MotionLine(
            line: whole, leadMeters: whole.lengthMeters - rest.lengthMeters, joinMeters: join,
            beside: (along - behind, place.alongMeters))
        return (next, along - behind)
    }
}
