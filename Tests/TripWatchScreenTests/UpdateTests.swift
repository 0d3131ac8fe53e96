import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import TerminalMap
import Testing
import VectorTiles

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchWords

@Suite("The effects of events")
struct UpdateTests {
    private let size = Size(columns: 80, rows: 24)

    private func scenario(_ name: String, _ change: (inout AppOptions) -> Void = { _ in }) throws -> Scenario {
        try #require(Scenario.named(name, size: size, options: Scenario.options(change)))
    }

    private func effects(_ scenario: inout Scenario, keys: String) -> [AppEffect] {
        let before = scenario.effects.count
        scenario.press(keys)
        return Array(scenario.effects.dropFirst(before))
    }

    @Test("a position given with --here stays behind when the user is in the car; a receiver's position moves along")
    func leftBehind() throws {
        let here = MadeUpTrip.place(300, 200)
        func labels(_ scenario: Scenario) -> [String] { scenario.state.map.overlays(for: scenario.state.journeys).markers.map(\.label) }
        #expect(labels(try scenario("approaching") { $0.ownPosition = here }).contains("me"))
        var riding = try scenario("riding") { $0.ownPosition = here }
        #expect(!labels(riding).contains("me"), "\(labels(riding))")
        riding.press("g")
        #expect(riding.state.notice?.text == "You are in the car; press c to see it.")
        riding.send(.ownPosition(here))
        #expect(labels(riding).contains("me"), "\(labels(riding))")
    }

    @Test("q and Ctrl-C quit; over an overlay q closes it and Ctrl-C still quits")
    func quit() throws {
        var scenario = try scenario("approaching")
        #expect(effects(&scenario, keys: "q") == [.quit(code: 0)])
        #expect(effects(&scenario, keys: "? q") == [])
        #expect(scenario.state.overlay == nil)
        #expect(effects(&scenario, keys: "? ctrl-c") == [.quit(code: 0)])
        #expect(effects(&scenario, keys: "x ctrl-c") == [.quit(code: 0)])
    }

    @Test("Esc never quits, whatever is open", arguments: ["esc esc esc", "? esc esc", "x esc esc", "w esc", "right esc esc"])
    func escape(keys: String) throws {
        var scenario = try scenario("approaching")
        #expect(effects(&scenario, keys: keys) == [])
        #expect(scenario.state.overlay == nil)
    }

    @Test("a trip is cancelled only by choosing the other button and pressing Enter")
    func cancel() throws {
        var scenario = try scenario("approaching")
        let name = try #require(MadeUpTrip.name())
        for harmless in ["x enter", "x tab tab enter", "x tab esc", "x esc enter", "x q", "x y", "x tab x"] {
            #expect(!effects(&scenario, keys: harmless + " esc").contains(.cancelTrip(name)), "\(harmless)")
        }
        #expect(effects(&scenario, keys: "x tab enter") == [.cancelTrip(name)])
        #expect(effects(&scenario, keys: "enter tab enter") == [])
    }

    @Test("the provider's answer is shown in the same place")
    func cancelAnswer() throws {
        var scenario = try scenario("approaching")
        let name = try #require(MadeUpTrip.name())
        scenario.press("x tab enter")
        scenario.send(.cancelResult(.failed("the provider does not answer"), for: name))
        #expect(scenario.state.overlay == .cancel(CancelDialog(step: .failed("the provider does not answer"))))
        #expect(effects(&scenario, keys: "tab enter") == [.cancelTrip(name)])
        scenario.send(.cancelResult(.canceled, for: name))
        #expect(scenario.state.overlay == nil)
        #expect(BarsView(state: scenario.state, page: scenario.state.page).eventLine(columns: 78) == "Cancelled 14:07. Car released.")
    }

    @Test("a car that is very near is announced completely on every screen", arguments: [(20, 3), (40, 15), (80, 24), (120, 40)])
    func veryNear(columns: Int, rows: Int) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: columns, rows: rows)))
        scenario.answer("14:12:30") { MadeUpTrip.approaching($0, metersToGo: 60, arrival: "14:13:00", at: $1) }
        let text = AppView().canvas(scenario.state, theme: Theme(name: "plain", looks: [:], depth: .none)).text()
        #expect(text.contains(columns == 20 ? "on the way" : "very near"), "\(text)")
        #expect(columns == 20 || !text.contains("50 m"), "\(text)")
        scenario.press("x")
        let asked = AppView().canvas(scenario.state, theme: Theme(name: "plain", looks: [:], depth: .none)).text()
        #expect(columns < 80 || asked.contains("(very near)"), "\(asked)")
    }

    @Test(
        "disabled keys say why",
        arguments: [("x", "--provider-url"), ("b", "--basemap"), ("g", "--here"), ("tab", "only one trip"), ("y", "no error")])
    func disabled(key: String, words: String) throws {
        var scenario = try scenario("approaching") { $0.cancelling = .noProvider }
        #expect(effects(&scenario, keys: key) == [])
        #expect(scenario.state.notice?.text.contains(words) == true)
    }

    @Test(
        "a map that shows nothing yet cannot be moved, so the trip is on it later",
        arguments: [
            ("+", "There is nothing on the map yet."), ("+ + left", "There is nothing on the map yet."),
            ("f", "There is nothing on the map yet."),
            ("c", "No position from the car yet."), ("0", "No route is known yet."), ("/", "There is no base map to search; restart"),
        ])
    func earlyKeys(keys: String, reason: String) throws {
        var scenario = try scenario("connecting")
        scenario.press(keys)
        #expect(scenario.state.notice?.text.hasPrefix(reason) == true && scenario.state.overlay == nil)
        scenario.send(.mouse(MouseEvent(.scroll(.up), at: Position(column: 10, row: 10))))
        scenario.answer("14:02:05", { name, _ in MadeUpTrip.new(name) })
        #expect(scenario.state.map.isAllowCameraAutoUpdate && scenario.state.window.contains(MadeUpTrip.pickup))
        scenario.press("+")
        #expect(!scenario.state.map.isAllowCameraAutoUpdate)
    }

    @Test(
        "a map without room cannot be moved, so the trip is on it in a larger terminal",
        arguments: ["+", "left", "f", "c", "g", "0", "/", "n enter"])
    func hiddenMap(keys: String) throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 30, rows: 8)))
        scenario.press(keys)
        let reason = keys == "g" ? "Your position is not known; restart with --here LAT,LNG." : "A map needs a larger terminal."
        if keys != "n enter" { #expect(scenario.state.notice?.text == reason) }
        #expect(scenario.state.overlay == nil)
        scenario.send(.resize(size))
        #expect(scenario.state.map.isAllowCameraAutoUpdate && scenario.state.window.contains(MadeUpTrip.pickup))
    }

    @Test("a key that would be off in a larger terminal too says that reason")
    func ownReason() throws {
        var scenario = try #require(Scenario.named("complete", size: Size(columns: 30, rows: 8)))
        scenario.press("f")
        #expect(scenario.state.notice?.text.hasSuffix("has ended.") == true)
    }

    @Test("a notice disappears after six seconds of real time, whatever the screen's clock shows, and removes no later notice")
    func notice() throws {
        var scenario = try scenario("approaching")
        scenario.press("g")
        scenario.tick("23:59:59")
        #expect(scenario.state.notice != nil)
        scenario.press("u")
        #expect(scenario.noticeEnds.map(\.seconds) == [6, 6])
        let numbers = scenario.noticeEnds.map(\.number)
        scenario.send(.noticeEnded(numbers[0]))
        #expect(scenario.state.notice?.text == "Units: US")
        scenario.send(.noticeEnded(numbers[1]))
        #expect(scenario.state.notice == nil)
        #expect(scenario.noticeEnds.count == 2)
    }

    @Test("y copies the error, s the line to share; if copying is not possible, only the text is shown in the row")
    func copying() throws {
        for (name, key, words) in [
            ("approaching", "s", "Ride to Northgate Station: Pickup 6 min"), ("quiet", "s", "km, KVX 204 (position 27 s old)"),
            ("offline", "s", "Ride to Northgate Station: Pickup about 6 min, KVX 204 (position 42 s old)"),
            ("stopped", "s", "Ride to Northgate Station: Pickup about 6 min, KVX 204 (position 42 s old)"),
            ("not-live", "s", "KVX 204 (position 1 min old)"), ("stopped", "y", "UNAUTHENTICATED"), ("offline", "y", "Connection lost"),
        ] {
            var scenario = try scenario(name)
            guard case .copy(let text)? = effects(&scenario, keys: key).first else {
                Issue.record("\(name): nothing was copied")
                continue
            }
            #expect(text.contains(words))
            #expect(scenario.state.notice?.text == "Copied: \(text)")
            scenario.send(.copied(text, wasSent: true))
            #expect(scenario.state.notice?.text == "Copied: \(text)")
            scenario.send(.copied(text, wasSent: false))
            #expect(scenario.state.notice?.text == text)
        }
        var fine = try scenario("approaching")
        #expect(effects(&fine, keys: "y") == [])
        #expect(fine.state.notice?.text == "There is no error to copy.")
    }

    @Test("if the trip's status is not known, the cancel question says so, and names no distance", arguments: [TripKind.ride, .order])
    func cancelWithoutStatus(kind: TripKind) throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), now: "14:07:00"))
        scenario.answer("14:13:30") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 950, arrival: "14:16:20", at: time)
            if kind == .order { trip = Scenario.order(trip) }
            trip.status = .unknown
            return trip
        }
        let lines = CancelWords(.asking, scenario.state).lines(columns: 60, rows: 9)
        #expect(lines.contains("The \(kind.subject)'s status is not known."), "\(lines)")
    }

    @Test("the cancel question says that a car was about to arrive if the server no longer answers", arguments: [24, 40])
    func cancelWithoutAnswer(columns: Int) throws {
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24), now: "14:07:00"))
        scenario.answer("14:13:30") { MadeUpTrip.approaching($0, metersToGo: 40, arrival: "14:13:20", at: $1) }
        func sentence() -> String {
            CancelWords(.asking, scenario.state).lines(columns: columns, rows: 9).joined(separator: " ")
        }
        #expect(sentence().contains("about to arrive") && !sentence().contains("was"), "\(sentence())")
        scenario.fail("14:13:40", Scenario.refused, retryIn: 27, attempt: 3)
        #expect(sentence().contains("was about to arrive"), "\(sentence())")
    }

    @Test("every key that changes the look says what it did")
    func lookNotices() throws {
        var scenario = try scenario("approaching")
        scenario.send(.baseMap(BaseMap(tiles: TileCache(), zoomRange: 0...14, attribution: "nobody")))
        for (key, words) in [("b", "Base map: off"), ("b", "Base map: on"), ("u", "Units: US"), ("m", "Drawing: sextant")] {
            scenario.press(key)
            #expect(scenario.state.notice?.text == words)
        }
        scenario.send(.themeChanged(Theme(name: "mono", looks: [:], depth: .none)))
        #expect(scenario.state.notice?.text == "Theme: mono")
        #expect(scenario.state.themeName == "mono")
    }

    @Test("faults of the configuration and of the theme are counted together, and listed separately among the events")
    func allFaults() throws {
        var scenario = try scenario("approaching")
        scenario.send(.themeFaults(["mine.toml: card: wrong"]))
        let faults = ["config.toml: theem: no such key.", "config.toml: interval: 0 is not allowed."]
        scenario.send(.renewed(keys: [], alerts: Alerts(words: []), faults: faults))
        #expect(scenario.state.notice?.text == "config.toml: theem: no such key. +2 more")
        scenario.press("e")
        let lines = try #require(OverlayText(scenario.state)).lines
        #expect(lines.contains { $0.left == "config" && $0.middle.hasPrefix("config.toml: theem") })
        #expect(lines.contains { $0.left.isEmpty && $0.middle.hasPrefix("config.toml: interval") })
        #expect(lines.contains { $0.left == "theme" && $0.middle.hasPrefix("mine.toml") })
        scenario.send(.renewed(keys: [], alerts: Alerts(words: []), faults: []))
        #expect(try #require(OverlayText(scenario.state)).lines.allSatisfy { $0.left != "config" })
    }

    @Test("for a theme with five faults, the first is shown with the number of others, and all are among the events")
    func themeFaults() throws {
        var scenario = try scenario("approaching")
        let faults = (1...5).map { "my-theme.toml: scope.number\($0): " + String(repeating: "wrong ", count: 20) + "fault \($0)" }
        scenario.send(.themeFaults(faults))
        let row = try #require(scenario.state.notice?.text)
        #expect(row.hasPrefix("my-theme.toml: scope.number1: ") && row.hasSuffix(" +4 more") && displayWidth(row) <= 78)
        scenario.press("e")
        let lines = try #require(OverlayText(scenario.state)).lines
        for number in 1...5 {
            #expect(lines.contains { $0.middle.hasPrefix("my-theme.toml: scope.number\(number)") })
            #expect(lines.contains { $0.middle.hasSuffix("fault \(number)") })
        }
        scenario.send(.themeChanged(Theme(name: "mono", looks: [:], depth: .none)))
        let after = try #require(OverlayText(scenario.state)).lines
        #expect(!after.contains { $0.middle.contains("my-theme") })
    }

    @Test("a marker that the theme hides is selected neither by a click nor by n and p")
    func hiddenMarker() throws {
        var scenario = try scenario("approaching")
        let look = "pickup = { visible = false }"
        let catalog = ThemeCatalog(userThemes: ["hiding"]) { $0 == "hiding.toml" ? Array(look.utf8) : nil }
        let loaded = catalog.load("hiding", depth: .palette256)
        #expect(loaded.messages.isEmpty, "\(loaded.messages)")
        let cell = try #require(scenario.state.map.camera.cell(at: MadeUpTrip.pickup))
        let click = AppEvent.mouse(MouseEvent(.press(.left), at: Position(column: cell.column, row: cell.row + 2)))
        scenario.send(.themeChanged(loaded.theme))
        scenario.send(click)
        #expect(scenario.state.map.selectedMarker == nil)
        for _ in 0..<8 {
            scenario.press("n")
            #expect(scenario.state.map.selectedMarker.map { $0.type != .tripPickupPoint } == true)
        }
        scenario.send(.themeChanged(ThemeCatalog().load("mono", depth: .palette256).theme))
        scenario.press("f")
        scenario.send(click)
        #expect(scenario.state.map.selectedMarker?.type == .tripPickupPoint)
    }

    private func alerts(_ scenario: Scenario) -> [String] {
        scenario.effects.compactMap { effect in if case .alert(_, let text) = effect { text } else { nil } }
    }

    @Test("the chosen moments are announced, each once")
    func alerts() throws {
        #expect(alerts(try scenario("complete")) == ["2 min away", "Your car is here"])
        let all = try scenario("complete") { $0.alerts.words.formUnion([.assigned, .minutes(5), .arrived]) }
        #expect(alerts(all) == ["A car is assigned", "5 min away", "2 min away", "Your car is here", "You have arrived"])
        let viewed = try scenario("complete") {
            $0.isViewer = true
            $0.alerts.words.insert(.arrived)
        }
        #expect(alerts(viewed) == ["2 min away", "The car is at the pickup", "Arrived"])
        #expect(alerts(try scenario("complete") { $0.alerts.words = [] }).isEmpty)
        #expect(alerts(try scenario("complete") { $0.alerts.ways = [.progress] }).isEmpty)
    }

    @Test("the progress of the trip is sent if requested, and cleared at the end")
    func progress() throws {
        func shares(_ scenario: Scenario) -> [WindowProgress?] {
            scenario.effects.compactMap { effect in if case .showProgress(let share) = effect { .some(share) } else { nil } }
        }
        #expect(shares(try scenario("complete")).isEmpty)
        let told = shares(try scenario("complete") { $0.alerts.ways = [.progress] })
        #expect(told.first == WindowProgress(percent: 0, isPaused: false), "\(told)")
        #expect(told.last == .some(nil) && told.contains(WindowProgress(percent: 100, isPaused: false)), "\(told)")
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("a user who joins late gets no old alerts")
    func joinsLate() throws {
        var scenario = try #require(Scenario(size: size, options: Scenario.options { $0.alerts.ways.insert(.notice) }))
        scenario.answer("14:13:10") { MadeUpTrip.waiting($0, at: $1) }
        #expect(alerts(scenario).isEmpty)
    }

    @Test("a car that is near when the trip opens rings only when it is here")
    func joinsNear() throws {
        var scenario = try #require(Scenario(size: size, options: Scenario.options()))
        scenario.answer("14:12:00") { MadeUpTrip.approaching($0, metersToGo: 300, arrival: "14:13:00", at: $1) }
        scenario.tick("14:12:01")
        #expect(alerts(scenario).isEmpty)
        scenario.answer("14:12:10") { MadeUpTrip.waiting($0, at: $1) }
        #expect(alerts(scenario) == ["Your car is here"])
    }

    @Test("the window's title counts down")
    func title() throws {
        let titles = try scenario("here").effects.compactMap { effect in
            if case .setTitle(let title) = effect { title } else { nil }
        }
        #expect(titles.contains("6 min ∙ Northgate Station"))
        #expect(titles.last == "here ∙ Northgate Station")
        #expect(zip(titles, titles.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("panning switches following off, f and Esc bring it back")
    func following() throws {
        var scenario = try scenario("approaching")
        for back in ["f", "esc"] {
            scenario.press("right")
            #expect(!scenario.state.map.isAllowCameraAutoUpdate)
            scenario.press(back)
            #expect(scenario.state.map.isAllowCameraAutoUpdate)
        }
        let camera = scenario.state.map.camera
        scenario.press("+")
        #expect(scenario.state.map.camera.zoom == camera.zoom + 0.5)
        #expect(!scenario.state.map.isAllowCameraAutoUpdate)
    }

    @Test("the wheel zooms about the cell under it, a drag moves the map, a click picks a marker")
    func mouse() throws {
        var scenario = try scenario("approaching")
        let place = Position(column: 20, row: 10)
        let before = scenario.state.map.camera.coordinate(at: Position(column: 20, row: 8))
        scenario.send(.mouse(MouseEvent(.scroll(.up), at: place)))
        #expect(scenario.state.map.camera.coordinate(at: Position(column: 20, row: 8)).distanceMeters(to: before) < 60)
        scenario.send(.mouse(MouseEvent(.press(.left), at: place)))
        let grabbed = scenario.state.map.camera.coordinate(at: Position(column: 20, row: 8))
        scenario.send(.mouse(MouseEvent(.drag(.left), at: Position(column: 25, row: 9))))
        #expect(scenario.state.map.camera.coordinate(at: Position(column: 25, row: 7)).distanceMeters(to: grabbed) < 60)
        scenario.press("f")
        let cell = try #require(scenario.state.map.camera.cell(at: MadeUpTrip.pickup))
        scenario.send(.mouse(MouseEvent(.press(.left), at: Position(column: cell.column, row: cell.row + 2))))
        #expect(scenario.state.map.selectedMarker?.type == .tripPickupPoint)
        #expect(scenario.state.notice?.text == "Pickup ∙ Elm St 12 ∙ 14:13")
    }

    @Test("other buttons, keys with Alt and Insert do nothing, and leave the notice alone")
    func meaninglessInput() throws {
        var scenario = try scenario("approaching")
        scenario.press("u")
        let notice = try #require(scenario.state.notice)
        let camera = scenario.state.map.camera
        let place = Position(column: 20, row: 10)
        for key in [Key.alt("q"), Key(.insert), Key(.right, modifiers: .alt)] { scenario.send(.key(key)) }
        for action in [MouseEvent.Action.press(.right), .drag(.middle), .release(nil), .scroll(.left)] {
            scenario.send(.mouse(MouseEvent(action, at: place)))
        }
        #expect(scenario.state.notice == notice)
        #expect(scenario.state.map.camera == camera)
        #expect(!scenario.effects.contains(.quit(code: 0)))
    }

    @Test("a car is requested once, and its plate comes from the trip first")
    func vehicle() throws {
        var scenario = try scenario("approaching")
        let name = try #require(MadeUpTrip.name())
        let vehicle = try VehicleName(provider: "made-up-cabs", vehicle: "cab-204")
        #expect(scenario.effects.filter { $0 == .fetchVehicle(vehicle, for: name) }.count == 1)
        scenario.send(.vehicle(Vehicle(name: vehicle, category: .taxi, attributes: ["license_plate": "OLD 1"]), for: name))
        #expect(scenario.state.page?.card?.plate == "KVX 204")
        #expect(scenario.state.page?.card?.looks == "teal Fabia ∙ taxi")
    }

    @Test("trips are selected by number and by Tab, in a circle")
    func trips() throws {
        var scenario = try scenario("several")
        scenario.press("2")
        #expect(scenario.state.selected == 1)
        scenario.press("tab tab")
        #expect(scenario.state.selected == 0)
        scenario.press("shift-tab")
        #expect(scenario.state.selected == 2)
        scenario.press("7")
        #expect(scenario.state.selected == 2)
        #expect(scenario.state.notice?.text == "There are 3 trips.")
    }

    @Test("units, painter and theme are selected in a circle")
    func looks() throws {
        var scenario = try scenario("approaching")
        scenario.press("u")
        #expect(scenario.state.measurementSystem == .us)
        scenario.press("m m m m")
        #expect(scenario.state.painter == .braille)
        #expect(effects(&scenario, keys: "t") == [.nextTheme])
    }
}
