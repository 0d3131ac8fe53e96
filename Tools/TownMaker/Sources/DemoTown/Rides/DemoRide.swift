public import Geo

/// A ride to watch in a demo town: a car some streets away, a pickup, one stop on the route and a drop-off.
public struct DemoRide: Sendable, Hashable {
    /// A named place on a street.
    public struct Place: Sendable, Hashable {
        public let name: String
        public let coordinate: Coordinate
    }

    /// The position of the car before the ride.
    public let start: Coordinate
    public let pickup: Place
    public let stop: Place
    public let dropoff: Place
    /// The driving time of the three routes in free flow, in seconds, without stops.
    public let drivingSeconds: Double

    /// The wanted driving times of the three routes, in seconds: to the pickup, to the stop, to the drop-off.
    private static let wanted = [170.0, 100.0, 110.0]
    static let longestWaySeconds = 300.0
    /// Largest allowed cost of a ride, in seconds. The cost is the sum of the differences from the wanted driving times.
    private static let greatestCost = 150.0
    /// Largest number of rides in a town.
    private static let mostRides = 24
    /// Largest number of rides that end at the same place.
    private static let mostRidesToOnePlace = 3
}

extension DemoTown {
    /// The best rides between some of the town's landmarks. The rides closest to the wanted driving times come first. Empty if no ride
    /// comes close enough to these times.
    public var rides: [DemoRide] {
        let places = landmarks.prefix(16).map { DemoRide.Place(name: $0.name, coordinate: $0.coordinate) }
        let coordinates = places.map(\.coordinate)
        let seconds = coordinates.map { roads.durations(from: $0, to: coordinates, withinSeconds: DemoRide.longestWaySeconds) }
        return DemoRide.best(places: places, seconds: seconds)
    }
}

extension DemoRide {
    /// A possible ride: the indexes of its four places, and its cost in seconds.
    private struct Choice {
        var cost: Double
        var places: [Int]
    }

    /// Returns the best rides. No two of them have the same pickup and drop-off.
    static func best(places: [Place], seconds: [[Double?]]) -> [DemoRide] {
        var chosen: [[Int]] = []
        for choice in choices(places.count, seconds).sorted(by: { ($0.cost, $0.places[0]) < ($1.cost, $1.places[0]) }) {
            guard chosen.count < mostRides else { break }
            let (pickup, goal) = (choice.places[1], choice.places[3])
            guard !chosen.contains(where: { $0[1] == pickup && $0[3] == goal }),
                chosen.count(where: { $0[3] == goal }) < mostRidesToOnePlace
            else { continue }
            chosen.append(choice.places)
        }
        return chosen.map { place in
            let ways = zip(place, place.dropFirst()).compactMap { seconds[$0][$1] }
            return DemoRide(
                start: places[place[0]].coordinate, pickup: places[place[1]], stop: places[place[2]], dropoff: places[place[3]],
                drivingSeconds: ways.reduce(0, +))
        }
    }

    private static func choices(_ count: Int, _ seconds: [[Double?]]) -> [Choice] {
        /// Returns the places whose driving time from `place` is close enough to the wanted time of the leg.
        func ways(from place: Int, leg: Int) -> [(to: Int, cost: Double)] {
            (0..<count).compactMap { next in
                guard next != place, let time = seconds[place][next], abs(time - wanted[leg]) <= greatestCost else { return nil }
                return (next, abs(time - wanted[leg]))
            }
        }
        var choices: [Choice] = []
        for start in 0..<count {
            for (pickup, first) in ways(from: start, leg: 0) {
                for (stop, second) in ways(from: pickup, leg: 1) where stop != start {
                    for (goal, third) in ways(from: stop, leg: 2) where goal != pickup && first + second + third <= greatestCost {
                        choices.append(Choice(cost: first + second + third, places: [start, pickup, stop, goal]))
                    }
                }
            }
        }
        return choices
    }
}
