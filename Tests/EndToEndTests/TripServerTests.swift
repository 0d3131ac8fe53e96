import Foundation
import Testing

@testable import ProgramHarness

/// A user's home directory. It may contain a configuration file.
private final class OwnHome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)")
    var configuration: URL { folder.appending(path: ".config/tripwatch/config.toml") }

    init(_ text: String? = nil) throws {
        try FileManager.default.createDirectory(at: configuration.deletingLastPathComponent(), withIntermediateDirectories: true)
        if let text { try write(text) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String) throws { try Data(text.utf8).write(to: configuration) }

    @discardableResult
    func run(_ arguments: [String], with more: [String: String] = [:]) throws -> Program.Outcome {
        try Program().run(arguments, setting: ["HOME": folder.path].merging(more) { $1 })
    }

    /// Runs a command. Returns whether its standard error says that the address `nowhere` refused the connection.
    func asksNowhere(_ arguments: [String], with more: [String: String] = [:]) throws -> Bool {
        let asking = try Program().start(arguments, setting: ["HOME": folder.path].merging(more) { $1 })
        defer { asking.stop() }
        return LineWatch(asking.errors).line(with: "\(nowhere): connection refused") != nil
    }
}

private let places = ["--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060"]
/// An address on which no program listens.
private let nowhere = "127.0.0.1:1"

@Suite("The server of a trip", SharedEngine(), .timeLimit(.minutes(3)))
struct TripServerTests {
    @Test("a trip that was booked here is requested from its own server, by its name, its id or the end of it")
    func known() throws {
        let home = try OwnHome("endpoint = \"\(nowhere)\"\nplaintext = true\nprovider_url = \"http://\(nowhere)\"\n")
        try SharedEngine.with { grpc, http in
            let trip = try #require(
                try home.run(["book", "--provider-url", "http://\(http)", "--endpoint", grpc, "--plaintext"] + places).lines.first)
            let id = try #require(trip.split(separator: "/").last.map(String.init))
            for text in [trip, id, String(id.suffix(4))] {
                let outcome = try home.run(["status", text])
                #expect(outcome.status == 0 && outcome.lines.count == 1, "\(text): \(outcome.errors)")
            }
            #expect(try home.run(["status", String(id.suffix(3))]).status == 64)
            #expect(try home.run(["doctor", trip, "--json"]).lines.first?.contains(grpc) == true)
            let cancelled = try home.run(["cancel", id])
            #expect(cancelled.status == 0 && cancelled.lines == ["cancelled \(id)"], "\(cancelled.errors)")
            #expect(try home.run(["wait", id, "--until", "here"]).status == 2)
            #expect(try home.run(["follow", trip]).status == 2)
        }
    }

    @Test("an option, a variable and a chosen profile override the server where a trip was seen")
    func named() throws {
        let home = try OwnHome("[profiles.elsewhere]\nendpoint = \"\(nowhere)\"\nplaintext = true\n")
        try SharedEngine.with { grpc, http in
            let trip = try #require(
                try home.run(["book", "--provider-url", "http://\(http)", "--endpoint", grpc, "--plaintext"] + places).lines.first)
            let wait = ["wait", trip, "--until", "complete"]
            #expect(try home.run(["status", trip]).status == 0)
            #expect(try home.asksNowhere(["status", trip, "--endpoint", nowhere, "--plaintext"]))
            #expect(try home.asksNowhere(["status", trip, "--profile", "elsewhere"]))
            let variables = ["TRIPWATCH_ENDPOINT": nowhere, "TRIPWATCH_PLAINTEXT": "true"]
            #expect(try home.asksNowhere(["status", trip], with: variables))
            #expect(try home.run(["cancel", trip]).status == 0)
            #expect(try home.run(wait).status == 2)
        }
    }

    @Test("trips of two servers are not requested from one of them")
    func twoServers() throws {
        let home = try OwnHome()
        func book(_ grpc: String, _ http: String) throws -> String {
            try #require(
                try home.run(["book", "--provider-url", "http://\(http)", "--endpoint", grpc, "--plaintext"] + places).lines.first)
        }
        try SharedEngine.with { grpc, http in
            let first = try book(grpc, http)
            let second = try book("127.0.0.1:2", http)
            let outcome = try home.run(["follow", first, second])
            #expect(outcome.status == 64 && outcome.errors.contains(grpc) && outcome.errors.contains("127.0.0.1:2"), "\(outcome.errors)")
        }
    }

    @Test("the trip of a link is known after it was shared")
    func shared() throws {
        let home = try OwnHome()
        try SharedEngine.with { grpc, http in
            let trip = try #require(try Program().run(["book", "--provider-url", "http://\(http)"] + places).lines.first)
            let share = try Program().start(
                ["share", trip, "--http-port", "0", "--endpoint", grpc, "--plaintext"], setting: ["HOME": home.folder.path])
            #expect(share.line()?.hasPrefix(trip) == true)
            share.process.interrupt()
            share.waitForEnd()
            #expect(try home.run(["list"]).lines.first?.hasPrefix(trip) == true)
            #expect(try home.run(["status", trip]).status == 0)
        }
    }

    @Test("an invalid setting that chooses the server ends a command, and the message names its source")
    func unusable() throws {
        let keys = [
            "endpoint = \"foo:bar\"", "plaintext = \"yes\"", "ca = 7", "provider = \"a/b\"", "provider_url = \"ftp://a.example\"",
            "token_file = 1", "token_command = \"\\u0007\"", "token_url = \"http://a.example/{tripID}\"",
        ]
        for key in keys {
            let home = try OwnHome("theme = \"mono\"\n\(key)\n")
            let name = try #require(key.split(separator: " ").first)
            let outcome = try home.run(["status", "providers/p/trips/t"])
            #expect(outcome.status == 64 && outcome.lines.isEmpty, "\(key): \(outcome.errors)")
            #expect(outcome.errors.contains("\(home.configuration.path):2: \(name): "), "\(outcome.errors)")
        }
        let home = try OwnHome()
        let outcome = try home.run(["status", "providers/p/trips/t"], with: ["TRIPWATCH_ENDPOINT": "foo:bar"])
        #expect(outcome.status == 64 && outcome.errors.contains("TRIPWATCH_ENDPOINT: "), "\(outcome.errors)")
        try home.write("[profiles.other]\nendpoint = \"foo:bar\"\n")
        try SharedEngine.with { grpc, _ in
            let asked = try home.run(["status", "providers/p/trips/t", "--endpoint", grpc, "--plaintext"])
            #expect(asked.status == 3)
        }
        #expect(try home.run(["status", "providers/p/trips/t", "--profile", "other"]).status == 64)
        try home.write("endpoint = \"foo:bar\n")
        #expect(try home.run(["status", "providers/p/trips/t"]).status == 64)
    }

    @Test("any other invalid key gives a message, and the default is used")
    func otherKeys() throws {
        let home = try OwnHome("units = \"leagues\"\n")
        try SharedEngine.with { grpc, _ in
            let outcome = try home.run(["status", "providers/p/trips/t", "--endpoint", grpc, "--plaintext"])
            #expect(outcome.status == 3 && outcome.errors.contains("units"), "\(outcome.errors)")
        }
    }

    @Test("--local uses this machine's own server, and a table of that name changes it")
    func local() throws {
        let home = try OwnHome("endpoint = \"fleet.example:443\"\ntoken_command = \"echo x >> '$HOME/asked'; echo made-up\"\n")
        #expect(try home.asksNowhere(["status", "t", "--local", "--endpoint", nowhere]))
        #expect(try home.run(["status", "t", "--local", "--profile", "local"]).status == 64)
        try home.write("[profiles.local]\nendpoint = \"\(nowhere)\"\n")
        for words in [["--local"], ["--profile", "local"]] {
            #expect(try home.asksNowhere(["status", "t"] + words))
        }
    }

    @Test("--local and --profile override the variable, because they are flags")
    func flaggedProfile() throws {
        let server = "endpoint = \"\(nowhere)\"\nplaintext = true\n"
        let home = try OwnHome("[profiles.local]\n\(server)[profiles.mine]\n\(server)")
        let variable = ["TRIPWATCH_ENDPOINT": "127.0.0.1:2"]
        #expect(try home.asksNowhere(["status", "t", "--local"], with: variable))
        #expect(try home.asksNowhere(["status", "providers/p/trips/t", "-p", "mine"], with: variable))
        try SharedEngine.with { _, http in
            let booking = ["book", "--provider-url", "http://\(http)", "--endpoint", nowhere, "--plaintext"]
            let trip = try #require(try home.run(booking + places).lines.first)
            let follow = try Program().start(
                ["follow", "-p", "mine", "--output", "plain"], setting: ["HOME": home.folder.path].merging(variable) { $1 })
            defer { follow.stop() }
            #expect(LineWatch(follow.errors).line(with: "following \(trip) at \(nowhere).") != nil)
        }
    }

    @Test("without a name, follow takes the newest trip of the server that is set, and says if that server has none")
    func newestAtServer() throws {
        let home = try OwnHome()
        try SharedEngine.with { grpc, http in
            func book(at server: String) throws -> String {
                let booking = ["book", "--provider-url", "http://\(http)", "--endpoint", server, "--plaintext"]
                return try #require(try home.run(booking + places).lines.first)
            }
            let wanted = try book(at: grpc)
            #expect(try book(at: nowhere) != wanted)
            // localhost and 127.0.0.1 are both names of this machine.
            let server = grpc.replacing("127.0.0.1", with: "localhost")
            let follow = try Program().start(
                ["follow", "--endpoint", server, "--plaintext", "--output", "plain"], setting: ["HOME": home.folder.path])
            defer { follow.stop() }
            #expect(LineWatch(follow.errors).line(with: "following \(wanted) at \(server).") != nil)
            let none = try home.run(["follow", "--endpoint", "127.0.0.1:2", "--plaintext"])
            let words = "no trip to follow: this machine has no unfinished trip or shipment at 127.0.0.1:2 from the last 7 days."
            #expect(none.status == 64 && none.errors.contains(words), "\(none.errors)")
            let address = "https://rides.example"
            let wrong = try home.run(["follow", "--endpoint", address])
            #expect(wrong.status == 64 && !wrong.errors.contains("no trip to follow"), "\(wrong.errors)")
            #expect(wrong.errors.contains("the port of '\(address)' is not a number from 1 to 65535."), "\(wrong.errors)")
        }
    }

    @Test("the file's token is not sent to another server that an option or a variable names, and the message names its profile")
    func otherServer() throws {
        let home = try OwnHome()
        let asked = home.folder.appending(path: "asked").path
        let token = "token_command = \"echo x >> '\(asked)'; echo made-up\"\n"
        try SharedEngine.with { grpc, _ in
            let words = "tripwatch: \(grpc) is not the configured server, so the configured token is not sent. "
            let status = ["status", "providers/p/trips/t", "--plaintext"]
            try home.write("endpoint = \"\(nowhere)\"\n" + token)
            let option = try home.run(status + ["--endpoint", grpc])
            let advice = "Give --token-file, or a --profile that has a token for that server."
            #expect(option.status == 3 && option.errors.contains(words + advice), "\(option)")
            let variable = try home.run(status, with: ["TRIPWATCH_ENDPOINT": grpc])
            #expect(variable.status == 3 && variable.errors.contains(words), "\(variable)")
            // If the token is not sent, other options for the token are ignored, too.
            #expect(try home.run(status + ["--endpoint", grpc, "--token-key", "access_token"]).status == 3)
            // The profile `lab` has no token of its own, so it would use the token that must not be sent. Therefore the message does not
            // name this profile.
            let lab = "[profiles.lab]\nendpoint = \"\(grpc)\"\n"
            try home.write("endpoint = \"\(nowhere)\"\n\(token)\(lab)")
            #expect(try home.run(status + ["--endpoint", grpc]).errors.contains(words + advice))
            try home.write("endpoint = \"\(nowhere)\"\n\(token)\(lab)token_file = \"lab\"\n")
            let named = try home.run(status + ["--endpoint", grpc])
            #expect(named.errors.contains(words + "Give --profile lab, the profile for that server."), "\(named)")
            #expect(!FileManager.default.fileExists(atPath: asked))
            // If the file has no endpoint, its token is for the server that the option names.
            try home.write(token)
            let sent = try home.run(status + ["--endpoint", grpc])
            #expect(sent.status == 3 && !sent.errors.contains("is not sent"), "\(sent)")
            #expect(FileManager.default.fileExists(atPath: asked))
            // 127.0.0.1 and LocalHost are both names of this machine.
            try home.write("endpoint = \"\(grpc.replacing("127.0.0.1", with: "LocalHost"))\"\n" + token)
            let same = try home.run(status + ["--endpoint", grpc])
            #expect(same.status == 3 && !same.errors.contains("is not sent"), "\(same)")
        }
    }

    @Test("book without --follow sends no token: it says nothing about one, and options for its source do not hide the trip")
    func bookedWithoutToken() throws {
        let home = try OwnHome("endpoint = \"\(nowhere)\"\ntoken_file = \"none\"\n")
        try SharedEngine.with { grpc, http in
            let words = ["--provider-url", "http://\(http)", "--endpoint", grpc, "--plaintext", "--token-key", "access_token"]
            let booked = try home.run(["book"] + words + places)
            let trip = try #require(booked.lines.first)
            #expect(booked.status == 0 && !booked.errors.contains("is not sent"), "\(booked.errors)")
            #expect(try home.run(["list"]).lines.first?.hasPrefix(trip) == true)
        }
    }
}
