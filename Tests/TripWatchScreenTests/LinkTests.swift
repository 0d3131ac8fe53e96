import TerminalCanvas
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings
@testable import TripWatchWords

@Suite("A link to the page in front")
struct LinkTests {
    private static let link = ServedLink(
        address: "http://192.168.178.23:8090/s/AAAAAAAAAAAAAAAAAAAAAA",
        remark: "The link opens only on this computer; for other devices, set share_listen or share_url.")
    private static let plain = Theme(name: "plain", looks: [:], depth: .none)

    private func scenario(_ name: String, _ columns: Int = 80, _ rows: Int = 24) throws -> Scenario {
        let options = Scenario.options { $0.noLinkReason = nil }
        return try #require(Scenario.named(name, size: Size(columns: columns, rows: rows), options: options))
    }

    /// Returns the scenario with a link in the panel. The notice about the link has already disappeared.
    private func sharing(_ name: String, _ columns: Int = 80, _ rows: Int = 24) throws -> Scenario {
        var scenario = try scenario(name, columns, rows)
        scenario.press("S")
        let trip = try #require(scenario.state.page?.name)
        scenario.send(.link(.served(Self.link), for: .trip(trip)))
        scenario.send(.noticeEnded(scenario.state.notice?.number ?? 0))
        return scenario
    }

    private func canvas(_ scenario: Scenario) -> Canvas { AppView().canvas(scenario.state, theme: Self.plain) }

    /// Presses keys, and returns the effects that they cause.
    private func asked(_ scenario: inout Scenario, _ keys: String) -> [AppEffect] {
        let before = scenario.effects.count
        scenario.press(keys)
        return Array(scenario.effects.dropFirst(before))
    }

    @Test("S requests the link once, shows and copies it on arrival; S and Esc close the panel")
    func asks() throws {
        var scenario = try scenario("approaching")
        let trip = try #require(scenario.state.page?.name)
        #expect(asked(&scenario, "S") == [.startLink(.trip(trip))])
        #expect(scenario.state.overlay == .link && canvas(scenario).text().contains("Asking for a link"))
        #expect(asked(&scenario, "esc S") == [], "it is asked for already")
        scenario.send(.link(.served(Self.link), for: .trip(trip)))
        #expect(scenario.effects.last == .copy(Self.link.address))
        #expect(scenario.state.notice?.text == "The link was copied.", "the panel already shows the link")
        #expect(asked(&scenario, "S") == [] && scenario.state.overlay == nil)
        #expect(asked(&scenario, "S") == [.copy(Self.link.address)] && scenario.state.overlay == .link)
        scenario.press("esc")
        #expect(scenario.state.overlay == nil)
    }

    @Test("D in the panel ends the link, and its end closes the panel; elsewhere, D keeps its meaning")
    func ends() throws {
        var scenario = try sharing("approaching")
        let trip = try #require(scenario.state.page?.name)
        #expect(asked(&scenario, "D") == [.endLink(.trip(trip))])
        scenario.send(.link(nil, for: .trip(trip)))
        #expect(scenario.state.overlay == nil)
        #expect(scenario.state.notice?.text == "The link to Ride to Northgate Station no longer works.")
        #expect(asked(&scenario, "D") == [])
        #expect(asked(&scenario, "S") == [.startLink(.trip(trip))])
    }

    @Test("a shipment's page has a link too: S requests it, D ends it, and the panel speaks of the shipment")
    func shipment() throws {
        var scenario = try scenario("shipment-near")
        let name = FollowedName.shipment(try #require(scenario.state.shipment?.name))
        #expect(asked(&scenario, "S") == [.startLink(name)])
        scenario.send(.link(.served(Self.link), for: name))
        #expect(scenario.effects.last == .copy(Self.link.address))
        let text = canvas(scenario).text()
        #expect(text.contains("D ends link") && text.contains("ARRIVES IN") && !text.contains("trip,"), "\(text)")
        #expect(asked(&scenario, "D") == [.endLink(name)])
        scenario.send(.link(nil, for: name))
        #expect(scenario.state.overlay == nil)
        #expect(scenario.state.notice?.text == "The link to Shipment 1Z-4471 no longer works.")
    }

    @Test(
        "a shipment that is over or unknown has no link, nor has the list",
        arguments: [
            ("shipment-done", "S", "The shipment has ended."), ("shipment-connecting", "S", "Nothing is known about the shipment yet."),
            ("shipment-near", "L S", "This works only on a shipment's page; press Enter to open it."),
        ])
    func shipmentReasons(name: String, keys: String, words: String) throws {
        var scenario = try scenario(name)
        #expect(!asked(&scenario, keys).contains { if case .startLink = $0 { true } else { false } })
        #expect(scenario.state.notice?.text == words && scenario.state.overlay == nil)
    }

    @Test("if there is no link, the panel says why, and S tries again")
    func fails() throws {
        var scenario = try scenario("approaching")
        let trip = try #require(scenario.state.page?.name)
        scenario.press("S")
        scenario.send(.link(.failed("Set share_port to another port."), for: .trip(trip)))
        #expect(canvas(scenario).text().contains("NO LINK") && canvas(scenario).text().contains("Set share_port to another port."))
        #expect(asked(&scenario, "S") == [.startLink(.trip(trip))])
        scenario.press("esc")
        scenario.send(.link(.failed("Set share_port to another port."), for: .trip(trip)))
        #expect(scenario.state.overlay == nil && scenario.state.notice?.text == "No link: Set share_port to another port.")
    }

    @Test(
        "a trip that is over or unknown has no link; neither has the list, nor a screen that serves none",
        arguments: [
            ("complete", "S", "The trip has ended."), ("connecting", "S", "Nothing is known about the trip yet."),
            ("several", "L S", "This works only on a trip's page; press Enter to open it."),
            ("map", "S", "There is no trip here, only a map."),
        ])
    func reasons(name: String, keys: String, words: String) throws {
        var scenario = try scenario(name)
        #expect(!asked(&scenario, keys).contains { if case .startLink = $0 { true } else { false } })
        #expect(scenario.state.notice?.text == words && scenario.state.overlay == nil)
        let other = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        #expect(other.state.disabledReason(.shareLink) == "This screen cannot share a link.")
    }

    @Test(
        "phase, freshness and failure stay in view: the panel covers only the map",
        arguments: ["approaching", "stopped", "offline", "here"], [(40, 15), (60, 16), (80, 24), (120, 40)])
    func covers(name: String, size: (columns: Int, rows: Int)) throws {
        var before = try scenario(name, size.columns, size.rows)
        before.press("esc")
        let after = try sharing(name, size.columns, size.rows)
        let layout = ScreenLayout(after.state, page: after.state.page)
        try #require(layout.map.rows >= 3)
        let (first, second) = (canvas(before), canvas(after))
        // The last line is left out, because it says that q closes the panel.
        for row in 0..<size.rows - 1 {
            for column in 0..<size.columns where !layout.map.contains(Position(column: column, row: row)) {
                #expect(first[column, row] == second[column, row], "\(column), \(row)")
            }
        }
        #expect(second.text().contains("D ends link") || layout.map.rows < 5, "\(second.text())")
    }

    @Test("at 80 by 24 the code is beside the words, at 120 by 40 above them, and at 40 by 15 only the link is shown, uncut")
    func fits() throws {
        let code = try #require(QRCode(Self.link.address)).blocks(drawsDark: false)
        for (columns, rows) in [(80, 24), (120, 40)] {
            let lines = canvas(try sharing("approaching", columns, rows)).text().split(separator: "\n", omittingEmptySubsequences: false)
            let start = try #require(lines.firstIndex { $0.contains(code[0]) })
            for (row, line) in code.enumerated() { #expect(lines[start + row].contains(line), "\(row)") }
        }
        #expect(canvas(try sharing("approaching", 120, 40)).text().contains(" " + Self.link.address))
        let small = canvas(try sharing("approaching", 40, 15)).text().filter { !$0.isWhitespace }
        #expect(small.contains(Self.link.address) && small.contains("Dendslink") && !small.contains("█"))
        #expect(small.contains("Thelinkopensonlyonthiscomputer;"))
    }

    @Test("at 60 by 10, the panel says where the link opens, or why it could not start; at 20 by 3, it still names a taken port")
    func reasonOnSmallScreen() throws {
        let served = canvas(try sharing("approaching", 60, 10)).text()
        #expect(served.contains(Self.link.address) && served.contains("The link opens only on this computer."), "\(served)")
        for (columns, rows) in [(60, 10), (20, 3)] {
            var failing = try scenario("approaching", columns, rows)
            let trip = try #require(failing.state.page?.name)
            failing.press("S")
            let reason = "Port 8090 is taken. Set share_port to another port, or to 0 for any free port."
            failing.send(.link(.failed(reason), for: .trip(trip)))
            let told = canvas(failing).text()
            #expect(told.contains("NO LINK") && told.contains("Port 8090 is taken.") && told.contains("Set share_port"), "\(told)")
        }
    }

    @Test("where the link opens is shown even at 40 by 12, and a code above the words starts where they start")
    func remark() throws {
        let small = canvas(try sharing("approaching", 40, 12)).text()
        #expect(small.contains("The link opens only on this computer.") && small.contains("D ends link"), "\(small)")
        let code = try #require(QRCode(Self.link.address)).blocks(drawsDark: false)
        let lines = canvas(try sharing("approaching", 120, 50)).text().split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.contains { $0.hasPrefix(" \(code[code.count / 2])") } && lines.contains { $0.hasPrefix(" LINK") }, "\(lines)")
    }

    @Test("at 20 by 3, the panel shows what to set, or that the link was copied, but not half a link")
    func smallest() throws {
        var failing = try scenario("approaching", 20, 3)
        let trip = try #require(failing.state.page?.name)
        failing.press("S")
        let reason =
            "Links on 192.0.2.2 would not be encrypted. On your own network, set share_plaintext = true; "
            + "elsewhere, set share_url to an https address."
        failing.send(.link(.failed(reason), for: .trip(trip)))
        let told = canvas(failing).text()
        #expect(told.contains("Set share_url") && !told.contains("share_plaintext") && !told.contains("192"), "\(told)")
        failing.send(.link(.failed("the route server closed the port, and did not say why."), for: .trip(trip)))
        #expect(canvas(failing).text().contains("Enlarge the terminal"))

        var served = try sharing("approaching", 20, 3)
        let copied = canvas(served).text()
        #expect(copied.contains("The link was copied") && copied.contains("D ends") && !copied.contains("http"), "\(copied)")
        served.send(.copied("another text", wasSent: true))
        let other = canvas(served).text()
        #expect(other.contains("Screen too small to") && other.contains("show the link") && !other.contains("http"), "\(other)")
    }

    @Test("the link is on the screen once", arguments: [(40, 15), (80, 24), (120, 40)])
    func once(columns: Int, rows: Int) throws {
        var scenario = try scenario("approaching", columns, rows)
        let trip = try #require(scenario.state.page?.name)
        scenario.press("S")
        scenario.send(.link(.served(Self.link), for: .trip(trip)))
        let text = canvas(scenario).text()
        #expect(text.ranges(of: "http").count == 1 && text.contains("The link was copied."), "\(text)")
        // If copying is not allowed, no notice says so, because the panel shows the link.
        scenario.press("esc S")
        scenario.send(.noticeEnded(scenario.state.notice?.number ?? 0))
        scenario.send(.copied(Self.link.address, wasSent: false))
        #expect(scenario.state.notice == nil)
    }

    @Test("every size can be drawn, and without UTF-8 only the link is shown")
    func sizes() throws {
        for (columns, rows) in [(20, 3), (36, 8), (40, 10), (60, 16), (100, 32), (200, 60)] {
            let scenario = try sharing("stopped", columns, rows)
            #expect(canvas(scenario).size == Size(columns: columns, rows: rows))
        }
        let options = Scenario.options {
            $0.noLinkReason = nil
            $0.painters = [.ascii]
        }
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 120, rows: 40), options: options))
        scenario.press("S")
        let trip = try #require(scenario.state.page?.name)
        scenario.send(.link(.served(Self.link), for: .trip(trip)))
        let text = canvas(scenario).text()
        #expect(text.contains(Self.link.address) && text.allSatisfy(\.isASCII))
    }
}

@Suite("The screen of a viewer of a link")
struct ViewerTests {
    @Test(
        "a viewer of a link is not taken for the rider",
        arguments: ["approaching", "here", "riding", "last-leg", "complete", "others-first", "order-on-way", "order-delivered"])
    func words(name: String) throws {
        for (columns, rows) in [(80, 24), (120, 40), (40, 15), (30, 8)] {
            let size = Size(columns: columns, rows: rows)
            let scenario = try #require(Scenario.named(name, size: size, options: Scenario.options { $0.isViewer = true }))
            let text = AppView().canvas(scenario.state, theme: Theme(name: "plain", looks: [:], depth: .none)).text()
            #expect(!text.lowercased().contains(#/\byou/#), "\(text)")
            #expect(name != "here" || text.contains(columns == 30 ? "At the pickup" : "AT THE PICKUP"), "\(text)")
        }
    }

    @Test("the list, reasons and events of a viewer of a link do not speak of the rider's stop", arguments: [80, 40])
    func list(columns: Int) throws {
        func scenario(_ name: String) throws -> Scenario {
            let size = Size(columns: columns, rows: 24)
            return try #require(Scenario.named(name, size: size, options: Scenario.options { $0.isViewer = true }))
        }
        let here = ListWords(try scenario("here").state, rows: 5).summary
        #expect(here == (columns == 80 ? "At the pickup: Ride to Northgate Station." : "1 car is at the pickup."))
        let state = try scenario("others-first").state
        let page = try #require(state.page)
        #expect(state.reasons(page, columns: .max).first == "1 stop first")
        let fact = TripFact.waypoints(stopsBefore: 0, own: [])
        #expect(state.words(LoggedEvent(time: state.now, content: .fact(fact, stopIndex: 0))) == "This trip's stop is next")
    }
}
