import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import Testing
import TripWatchWords

@Suite("Sentences for a screen reader")
struct SpokenOutputTests {
    private func said(_ fact: TripFact, _ sighting: Sighting) -> String? {
        var spoken = SpokenOutput()
        return spoken.line(fact, journey: sighting.journey, time: sighting.now)
    }

    @Test("the way to the pickup")
    func enroute() throws {
        let sentence = try #require(said(.status(.enrouteToPickup, previous: .new), try Sighting { _ in }))
        #expect(sentence.hasPrefix("The car is on its way to you. Arrival in 6 minutes. Distance 1.8 kilometres. Pickup at "))
        let others = try Sighting {
            $0.remainingWaypoints = [
                TripWaypoint(coordinate: .init(latitude: 0, longitude: 0), tripID: "other", type: .dropoff),
                TripWaypoint(coordinate: .init(latitude: 0, longitude: 0), tripID: "made-up-ride", type: .pickup),
            ]
        }
        #expect(said(.status(.enrouteToPickup, previous: .new), others)?.contains("The car has 1 stop before yours.") == true)
    }

    @Test("sentences and lines for a viewer of a link do not speak of the rider or of the rider's stop")
    func viewer() throws {
        var options = PlainOutput.Options()
        options.isViewer = true
        let others = try Sighting {
            $0.remainingWaypoints = [
                TripWaypoint(coordinate: .init(latitude: 0, longitude: 0), tripID: "other", type: .dropoff),
                TripWaypoint(coordinate: .init(latitude: 0, longitude: 0), tripID: "made-up-ride", type: .pickup),
            ]
        }
        let sentence = SpokenOutput(options: options).presentState(others.journey, time: others.now)
        #expect(sentence.hasPrefix("The car is on its way to the pickup."), "\(sentence)")
        #expect(sentence.contains("The car has 1 stop first."), "\(sentence)")
        var plain = PlainOutput(options: options)
        let line = plain.line(.status(.enrouteToPickup, previous: .new), journey: others.journey, time: others.now)
        #expect(line?.hasSuffix(", 1 stop first)") == true, "\(line ?? "")")
    }

    @Test("a user who asks again hears everything that is known, beginning with what went wrong")
    func presentState() throws {
        var sighting = try Sighting { _ in }
        let fine = SpokenOutput().presentState(sighting.journey, time: sighting.now)
        #expect(fine.hasPrefix("The car is on its way to you. Arrival in 6 minutes. Distance 1.8 kilometres."))
        sighting.fail(.unavailable, afterSeconds: 42)
        let offline = SpokenOutput().presentState(sighting.journey, time: sighting.now)
        #expect(offline.contains("The car is on its way to you.") && !offline.hasPrefix("The car"), "\(offline)")
        #expect(!offline.contains("UNAVAILABLE") && !offline.contains(" km"), "\(offline)")
        let nothing = JourneyTracker(tripName: sighting.journey.tripName)
        #expect(SpokenOutput().presentState(nothing, time: sighting.now) == "Nothing is known about the trip yet.")
    }

    @Test("an arrival that was just announced is not announced again as a change")
    func announcedOnce() throws {
        let sighting = try Sighting { _ in }
        let arrival = try #require(sighting.journey.forecast.shown)
        let change = TripFact.promise(.pickup, arrival: arrival, previous: arrival.addingTimeInterval(-60))
        #expect(said(change, sighting)?.hasSuffix(", 1 minute later than last announced.") == true)
        var spoken = SpokenOutput()
        let status = spoken.line(.status(.enrouteToPickup, previous: .new), journey: sighting.journey, time: sighting.now)
        #expect(status?.contains("Pickup at") == true)
        #expect(spoken.line(change, journey: sighting.journey, time: sighting.now) == nil)
        var released = SpokenOutput()
        _ = released.line(.vehicle(nil), journey: sighting.journey, time: sighting.now)
        #expect(released.line(change, journey: sighting.journey, time: sighting.now) != nil, "the sentence had no arrival")
    }

    @Test("changed stops have sentences, and a changed arrival at a stop has the stop's name")
    func stops() throws {
        let sighting = try Sighting {
            $0.status = .enrouteToIntermediateDestination
            $0.attributes = ["stop_1_name": "Chemist"]
            $0.intermediateDestinations = [Coordinate(latitude: 1, longitude: 1)]
        }
        let arrival = Sighting.start.addingTimeInterval(480)
        let moved = said(.promise(.intermediate, arrival: arrival, previous: arrival.addingTimeInterval(-12_000)), sighting)
        #expect(moved == "Chemist is now at 14:10, 3 hours and 20 minutes later than last announced.")
        let tomorrow = Sighting.start.addingTimeInterval(86_400)
        let later = said(.promise(.intermediate, arrival: tomorrow, previous: arrival), sighting)
        #expect(later?.contains(#/^Chemist is now on \d+ [A-Z][a-z]+ at 14:02, /#) == true, "\(later ?? "")")
        #expect(said(.stopsChanged(added: 2, removed: 1), sighting) == "The stops have changed: 2 added, 1 removed.")
        #expect(said(.stopsChanged(added: 0, removed: 0), sighting) == "The stops have changed.")
        #expect(said(.pickupChanged, sighting) == "The pickup has changed.")
        #expect(said(.dropoffChanged, sighting) == "The drop-off has changed.")
    }

    @Test("a car that is near is as many minutes away as the countdown says")
    func near() throws {
        let sighting = try Sighting { _ in }
        for (seconds, words) in [(118.0, "1 minute away"), (60, "less than a minute away"), (0, "arriving")] {
            // The arrival is just before a full minute. If the time left were rounded, it could be one minute more than the countdown.
            let now = Date(timeIntervalSince1970: 1_935_756_120)
            let eta = ETAText(arrival: now.addingTimeInterval(seconds - 1), now: now)
            #expect(said(.near(.pickup, eta), sighting) == "The car is \(words).")
        }
        let due = ETAText(remainingSeconds: 0, remainingMeters: 950)
        #expect(said(.near(.pickup, due), sighting) == "The car should arrive any minute.")
    }

    @Test("the plate is spelled")
    func plate() throws {
        let here = try Sighting {
            $0.status = .arrivedAtPickup
            $0.attributes = ["plate": "KVX 204\u{202e}"]
        }
        #expect(said(.status(.arrivedAtPickup, previous: .enrouteToPickup), here) == "Your car is here. Plate K V X 2 0 4.")
    }

    @Test("for an old position, the sentence says since when, and what was last known")
    func quiet() throws {
        let sentence = try #require(said(.freshness(.notLive, ageSeconds: 61, previous: .quiet), try Sighting { _ in }))
        #expect(sentence.hasPrefix("No position from the car for 1 minute. The last known arrival time is "))
    }

    @Test("repeated failures are spoken once, and the next attempt is announced only if there is one")
    func failures() throws {
        var sighting = try Sighting { _ in }
        sighting.fail(.unavailable, afterSeconds: 5)
        let failure = try #require(sighting.journey.failure)
        var spoken = SpokenOutput()
        #expect(
            spoken.line(.failure(failure), journey: sighting.journey, time: sighting.now)?.hasSuffix("Trying again in 5 seconds.") == true
        )
        #expect(spoken.line(.failure(failure), journey: sighting.journey, time: sighting.now) == nil)
        #expect(
            spoken.line(.recovered(afterSeconds: 1), journey: sighting.journey, time: sighting.now)
                == "Updates resumed after 1 second.")
        spoken.isEnding = true
        for _ in 0..<2 {
            let last = spoken.line(.failure(failure), journey: sighting.journey, time: sighting.now)
            #expect(last?.contains("again") == false, "the failure that ends the command is always spoken")
        }
    }

    @Test("no sentence has signs or control characters", arguments: TripStatus.allCases)
    func plainText(status: TripStatus) throws {
        let sighting = try Sighting {
            $0.status = status
            $0.vehicleID = "x\u{1b}]0;\u{7}"
        }
        let sentence = SpokenOutput().summary(sighting.journey, time: sighting.now)
        #expect(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.isASCII }, "\(sentence)")
    }
}
