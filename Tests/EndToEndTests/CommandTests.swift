import Foundation
import Testing

@testable import ProgramHarness

/// Runs `body` with a server on this machine. The server's clock runs 60 times as fast as real time.
private func withServer(_ body: (_ program: Program, _ connection: [String], _ provider: [String]) throws -> Void) throws {
    let program = Program()
    let server = try program.start(["serve", "--grpc-port", "0", "--http-port", "0", "--speed", "60"])
    defer { server.stop() }
    let words = try #require(server.line()).split(separator: " ")
    let grpc = try #require(words.first { $0.hasPrefix("grpc=") }).dropFirst(5)
    let http = try #require(words.first { $0.hasPrefix("http=") }).dropFirst(5)
    try body(
        program, ["--endpoint", String(grpc), "--plaintext", "--provider", "demo"], ["--provider-url", "http://\(http)"])
}

@Suite("Commands for scripts, against a server of this machine", .timeLimit(.minutes(2)))
struct CommandTests {
    private let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060"]

    @Test("book, drive, wait and status: the exit code of every command states the outcome")
    func ride() throws {
        let state = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: state) }
        try withServer { program, connection, provider in
            let booked = try program.run(["book"] + places + provider)
            #expect(booked.status == 0, "\(booked.errors)")
            let trip = try #require(booked.lines.first)
            #expect(booked.lines.count == 1 && trip.hasPrefix("providers/demo/trips/"))
            let looking = try program.run(["status", trip] + connection, setting: ["XDG_STATE_HOME": state.path])
            #expect(looking.lines == ["◦ looking for a car"] && looking.status == 0)

            let car = try program.start(
                [
                    "drive", "--vehicle", "car-1", "--simulate", "--create", "--route", "-33.8645,151.2045;-33.8646,151.2046", "--speed",
                    "60",
                    "--trips", "1",
                ] + connection)
            defer { car.stop() }
            #expect(try program.run(["wait", trip, "--until", "2min", "--interval", "1"] + connection).status == 0)
            #expect(try program.run(["wait", trip, "--until", "here", "--interval", "1"] + connection).status == 0)
            let under = try program.run(["status", trip, "--json"] + connection, setting: ["XDG_STATE_HOME": state.path])
            let object = try #require(try JSONSerialization.jsonObject(with: Data((under.lines.first ?? "").utf8)) as? [String: Any])
            #expect(Set(object.keys) == ["trip", "status", "eta", "remaining_s", "remaining_m", "stops_before", "freshness", "age_s"])
            #expect(try program.run(["wait", trip, "--until", "complete", "--interval", "1"] + connection).status == 0)
            let arrived = try program.run(["status", trip, "--format", "{eta}|{bar:4}|{vehicle}|{{"] + connection)
            #expect(arrived.lines == ["arrived|⠶⠶⠶⠶|car-1|{"])
            let spoken = try program.run(["status", trip] + connection, setting: ["ACCESSIBLE": "1"])
            #expect(spoken.lines == ["You have arrived."])
        }
    }

    @Test("after a cancelled trip, status, wait and follow exit with 2")
    func cancelled() throws {
        try withServer { program, connection, provider in
            let trip = try #require(try program.run(["book"] + places + provider).lines.first)
            let id = try #require(trip.split(separator: "/").last)
            #expect(try program.run(["cancel", String(id)] + provider).lines == ["cancelled \(id)"])
            #expect(try program.run(["status", trip] + connection).status == 2)
            #expect(try program.run(["wait", trip, "--until", "here"] + connection).status == 2)
            let followed = try program.run(["follow", trip] + connection)
            #expect(followed.status == 2)
            #expect(followed.lines.last?.hasSuffix("cancelled   the trip was cancelled") == true)
            #expect(try program.run(["cancel", "no-such-trip"] + provider).status == 3)
            #expect(try program.run(["status", "no-such-trip"] + connection).status == 3)
        }
    }

    @Test("book --follow prints the name on stderr, so stdout contains only the trip's lines")
    func bookAndFollow() throws {
        try withServer { program, connection, provider in
            let car = try program.start(
                [
                    "drive", "--vehicle", "car-1", "--simulate", "--create", "--route", "-33.8645,151.2045;-33.8646,151.2046", "--speed",
                    "60",
                ]
                    + connection)
            defer { car.stop() }
            let state = try Folder()
            defer { withExtendedLifetime(state) {} }
            let followed = try program.run(
                ["book", "--follow", "--output", "json", "--interval", "1"] + places + provider + connection,
                setting: ["XDG_STATE_HOME": state.path])
            #expect(followed.status == 0)
            #expect(followed.errors.hasPrefix("providers/demo/trips/"))
            for line in followed.lines { #expect(line.hasPrefix("{\"t\":\"")) }
            #expect(followed.lines.last?.contains(#""event":"end","status":"COMPLETE""#) == true)
        }
    }

    @Test(
        "wrong words are usage errors, with an explanation",
        arguments: [
            ["book", "--from", "1,2", "--to", "3,4"], ["book", "--from", "95,2", "--to", "3,4", "--provider-url", "http://127.0.0.1:1"],
            ["cancel", "t"], ["wait", "providers/p/trips/t", "--until", "soon"], ["status", "providers/p/trips/t", "--format", "{x}"],
            ["status", "providers/p/trips/t", "--json", "--tmux"], ["status", "t"], ["follow", "a/b/c"], ["wait", "providers/p/trips/t"],
            ["status", "providers/p/trips/t", "--token-key", "access_token"],
            ["status", "providers/p/trips/t", "--token-file", "/proc/absent/token", "--token-header", "X-Key: 1"],
        ])
    func usage(arguments: [String]) throws {
        let outcome = try Program().run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("tripwatch: ") && outcome.lines.isEmpty)
    }

    @Test(
        "options that concern following are a usage error with book, unless it follows the trip",
        arguments: [
            ["--record", "ride.trip"], ["--nearby"], ["--keep-trying"], ["--hook", "http://127.0.0.1:1"], ["--on-event", "true"],
            ["--when", "eta_changed=off"], ["--hook-key-file", "key"],
        ])
    func bookAlone(option: [String]) throws {
        let words = ["book"] + places + ["--provider-url", "http://127.0.0.1:1"] + option
        let outcome = try Program().run(words)
        #expect(outcome.status == 64 && outcome.lines.isEmpty)
        #expect(outcome.errors.contains("\(option.first ?? "") works only with --follow: "), "\(outcome.errors)")
    }

    @Test("a dumped map has as many lines as rows, and is all ASCII if the locale has no UTF-8, unless a painter was chosen")
    func dump() throws {
        let plain = try Program().run(["map", "--dump", "--size", "60x8"], setting: ["LC_ALL": "C"])
        #expect(plain.status == 0 && plain.lines.count == 8)
        #expect(plain.lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } && $0.count <= 60 })
        #expect(plain.lines.last?.contains("(c)") == true)
        let asked = try Program().run(["map", "--dump", "--size", "60x8", "--painter", "braille"], setting: ["LC_ALL": "C"])
        #expect(asked.lines == (try Program().run(["map", "--dump", "--size", "60x8"]).lines))
        let missing = try Program().run(["map", "--dump", "--size", "60x8"], setting: ["LC_ALL": "xx_YY.UTF-8"])
        #expect(missing.lines == asked.lines, "the locale is not installed, but the terminal uses UTF-8")
    }

    @Test("without a provider: exit code 1, and a sentence that says what was not done")
    func noProvider() throws {
        let outcome = try Program().run(["book"] + places + ["--provider-url", "http://127.0.0.1:1"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("tripwatch: Not booked: "))
    }
}
