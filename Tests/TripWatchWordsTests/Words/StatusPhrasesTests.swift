import FleetEngine
import JourneySharing
import Testing

@testable import TripWatchWords

@Suite("The phrase book")
struct StatusPhrasesTests {
    /// Returns all phrases of a page; "-" for a missing phrase.
    private static func voices(_ page: StatusPhrases) -> [String] {
        [
            page.phase, page.brief, page.standing, page.panel.map { "\($0.heading)/\($0.big)/\($0.short)" }, page.corner, page.step,
            page.narrowStep, page.givenUp, page.event, page.firstEvent, page.line.map { "\($0.word)/\($0.text)" }, page.spoken,
            page.style.rawValue, page.toward.map { "\($0)" },
        ].map { $0 ?? "-" }
    }

    @Test("Every status has its words in every voice")
    func all() {
        let table: [(StatusPhrases, [String])] = [
            (
                .of(.unknown),
                [
                    "Status not known", "-", "-", "-", "-", "-", "-", "The trip's status is not known",
                    "The server does not report the trip's status",
                    "-", "-", "-", "unknown", "-",
                ]
            ),
            (
                .of(.new, hasVehicle: false),
                [
                    "Looking for a car", "-", "looking for a car", "LOOKING FOR A CAR//Looking for a car", "-", "Looking for a car", "-",
                    "-", "The trip is no longer under way", "Trip created", "new/looking for a car", "Looking for a car.",
                    "looking",
                    "-",
                ]
            ),
            (
                .of(.new),
                [
                    "Car assigned", "-", "-", "-", "-", "Car assigned", "-", "-", "The trip is no longer under way",
                    "Trip created",
                    "-",
                    "A car is assigned.", "enroute", "-",
                ]
            ),
            (
                .of(.enrouteToPickup),
                [
                    "On the way to you", "on the way", "-", "-", "-", "On the way to you", "-", "-", "Car is on its way",
                    "The car is on its way to you", "moving/", "The car is on its way to you.", "enroute", "pickup",
                ]
            ),
            (
                .of(.arrivedAtPickup),
                [
                    "Your car is here", "-", "here", "YOUR CAR IS/HERE/Car is here", "-", "Waiting at pickup", "-",
                    "Your car is here and waiting for you", "Arrived at pickup", "The car is at the pickup", "here/waiting at pickup",
                    "Your car is here.", "here", "-",
                ]
            ),
            (
                .of(.enrouteToIntermediateDestination, stopIndex: 1, stopCount: 3),
                [
                    "On the way to stop 2", "to stop 2", "-", "-", "-", "On the way to stop 2", "To stop 2", "You are on the way",
                    "On the way to stop 2", "-", "riding/to stop 2", "You are on the way to stop 2.", "riding", "intermediate",
                ]
            ),
            (
                .of(.arrivedAtIntermediateDestination, stopIndex: 1, stopCount: 3),
                [
                    "Waiting at stop 2", "-", "at stop 2", "AT STOP 2 of 3/HERE/At stop 2 of 3", "-", "Waiting at stop 2", "-",
                    "You are on the way", "Arrived at stop 2", "-", "stop/waiting at stop 2", "The car is waiting at stop 2.", "stop", "-",
                ]
            ),
            (
                .of(.enrouteToDropoff),
                [
                    "On the way", "on the way", "-", "-", "-", "On the way", "-", "You are on the way", "On the way to the drop-off", "-",
                    "riding/", "You are on the way to your destination.", "riding", "dropoff",
                ]
            ),
            (
                .of(.complete),
                [
                    "You have arrived", "-", "arrived", "YOU HAVE ARRIVED/DONE/Arrived", "trip complete", "-", "-", "You are on the way",
                    "Trip complete", "-", "complete/arrived", "You have arrived.", "complete", "-",
                ]
            ),
            (
                .of(.canceled),
                [
                    "Trip cancelled", "-", "cancelled", "TRIP CANCELLED//Cancelled", "trip cancelled", "-", "-", "You are on the way",
                    "Trip cancelled", "-", "cancelled/the trip was cancelled", "The trip was cancelled.", "cancelled", "-",
                ]
            ),
        ]
        for (page, words) in table { #expect(Self.voices(page) == words) }
    }

    @Test("No phrase takes a viewer of a link for the rider or the customer", arguments: TripKind.allCases, TripStatus.allCases)
    func viewer(kind: TripKind, status: TripStatus) {
        for (hasVehicle, before) in [(false, 0), (true, 0), (true, 2)] {
            let phrases = StatusPhrases.of(status, kind: kind, hasVehicle: hasVehicle, deliveriesBefore: before)
            var told = phrases.forViewer(status, kind)
            // A viewer cannot cancel the trip.
            told.givenUp = nil
            for words in Self.voices(told) { #expect(!words.lowercased().contains(#/\byou/#), "\(words)") }
        }
        #expect(StatusPhrases.of(.enrouteToDropoff).forViewer(.enrouteToDropoff, .ride).spoken == "The car is on its way to the drop-off.")
    }

    @Test("A stop's number is counted from 1 and kept within bounds; the total is stated only if there are several stops")
    func numbers() {
        func heading(_ index: Int, _ count: Int) -> String? {
            StatusPhrases.of(.arrivedAtIntermediateDestination, stopIndex: index, stopCount: count).panel?.heading
        }
        #expect(heading(0, 1) == "AT STOP 1")
        #expect(heading(0, 2) == "AT STOP 1 of 2")
        #expect(heading(-5, 0) == "AT STOP 1")
        #expect(heading(.max, 0) == "AT STOP 9999")
        #expect(StatusPhrases.of(nil) == .of(.unknown))
    }

    @Test("Changes of the position are announced in every voice, and only if they are new")
    func position() {
        func voices(_ state: Freshness?, _ previous: Freshness?, hasVehicle: Bool = true) -> String? {
            PositionNews(state, ageSeconds: 42, previous: previous, hasVehicle: hasVehicle).map {
                "\($0.line().word)/\($0.line().text) | \($0.event()) | \($0.spoken { "\(Int($0)) seconds" })"
            }
        }
        let lost = "no position/the car's position is not known | The car's position is not known | The car's position is not known."
        let back = "live/position is back | The position is back | The car's position is back."
        let quiet = "quiet/no position for 42 s | No position for 42 s | No position from the car for 42 seconds."
        let notLive = "not live/last position 42 s ago | The position is 42 s old | No position from the car for 42 seconds."
        for previous in [nil, .live, .quiet, .notLive, .offline, .stopped, .ended] as [Freshness?] {
            let hadPosition = [.live, .quiet, .notLive].contains(previous)
            #expect(voices(nil, previous) == (hadPosition ? lost : nil))
            #expect(voices(nil, previous, hasVehicle: false) == nil)
            #expect(voices(.live, previous) == (previous == .quiet || previous == .notLive ? back : nil))
            #expect(voices(.quiet, previous) == quiet)
            #expect(voices(.notLive, previous) == notLive)
            for state in [Freshness.offline, .stopped, .ended] { #expect(voices(state, previous) == nil) }
        }
    }
}
