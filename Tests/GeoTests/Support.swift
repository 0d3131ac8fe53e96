import Geo

extension Coordinate {
    init(_ latitude: Double, _ longitude: Double) {
        self.init(latitude: latitude, longitude: longitude)
    }
}

extension SeededRandom {
    mutating func coordinate(latitudes: ClosedRange<Double> = -80...80) -> Coordinate {
        Coordinate(double(in: latitudes), double(in: -180...180))
    }

    /// Returns a random line from `start`. Along each axis, a step is -`step` / 2 to `step` metres, so the line drifts north-east.
    mutating func walk(from start: Coordinate, count: Int, step: Double = 40) -> [Coordinate] {
        var places = [start]
        while places.count < count {
            let last = places[places.count - 1]
            places.append(last.offset(eastMeters: double(in: -step / 2...step), northMeters: double(in: -step / 2...step)))
        }
        return places
    }

    mutating func bytes(count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}

/// Returns the difference between two directions, from 0 to 180 degrees.
func angleBetween(_ first: Double, _ second: Double) -> Double {
    abs((first - second).remainder(dividingBy: 360))
}

/// Unusual numbers, as broken sensors or malicious peers may send them.
let oddNumbers: [Double] = [
    .nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 0,
    90, -90, 90.000001, 180, -180, 180.000001, 360, 540, 1e9, -1e15, 9.3e18,
]
