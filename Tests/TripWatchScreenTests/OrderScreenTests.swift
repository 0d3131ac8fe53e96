import ConsumerMap
import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("The screen of an order")
struct OrderScreenTests {
    private static let theme = Theme(name: "plain", looks: [:], depth: .none)

    private func played(_ word: String) throws -> (state: AppState, page: TripPage) {
        let scenario = try #require(Scenario.named(word, size: Size(columns: 80, rows: 24)))
        return (scenario.state, try #require(scenario.state.page))
    }

    private func drawn(_ state: AppState) -> String { AppView().canvas(state, theme: Self.theme).text() }

    @Test(
        "The large figure is the arrival at the drop-off at every status",
        arguments: [("order-to-shop", "24"), ("order-at-shop", "18"), ("order-on-way", "15")])
    func figure(word: String, minutes: String) throws {
        let (state, page) = try played(word)
        let words = state.etaWords(page)
        #expect(words.heading == "DELIVERY IN" && words.big == minutes && words.detail == "at 14:31")
    }

    @Test("A drop-off without a time has a dash")
    func unknown() throws {
        let (state, page) = try played("order-looking")
        let words = state.etaWords(page)
        #expect(words.heading == "DELIVERY IN" && words.big.isEmpty && words.detail == "–")
        #expect(state.freshnessWords(page).word == "no courier yet")
    }

    @Test("A courier who was assigned before the order was first seen has a whole word beside the time")
    func assignedBy() throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), now: "14:06:50"))
        scenario.answer("14:07:12") { Scenario.order(MadeUpTrip.approaching($0, metersToGo: 1_700, arrival: "14:13:00", at: $1)) }
        #expect(drawn(scenario.state).contains(#/✓ Assigned +before 14:07/#), "\(drawn(scenario.state))")
    }

    @Test("The shop is a step with its own time until the courier is there")
    func steps() throws {
        let (ahead, going) = try played("order-to-shop")
        let steps = Timeline(going, ahead, isWide: true).steps.map { "\($0.kind) \($0.text) \($0.right)" }
        #expect(
            steps == [
                "done Courier assigned 14:02", "now Going to the shop now", "next Pick up  Noodle House 14:13", "goal You 14:31",
            ])
        let (later, bringing) = try played("order-on-way")
        let last = Timeline(bringing, later, isWide: false).steps.map { "\($0.kind) \($0.text) \($0.right)" }
        #expect(last == ["done Picked up 14:13", "now On its way now", "goal You 14:31"])
    }

    @Test("The places are called shop and you")
    func markers() throws {
        let (state, page) = try played("order-to-shop")
        #expect(page.map.labels.pickup == "shop" && page.map.labels.dropoff == "you")
        let options = Scenario.options { $0.isViewer = true }
        let viewed = try #require(Scenario.named("order-on-way", size: Size(columns: 80, rows: 24), options: options))
        let other = try #require(viewed.state.page)
        #expect(
            other.map.labels.pickup.hasPrefix("shop") && other.map.labels.dropoff != "you"
                && other.phrases.phase == "On its way, 1 delivery first")
        #expect(page.names.title == "Order from Noodle House" && state.windowTitle == "24 min ∙ Noodle House")
    }

    @Test(
        "The cancel question says how far the order is",
        arguments: [
            ("order-looking", "No courier is assigned yet."), ("order-to-shop", "The courier is going to the shop."),
            ("order-at-shop", "The courier is already at the shop."), ("order-on-way", "Your order is already on its way."),
        ])
    func cancel(word: String, sentence: String) throws {
        let words = CancelWords(.asking, try played(word).state)
        #expect(words.title == "Cancel this order?" && words.consequence == sentence)
    }

    @Test("Deliveries to others are shown, and other stops before the shop are not")
    func others() throws {
        let (state, going) = try played("order-to-shop")
        #expect(state.reasons(going, columns: .max).first == "1 delivery before yours")
        #expect(try played("order-on-way").page.phrases.phase == "On its way, 1 delivery before yours")
        var scenario = try #require(Scenario.named("order-to-shop", size: Size(columns: 80, rows: 24)))
        scenario.answer("14:07:22") { name, time in
            var trip = Scenario.order(MadeUpTrip.approaching(name, metersToGo: 1_700, arrival: "14:13:00", at: time))
            var others = trip.remainingWaypoints[1]
            others.tripID = "a-third-one"
            trip.remainingWaypoints.insert(others, at: 0)
            return trip
        }
        let page = try #require(scenario.state.page)
        #expect(scenario.state.reasons(page, columns: .max).first == "1 delivery before yours")
        #expect(scenario.state.phaseWords(page) == "Going to the shop")
        #expect(!drawn(scenario.state).contains("stops before"))
    }

    @Test("Nobody walks to the shop, and nobody is asked to look for the courier there")
    func walk() throws {
        let options = Scenario.options { $0.ownPosition = MadeUpTrip.place(300, 200) }
        let scenario = try #require(Scenario.named("order-at-shop", size: Size(columns: 80, rows: 24), options: options))
        let page = try #require(scenario.state.page)
        #expect(scenario.state.walkWords(page).isEmpty)
        let text = drawn(scenario.state)
        #expect(!text.contains("LOOK FOR") && !text.contains("HERE"), "\(text)")
    }

    @Test("The end says delivered")
    func end() throws {
        let (state, page) = try played("order-delivered")
        #expect(state.etaWords(page).heading == "ORDER DELIVERED" && state.freshnessLine(page) == "order delivered")
        #expect(page.map.labels.pickup == "shop 14:13")
        let text = drawn(state)
        #expect(text.contains("Delivered.") && !text.contains("You have arrived"), "\(text)")
    }

    @Test(
        "No screen speaks of a car, a rider or a ride",
        arguments: ["order-looking", "order-to-shop", "order-at-shop", "order-on-way", "order-delivered"],
        [Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 40, rows: 15)])
    func words(word: String, size: Size) throws {
        var scenario = try #require(Scenario.named(word, size: size))
        for key in ["", "x", "esc w"] {
            scenario.press(key)
            let words = Set(drawn(scenario.state).lowercased().split { !$0.isLetter })
            #expect(words.isDisjoint(with: ["car", "rider", "riders", "ride"]), "\(drawn(scenario.state))")
        }
    }

    @Test("The user's option makes an order of a trip that does not say its kind")
    func fallback() throws {
        let options = Scenario.options { $0.tripKind = .order }
        let name = try #require(MadeUpTrip.name())
        let state = AppState(trips: [name], options: options, size: Size(columns: 80, rows: 24), now: MadeUpTrip.time("14:01:50"))
        #expect(state.page?.kind == .order && state.page?.names.title == "Order 7f3a-northgate")
    }
}
