import FoundationEssentials
import Geo
import Glibc

/// A recorded or invented drive: the road, and the vehicle's position along the road over time.
struct Drive: Sendable {
    /// The times since the start in seconds, in ascending order.
    let seconds: [Double]
    let road: Polyline
    /// The vehicle's position along the road, in metres, at each of `seconds`.
    let meters: [Double]

    var lengthSeconds: Double { seconds.last ?? 0 }

    /// Returns the vehicle's position along the road, in metres, at a moment.
    func meters(at moment: Double) -> Double {
        guard let first = meters.first, let last = meters.last else { return 0 }
        var low = 0
        var high = seconds.count
        while low < high {
            let middle = (low + high) / 2
            if seconds[middle] > moment { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return first }
        guard low < seconds.count else { return last }
        let share = (moment - seconds[low - 1]) / (seconds[low] - seconds[low - 1])
        return meters[low - 1] + (meters[low] - meters[low - 1]) * share
    }

    /// Returns the speed that a driver's device reports, in metres per second: the mean of the last two seconds.
    func speed(at moment: Double) -> Double { max(0, (meters(at: moment) - meters(at: moment - 2)) / 2) }
}

extension Drive {
    /// A point in the South Atlantic, without roads.
    static let origin = Coordinate(latitude: -31.5, longitude: -16.2)

    /// Returns an invented drive through a town and along a fast road, with corners, traffic lights, dense traffic and stops.
    static func invented(seed: UInt64, seconds count: Int = 1_200) -> Drive {
        var dice = SeededRandom(seed: seed)
        var place = origin
        var corners = [place]
        var heading = dice.double(in: 0...360)
        var limits = [13.0]
        while corners.count < 400 {
            let isFast = dice.chance(0.15)
            let steps = isFast ? dice.int(in: 15...40) : dice.int(in: 2...8)
            heading += isFast ? dice.double(in: -30...30) : (dice.chance(0.5) ? 90 : -90) + dice.double(in: -15...15)
            for _ in 0..<steps {
                heading += dice.double(in: -6...6)
                let radians = heading * .pi / 180
                let step = dice.double(in: 30...70)
                place = place.offset(eastMeters: step * sin(radians), northMeters: step * cos(radians))
                corners.append(place)
                limits.append(isFast ? dice.double(in: 20...31) : dice.double(in: 7...15))
            }
        }
        let road = Polyline(corners)
        var position = 0.0
        var speed = 0.0
        var standing = 0
        var meters: [Double] = []
        for _ in 0..<count {
            meters.append(position)
            if standing > 0 {
                standing -= 1
                speed = 0
            }
            let segment = road.cumulativeMeters.firstIndex { $0 > position } ?? limits.count - 1
            let wanted = min(limits[min(segment, limits.count - 1)], limits[min(segment + 3, limits.count - 1)])
            if speed < 15, dice.chance(0.015) { standing = dice.int(in: 5...70) }
            speed = standing > 0 ? 0 : speed + min(2, max(-2.5, wanted - speed))
            position = min(position + speed, road.lengthMeters)
        }
        return Drive(seconds: (0..<count).map(Double.init), road: road, meters: meters)
    }

    /// Returns a drive into a dead end and back on the same line, twice round a block, and then onwards. Until the last
    /// section, the vehicle passes every point more than once.
    static func loops() -> Drive {
        func at(_ east: Double, _ north: Double) -> Coordinate { origin.offset(eastMeters: east, northMeters: north) }
        var corners = [at(0, 0), at(900, 0), at(0, 0)]
        for _ in 0..<2 { corners += [at(0, 300), at(300, 300), at(300, 0), at(0, 0)] }
        corners += [at(-1_500, 0)]
        let road = Polyline(corners)
        let speed = 11.0
        let count = Int(road.lengthMeters / speed)
        return Drive(seconds: (0..<count).map(Double.init), road: road, meters: (0..<count).map { Double($0) * speed })
    }
}

extension Drive {
    static let recordedPath = "navigation/traces/seattle_first_hour.txt"

    /// Returns a recorded drive with one position per second, and with gaps. The first four columns of the file are the day, the time, the
    /// latitude and the longitude.
    static func recorded() throws -> Drive {
        let text = String(decoding: try SharedData.read(recordedPath), as: UTF8.self)
        var seconds: [Double] = []
        var places: [Coordinate] = []
        for line in text.split(whereSeparator: \.isNewline).dropFirst() {
            let columns = line.split(whereSeparator: \.isWhitespace)
            guard columns.count >= 4, let latitude = Double(columns[2]), let longitude = Double(columns[3]) else { continue }
            let clock = columns[1].split(separator: ":").compactMap { Double($0) }
            guard clock.count == 3, let day = columns[0].split(separator: "-").first.flatMap({ Double($0) }) else { continue }
            let second = ((day * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
            if let last = seconds.last, second <= last { continue }
            seconds.append(second)
            places.append(Coordinate(latitude: latitude, longitude: longitude))
        }
        let start = seconds.first ?? 0
        let road = Polyline(places)
        return Drive(seconds: seconds.map { $0 - start }, road: road, meters: road.cumulativeMeters)
    }
}

/// Recorded data that is not part of the package, in a folder beside it. Tests that need the data are skipped if it is missing.
enum SharedData {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../shared/data").standardizedFileURL

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root.appending(path: path).path) }

    static func read(_ path: String) throws -> Data { try Data(contentsOf: root.appending(path: path)) }
}
