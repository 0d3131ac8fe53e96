import FleetEngine
import Foundation
import Geo
import JourneySharing
import Testing

@testable import TripWatchSharing
@testable import TripWatchWords

@Suite("Times in a blurred link")
struct BlurredLinkTests {
    /// Returns all data of a link without its secret, because the secret differs between links.
    private static func everything(_ made: MadeUpLink) -> String {
        made.everything.replacingOccurrences(of: made.link.secret.text, with: "SECRET")
    }

    /// Returns a link to a trip with this arrival, distance and position, in all fields in which the server sends them.
    private func figures(
        _ privacy: LinkPrivacy, arrivesIn seconds: Double, meters: Double, fixAge: Double, place: Coordinate
    ) throws -> MadeUpLink {
        try MadeUpLink(privacy) { trip in
            let arrival = MadeUpLink.start.addingTimeInterval(seconds)
            trip.pickupTime = arrival
            trip.dropoffTime = arrival.addingTimeInterval(900)
            trip.etaToNextWaypoint = arrival
            trip.remainingTimeToNextWaypointSeconds = seconds
            trip.remainingDistanceMeters = meters
            let fix = MadeUpLink.start.addingTimeInterval(-fixAge)
            trip.lastLocation = VehicleLocation(
                coordinate: place, headingDegrees: seconds / 10, speedMetersPerSecond: meters / seconds, updateTime: fix,
                serverTime: fix.addingTimeInterval(0.4))
            trip.remainingWaypoints[0].distanceMeters = meters
            trip.remainingWaypoints[0].eta = arrival
            trip.remainingWaypoints[0].durationSeconds = seconds
        }
    }

    @Test("two cars within one blur have the same figures: events, object, page and pictures", arguments: [200.0, 500, 1_000])
    func indistinguishable(blur: Double) throws {
        let place = MadeUpLink.way[0]
        for (privacy, isAlike) in [(LinkPrivacy(blurMeters: blur), true), (LinkPrivacy(), false)] {
            let one = try figures(privacy, arrivesIn: 341.7, meters: 1_812, fixAge: 3.2, place: place)
            let other = try figures(privacy, arrivesIn: 358.3, meters: 1_989, fixAge: 17.9, place: place.onGrid(ofMeters: blur))
            #expect((Self.everything(one) == Self.everything(other)) == isAlike)
            let later = MadeUpLink.start.addingTimeInterval(4.4)
            #expect((one.link.json(at: later) == other.link.json(at: later)) == isAlike)
        }
    }

    @Test(
        "blurred, arrivals are rounded up and times of positions down to 30 s, from 500 m on to 60 s",
        arguments: [(499.0, 30.0), (500, 60)])
    func blurredTimes(blur: Double, step: Double) throws {
        let privacy = LinkPrivacy(blurMeters: blur)
        let made = try figures(privacy, arrivesIn: 301.5, meters: 1_804, fixAge: 3, place: MadeUpLink.way[0])
        let told = privacy.told(made.trip, as: made.trip.name)
        let arrival = MadeUpLink.start.addingTimeInterval(300 + step)
        #expect(told.etaToNextWaypoint == arrival && told.pickupTime == arrival && told.remainingWaypoints.first?.eta == arrival)
        #expect(told.remainingTimeToNextWaypointSeconds.map { abs($0 - 300 - step) < 1e-6 } == true, "the server's clock stays what it is")
        #expect(told.remainingWaypoints.first?.durationSeconds == 300 + step)
        let fix = MadeUpLink.start.addingTimeInterval(-step)
        #expect(told.lastLocation?.updateTime == fix && told.lastLocation?.serverTime == fix)
        #expect(made.link.journey.freshness == .live)
        #expect(made.event("location")?.contains("\"fix_time\":\"\(Timestamps.rfc3339(fix))\"") == true)
    }

    @Test("blurred, a car that reports in time is live at the other end too, at every moment", arguments: [200.0, 500])
    func liveAtTheOtherEnd(blur: Double) throws {
        var made = try MadeUpLink(LinkPrivacy(blurMeters: blur))
        var linked = LinkedTrip()
        var journey = JourneyTracker(tripName: made.name)
        for seconds in stride(from: 0.0, through: 300, by: 5) {
            let now = MadeUpLink.start.addingTimeInterval(seconds)
            made.trip.lastLocation = VehicleLocation(coordinate: MadeUpLink.way[0], updateTime: now, serverTime: now)
            made.tell(.trip(made.trip, changed: []), afterSeconds: seconds)
            for line in made.link.events.standingText.split(separator: "\n", omittingEmptySubsequences: false) {
                _ = linked.apply(String(line), at: now)
            }
            journey.observe(TripUpdate(name: made.name, time: now, kind: .trip(try linked.trip(at: now), changed: [])))
            journey.tick(now: now.addingTimeInterval(4.9))
            #expect(journey.freshness == .live, "\(seconds)")
        }
    }

    @Test("blurred, a report that came late stays late by whole steps, and one without the server's time is rounded alone")
    func blurredLateness() throws {
        let privacy = LinkPrivacy(blurMeters: 200)
        func told(sensor: Double?, server: Double?) throws -> VehicleLocation? {
            var trip = Trip(name: try TripName("providers/p/trips/t"), status: .enrouteToPickup)
            trip.lastLocation = VehicleLocation(
                coordinate: MadeUpLink.way[0], updateTime: sensor.map(MadeUpLink.start.addingTimeInterval),
                serverTime: server.map(MadeUpLink.start.addingTimeInterval))
            return privacy.told(trip, as: trip.name).lastLocation
        }
        let late = try told(sensor: -70, server: 2)
        #expect(late?.serverTime == MadeUpLink.start && late?.updateTime == MadeUpLink.start.addingTimeInterval(-60))
        let prompt = try told(sensor: -1, server: 1)
        #expect(prompt?.serverTime == MadeUpLink.start && prompt?.updateTime == MadeUpLink.start)
        #expect(try told(sensor: -1, server: nil)?.updateTime == MadeUpLink.start.addingTimeInterval(-30))
        #expect(try told(sensor: nil, server: nil)?.fixTime == nil)
    }
}
