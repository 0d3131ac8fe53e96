public import Geo

/// The way that a vehicle has driven while it was watched: the client's own history, because the server keeps none.
///
/// Where the vehicle moves along its route, the route's own course is kept, also over a few minutes without a poll; beside a route the
/// line goes from fix to fix, and longer gaps stay gaps.
public struct TakenRoute: Sendable, Hashable {
    /// The oldest places are thinned out beyond this many.
    package static let maximumCoordinates = 4_096
    private static let stepMeters = 8.0
    /// Longer gaps than these are not filled, on a route and beside one.
    private static let routeGapMeters = 3_000.0
    private static let gapMeters = 400.0
    /// A vehicle that seems to go backwards by less than this has only been placed anew.
    private static let backwardMeters = 60.0

    /// The pieces, oldest first.
    public private(set) var pieces: [Polyline] = []
    /// Metres of all pieces together.
    public private(set) var lengthMeters = 0.0
    private var along: Double?
    private var count = 0

    package init() {}

    /// Takes in where the vehicle is drawn.
    /// - Parameter route: the active route that `drawn.alongMeters` counts on.
    package mutating func observe(_ drawn: VehicleMotion.Drawn, route: Polyline, isNewRoute: Bool) {
        if isNewRoute { along = nil }
        guard let last = pieces.last?.coordinates.last else { return start(drawn) }
        guard let newAlong = drawn.alongMeters, !drawn.isOffRoute else {
            along = nil
            return step(from: last, to: drawn.coordinate)
        }
        if let old = along {
            let advance = newAlong - old
            guard advance >= Self.stepMeters || advance < -Self.backwardMeters else { return }
            if advance > 0, advance <= Self.routeGapMeters {
                let way = route.slice(fromMeters: old, toMeters: newAlong).coordinates
                append(Polyline(Array(way.dropFirst())), meters: advance)
            } else if advance > 0 {
                start(drawn)
            }
        } else {
            step(from: last, to: drawn.coordinate)
        }
        along = newAlong
    }

    /// The piece between the last kept place and the vehicle, too short to be kept yet.
    public func tail(to drawn: VehicleMotion.Drawn?, route: Polyline) -> Polyline {
        guard let drawn, let last = pieces.last?.coordinates.last else { return Polyline([]) }
        if let along, let end = drawn.alongMeters, end > along { return route.slice(fromMeters: along, toMeters: end) }
        return Polyline(last.distanceMeters(to: drawn.coordinate) <= Self.gapMeters ? [last, drawn.coordinate] : [])
    }

    private mutating func start(_ drawn: VehicleMotion.Drawn) {
        pieces.append(Polyline([drawn.coordinate]))
        count += 1
        along = drawn.alongMeters
    }

    private mutating func step(from last: Coordinate, to next: Coordinate) {
        let meters = last.distanceMeters(to: next)
        guard meters >= Self.stepMeters else { return }
        if meters > Self.gapMeters {
            pieces.append(Polyline([next]))
            count += 1
        } else {
            append(Polyline([next]), meters: meters)
        }
    }

    private mutating func append(_ line: Polyline, meters: Double) {
        guard let end = pieces.indices.last else { return }
        pieces[end] = pieces[end].appending(line)
        lengthMeters += meters
        count += line.coordinates.count
        if count > Self.maximumCoordinates { thin() }
    }

    /// Leaves out every second place inside the older half of every piece; the ends stay.
    private mutating func thin() {
        pieces = pieces.suffix(64).map { piece in
            let places = piece.coordinates.enumerated()
            let half = piece.coordinates.count / 2
            return Polyline(places.filter { $0.offset == 0 || $0.offset >= half || $0.offset % 2 == 0 }.map(\.element))
        }
        count = pieces.reduce(0) { $0 + $1.coordinates.count }
    }
}
