import FleetEngine
import JourneySharing
import Testing

@testable import TripWatchWords

@Suite("The phrase book of an order")
struct OrderPhrasesTests {
    @Test("Every status has its long and its short words, its line and its sentence")
    func all() {
        let table: [(StatusPhrases, [String])] = [
            (.of(.unknown, kind: .order), ["Status not known", "status not known", "-", "-", "unknown"]),
            (
                .of(.new, kind: .order, hasVehicle: false),
                ["Looking for a courier", "no courier yet", "new/looking for a courier", "Looking for a courier.", "looking"]
            ),
            (.of(.new, kind: .order), ["Courier assigned", "assigned", "-", "A courier is assigned.", "enroute"]),
            (
                .of(.enrouteToPickup, kind: .order),
                ["Going to the shop", "to the shop", "to the shop/", "The courier is going to the shop.", "enroute"]
            ),
            (
                .of(.arrivedAtPickup, kind: .order),
                ["At the shop", "at the shop", "at the shop/", "The courier is at the shop.", "enroute"]
            ),
            (
                .of(.enrouteToIntermediateDestination, kind: .order, stopIndex: 1, stopCount: 3, stopName: "Quay"),
                ["Going to stop 2 of 3 first", "to stop 2", "to stop 2/", "The courier is going to stop 2 of 3 first.", "riding"]
            ),
            (
                .of(.arrivedAtIntermediateDestination, kind: .order, stopIndex: 1, stopCount: 3),
                ["At stop 2 of 3", "at stop 2", "at stop 2/", "The courier is at stop 2 of 3.", "riding"]
            ),
            (
                .of(.enrouteToDropoff, kind: .order),
                ["On its way to you", "on its way", "on its way/", "Your order is on its way to you.", "riding"]
            ),
            (.of(.complete, kind: .order), ["Delivered", "delivered", "complete/delivered", "Your order was delivered.", "complete"]),
            (
                .of(.canceled, kind: .order),
                ["Order cancelled", "cancelled", "cancelled/the order was cancelled", "The order was cancelled.", "cancelled"]
            ),
        ]
        for (page, words) in table {
            let short = page.standing ?? page.inSentence
            let line = page.line.map { "\($0.word)/\($0.text)" } ?? "-"
            #expect([page.phase, short, line, page.spoken ?? "-", page.style.rawValue] == words)
        }
    }

    @Test("Deliveries to others are mentioned while the order is on its way")
    func deliveries() {
        #expect(StatusPhrases.of(.enrouteToDropoff, kind: .order, deliveriesBefore: 1).phase == "On its way, 1 delivery before yours")
        #expect(StatusPhrases.of(.enrouteToDropoff, kind: .order, deliveriesBefore: 3).phase == "On its way, 3 deliveries before yours")
        #expect(StatusPhrases.of(.enrouteToPickup, kind: .order, deliveriesBefore: 3).phase == "Going to the shop")
    }

    @Test("Only the end has words instead of the countdown", arguments: TripStatus.allCases)
    func countdown(status: TripStatus) {
        let page = StatusPhrases.of(status, kind: .order)
        #expect((page.panel != nil) == status.isFinal && (page.standing != nil) == status.isFinal)
    }

    @Test("The end has its headings")
    func end() {
        #expect(StatusPhrases.of(.complete, kind: .order).panel?.heading == "ORDER DELIVERED")
        #expect(StatusPhrases.of(.canceled, kind: .order).panel?.heading == "ORDER CANCELLED")
    }

    @Test("No voice speaks of a car, a rider or a trip", arguments: TripStatus.allCases)
    func words(status: TripStatus) {
        let page = StatusPhrases.of(status, kind: .order)
        let voices = [
            page.phase, page.brief, page.givenUp, page.event, page.firstEvent, page.line?.text, page.spoken, page.corner, page.step,
        ]
        let words = Set(voices.compactMap { $0 }.joined(separator: " ").lowercased().split { !$0.isLetter })
        #expect(words.isDisjoint(with: ["car", "trip", "ride", "rider", "pickup", "here"]), "\(words)")
    }

    @Test("Messages about the position speak of the courier")
    func position() {
        #expect(PositionNews.lost.line(.order).text == "the courier's position is not known")
        #expect(PositionNews.lost.event(.order) == "The courier's position is not known")
        let quiet = PositionNews.old(.quiet, ageSeconds: 42).spoken(TripKind.order.vehicle) { _ in "42 seconds" }
        #expect(quiet == "No position from the courier for 42 seconds.")
    }

    @Test(
        "An order is named by its title, or else by the shop, the user's title, the drop-off, the id",
        arguments: [
            (["title": "Supper", "pickup_name": "Noodle House"], nil, "Supper", "Noodle House"),
            (["pickup_name": "Noodle House", "dropoff_name": "Elm St 12"], "mine", "Order from Noodle House", "Noodle House"),
            (["title": "Order from Noodle House"], nil, "Order from Noodle House", "Noodle House"),
            (["dropoff_name": "Elm St 12"], "mine", "mine", "mine"),
            (["dropoff_name": "Elm St 12"], nil, "Order to Elm St 12", "Elm St 12"),
            ([:], nil, "Order noodles", "noodles"),
        ] as [([String: String], String?, String, String)])
    func names(attributes: [String: String], own: String?, title: String, place: String) throws {
        let name = try TripName(provider: "demo", trip: "noodles")
        var trip = Trip(name: name)
        trip.attributes = attributes
        let names = TripNames(name, trip: trip, title: own, kind: .order)
        #expect(names.title == title && names.place == place)
    }
}
