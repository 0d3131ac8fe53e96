public import Geo

/// Path that a vehicle has driven while it was watched. The client records it, because the server keeps no history.
///
/// While the vehicle is on its route, the line follows the route, even over a few minutes without a poll. Off the route, the line connects
/// the fixes. Gaps that are too long to fill stay empty.
public struct TakenRoute: Sendable, Hashable {
    /// Number of coordinates above which some of the oldest ones are removed.
    package static let maximumCoordinates = 4_096
    private static let stepMeters = 8.0
    /// Longest gaps that are filled, on a route and off it, in metres.
    private static let routeGapMeters = 3_000.0
    private static let gapMeters = 400.0
    /// Largest backward movement that counts as a correction of the position, in metres.
    private static let backwardMeters = 60.0

    /// Pieces of the driven path, oldest first.
    public private(set) var pieces: [Polyline] = []
    /// Length of the recorded path in metres, including parts that ``pieces`` no longer contains.
    public private(set) var lengthMeters = 0.0
    private var along: Double?
    private var count = 0

    package init() {}

    /// Adds the position of the drawn vehicle.
    /// - Parameter route: active route to which `drawn.alongMeters` refers.
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

    /// Returns the line from the last recorded coordinate to the vehicle. The line is not recorded yet, because it is too short. It is
    /// empty without a vehicle or a recorded coordinate, and if the gap between them is too long to fill.
    public func tail(to drawn: VehicleMotion.Drawn?, route: Polyline) -> Polyline {
        guard let drawn, let last = pieces.last?.coordinates.last else { return Polyline([]) }
        if let along, let end = drawn.alongMeters, end > along { return route.slice(fromMeters: along, toMeters: end) }
        return Polyline(last.distanceMeters(to: drawn.coordinate) <= Self.gapMeters ? [last, drawn.coordinate] : [])
    }

    private mutating func start(_ drawn: VehicleMotion.Drawn) {
        begin(at: drawn.coordinate)
        along = drawn.alongMeters
    }

    /// Begins a new piece.
    private mutating func begin(at place: Coordinate) {
        pieces.append(Polyline([place]))
        count += 1
        thin()
    }

    private mutating func step(from last: Coordinate, to next: Coordinate) {
        let meters = last.distanceMeters(to: next)
        guard meters >= Self.stepMeters else { return }
        if meters > Self.gapMeters {
            begin(at: next)
        } else {
            append(Polyline([next]), meters: meters)
        }
    }

    private mutating func append(_ line: Polyline, meters: Double) {
        guard let end = pieces.indices.last else { return }
        pieces[end] = pieces[end].appending(line)
        lengthMeters += meters
        count += line.coordinates.count
        thin()
    }

    /// If there are too many coordinates, drops all but the last 64 pieces, and removes every second coordinate inside the older half of
    /// each. The ends of the pieces stay.
    private mutating func thin() {
        guard count > Self.maximumCoordinates else { return }
        pieces = pieces.suffix(64).map { piece in
            let places = piece.coordinates.enumerated()
            let half = piece.coordinates.count / 2
            return Polyline(places.filter { $0.offset == 0 || $0.offset >= half || $0.offset % 2 == 0 }.map(\.element))
        }
        count = pieces.reduce(0) { $0 + $1.coordinates.count }
    }
}
