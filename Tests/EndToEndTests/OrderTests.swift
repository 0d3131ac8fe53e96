import Foundation
import Testing

@testable import ProgramHarness

/// An order on a server, and the reports that a courier's app sends about it.
private struct MadeUpOrder {
    private static let start: RESTCalls.Place = (-35.9850, -20.0000)

    let server: LocalServer
    let name: String
    private let calls: RESTCalls

    /// Books the order. A courier is near the shop.
    init(at server: LocalServer, setting: [String: String]) throws {
        self.server = server
        calls = try RESTCalls(server.desk)
        try calls.put("courier-1", at: Self.start)
        let booked = try server.program.run(
            [
                "book", "--order", "--from", "-35.99,-20.0", "--from-name", "Noodle House", "--to", "-35.95,-20.0", "--provider-url",
                server.desk,
            ],
            setting: setting)
        name = try #require(booked.lines.first, "\(booked.errors)")
    }

    private var path: String { "trips/\(name.split(separator: "/").last ?? "")" }

    func attributes() throws -> String { try calls.ask("GET", path) }

    func move(to status: String) throws { _ = try calls.ask("PUT", "\(path)?updateMask=tripStatus", #"{"tripStatus":"\#(status)"}"#) }

    func run(_ words: [String]) throws -> Program.Outcome {
        try server.program.run([words[0], name] + words.dropFirst() + server.connection)
    }
}

private func object(_ line: String?) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data((line ?? "").utf8)) as? [String: Any], "\(line ?? "")")
}

@Suite("Orders, in the program", .timeLimit(.minutes(3)))
struct OrderTests {
    @Test("book --order states its kind everywhere: status, list, wait, lines and hooks show an order")
    func whole() throws {
        try withStateFolder { folder, setting in
            let server = try LocalServer(speed: 1)
            defer { server.stop() }
            let order = try MadeUpOrder(at: server, setting: setting)
            let told = try order.attributes()
            #expect(told.contains("\"kind\"") && told.contains("\"order\"") && told.contains("Noodle House"), "\(told)")
            let listed = try #require(try server.program.run(["list", "--json"], setting: setting).lines.first)
            #expect(
                listed.contains(#""kind":"order","title":"Order from Noodle House""#) && listed.contains(#""shop_eta":null"#), "\(listed)")

            let file = FileManager.default.temporaryDirectory.appending(path: "events-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            let hook = "sh -c 'echo \"$TRIPWATCH_EVENT $TRIPWATCH_KIND\" >> \(file.path)'"
            let follow = try server.program.start(
                ["follow", order.name, "--output", "json", "--interval", "1", "--on-event", hook] + server.connection)
            let first = try object(follow.line())
            #expect(first["kind"] as? String == "order" && first["trip"] as? String == order.name)

            try order.move(to: "ENROUTE_TO_PICKUP")
            let before = try object(try order.run(["status", "--json"]).lines.first)
            #expect(before["kind"] as? String == "order" && before.keys.contains("shop_eta"), "\(before)")
            let refused = try order.run(["wait", "--until", "here"])
            #expect(refused.status == 64 && refused.errors.contains("'shop', 'picked-up'"), "\(refused.errors)")
            try order.move(to: "ARRIVED_AT_PICKUP")
            #expect(try order.run(["wait", "--until", "shop"]).status == 0)
            try order.move(to: "ENROUTE_TO_DROPOFF")
            #expect(try order.run(["wait", "--until", "picked-up"]).status == 0)
            let after = try object(try order.run(["status", "--json"]).lines.first)
            #expect(after["shop_eta"] is NSNull && after["status"] as? String == "ENROUTE_TO_DROPOFF", "\(after)")
            try order.move(to: "COMPLETE")

            var lines: [String] = []
            while let line = follow.line() { lines.append(line) }
            follow.waitForEnd()
            #expect(follow.process.terminationStatus == 0 && lines.allSatisfy { $0.contains(#""kind":"order""#) }, "\(lines)")
            let arrivals = lines.filter { $0.contains(#""event":"eta""#) }
            #expect(arrivals.allSatisfy { $0.contains(#""waypoint":"dropoff""#) }, "\(arrivals)")
            let events = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
            #expect(events.last == "end order" && events.allSatisfy { $0.hasSuffix(" order") && !$0.hasPrefix("here") }, "\(events)")
        }
    }

    @Test("a trip that does not state its kind has the kind of the option, or else of the environment; its own attribute has priority")
    func precedence() throws {
        let server = try LocalServer(speed: 1)
        defer { server.stop() }
        let trip = try #require(try server.book(from: "-35.99,-20.0", to: "-35.95,-20.0"))
        func status(_ trip: String, _ more: [String] = [], kind: String? = nil) throws -> Program.Outcome {
            let setting = kind.map { ["TRIPWATCH_TRIP_KIND": $0] } ?? [:]
            return try server.program.run(["status", trip, "--json"] + more + server.connection, setting: setting)
        }
        #expect(try object(status(trip).lines.first)["kind"] == nil)
        #expect(try object(status(trip, kind: "order").lines.first)["kind"] as? String == "order")
        #expect(try object(status(trip, ["--order"], kind: "ride").lines.first)["kind"] as? String == "order")
        let wrong = try status(trip, kind: "parcel")
        #expect(wrong.status == 0 && wrong.errors.contains("use ride or order"), "\(wrong.errors)")
        #expect(try object(wrong.lines.first)["kind"] == nil)

        let points =
            #""pickupPoint":{"point":{"latitude":-35.99,"longitude":-20}},"dropoffPoint":{"point":{"latitude":-35.95,"longitude":-20}}"#
        let attributes = #""attributes":[{"key":"kind","stringValue":"ride"}]"#
        let made = try RESTCalls(server.desk).ask("POST", "trips?tripId=said", #"{"tripType":"EXCLUSIVE",\#(attributes),\#(points)}"#)
        #expect(made.hasPrefix("HTTP/1.1 200"), "\(made)")
        let said = try status("providers/demo/trips/said", ["--order"], kind: "order")
        #expect(said.status == 0 && said.lines.first?.contains("kind") == false, "\(said.lines) \(said.errors)")
    }

    @Test("a goal of the other kind makes wait exit with 64 and name the valid ones; with the option for orders, before any call")
    func goals() throws {
        let server = try LocalServer(speed: 1)
        defer { server.stop() }
        let trip = try #require(try server.book(from: "-35.99,-20.0", to: "-35.95,-20.0"))
        let ride = try server.program.run(["wait", trip, "--until", "shop"] + server.connection)
        #expect(ride.status == 64 && ride.errors.contains("'here', 'pickup'"), "\(ride.errors)")
        let nowhere = ["--endpoint", "127.0.0.1:1", "--plaintext"]
        let order = try server.program.run(["wait", trip, "--order", "--until", "pickup"] + nowhere)
        #expect(order.status == 64 && order.errors.contains("'shop', 'picked-up'"), "\(order.errors)")

        let follow = try server.program.start(["follow", trip, "--order", "--output", "plain", "--interval", "1"] + server.connection)
        #expect(try #require(follow.line()).contains("looking for a courier"))
        _ = try server.cancel(trip)
        var lines: [String] = []
        while let line = follow.line() { lines.append(line) }
        follow.waitForEnd()
        #expect(follow.process.terminationStatus == 2 && lines.contains { $0.contains("the order was cancelled") }, "\(lines)")
        #expect(try server.program.run(["wait", trip, "--order", "--until", "shop"] + server.connection).status == 2)
    }

    @Test("the demo's order is under way after the shop, with one delivery before it, and is then delivered")
    func demo() throws {
        let outcome = try Program().run(["demo", "--order", "--output", "json", "--speed", "40"])
        #expect(outcome.status == 0 && outcome.lines.allSatisfy { $0.contains(#""kind":"order""#) }, "\(outcome.errors)")
        let statuses = outcome.lines.filter { $0.contains(#""event":"status""#) }.compactMap { line in
            line.firstMatch(of: #/"status":"([A-Z_]+)"/#).map { String($0.output.1) }
        }
        let way = ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]
        #expect(statuses.suffix(4) == way[...], "\(statuses)")
        let fromTheShop = outcome.lines.drop { !$0.contains("ARRIVED_AT_PICKUP") }
        #expect(fromTheShop.contains { $0.contains(#""stops_before":1"#) }, "\(outcome.lines)")
    }

    @Test("a link to an order says so, in its object and on its page")
    func link() throws {
        let server = try LocalServer(speed: 1)
        defer { server.stop() }
        let trip = try #require(try server.book(from: "-35.99,-20.0", to: "-35.95,-20.0"))
        let share = try server.program.start(["share", trip, "--order", "--http-port", "0"] + server.connection)
        defer { share.stop() }
        let link = try #require(share.line()?.split(separator: " ").last.map(String.init))
        let told = try object(try WebClient.get(link + ".json").body)
        #expect(told["kind"] as? String == "order" && told["shop_eta"] is NSNull, "\(told)")
        let page = try WebClient.get(link, "-H", "Accept: text/html").body
        #expect(page.contains("Looking for a courier.") && !page.contains("Looking for a car"), "\(page)")
    }
}
