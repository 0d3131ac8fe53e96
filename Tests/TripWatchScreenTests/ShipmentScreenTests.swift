import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("The screen of a shipment")
struct ShipmentScreenTests {
    private static let theme = Theme(name: "plain", looks: [:], depth: .none)
    private static let sizes = [
        Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 40, rows: 15), Size(columns: 20, rows: 3),
    ]

    private func played(_ word: String, size: Size = Size(columns: 80, rows: 24)) throws -> Scenario {
        try #require(Scenario.named(word, size: size))
    }

    private func drawn(_ state: AppState) -> String { AppView().canvas(state, theme: Self.theme).text() }

    private func words(_ word: String) throws -> ShipmentWords { try #require(try played(word).state.shipmentWords) }

    @Test(
        "The figure and the line below follow the answer",
        arguments: [
            ("shipment-planned", "PLANNED", "", "14:00 – 16:00", "position and arrival are not shared yet"),
            ("shipment-far", "ON ITS WAY", "", "8 stops before yours", ""),
            ("shipment-near", "ARRIVES IN", "11", "at 15:09", "2 stops before yours"),
            ("shipment-not-live", "ARRIVES IN ABOUT", "9", "at 15:09", "2 stops before yours"),
            ("shipment-withdrawn", "ON ITS WAY", "", "no details since 14:58", ""), ("shipment-done", "DONE", "", "at 15:09", ""),
            ("shipment-failed", "NOT COMPLETED", "", "the attempt at 15:09 failed", ""),
            ("shipment-closed", "NO LONGER PLANNED", "", "a new attempt may follow", ""),
        ])
    func figure(word: String, heading: String, big: String, detail: String, line: String) throws {
        let words = try words(word)
        #expect([words.eta.heading, words.eta.big, words.eta.detail, words.line] == [heading, big, detail, line])
    }

    @Test(
        "The corner is live only with a recent position, and otherwise says when the server was last checked",
        arguments: [
            ("shipment-connecting", "connecting"), ("shipment-planned", "last checked 4 s ago"), ("shipment-far", "last checked 4 s ago"),
            ("shipment-near", "live ∙ 4 s ago"), ("shipment-not-live", "not live ∙ 1 min"), ("shipment-offline", "offline ∙ 20 s"),
            ("shipment-withdrawn", "last checked 1 min ago"), ("shipment-done", "done"), ("shipment-failed", "failed"),
            ("shipment-closed", "closed"),
        ])
    func corner(word: String, corner: String) throws {
        #expect(try words(word).cornerLine(dot: " ∙ ") == corner)
    }

    @Test("The steps are the drive, the stops before yours, and your stop with its time")
    func steps() throws {
        func steps(_ word: String) throws -> [String] { try words(word).steps.map { "\($0.kind) \($0.text) \($0.right)" } }
        #expect(try steps("shipment-planned") == ["next Your stop 14:00–16:00"])
        #expect(
            try steps("shipment-far") == ["done On its way 12:58", "now 8 stops before yours ", "next Your stop 14:00–16:00"])
        let near = ["done On its way 12:58", "now 2 stops before yours ", "next Your stop 15:09", "goal Done about 15:11"]
        #expect(try steps("shipment-near") == near)
        #expect(try steps("shipment-done") == ["done On its way 12:58", "done Your stop: done 15:09"])
    }

    @Test("The planned time and the arrival against it are beside the figure")
    func window() throws {
        #expect(try words("shipment-near").windowLines == ["planned 14:00 – 16:00", "on time"])
        #expect(try words("shipment-far").windowLines == ["planned 14:00 – 16:00"])
        #expect(try words("shipment-planned").windowLines.isEmpty)
    }

    @Test("your stop keeps its name beside a planned time that is too long for the row")
    func longWindow() throws {
        var scenario = try played("shipment-planned")
        let start = MadeUpTrip.time("14:00:00")
        scenario.hear("12:41:05") { $0.targetTimeWindow = TimeWindow(start: start + 86_400, end: start + 259_200) }
        #expect(drawn(scenario.state).contains("Your stop"), "\(drawn(scenario.state))")
    }

    @Test("Progress and distance are shown only while the distance is shared")
    func progress() throws {
        let near = try words("shipment-near")
        #expect(near.distance == "3 km")
        let fraction = try #require(near.fraction)
        #expect(abs(fraction - 500 / 3_900) < 0.001)
        let far = try words("shipment-far")
        #expect(far.distance.isEmpty && far.fraction == nil)
    }

    @Test("The map has the planned place, and the van and its route only while they are shared")
    func map() throws {
        let far = try played("shipment-far").state
        #expect(far.map.overlays(for: []).markers.map(\.label) == ["you"] && far.map.overlays(for: []).polylines.isEmpty)
        #expect(far.map.camera.center.distanceMeters(to: MadeUpTrip.pickup) < 200)
        let near = try played("shipment-near").state.map.overlays(for: [])
        #expect(near.markers.map(\.icon) == [.pickup, .vehicle] && near.polylines.count == 1)
        let old = try played("shipment-not-live").state.map.overlays(for: [])
        #expect(old.markers.map(\.icon) == [.pickup, .vehicleNotLive])
        for word in ["shipment-withdrawn", "shipment-done", "shipment-closed"] {
            let map = try played(word).state.map.overlays(for: [])
            #expect(map.markers.map(\.label) == ["you"] && map.polylines.isEmpty)
        }
    }

    @Test("The map shows the polling interval while nothing is shared that changes quickly")
    func pace() throws {
        #expect(drawn(try played("shipment-far").state).contains("checked every 30 s"))
        #expect(!drawn(try played("shipment-near").state).contains("checked every"))
    }

    @Test("The events report in words what was seen")
    func events() throws {
        func events(_ word: String) throws -> [String] {
            let state = try played(word).state
            return state.loggedEvents.map { state.words($0) }
        }
        let near = [
            "Shipment open", "Planned 14:00 – 16:00", "Now shared: stop count", "8 stops before yours",
            "Now shared: position, route, arrival, completion time and distance", "2 stops before yours",
        ]
        #expect(try events("shipment-near") == near)
        #expect(try events("shipment-done").suffix(3).contains("Done at 15:09"))
        #expect(try events("shipment-failed").contains("Not completed: the attempt at 15:09 failed"))
        #expect(try events("shipment-closed").last == "No longer planned")
        let withdrawn = "No longer shared: position, route, arrival, completion time, distance and stop count"
        #expect(try events("shipment-withdrawn").contains(withdrawn))
        #expect(try events("shipment-offline").last?.hasSuffix("(try 2)") == true)
    }

    @Test("Another shipment under the same number starts anew")
    func replaced() throws {
        var scenario = try played("shipment-near")
        scenario.tell(.replaced, at: "14:58:55")
        #expect(scenario.state.shipmentWords?.steps.isEmpty == true)
        #expect(scenario.state.loggedEvents.last.map { scenario.state.words($0) } == "This tracking id now belongs to another shipment")
        scenario.hear("14:58:56")
        #expect(scenario.state.shipmentWords?.eta.heading == "PLANNED")
        #expect(
            scenario.state.loggedEvents.map { scenario.state.words($0) }.suffix(2) == ["Shipment open", "Planned 14:00 – 16:00"])
    }

    @Test("Data that are not shared are never called lost, late, offline or live", arguments: ["planned", "far", "withdrawn"], Self.sizes)
    func absent(word: String, size: Size) throws {
        let text = drawn(try played("shipment-\(word)", size: size).state).lowercased()
        for wrong in ["lost", "late", "offline", "live", "no position"] { #expect(!text.contains(wrong), "\(text)") }
    }

    @Test("The page speaks of no trip, car or ride", arguments: Scenario.shipmentNames.filter { $0 != "shipment-beside" }, Self.sizes)
    func noTrip(word: String, size: Size) throws {
        let words = Set(drawn(try played(word, size: size).state).lowercased().split { !$0.isLetter })
        #expect(words.isDisjoint(with: ["trip", "car", "ride", "rider", "courier"]), "\(words.sorted())")
    }

    @Test("r asks at once, and the answer ends the notice")
    func refresh() throws {
        var scenario = try played("shipment-far")
        let before = scenario.effects.count
        scenario.press("r")
        let name = try #require(Scenario.parcel)
        #expect(scenario.effects.dropFirst(before).contains(.refreshShipment(name)))
        #expect(scenario.state.notice?.text == "Asking the server …")
        scenario.hear("12:58:10")
        #expect(scenario.state.notice?.text == "The server answered at 12:58:10.")
    }

    @Test(
        "Keys that a shipment does not have say why",
        arguments: [
            ("x", "shipment-near", "A shipment cannot be cancelled here."),
            ("S", "shipment-near", "This screen cannot share a link."),
            ("f", "shipment-far", "The position is not shared."),
            ("f", "shipment-connecting", "Nothing is known about the shipment yet."),
            ("r", "shipment-done", "The shipment has ended: there are no more updates."),
            ("tab", "shipment-near", "There is only one shipment."),
        ])
    func reasons(key: String, word: String, reason: String) throws {
        var scenario = try played(word)
        scenario.press(key)
        #expect(scenario.state.notice?.text == reason && scenario.state.overlay == nil)
    }

    @Test("the keys for rides say how to record a shipment")
    func rideKeys() throws {
        let state = try played("shipment-done").state
        for action in [AppAction.replayRide, .exportRide, .keepRide] {
            #expect(state.disabledReason(action) == "This key works only for trips. To record a shipment, restart with --record.")
        }
    }

    @Test(
        "s copies a line without a position",
        arguments: [
            ("shipment-planned", "Planned 14:00 – 16:00, position and arrival are not shared yet"),
            ("shipment-far", "On its way, 8 stops before yours"), ("shipment-near", "Arrives 11 min, 15:09, 3 km, 2 stops before yours"),
            ("shipment-not-live", "Arrives about 9 min, 2 stops before yours (position 1 min old)"),
            ("shipment-offline", "Arrives about 10 min, 2 stops before yours (position 20 s old)"),
            ("shipment-done", "Done at 15:09"), ("shipment-failed", "Not completed, the attempt at 15:09 failed"),
        ])
    func share(word: String, line: String) throws {
        var scenario = try played(word)
        scenario.press("s")
        #expect(scenario.effects.contains(.copy("Shipment 1Z-4471: \(line)")))
    }

    @Test("if the server does not answer and no position is shared, the copied line has the age of the last answer")
    func oldLine() throws {
        var scenario = try played("shipment-far")
        scenario.fail("12:58:25", shipment: Scenario.refused)
        scenario.press("s")
        #expect(scenario.effects.contains(.copy("Shipment 1Z-4471: On its way, 8 stops before yours (last checked 20 s ago)")))
    }

    @Test("Trips and shipments are pages side by side")
    func beside() throws {
        var scenario = try played("shipment-beside", size: Size(columns: 120, rows: 40))
        #expect(scenario.state.page != nil && scenario.state.shipment == nil)
        #expect(drawn(scenario.state).contains("2 Shipment 1Z-4471 ▸ 11 min"))
        scenario.press("tab")
        #expect(scenario.state.page == nil && scenario.state.shipment != nil)
        #expect(drawn(scenario.state).contains("ARRIVES IN"))
        scenario.press("1")
        #expect(scenario.state.page != nil)
        scenario.press("2 5")
        #expect(scenario.state.shipment != nil && scenario.state.notice?.text == "There are 1 trip and 1 shipment.")
    }

    @Test("The list has the shipments below the trips, and D stops watching one")
    func list() throws {
        var scenario = try played("shipment-beside")
        scenario.press("L")
        let text = drawn(scenario.state)
        #expect(text.contains("1 trip and 1 shipment") && text.contains("Shipment 1Z-4471"), "\(text)")
        scenario.press("j D")
        let name = try #require(Scenario.parcel)
        #expect(scenario.effects.contains(.stopWatchingShipment(name)))
        #expect(scenario.state.shipments.isEmpty && scenario.state.page != nil)
        scenario.press("esc")
        #expect(scenario.state.list == nil && scenario.state.page != nil)
    }

    @Test(
        "page and list say offline only if the server does not answer",
        arguments: [
            (FleetEngineError(code: .internal, message: ""), "server error"), (Scenario.refused, "offline"),
            (FleetEngineError(code: .unauthenticated, message: ""), "stopped"),
        ])
    func answered(error: FleetEngineError, word: String) throws {
        var scenario = try played("shipment-near")
        scenario.fail("14:58:55", shipment: error)
        for keys in ["", "L"] {
            scenario.press(keys)
            let text = drawn(scenario.state)
            #expect(text.contains(word) && (word == "offline" || !text.contains("offline")), "\(text)")
        }
    }

    @Test("the age of a shipment's position is whole in the list")
    func listAge() throws {
        var scenario = try played("shipment-near")
        scenario.press("L")
        let row = try #require(drawn(scenario.state).split(separator: "\n").first { $0.hasPrefix(" 1 ") })
        #expect(row.contains(" 4 s") && !row.contains("⋯"), "\(row)")
    }

    /// Returns the scenario with this name. The list is open, and the user has begun to add a trip or shipment.
    private func adding(_ word: String) throws -> Scenario {
        let options = Scenario.options { ($0.addsTrips, $0.provider) = (true, "made-up-post") }
        var scenario = try #require(Scenario.named(word, size: Size(columns: 80, rows: 24), options: options))
        scenario.press("L a")
        return scenario
    }

    @Test(
        "a in the list adds what the full name stands for; a bare id is a shipment if only shipments are watched",
        arguments: [
            ("shipment-beside", "providers/post/taskTrackingInfo/P-2", "Shipment P-2", 1, 2),
            ("shipment-beside", "P-2", "Trip P-2", 2, 1), ("shipment-near", "P-2", "Shipment P-2", 0, 2),
            ("shipment-near", "providers/cabs/trips/P-2", "Trip P-2", 1, 1),
        ])
    func adds(word: String, typed: String, title: String, trips: Int, shipments: Int) throws {
        var scenario = try adding(word)
        let isAlone = word == "shipment-near"
        let prompt = isAlone ? "Tracking id, or a trip's full name: _" : "Trip id, or a shipment's full name: _"
        #expect(drawn(scenario.state).contains(prompt))
        scenario.send(.paste(typed))
        scenario.press("enter")
        #expect(scenario.state.pages.count == trips && scenario.state.shipments.count == shipments)
        #expect(scenario.state.notice?.text == "\(title) was added.")
        let isShipment = title.hasPrefix("Shipment")
        let name = isShipment ? scenario.state.shipment?.name.trackingID : scenario.state.page?.name.trip
        #expect(name == "P-2", "the new page is in front")
        let count = scenario.effects.count { effect in
            switch effect {
            case .watch: !isShipment
            case .watchShipment: isShipment
            default: false
            }
        }
        #expect(count == 1)
        scenario.press("a")
        scenario.send(.paste(typed))
        scenario.press("enter")
        #expect(scenario.state.pageCount == trips + shipments && scenario.state.notice?.text == "\(title) is already being watched.")
    }

    @Test("A wrong tracking id is not added, and the notice says why")
    func wrongID() throws {
        var scenario = try adding("shipment-near")
        for character in "P:1" { scenario.send(.key(Key(.character(character)))) }
        scenario.press("enter")
        #expect(scenario.state.notice?.text == "Not added: a tracking id must not contain any of / : ? , # (this one contains ':').")
        #expect(scenario.state.shipments.count == 1 && scenario.state.list?.typed == "P:1")
    }

    @Test(
        "A trip or shipment that gets no token is not added, and the notice says why",
        arguments: [("providers/cabs/trips/P-2", "no token for a trip."), ("P-2", "no token for a shipment.")])
    func withoutToken(typed: String, words: String) throws {
        let options = Scenario.options {
            ($0.addsTrips, $0.provider) = (true, "made-up-post")
            ($0.noTripReason, $0.noShipmentReason) = ("no token for a trip.", "no token for a shipment.")
        }
        var scenario = try #require(Scenario.named("shipment-near", size: Size(columns: 80, rows: 24), options: options))
        scenario.press("L a")
        scenario.send(.paste(typed))
        scenario.press("enter")
        #expect(scenario.state.notice?.text == "Not added: \(words)")
        #expect(scenario.state.pageCount == 1 && scenario.state.list?.typed == nil)
    }

    @Test("Control characters of a tracking id are not drawn", arguments: Self.sizes)
    func hostile(size: Size) throws {
        let name = try TaskTrackingName("providers/made-up-post/taskTrackingInfo/1Z\u{202E}4471")
        let state = AppState(trips: [], shipments: [name], options: Scenario.options(), size: size, now: MadeUpTrip.time("12:40:00"))
        #expect(!drawn(state).unicodeScalars.contains("\u{202E}"))
    }

    @Test("A shipment under way changes within a second, and a finished one with the clock")
    func time() throws {
        let near = try played("shipment-near").state
        let next = try #require(near.nextChange(stepSeconds: 0.1))
        #expect(next.timeIntervalSince(near.now) <= 1.1)
        let done = try played("shipment-done").state
        let later = try #require(done.nextChange(stepSeconds: 0.1))
        #expect(later.timeIntervalSince(done.now) > 20)
    }
}
