import Foundation
import TerminalHarness
import Testing
import TripTesting

@testable import ProgramHarness

/// Runs `body` with a folder for the state that the program keeps between runs.
func withStateFolder(_ body: (_ folder: URL, _ setting: [String: String]) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appending(path: "tripwatch"), ["XDG_STATE_HOME": folder.path])
}

/// Runs `body` with an engine and its provider API.
func withEngine(_ body: (_ grpc: String, _ http: String) throws -> Void) throws {
    let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"])
    defer { server.stop() }
    let words = try #require(server.line()).split(separator: " ")
    let grpc = try #require(words.first { $0.hasPrefix("grpc=") }).dropFirst(5)
    let http = try #require(words.first { $0.hasPrefix("http=") }).dropFirst(5)
    try body(String(grpc), String(http))
}

private func objects(_ outcome: Program.Outcome) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data((outcome.lines.first ?? "").utf8)) as? [[String: Any]])
}

private let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060"]

@Suite("Trips known on this machine, in the program", SharedEngine(), .timeLimit(.minutes(3)))
struct KnownTripsEndToEndTests {
    @Test("a booked trip is listed, is followed without its name at its own server, and is over when it is cancelled")
    func ride() throws {
        try withStateFolder { folder, setting in
            let program = Program(environment: Program().environment.merging(setting) { $1 })
            let empty = try program.run(["list"])
            #expect(empty.status == 0 && empty.lines.isEmpty && empty.errors.contains("the list is empty."))
            #expect(try program.run(["list", "--json"]).lines == ["[]"])
            let nothing = try program.run(["follow"])
            #expect(
                nothing.status == 64 && nothing.errors.contains("no trip to follow: this machine has no unfinished trip"),
                "\(nothing.errors)")
            try SharedEngine.with { grpc, http in
                let trip = try #require(
                    try program.run(["book", "--provider-url", "http://\(http)", "--endpoint", grpc, "--plaintext"] + places).lines.first)
                let listed = try objects(try program.run(["list", "--json"]))
                #expect(listed.count == 1 && listed.first?["name"] as? String == trip && listed.first?["status"] as? String == "NEW")
                #expect(listed.first?["endpoint"] as? String == grpc && listed.first?["provider"] as? String == "demo")

                let follow = try ProgramOnTerminal(["follow"], setting: setting)
                try follow.wait(for: "LOOKING FOR A CAR")
                follow.press("q")
                #expect(try follow.end() == 0)

                let id = try #require(trip.split(separator: "/").last.map(String.init))
                #expect(try program.run(["cancel", id, "--provider-url", "http://\(http)"]).status == 0)
                #expect(try objects(try program.run(["list", "--json"])).first?["status"] as? String == "CANCELED")
                #expect(try program.run(["follow"]).status == 64)
            }
            let path = folder.appending(path: "trips.json").path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("without --endpoint a trip is at the server that its provider states, is stored so, and gets no token for Google")
    func toldEngine() throws {
        try withStateFolder { folder, setting in
            try SharedEngine.with { grpc, http in
                let asked = folder.appending(path: "asked").path
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let text = "token_command = \"echo x >> '\(asked)'; echo made-up\"\n"
                try text.write(to: folder.appending(path: "config.toml"), atomically: true, encoding: .utf8)
                let own = ["XDG_CONFIG_HOME": folder.deletingLastPathComponent().path].merging(setting) { $1 }
                let program = Program(environment: Program().environment.merging(own) { $1 })
                _ = try #require(try program.run(["book", "--provider-url", "http://\(http)"] + places).lines.first)
                #expect(try objects(try program.run(["list", "--json"])).first?["endpoint"] as? String == grpc)
                for words in [["follow"], ["book", "--follow", "--provider-url", "http://\(http)"] + places] {
                    let follow = try ProgramOnTerminal(words, setting: own)
                    try follow.wait(for: "LOOKING FOR A CAR")
                    follow.press("q")
                    #expect(try follow.end() == 0)
                }
                #expect(!FileManager.default.fileExists(atPath: asked))
                // An endpoint on the command line overrides the provider's endpoint.
                _ = try program.run(["book", "--provider-url", "http://\(http)", "--endpoint", "fleet.example:443"] + places)
                #expect(try objects(try program.run(["list", "--json"])).first?["endpoint"] as? String == "fleet.example:443")
            }
        }
    }

    @Test("certificates given by a relative path are found later from any folder")
    func certificates() throws {
        try withStateFolder { folder, setting in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try GuardedServer.makeCertificate(in: folder.path)
            let here = FileManager.default.currentDirectoryPath
            let relative = String(repeating: "../", count: here.split(separator: "/").count) + folder.path.dropFirst() + "/cert.pem"
            try SharedEngine.with { _, http in
                let program = Program(environment: Program().environment.merging(setting) { $1 })
                let booking = ["book", "--provider-url", "http://\(http)", "--endpoint", "localhost:1", "--ca", relative]
                let outcome = try program.run(booking + places)
                #expect(outcome.status == 0, "\(outcome.errors)")
            }
            let kept = try Data(contentsOf: folder.appending(path: "trips.json"))
            let text = String(decoding: kept, as: UTF8.self).replacing("\\/", with: "/")
            #expect(text.contains("\"\(here)/\(relative)\""), "\(text)")
        }
    }

    @Test("a trip is listed with the title that it was booked with")
    func bookedTitle() throws {
        try withStateFolder { _, setting in
            try SharedEngine.with { _, http in
                let program = Program(environment: Program().environment.merging(setting) { $1 })
                let booking = ["book", "--provider-url", "http://\(http)", "--title", "To the dentist"] + places
                let outcome = try program.run(booking)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try objects(try program.run(["list", "--json"])).first?["title"] as? String == "To the dentist")
            }
        }
    }

    @Test("a followed trip is listed with its state, except after a read-only command")
    func followed() throws {
        try withStateFolder { _, setting in
            try SharedEngine.with { grpc, http in
                let elsewhere = Program()
                let provider = ["--provider-url", "http://\(http)"]
                let trip = try #require(try elsewhere.run(["book"] + provider + places).lines.first)
                let connection = ["--endpoint", grpc, "--plaintext", "--interval", "1"]
                let program = Program(environment: Program().environment.merging(setting) { $1 })
                let looking = try ProgramOnTerminal(["follow", trip, "--read-only"] + connection, setting: setting)
                try looking.wait(for: "LOOKING FOR A CAR")
                looking.press("q")
                #expect(try looking.end() == 0)
                #expect(try program.run(["list", "--json"]).lines == ["[]"])

                _ = try elsewhere.run(["cancel", trip] + provider)
                #expect(try program.run(["follow", trip, "--title", "To the dentist"] + connection).status == 2)
                let listed = try #require(try objects(try program.run(["list", "--json"])).first)
                #expect(listed["status"] as? String == "CANCELED" && listed["title"] as? String == "To the dentist")
                let line = try #require(try program.run(["list"]).lines.first)
                #expect(line.hasPrefix("\(trip)  To the dentist  cancelled  --:--  seen ") && line.hasSuffix("  \(grpc)"), "\(line)")
                let id = String(trip.suffix(12))
                #expect(try program.run(["list", "--forget", "nothing"]).status == 1)
                #expect(try program.run(["list", "--forget", id]).status == 0)
                #expect(try program.run(["list", "--json"]).lines == ["[]"])
            }
        }
    }

    @Test("without a name, follow says which trip it follows at which server, and skips trips whose server is gone")
    func choice() throws {
        try withStateFolder { _, setting in
            let program = Program(environment: Program().environment.merging(setting) { $1 })
            func follow() throws -> ProgramOnTerminal {
                let follow = try ProgramOnTerminal(["follow"], setting: setting)
                try follow.wait(for: "LOOKING FOR A CAR")
                follow.press("q")
                #expect(try follow.end() == 0)
                return follow
            }
            try SharedEngine.with { grpc, http in
                let first = try #require(try program.run(["book", "--provider-url", "http://\(http)"] + places).lines.first)
                var second = ""
                try withEngine { other, http in
                    second = try #require(try program.run(["book", "--provider-url", "http://\(http)"] + places).lines.first)
                    #expect(try follow().terminal.visibleOutput.contains("tripwatch: following \(second) at \(other)."))
                }
                let told = try follow().terminal.visibleOutput
                #expect(told.contains("tripwatch: following \(first) at \(grpc).") && told.contains("does not answer"), "\(told)")
                #expect(first != second)
            }
        }
    }

    @Test("the configuration's token is only for its own server: a trip at another server is requested without it")
    func foreignToken() throws {
        try withStateFolder { folder, setting in
            try SharedEngine.with { grpc, http in
                let program = Program(environment: Program().environment.merging(setting) { $1 })
                let booking = ["book", "--provider-url", "http://\(http)", "--endpoint", grpc, "--plaintext"] + places
                let trip = try #require(try program.run(booking).lines.first)
                let asked = folder.appending(path: "asked").path
                func follow(_ endpoint: String) throws -> String {
                    let own = [
                        "XDG_CONFIG_HOME": folder.deletingLastPathComponent().path, "TRIPWATCH_PLAINTEXT": "true",
                    ].merging(setting) { $1 }
                    let text = "endpoint = \"\(endpoint)\"\ntoken_command = \"echo x >> '\(asked)'; echo made-up\"\n"
                    try text.write(to: folder.appending(path: "config.toml"), atomically: true, encoding: .utf8)
                    let running = try program.start(["follow", "--output", "plain", "--interval", "1"], setting: own)
                    defer { running.stop() }
                    let lines = LineWatch(running.output)
                    #expect(lines.line(with: "looking for a car") != nil)
                    running.process.terminate()
                    return String(decoding: running.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                }
                #expect(try follow("fleet.example:443").contains("the trip is on \(grpc), not on the configured server"))
                #expect(!FileManager.default.fileExists(atPath: asked))
                #expect(try !follow(grpc).contains("not on the configured server"))
                #expect(FileManager.default.fileExists(atPath: asked))
                #expect(try program.run(["cancel", trip, "--provider-url", "http://\(http)"]).status == 0)
            }
        }
    }

    @Test("a profile's headers are sent to its own provider, not to another one where the trip was booked")
    func foreignHeaders() async throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path + "/tripwatch", withIntermediateDirectories: true)
        let headers = try folder.write("headers", "Authorization: Bearer work-secret\n")
        let trip = "providers/demo/trips/made-up-ride"
        try await ScriptedHTTPServer.with { _, _ in
            .reply(403, "{}")
        } _: { desk in
            let seen = Date().timeIntervalSince1970
            let known =
                #"[{"name":"\#(trip)","status":"ENROUTE_TO_PICKUP","opened":\#(seen),"seen":\#(seen),"#
                + #""endpoint":"127.0.0.1:1","plaintext":true,"provider":"\#(desk.address)"}]"#
            _ = try folder.write("tripwatch/trips.json", known)
            let rows: [(provider: String, sent: String?)] = [("http://127.0.0.1:1", nil), (desk.address, "Bearer work-secret")]
            for (provider, sent) in rows {
                let text = "provider_url = \"\(provider)\"\n[profiles.work]\nprovider_header_file = \"\(headers)\"\n"
                _ = try folder.write("tripwatch/config.toml", text)
                let setting = ["XDG_STATE_HOME": folder.path, "XDG_CONFIG_HOME": folder.path]
                let outcome = try await background { try Program().run(["cancel", trip, "--profile", "work"], setting: setting) }
                #expect(outcome.status == 4, "\(outcome.errors)")
                #expect(desk.requests.last?.headers["authorization"] == sent)
            }
            #expect(desk.requests.count == 4 && desk.requests.allSatisfy { $0.path == "/trip/made-up-ride" })
        }
    }

    @Test("a damaged list is set aside and reported, its readable part is kept, and the set-aside file is not overwritten")
    func damaged() throws {
        try withStateFolder { folder, setting in
            let program = Program(environment: Program().environment.merging(setting) { $1 })
            let file = folder.appending(path: "trips.json")
            func text(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("[{\"name\": \"prov".utf8).write(to: file)
            let listed = try program.run(["list"])
            #expect(listed.status == 0 && listed.lines.isEmpty)
            let sentence = "tripwatch: \(file.path) is damaged and was renamed to \(file.path).damaged: no trip could be read."
            #expect(listed.errors.contains(sentence), "\(listed.errors)")
            #expect(try text("trips.json.damaged") == "[{\"name\": \"prov")
            #expect(try !program.run(["list"]).errors.contains("damaged"))
            try SharedEngine.with { grpc, http in
                let booking = ["book", "--provider-url", "http://\(http)", "--endpoint", grpc, "--plaintext"] + places
                let first = try #require(try program.run(booking).lines.first)
                let good = try text("trips.json")
                try Data((good.dropLast() + ",{\"name\":3}]").utf8).write(to: file)
                let second = try program.run(booking)
                #expect(
                    second.errors.contains("was renamed to \(file.path).damaged-2: 1 of its trips could be read and was kept."),
                    "\(second.errors)")
                let known = try objects(try program.run(["list", "--json"])).compactMap { $0["name"] as? String }
                #expect(known == [try #require(second.lines.first), first])
                #expect(try text("trips.json.damaged") == "[{\"name\": \"prov" && text("trips.json.damaged-2").hasSuffix(",{\"name\":3}]"))
            }
        }
    }

    @Test("a damaged list is reported on the screen, and afterwards on standard error")
    func damagedBeforeScreen() throws {
        try withStateFolder { folder, setting in
            try SharedEngine.with { grpc, http in
                let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060", "--provider-url", "http://\(http)"]
                let trip = try #require(try Program().run(["book"] + places).lines.first)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data("[{".utf8).write(to: folder.appending(path: "trips.json"))
                let follow = try ProgramOnTerminal(["follow", trip, "--endpoint", grpc, "--plaintext"], setting: setting)
                try follow.wait(for: "no trip could be read")
                follow.press("q")
                #expect(try follow.end() == 0)
                #expect(follow.terminal.visibleOutput.contains("tripwatch: \(folder.path)/trips.json is damaged"))
            }
        }
    }

    @Test("status does not write a trip again if it has not changed")
    func noNews() throws {
        try withStateFolder { folder, setting in
            try SharedEngine.with { grpc, http in
                let program = Program(environment: Program().environment.merging(setting) { $1 })
                let server = ["--endpoint", grpc, "--plaintext"]
                let booking = ["book", "--provider-url", "http://\(http)"] + server + places
                let trip = try #require(try program.run(booking).lines.first)
                #expect(try program.run(["status", trip] + server).status == 0)
                let before = try Data(contentsOf: folder.appending(path: "trips.json"))
                #expect(try program.run(["status", trip] + server).status == 0)
                #expect(try Data(contentsOf: folder.appending(path: "trips.json")) == before)
            }
        }
    }

    @Test("programs that write at the same time lose nothing")
    func atOnce() async throws {
        try withStateFolder { _, setting in
            try SharedEngine.with { grpc, http in
                let program = Program(environment: Program().environment.merging(setting) { $1 })
                let bookings = try (0..<12).map { _ in
                    try program.start(["book", "--provider-url", "http://\(http)", "--endpoint", grpc, "--plaintext"] + places)
                }
                let names = Set(bookings.compactMap { $0.line() })
                for booking in bookings { booking.waitForEnd() }
                let listed = try objects(try program.run(["list", "--json"]))
                #expect(Set(listed.compactMap { $0["name"] as? String }) == names && names.count == 12)
            }
        }
    }
}

@Suite("The program without arguments", .timeLimit(.minutes(2)))
struct BareProgramTests {
    @Test("on a terminal it lists the first commands to try")
    func terminal() throws {
        let bare = try ProgramOnTerminal([])
        #expect(try bare.end() == 0)
        let text = bare.terminal.visibleOutput
        for command in ["tripwatch demo", "tripwatch follow", "tripwatch serve", "tripwatch --help"] { #expect(text.contains(command)) }
        // No line is wider than the terminal.
        #expect(text.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 80 }, "\(text)")
    }

    @Test("elsewhere it prints the help on stderr, and it is a usage error")
    func pipe() throws {
        let bare = try Program().run([])
        #expect(bare.status == 64 && bare.lines.isEmpty && bare.errors.contains("USAGE: tripwatch"), "\(bare.errors)")
    }
}
