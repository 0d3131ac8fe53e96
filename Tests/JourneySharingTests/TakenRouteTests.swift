import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

/// A route with a right-angled corner in the middle of an ocean: 1,000 m east, then 1,000 m north.
enum Corner {
    static let line = Polyline([place(0, 0), place(1_000, 0), place(1_000, 1_000)])

    static func place(_ east: Double, _ north: Double) -> Coordinate {
        Coordinate(latitude: 10, longitude: -30).offset(eastMeters: east, northMeters: north)
    }

    /// Returns a trip whose vehicle is `meters` along a line.
    static func trip(along meters: Double, of line: Polyline = line, vehicle: String = "cart-1", at now: Date? = nil) throws -> Trip {
        var trip = Trip(name: try TripName(provider: "nobody", trip: "made-up"), vehicleID: vehicle, status: .enrouteToPickup)
        trip.activeRoute = RouteLine(line)
        trip.lastLocation = VehicleLocation(
            coordinate: try #require(line.coordinate(atMeters: meters)), speedMetersPerSecond: 0, serverTime: now)
        return trip
    }

    static func drawn(along meters: Double) throws -> VehicleMotion.Drawn {
        var motion = VehicleMotion()
        let now = Date(timeIntervalSince1970: 1_900_000_000)
        motion.observe(try trip(along: meters), ageSeconds: 0, isNewFix: true, now: now)
        let frame = motion.frame(at: now)
        return try #require(frame)
    }
}

@Suite("The driven route")
struct TakenRouteTests {
    @Test("on a route, the line includes the corners between two positions")
    func cornersKept() throws {
        var taken = TakenRoute()
        for along in stride(from: 700.0, through: 1_300, by: 60) {
            taken.observe(try Corner.drawn(along: along), route: Corner.line, isNewRoute: along == 700)
        }
        let piece = try #require(taken.pieces.first)
        #expect(taken.pieces.count == 1)
        #expect(piece.coordinates.contains { $0.distanceMeters(to: Corner.place(1_000, 0)) < 0.1 })
        #expect(abs(taken.lengthMeters - 600) < 0.5)
        #expect(abs(piece.lengthMeters - 600) < 0.5)
    }

    @Test("standing still adds nothing")
    func standing() throws {
        var taken = TakenRoute()
        let drawn = try Corner.drawn(along: 500)
        for _ in 0..<50 { taken.observe(drawn, route: Corner.line, isNewRoute: false) }
        #expect(taken.pieces.map(\.coordinates.count) == [1])
        #expect(taken.lengthMeters == 0)
    }

    @Test("a new version of the route does not break the line")
    func newRoute() throws {
        var taken = TakenRoute()
        taken.observe(try Corner.drawn(along: 100), route: Corner.line, isNewRoute: true)
        taken.observe(try Corner.drawn(along: 160), route: Corner.line, isNewRoute: false)
        taken.observe(try Corner.drawn(along: 220), route: Corner.line, isNewRoute: true)
        taken.observe(try Corner.drawn(along: 280), route: Corner.line, isNewRoute: false)
        #expect(taken.pieces.count == 1)
        #expect(abs(taken.lengthMeters - 180) < 0.5)
    }

    @Test("the end of the line reaches the vehicle along the route")
    func tail() throws {
        var taken = TakenRoute()
        taken.observe(try Corner.drawn(along: 990), route: Corner.line, isNewRoute: true)
        let drawn = try Corner.drawn(along: 996)
        taken.observe(drawn, route: Corner.line, isNewRoute: false)
        let tail = taken.tail(to: drawn, route: Corner.line)
        #expect(tail.coordinates.count == 2)
        #expect(abs(tail.lengthMeters - 6) < 0.2)
    }

    @Test("it never grows without limit, and keeps its ends")
    func bounded() throws {
        let long = Polyline((0..<6_000).map { Corner.place(Double($0) * 10, Double($0 % 2) * 10) })
        var motion = VehicleMotion()
        var taken = TakenRoute()
        for (step, along) in stride(from: 0, to: long.lengthMeters, by: 2_900).enumerated() {
            let now = Date(timeIntervalSince1970: 1_900_000_000 + Double(step) * 60)
            motion.observe(try Corner.trip(along: along, of: long), ageSeconds: 0, isNewFix: true, now: now)
            let frame = motion.frame(at: now)
            let drawn = try #require(frame)
            taken.observe(drawn, route: long, isNewRoute: false)
        }
        let kept = taken.pieces.flatMap(\.coordinates)
        #expect(kept.count <= TakenRoute.maximumCoordinates)
        let start = try #require(long.coordinates.first)
        let first = try #require(kept.first)
        #expect(first.distanceMeters(to: start) < 1)
        #expect(taken.lengthMeters > long.lengthMeters - 3_000)
    }

    @Test("positions that are all too far apart for a line do not grow without limit either")
    func boundedPieces() throws {
        var trip = try Corner.trip(along: 0)
        trip.activeRoute = RouteLine()
        var taken = TakenRoute()
        let now = Date(timeIntervalSince1970: 1_900_000_000)
        for step in 0...TakenRoute.maximumCoordinates {
            trip.lastLocation = VehicleLocation(coordinate: Corner.place(Double(step % 2) * 1_000, 0), speedMetersPerSecond: 0)
            var motion = VehicleMotion()
            motion.observe(trip, ageSeconds: 0, isNewFix: true, now: now)
            let frame = motion.frame(at: now)
            taken.observe(try #require(frame), route: Polyline([]), isNewRoute: false)
            if step == 100 { #expect(taken.pieces.count == 101) }
        }
        #expect(taken.pieces.count == 64 && taken.lengthMeters == 0)
        let last = try #require(taken.pieces.last?.coordinates.last)
        #expect(last.distanceMeters(to: Corner.place(0, 0)) < 1)
    }
}
