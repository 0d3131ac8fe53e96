public import Geo

/// A ride through a demo town that is worth watching: a car some streets away, a pickup, one stop on the way, a destination.
public struct DemoRide: Sendable, Hashable {
    /// A named place on a street.
    public struct Place: Sendable, Hashable {
        public let name: String
        public let coordinate: Coordinate
    }

    /// Where the car waits.
    public let start: Coordinate
    public let pickup: Place
    public let stop: Place
    public let dropoff: Place
    /// Free-flow driving time of the three ways, seconds; without waiting at stops and traffic.
    public let drivingSeconds: Double

    /// The wanted durations of the ways, seconds: to the pickup, to the stop, to the destination.
    private static let wanted = [170.0, 100.0, 110.0]
    static let longestWaySeconds = 300.0
}

extension DemoTown {
    /// The ride between the town's landmarks whose three ways come nearest to what makes a good demo; nil in a town without
    /// four landmarks that are less than five minutes apart.
    public var ride: DemoRide? {
        let places = landmarks.prefix(16).map { DemoRide.Place(name: $0.name, coordinate: $0.coordinate) }
        let coordinates = places.map(\.coordinate)
        let seconds = coordinates.map { roads.durations(from: $0, to: coordinates, withinSeconds: DemoRide.longestWaySeconds) }
        return DemoRide.best(places: places, seconds: seconds)
    }
}

extension DemoRide {
    static func best(places: [Place], seconds: [[Double?]]) -> DemoRide? {
        var best: (cost: Double, ride: DemoRide)?
        for start in places.indices {
            for pickup in places.indices where pickup != start {
                guard let first = seconds[start][pickup], abs(first - wanted[0]) < (best?.cost ?? .infinity) else { continue }
                for stop in places.indices where stop != pickup && stop != start {
                    guard let second = seconds[pickup][stop] else { continue }
                    for dropoff in places.indices where dropoff != stop && dropoff != pickup {
                        guard let third = seconds[stop][dropoff] else { continue }
                        let cost = abs(first - wanted[0]) + abs(second - wanted[1]) + abs(third - wanted[2])
                        guard cost < best?.cost ?? .infinity else { continue }
                        best = (
                            cost,
                            DemoRide(
                                start: places[start].coordinate, pickup: places[pickup], stop: places[stop], dropoff: places[dropoff],
                                drivingSeconds: first + second + third)
                        )
                    }
                }
            }
        }
        return best?.ride
    }
}
