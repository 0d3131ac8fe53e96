import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

/// A point on a plane. One degree is 110.9 km to the north or 90.2 km to the east. This is exact enough for the limits in these tests.
private struct Place: Equatable {
    let latitude: Double
    let longitude: Double

    init(east: Double, north: Double) {
        latitude = -36 + north / 110_900
        longitude = -20 + east / 90_200
    }

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    var text: String { "\(latitude),\(longitude)" }

    func meters(to other: Place) -> Double {
        hypot((other.latitude - latitude) * 110_900, (other.longitude - longitude) * 90_200)
    }
}

@Suite("Two riders share a car", .timeLimit(.minutes(4)))
struct SharedRideTests {
    private static let start = Place(east: 0, north: 0)
    private static let (firstIn, firstOut) = (Place(east: 800, north: 0), Place(east: 1_400, north: 0))
    private static let (secondIn, secondOut) = (Place(east: 5_000, north: 0), Place(east: 1_500, north: 800))

    /// The fields that these tests read from a line of a rider's output.
    private struct Told: Decodable {
        let event: String
        let latitude: Double?
        let longitude: Double?
        let waypoint: String?
        let remainingS: Double?
        let remainingM: Double?
        let stopsBefore: Int?
        let status: String?
    }

    private static func told(_ lines: [String]) -> [Told] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return lines.compactMap { try? decoder.decode(Told.self, from: Data($0.utf8)) }
    }

    /// Returns the estimates that a rider got, each with the shortest possible distance: straight lines from the car, through the
    /// remaining stops, to the rider's stop.
    private static func figures(_ told: [Told], pickup: [Place], dropoff: [Place]) -> [(told: Told, metersAtLeast: Double)] {
        var car: Place?
        var before = 0
        var result: [(told: Told, metersAtLeast: Double)] = []
        for line in told {
            if line.event == "location", let latitude = line.latitude, let longitude = line.longitude {
                car = Place(latitude: latitude, longitude: longitude)
            }
            if line.event == "waypoints" { before = line.stopsBefore ?? before }
            guard line.event == "eta", let car else { continue }
            let stops = line.waypoint == "pickup" ? pickup : dropoff
            let way = [car] + stops.suffix(before + 1)
            result.append((line, zip(way, way.dropFirst()).reduce(0) { $0 + $1.0.meters(to: $1.1) }))
        }
        return result
    }

    @Test("the rider of a new trip sees how many stops the car makes first, and what it does until then")
    func new() throws {
        let server = try LocalServer(speed: 5)
        defer { server.stop() }
        _ = try #require(try server.book(from: Self.firstIn.text, to: Self.firstOut.text, "--shared"))
        let second = try #require(try server.book(from: Self.secondIn.text, to: Self.secondOut.text, "--shared"))
        let rider = try ProgramOnTerminal(["follow", second, "--interval", "1"] + server.connection)
        try rider.wait(for: "LOOKING FOR A CAR")
        let car = try server.drive("--create", "--route", "\(Self.start.text);\(Self.secondIn.text)", "--dwell", "60", "--trips", "2")
        defer { car.stop() }
        try rider.wait(for: "the stops before") {
            $0.contains("╎ 1 stop before yours") && $0.contains("✓ Car assigned") && $0.contains("▸ Picking up someone else")
        }
        rider.press("q")
        #expect(try rider.end() == 0)
    }

    @Test("no rider sees the car nearer than possible; it visits the stops in the vehicle's order; wait --until is right")
    func pool() throws {
        let server = try LocalServer(speed: 30)
        defer { server.stop() }
        let first = try #require(try server.book(from: Self.firstIn.text, to: Self.firstOut.text, "--shared"))
        let second = try #require(try server.book(from: Self.secondIn.text, to: Self.secondOut.text, "--shared"))
        let riders = try [first, second].map {
            try server.program.start(["follow", $0, "--output", "json", "--interval", "1"] + server.connection)
        }
        defer { for rider in riders { rider.stop() } }
        let seen = riders.map { LineWatch($0.output) }
        for rider in seen { #expect(rider.line(with: "\"event\":\"status\"") != nil) }
        let waiter = try server.program.start(["wait", second, "--until", "2min", "--interval", "1"] + server.connection)
        defer { waiter.stop() }
        let car = try server.drive(
            "--create", "--route", "\(Self.start.text);\(Self.secondIn.text)", "--dwell", "5", "--trips", "2")
        defer { car.stop() }
        let lines = LineWatch(car.output)

        waiter.waitForEnd()
        #expect(waiter.process.terminationStatus == 0)
        let atThatTime = Self.told(seen[1].all)
        let place = try #require(atThatTime.last { $0.event == "location" })
        let car2 = Place(latitude: try #require(place.latitude), longitude: try #require(place.longitude))
        // The limit allows for two minutes of driving at 11 m/s, and for the distance that the car drives until the next poll.
        #expect(car2.meters(to: Self.secondIn) < 2_200, "\(car2)")
        #expect(atThatTime.contains { $0.status == "ENROUTE_TO_PICKUP" })

        car.waitForEnd()
        #expect(car.process.terminationStatus == 0)
        let order = lines.all.compactMap { $0.firstMatch(of: #/ (?:trip        \S+/|status      )(\S+)/#).map { String($0.1) } }
        let ids = [first, second].map { String($0.split(separator: "/").last ?? "") }
        #expect(
            order == [
                ids[0], "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF",
                ids[1], "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF",
                ids[0], "COMPLETE", ids[1], "COMPLETE",
            ], "\(lines.all)")
        for rider in riders { rider.waitForEnd() }
        for rider in seen { #expect(rider.line(with: "\"event\":\"end\",\"status\":\"COMPLETE\"") != nil) }

        let bounds = [
            Self.figures(Self.told(seen[0].all), pickup: [Self.firstIn], dropoff: [Self.secondIn, Self.firstOut]),
            Self.figures(Self.told(seen[1].all), pickup: [Self.firstIn, Self.secondIn], dropoff: [Self.firstOut, Self.secondOut]),
        ]
        for (index, figures) in bounds.enumerated() {
            #expect(figures.count > 8, "rider \(index + 1)")
            for (told, meters) in figures {
                if let remaining = told.remainingM {
                    #expect(remaining >= meters * 0.99 - 10, "rider \(index + 1): \(told), at least \(meters) m")
                }
                if let remaining = told.remainingS {
                    // The car drives at 25 m/s at most. A shown time may be up to two minutes older than the newest estimate.
                    #expect(remaining >= meters / 25 - 120, "rider \(index + 1): \(told), at least \(meters) m")
                }
            }
        }
    }
}
