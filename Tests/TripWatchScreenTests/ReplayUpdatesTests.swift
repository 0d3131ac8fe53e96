import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing

@testable import TripWatchScreen

@Suite("The memory of a replay")
struct ReplayUpdatesTests {
    private static let stride = MemoryLayout<TripUpdate>.stride

    private func update(_ trip: Trip, second: Int = 0) -> TripUpdate {
        TripUpdate(name: trip.name, time: MadeUpTrip.time("14:02:00") + Double(second), kind: .trip(trip, changed: []))
    }

    /// Returns how many of a hundred updates fit into the memory.
    private func fitting(bytes: Int, _ trip: (_ index: Int) -> Trip) -> Int {
        var updates = ReplayUpdates(momentCount: 100, limit: bytes)
        let added = (0..<100).prefix { updates.add(update(trip($0), second: $0)) }
        #expect(updates.list.map(\.time) == added.map { MadeUpTrip.time("14:02:00") + Double($0) })
        return added.count
    }

    @Test("updates beyond the limit are refused, also those without contents")
    func empty() throws {
        let name = try #require(MadeUpTrip.name())
        #expect(fitting(bytes: 10 * Self.stride) { _ in Trip(name: name) } == 10)
        var afterText = ReplayUpdates(momentCount: 2, textBytes: 1_000, limit: 1_000 + Self.stride)
        let areAdded = (0..<2).map { afterText.add(update(Trip(name: name), second: $0)) }
        #expect(areAdded == [true, false])
        var updates = ReplayUpdates(momentCount: 1, limit: Self.stride + 100)
        let error = FleetEngineError(code: .unavailable, message: String(repeating: "a", count: 100))
        let failure = PollFailure(error: error, errorClass: .retryable, retryInSeconds: 5, attempt: 1)
        let isLongFailureAdded = updates.add(
            TripUpdate(name: name, time: MadeUpTrip.time("14:02:00"), kind: .failure(failure)))
        #expect(!isLongFailureAdded && updates.list.isEmpty)
    }

    /// A part of a trip. `fill` makes it larger than 10,000 bytes.
    enum Part: String, CaseIterable {
        case vehicle, attributes, destinations, route, traffic, stops, path, tripID

        func fill(_ trip: inout Trip, salt: Int) {
            let points = (0..<1_000).map { Coordinate(latitude: Double(salt) / 100, longitude: Double($0) / 100) }
            let text = "\(salt)" + String(repeating: "a", count: 10_000)
            let stop = TripWaypoint(coordinate: MadeUpTrip.pickup, tripID: "t", type: .pickup, distanceMeters: Double(salt))
            switch self {
            case .vehicle: trip.vehicleID = text
            case .attributes: trip.attributes = Dictionary(uniqueKeysWithValues: (0..<200).map { ("\($0)", "\(salt)") })
            case .destinations: trip.intermediateDestinations = points
            case .route: trip.activeRoute = RouteLine(points)
            case .traffic:
                let stretches = (0..<1_000).map { index in
                    let speed: TrafficSpeed = (index + salt).isMultiple(of: 2) ? .slow : .trafficJam
                    return TrafficStretch(startMeters: Double(index), endMeters: Double(index + 1), speed: speed)
                }
                trip.activeRoute = RouteLine(Polyline([]), traffic: stretches)
            case .stops: trip.remainingWaypoints = Array(repeating: stop, count: 200)
            case .path:
                trip.remainingWaypoints = [stop]
                trip.remainingWaypoints[0].path = RouteLine(points)
            case .tripID:
                trip.remainingWaypoints = [stop]
                trip.remainingWaypoints[0].tripID = text
            }
        }
    }

    @Test("every part of an answer counts, if it differs from the previous answer", arguments: Part.allCases)
    func parts(part: Part) throws {
        let name = try #require(MadeUpTrip.name())
        func trip(_ salt: Int) -> Trip {
            var trip = Trip(name: name)
            part.fill(&trip, salt: salt)
            return trip
        }
        #expect(fitting(bytes: 100_000, trip) < 10)
        let limit = 100_000 + 100 * Self.stride
        #expect(fitting(bytes: limit) { _ in trip(1) } == 100, "an equal part counts once")
    }

    @Test("a route and a stop's path are kept once while other values change")
    func shared() throws {
        let name = try #require(MadeUpTrip.name())
        let line = Polyline((0..<1_000).map { Coordinate(latitude: 10, longitude: Double($0) / 100) })
        let count = fitting(bytes: 100 * (Self.stride + 300) + 50_000) { index in
            var trip = Trip(name: name)
            trip.activeRoute = RouteLine(Polyline(line.coordinates))
            trip.remainingWaypoints = [
                MadeUpTrip.waypoint(name, .pickup, Polyline(line.coordinates), eta: MadeUpTrip.time("14:02:00") + Double(index))
            ]
            return trip
        }
        #expect(count == 100)
    }

    @Test("a ride of 12 hours with an answer each second fits")
    func longest() throws {
        let name = try #require(MadeUpTrip.name())
        // A hundredth of the ride must fit into a hundredth of the memory. A line of the recording has 2,040 bytes.
        var updates = ReplayUpdates(momentCount: 432, textBytes: 432 * 2_040, limit: ReplayUpdates.maximumBytes / 100)
        for second in 0..<432 {
            let arrival = "14:0\(second % 10):00"
            let trip = MadeUpTrip.approaching(name, metersToGo: 4_300 - Double(second), arrival: arrival, at: MadeUpTrip.time("14:02:00"))
            let isAdded = updates.add(update(trip, second: second))
            #expect(isAdded, "\(second)")
        }
    }
}
