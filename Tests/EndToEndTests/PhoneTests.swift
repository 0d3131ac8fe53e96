import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("A phone is the car", .timeLimit(.minutes(3)))
struct PhoneTests {
    private static let pickup = (latitude: -35.99, longitude: -20.0)

    /// Sends one request on loopback and returns the body of the answer.
    private func ask(_ port: Int, _ method: String, _ path: String, _ body: String = "", headers: String = "") throws -> String {
        let connection = try TCPConnection(port: port)
        connection.send(
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\(headers)Connection: close\r\n\r\n\(body)"
        )
        let answer = connection.read()
        guard let end = answer.range(of: "\r\n\r\n") else { return "" }
        return String(answer[end.upperBound...])
    }

    private func key(_ port: Int, headers: String = "") throws -> String {
        let answer = try ask(port, "POST", "/car/new", #"{"vehicleId":"car-7"}"#, headers: headers)
        let body = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
        return try #require(body?["key"] as? String, "\(answer)")
    }

    /// Returns a report in OwnTracks' format. The position is `metersNorth` metres north of the pickup.
    private func ownTracks(metersNorth: Double, kilometersPerHour: Int, secondsAgo: Int = 0) -> String {
        let latitude = Self.pickup.latitude + metersNorth / 111_000
        let time = Int(Date().timeIntervalSince1970) - secondsAgo
        return #"{"_type":"location","lat":\#(latitude),"lon":-20.0,"tst":\#(time),"acc":5,"vel":\#(kilometersPerHour)}"#
    }

    @Test("a rider sees a phone's positions with their age, and the statuses follow the car")
    func followed() throws {
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0", "--arrival-radius", "60"])
        defer { server.stop() }
        let ports = try #require(server.line()).matches(of: /:([0-9]+)/).compactMap { Int($0.1) }
        try #require(ports.count == 2)
        let key = try key(ports[1])
        let login = "Authorization: Basic \(Data("car-7:\(key)".utf8).base64EncodedString())\r\n"
        let first = ownTracks(metersNorth: 500, kilometersPerHour: 40, secondsAgo: 3)
        #expect(try ask(ports[1], "POST", "/pub", first, headers: login) == "[]")
        let booked = try Program().run([
            "book", "--from", "-35.99,-20.0", "--to", "-35.98,-20.0", "--provider-url", "http://127.0.0.1:\(ports[1])",
        ])
        let trip = try #require(booked.lines.first, "\(booked.errors)")
        let follower = try Program().start([
            "follow", trip, "--endpoint", "127.0.0.1:\(ports[0])", "--plaintext", "--interval", "1", "--output", "json",
        ])
        defer { follower.stop() }
        let lines = LineWatch(follower.output)
        #expect(lines.line(with: "ENROUTE_TO_PICKUP") != nil)
        let position = try #require(lines.line(with: #""event":"location""#))
        let told = try #require(try JSONSerialization.jsonObject(with: Data(position.utf8)) as? [String: Any])
        #expect(try #require(told["age_s"] as? Double) >= 3, "\(position)")
        // The next position is a minute old, and does not change the status. The two positions after it are at the stop and far beyond it.
        _ = try ask(ports[1], "POST", "/car/\(key)/owntracks", ownTracks(metersNorth: 900, kilometersPerHour: 40, secondsAgo: 60))
        _ = try ask(ports[1], "POST", "/car/\(key)/owntracks", ownTracks(metersNorth: 55, kilometersPerHour: 5))
        #expect(lines.line(with: "ARRIVED_AT_PICKUP") != nil)
        let later = Date().timeIntervalSince1970 + 5
        _ = try ask(
            ports[1], "GET", "/car/\(key)/traccar?lat=-35.985&lon=-20.0&speed=20&timestamp=\(later)&valid=true")
        #expect(lines.line(with: "ENROUTE_TO_DROPOFF") != nil)
        _ = try ask(ports[1], "GET", "/car/\(key)/osmand?lat=-35.98&lon=-20.0&speed=1&timestamp=\(later + 5)")
        #expect(lines.line(with: "COMPLETE") != nil)
    }

    @Test("the desk's key creates a car's key, the car's key opens its own address, and no log contains it")
    func guarded() throws {
        let home = try Folder()
        let folder = home.path
        try MadeAccounts.write(to: folder + "/keys")
        let server = try Program().start([
            "serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on", "--keys", folder + "/keys", "--log", folder + "/log",
        ])
        defer { server.stop() }
        let ports = try #require(server.line()).matches(of: /:([0-9]+)/).compactMap { Int($0.1) }
        try #require(ports.count == 2)
        #expect(try ask(ports[1], "POST", "/car/new", #"{"vehicleId":"car-7"}"#).contains("401"))
        #expect(try ask(ports[1], "POST", "/car/new/", #"{"vehicleId":"car-7"}"#).contains("401"))
        let deskKey = try String(contentsOfFile: folder + "/keys/desk.key", encoding: .utf8).trimmingCharacters(in: .newlines)
        let key = try key(ports[1], headers: "Authorization: Bearer \(deskKey)\r\n")
        #expect(try ask(ports[1], "POST", "/car/\(key)/owntracks", ownTracks(metersNorth: 0, kilometersPerHour: 0)) == "[]")
        #expect(try ask(ports[1], "POST", "/car/\(key)/owntracks", #"{"_type":"steps"}"#) == "[]")
        #expect(try ask(ports[1], "POST", "/car/\(key)/traccar", "{").contains("400"))
        #expect(try ask(ports[1], "POST", "/car/nobody/owntracks", "{}").contains("401"))
        let log = try String(contentsOfFile: folder + "/log", encoding: .utf8)
        #expect(log.contains("key refused") && log.contains("door=phone") && !log.contains("nobody"), "\(log)")
        #expect(log.contains("message without a position") && log.contains("/car/-/traccar") && !log.contains(key), "\(log)")
    }

    @Test("phone creates a key, shows how to set up the app, and reports the first position")
    func command() throws {
        let home = try Folder()
        try MadeAccounts.write(to: home.keys)
        let server = try Program().start([
            "serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on", "--keys", home.keys, "--public-url",
            "http://rides.example/vans/",
        ])
        defer { server.stop() }
        let ports = try #require(server.line()).matches(of: /:([0-9]+)/).compactMap { Int($0.1) }
        try #require(ports.count == 2)
        let desk = ["--provider-url", "http://127.0.0.1:\(ports[1])", "--desk-key-file", home.keys + "/desk.key"]
        let object = try Program().run(["phone", "car-7", "--json"] + desk)
        let told = try #require(
            try JSONSerialization.jsonObject(with: Data(object.lines.joined().utf8)) as? [String: Any], "\(object.errors)")
        let links = try #require(told["links"] as? [String: String])
        let old = try #require(told["key"] as? String)
        #expect(object.status == 0 && object.errors.isEmpty && told["vehicle"] as? String == "car-7")
        #expect(links["overland"] == "http://rides.example/vans/car/\(old)/overland")
        let phone = try Program().start(["phone", "car-7", "--plain", "--app", "traccar"] + desk)
        defer { phone.stop() }
        let link = try #require(phone.line())
        let key = try #require(
            link.firstMatch(of: #/^http:\/\/rides\.example\/vans\/car\/([^\/]+)\/traccar\?id=car-7&/#).map { String($0.1) }, "\(link)")
        #expect(try ask(ports[1], "POST", "/car/\(old)/owntracks", ownTracks(metersNorth: 0, kilometersPerHour: 0)).contains("401"))
        let fast = ownTracks(metersNorth: 0, kilometersPerHour: 0, secondsAgo: -7_500)
        #expect(try ask(ports[1], "POST", "/car/\(key)/owntracks", fast) == "[]")
        let errors = LineWatch(phone.errors)
        #expect(errors.line(with: "the previous key of car-7 no longer works") != nil)
        let clock = errors.line(with: "the clock of the phone in car-7 is 2 h ahead")
        #expect(clock?.contains("positions are ignored") == true)
        let post = ownTracks(metersNorth: 0, kilometersPerHour: 0, secondsAgo: 4)
        #expect(try ask(ports[1], "POST", "/car/\(key)/owntracks", post) == "[]")
        let words = try #require(phone.line())
        #expect(words.wholeMatch(of: /first position of car-7, [0-9]+ s old, accurate to 5 m/) != nil, "\(words)")
        phone.waitForEnd()
        #expect(phone.process.terminationStatus == 0)
        let refused = try Program().run(["phone", "car-7", "--plain", "--provider-url", "http://127.0.0.1:\(ports[1])"])
        #expect(refused.status == 4 && refused.lines.isEmpty, "\(refused.errors)")
    }

    @Test("a key expires after --for and is answered like a wrong key, the log says so, and phone list shows expiries and last reports")
    func ends() throws {
        let home = try Folder()
        try MadeAccounts.write(to: home.keys)
        let server = try Program().start([
            "serve", "--grpc-port", "0", "--http-port", "0", "--auth", "on", "--keys", home.keys, "--log", home.path + "/log",
            "--test-hooks",
        ])
        defer { server.stop() }
        let port = try #require(server.line()?.matches(of: /:([0-9]+)/).compactMap { Int($0.1) }.last)
        let desk = ["--provider-url", "http://127.0.0.1:\(port)", "--desk-key-file", home.keys + "/desk.key"]
        func run(_ words: String...) throws -> Program.Outcome { try Program().run(["phone"] + words + desk) }
        func list() throws -> [[String: Any]] {
            let text = try run("list", "--json").lines.joined()
            return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]], "\(text)")
        }
        #expect(try run("list", "--json").lines == ["[]"])
        #expect(try run("list").errors.contains("no car has a phone key"))
        let made = try run("car-7", "--for", "30d", "--json")
        let told = try #require(
            try JSONSerialization.jsonObject(with: Data(made.lines.joined().utf8)) as? [String: Any], "\(made.errors)")
        let key = try #require(told["key"] as? String)
        let end = try #require(told["key_end"] as? String)
        #expect(try run("car-8", "--json").lines.first?.contains(#""key_end":null"#) == true)
        var cars = try list()
        #expect(cars.map { $0["car"] as? String } == ["car-7", "car-8"])
        #expect(cars.first?["key_end"] as? String == end && cars.last?["key_end"] is NSNull)
        #expect(cars.allSatisfy { $0["last_heard"] is NSNull })
        let position = ownTracks(metersNorth: 0, kilometersPerHour: 0)
        #expect(try ask(port, "POST", "/car/\(key)/owntracks", position) == "[]")
        cars = try list()
        #expect(cars.first?["last_heard"] is String && cars.last?["last_heard"] is NSNull)
        let words = try run("list").lines
        #expect(
            words.first?.wholeMatch(
                of: /car-7  key expires \d{4}-\d\d-\d\d \d\d:\d\d, in (29|30) d  last message \d{4}-\d\d-\d\d \d\d:\d\d, \d+ s ago/)
                != nil, "\(words)")
        #expect(words.last?.wholeMatch(of: /car-8  key does not expire +no message yet/) != nil, "\(words)")
        let deskKey = try String(contentsOfFile: home.keys + "/desk.key", encoding: .utf8).trimmingCharacters(in: .newlines)
        let advance = #"{"advance_s":2678400}"#
        #expect(try ask(port, "PUT", "/_tripwatch/clock", advance, headers: "Authorization: Bearer \(deskKey)\r\n").contains("now"))
        let refused = try ask(port, "POST", "/car/\(key)/owntracks", position)
        #expect(try refused == ask(port, "POST", "/car/nobody/owntracks", position) && refused.contains("401"))
        #expect(try String(contentsOfFile: home.path + "/log", encoding: .utf8).contains("its key expired at "))
        #expect(try run("list").lines.first?.contains("key expired ") == true)
    }

    @Test("phone revoke ends a key at once, even after a restart; a car without a key and wrong arguments are reported")
    func revoked() throws {
        let home = try Folder()
        var server: StoredServer? = try StoredServer(home.path + "/store.db")
        let key = try #require(try server?.bookPhone("car-7"))
        let kept = try #require(try server?.bookPhone("car-8"))
        func run(_ words: String...) throws -> Program.Outcome {
            let port = try #require(server?.httpPort)
            return try Program().run(["phone"] + words + ["--provider-url", "http://127.0.0.1:\(port)"])
        }
        let now = Date().timeIntervalSince1970
        #expect(server?.report(key, latitude: 48, at: now) == 200 && server?.report(kept, latitude: 48, at: now) == 200)
        let done = try run("revoke", "car-7")
        #expect(done.status == 0 && done.lines.isEmpty && done.errors.contains("the phone key of car-7 has been revoked"), "\(done.errors)")
        #expect(server?.report(key, latitude: 48, at: now + 1) == 401)
        for car in ["car-7", "car-9"] {
            let unknown = try run("revoke", car)
            #expect(unknown.status == 3 && unknown.errors.contains("the car \(car) has no phone key"), "\(unknown.errors)")
        }
        for wrong in [["revoke"], ["list", "car-8"], ["car-8", "car-9"], ["list", "--for", "1h"], ["car-8", "--for", "soon"]] {
            #expect(try Program().run(["phone"] + wrong).status == 64, "\(wrong)")
        }
        server?.running.stop()
        server = try StoredServer(home.path + "/store.db")
        #expect(server?.report(key, latitude: 48, at: now + 2) == 401 && server?.report(kept, latitude: 48, at: now + 2) == 200)
        #expect(try run("list").lines.count == 1)
        server?.running.stop()
    }

    @Test("if only this machine is reachable, phone says so, and prints the code as text if there is no terminal")
    func loopback() throws {
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"])
        defer { server.stop() }
        let ports = try #require(server.line()).matches(of: /:([0-9]+)/).compactMap { Int($0.1) }
        try #require(ports.count == 2)
        let phone = try Program().start(["phone", "car-8", "--provider-url", "http://127.0.0.1:\(ports[1])/"])
        defer { phone.stop() }
        let errors = LineWatch(phone.errors), lines = LineWatch(phone.output)
        #expect(errors.line(with: "no phone can reach") != nil)
        #expect(lines.line(with: "gpslogger: http://127.0.0.1:\(ports[1])/car/") != nil)
        #expect(
            errors.line(with: "2. Scan the code with the phone's camera") != nil && !errors.all.contains { $0.contains("no longer works") })
        let inASCII = try Program().start(
            ["phone", "car-9", "--provider-url", "http://127.0.0.1:\(ports[1])/"], setting: ["LC_ALL": "C"])
        defer { inASCII.stop() }
        let reason = "no QR code is shown, because the locale is not UTF-8. Open the link on the phone."
        #expect(LineWatch(inASCII.errors).line(with: reason) != nil)
        let edge = try #require(lines.line(with: String(repeating: "█", count: 60)))
        #expect(lines.line(with: "▀") != nil && edge.allSatisfy { $0 == "█" })
        server.stop()
        #expect(errors.line(with: "does not answer (connection refused). Trying again every second.") != nil)
    }

    @Test("the code is printed last; if the window is too low, phone asks for more rows and then prints it", arguments: [24, 60])
    func window(rows: Int) throws {
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"])
        defer { server.stop() }
        let ports = try #require(server.line()).matches(of: /:([0-9]+)/).compactMap { Int($0.1) }
        try #require(ports.count == 2)
        let phone = try ProgramOnTerminal(["phone", "car-9", "--provider-url", "http://127.0.0.1:\(ports[1])"], rows: rows)
        if rows == 24 {
            try phone.wait(for: " rows; this window has 80 columns")
            let text = phone.text.split(separator: "\n").joined()
            let needed = try #require(text.firstMatch(of: /the QR code needs [0-9]+ columns and ([0-9]+) rows/).flatMap { Int($0.1) })
            #expect((25...60).contains(needed))
            #expect(phone.text.contains("1. Install OwnTracks on the phone.") && !phone.text.contains("▀"))
            phone.terminal.resize(columns: 80, rows: 60)
        } else {
            try phone.wait(for: "waiting for the first position of car-9")
        }
        try phone.wait(for: "the whole code") { $0.contains("▀▀▀▀▀█") || $0.contains("█▀▀▀▀▀") }
        #expect(phone.text.contains("1. Install OwnTracks on the phone.") && phone.text.contains("the QR code needs") == (rows == 24))
        phone.press("\u{3}")
        _ = try phone.end()
    }

    @Test("serve on a terminal reports phones and the start and end of trips, and in a pipe none of these")
    func news() throws {
        let terminal = try ProgramOnTerminal(["serve", "--grpc-port", "0", "--http-port", "0"])
        try terminal.wait(for: "http=127.0.0.1:")
        let piped = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"])
        for line in [terminal.text, try #require(piped.line())] {
            let port = try #require(line.firstMatch(of: /http=127\.0\.0\.1:([0-9]+)/).flatMap { Int($0.1) })
            let key = try key(port)
            for _ in 1...2 {
                let post = ownTracks(metersNorth: 500, kilometersPerHour: 40)
                #expect(try ask(port, "POST", "/car/\(key)/owntracks", post) == "[]")
            }
            let provider = ["--provider-url", "http://127.0.0.1:\(port)"]
            let places = ["--from", "-35.99,-20.0", "--to", "-35.98,-20.0"]
            let trip = try #require(try Program().run(["book"] + places + provider).lines.first)
            #expect(try Program().run(["cancel", trip] + provider).status == 0)
        }
        try terminal.wait(for: " is cancelled")
        let lines = terminal.text.split(separator: "\n")
        #expect(lines.count { $0.contains("the phone of car-7 is connected") } == 1 && lines.count { $0.contains(" is booked") } == 1)
        terminal.press("\u{3}")
        #expect(try terminal.end() == 0)
        piped.stop()
        let told = String(decoding: piped.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(!told.contains("is connected") && !told.contains("is booked") && !told.contains("is cancelled"), "\(told)")
    }
}
