import Foundation
import Glibc
import Testing

@testable import ProgramHarness

@Suite("The configuration file", .timeLimit(.minutes(2)))
final class ConfigTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-\(UUID().uuidString)").resolvingSymlinksInPath()
    private var file: URL { folder.appending(path: "tripwatch/config.toml") }
    private var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @discardableResult
    private func run(_ arguments: String..., with more: [String: String] = [:]) throws -> Program.Outcome {
        try Program().run(arguments, setting: ["XDG_CONFIG_HOME": folder.path].merging(more) { $1 })
    }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test("check reports a theme that does not exist, and one with faults")
    func themes() throws {
        try write("theme = \"harbor-dark\"\n")
        let missing = try run("config", "check")
        #expect(missing.status == 1)
        #expect(missing.lines.first?.hasPrefix("config.toml: theme: there is no theme \"harbor-dark\" (did you mean") == true)
        let themes = file.deletingLastPathComponent().appending(path: "themes")
        try FileManager.default.createDirectory(at: themes, withIntermediateDirectories: true)
        try Data("inherits = \"min\"\ncard = { bold = \"yes\" }\n".utf8).write(to: themes.appending(path: "mine.toml"))
        try write("theme = \"mine\"\n")
        let faulty = try run("config", "check")
        #expect(faulty.status == 1 && faulty.lines.count >= 2, "\(faulty.lines)")
        // A theme that refers to another theme is not offered as a suggestion.
        #expect(faulty.lines.contains { $0.contains("there is no theme \"min\"") && !$0.contains("mine,") && !$0.contains("\"mine\"?") })
        try write("theme = \"mono\"\n")
        #expect(try run("config", "check").status == 0)
    }

    @Test(
        "a server does not start if anything in the file is wrong, because it could lose its database",
        arguments: [
            ("keep_rides = 20 rides", "config.toml:2: the line must end here"), ("databse = \"b.sqlite\"", "config.toml:2: databse: "),
            ("theme = 5", "config.toml:2: theme: "), ("profile = \"prodd\"", "config.toml:2: profile: there is no profile \"prodd\""),
        ])
    func server(line: String, start: String) throws {
        try write("database = \"engine.sqlite\"\n\(line)\n")
        let served = try run("serve", "--exec", "echo served")
        #expect(served.status == 64 && served.lines.isEmpty, "\(served)")
        #expect(served.errors.hasPrefix("tripwatch: \(file.deletingLastPathComponent().path)/\(start)"), "\(served.errors)")
        #expect(served.errors.hasSuffix(" No server was started.\n") && served.errors.split(separator: "\n").count == 1)
        for (command, end) in [("backup", " Nothing was copied.\n"), ("restore", " Nothing was restored.\n")] {
            let refused = try run("serve", command, "copy.sqlite")
            #expect(refused.status == 64 && refused.errors.hasSuffix(end), "\(refused)")
        }
        // Commands that do not call a server report the fault, but still run.
        #expect(try run("map", "--dump", "--size", "60x8").status == 0)
        #expect(try run("config", "check").status == 1)
    }

    @Test("a variable with a wrong value also keeps a server from starting")
    func serverVariable() throws {
        let served = try run("serve", "--exec", "echo served", with: ["TRIPWATCH_MANUAL": "maybe"])
        #expect(served.status == 64 && served.lines.isEmpty && served.errors.hasPrefix("tripwatch: TRIPWATCH_MANUAL: "), "\(served)")
    }

    @Test("serve backup and serve restore with --database report a mistake in the file, and continue")
    func namedDatabase() throws {
        try write("theme = \"mono\"\n")
        let (database, copy) = (folder.appending(path: "engine.sqlite").path, folder.appending(path: "copy.sqlite").path)
        #expect(try run("serve", "--database", database, "--exec", "true").status == 0)
        try write("theme = 5\n")
        let copied = try run("serve", "backup", copy, "--database", database)
        let restored = try run("serve", "--database", database, "restore", copy)
        for outcome in [copied, restored] {
            #expect(outcome.status == 0 && outcome.errors.contains("line 1: theme"), "\(outcome)")
        }
    }

    @Test("a pipe in place of the file is reported, and the program does not wait for it")
    func pipe() throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try #require(mkfifo(file.path, 0o600) == 0)
        for words in [["config", "check"], ["status", "providers/demo/trips/made-up"]] {
            let outcome = try Program().run(words, setting: ["XDG_CONFIG_HOME": folder.path])
            #expect(outcome.status == 1 && outcome.errors.contains("is a pipe. Replace it with a file."), "\(outcome)")
        }
    }

    @Test("a link to a missing file or folder is reported, and no server starts without its settings")
    func brokenLinks() throws {
        for link in [file, file.deletingLastPathComponent()] {
            try? FileManager.default.removeItem(at: file.deletingLastPathComponent())
            try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.appending(path: "missing"))
            for words in [["config", "check"], ["serve", "--exec", "echo served"]] {
                let outcome = try Program().run(words, setting: ["XDG_CONFIG_HOME": folder.path])
                #expect(outcome.status == 1 && outcome.lines.isEmpty, "\(outcome)")
                #expect(outcome.errors == "tripwatch: \(link.path) is a symbolic link whose target is missing.\n", "\(outcome)")
            }
        }
    }

    @Test("there is no file at first; set creates it, with an explanation of every key, and only its owner can read it")
    func first() throws {
        #expect(try run("config", "path").lines == [file.path])
        let check = try run("config", "check")
        #expect(check.status == 0 && check.errors.contains("does not exist yet"))
        #expect(try run("config", "set", "theme", "mono").status == 0)
        let standard = try run("config", "default").lines
        let written = try text.split(separator: "\n").map(String.init)
        #expect(zip(standard, written).filter { $0 != $1 }.map(\.1) == ["theme = \"mono\""])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // The program keeps the permissions that the owner has set for the file.
        chmod(file.path, 0o640)
        #expect(try run("config", "unset", "theme").status == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        #expect(try text.split(separator: "\n").map(String.init) == standard)
    }

    @Test("the drafts of programs that were killed while writing are removed by the next write; other programs' drafts remain")
    func drafts() throws {
        try write("theme = \"mono\"\n")
        let ended = Process()
        ended.executableURL = URL(filePath: "/bin/true")
        try ended.run()
        ended.waitUntilExit()
        let names = ["\(ended.processIdentifier)", "\(getpid())", "mine", "-1", "0"].map { "config.toml.\($0).draft" }
        let folder = file.deletingLastPathComponent()
        for name in names { try Data("theme = ".utf8).write(to: folder.appending(path: name)) }
        #expect(try run("config", "set", "theme", "harbour-dark").status == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(left) == Set(["config.toml"] + names.dropFirst()), "\(left)")
        #expect(try text == "theme = \"harbour-dark\"\n")
    }

    @Test("a base map is remembered however it was given; an option has priority, and a missing file gives a message and stops nothing")
    func baseMap() throws {
        #expect(try run("map", "--dump", "--size", "60x8").lines.last?.contains("invented town") == true)
        let refused = try run("config", "set", "basemap", "nowhere.pmtiles")
        #expect(refused.status == 64 && refused.errors.contains("does not exist"), "\(refused.errors)")
        let town = Program.package.appending(path: "Sources/CTown/town.pmtiles").path
        #expect(try run("config", "set", "basemap", town).status == 0)
        #expect(try text.contains("basemap = \"\(town)\""))
        try write("basemap = \"/proc/absent/nowhere.pmtiles\"\n")
        let check = try run("config", "check")
        #expect(check.status == 1 && check.lines.count == 1)
        #expect(check.lines.first?.hasPrefix("config.toml: basemap: the file ") == true, "\(check.lines)")
        let gone = try run("map", "--dump", "--size", "60x8")
        #expect(gone.status == 0 && gone.lines.last?.contains("invented town") == true)
        #expect(gone.errors.hasPrefix("tripwatch: configuration: basemap is ignored: ") && gone.errors.split(separator: "\n").count == 1)
        #expect(try run("map", "--dump", "--basemap", "nowhere.pmtiles").status == 1)
        for word in ["town", "demo"] {
            #expect(try run("map", "--dump", "--size", "60x8", "--basemap", word).lines.last?.contains("invented town") == true)
        }
        try run("config", "set", "basemap", "none")
        #expect(try !run("map", "--dump", "--size", "60x8").lines.contains { $0.contains("invented town") })
    }

    @Test("colours in the file are for terminals: a dumped map has them only with an option")
    func colors() throws {
        try write("colors = \"256\"\n")
        #expect(try !run("map", "--dump", "--size", "60x8").lines.joined().contains("\u{1b}"))
        #expect(try run("map", "--dump", "--size", "60x8", "--colors", "16").lines.joined().contains("\u{1b}"))
    }

    @Test("a link remains a link, and comments and other lines remain unchanged")
    func links() throws {
        try write("# mine\nunits = \"us\"   # miles\n\n[profiles.lab]\nunits = \"uk\"\n")
        let elsewhere = folder.appending(path: "dotfiles.toml")
        try FileManager.default.moveItem(at: file, to: elsewhere)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
        #expect(try run("config", "set", "units", "metric").status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == elsewhere.path)
        #expect(try text == "# mine\nunits = \"metric\"   # miles\n\n[profiles.lab]\nunits = \"uk\"\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["dotfiles.toml", "tripwatch"])
    }

    @Test("a mistake in the file makes check exit with 1 and set with 64, and stops no other command")
    func wrong() throws {
        try write("theme = 7\ncolours = 16\n")
        let check = try run("config", "check")
        #expect(check.status == 1 && check.lines.count == 2, "\(check.lines)")
        let frame = try run("map", "--dump", "--size", "40x6")
        #expect(frame.status == 0 && frame.lines.count == 6)
        #expect(frame.errors.contains("line 1: theme") && frame.errors.contains("line 2: colours"))
        let refused = try run("config", "set", "units", "leagues")
        #expect(refused.status == 64 && refused.errors.contains("metric"))
        #expect(try run("config", "set", "colours", "16").errors.contains("did you mean \"colors\"?"))
        #expect(try text == "theme = 7\ncolours = 16\n")
        #expect(try run("map", "--dump", "--profile", "lab").status == 64)
        try write("theme = \"mono")
        #expect(try run("map", "--dump", "--size", "40x6").status == 0)
        #expect(try run("config", "set", "units", "us").status == 64)
    }

    @Test("set refuses what check would report: a missing theme, a missing file, a server without a port")
    func refused() throws {
        for (key, value, words) in [
            ("theme", "harbour-drak", "(did you mean \"harbour-dark\"?)"), ("ca", "/proc/absent/ca.pem", "does not exist"),
            ("endpoint", "localhost", "HOST:PORT"), ("profile", "lab", "there is no profile"),
        ] {
            let outcome = try run("config", "set", key, value)
            #expect(outcome.status == 64 && outcome.errors.contains(words), "\(key): \(outcome.errors)")
        }
        #expect(try !FileManager.default.fileExists(atPath: file.path) || !text.contains("\ntheme ="))
        #expect(try run("config", "set", "theme", "harbour-dark").errors.isEmpty)
    }

    @Test("get and list show the values in effect and their sources, and use chooses a profile")
    func reading() throws {
        try write("units = \"us\"\ntoken_command = \"pass rides\"\n[profiles.lab]\nunits = \"uk\"\n")
        #expect(try run("config", "get", "units").lines == ["us"])
        #expect(try run("config", "get", "units", "--profile", "lab").lines == ["uk"])
        #expect(try run("config", "get", "units", with: ["TRIPWATCH_UNITS": "metric"]).lines == ["metric"])
        #expect(try run("config", "get", "token_command").lines == ["pass rides"])
        #expect(try run("config", "get", "endpoint", "--local").lines == ["127.0.0.1:50051"])
        let unset = try run("config", "get", "theme")
        #expect(unset.status == 1 && unset.lines.isEmpty && unset.errors.contains("theme is not set"), "\(unset.errors)")
        #expect(try run("config", "get", "colours").status == 64)
        let list = try run("config", "list", with: ["TRIPWATCH_THEME": "mono"]).lines
        #expect(list == ["token_command = …  (config.toml)", "theme = mono  (TRIPWATCH_THEME)", "units = us  (config.toml)"])
        #expect(try run("config", "use", "nobody").status == 64)
        #expect(try run("config", "use", "lab").status == 0)
        #expect(try run("config", "get", "units").lines == ["uk"])
        #expect(try run("config", "use", "local").status == 0)
        #expect(try run("config", "get", "provider").lines == ["demo"])
    }

    @Test("get and list report what is wrong, refuse an unknown profile, and print lists and tables as TOML")
    func readingFaults() throws {
        try write("endpoint = \"a.example:1\"\nunits = \"leagues\"\n")
        for words in [["list"], ["get", "endpoint"]] {
            let unknown = try Program().run(["config"] + words + ["-p", "nope"], setting: ["XDG_CONFIG_HOME": folder.path])
            #expect(unknown.status == 64 && unknown.lines.isEmpty && unknown.errors.contains("no profile \"nope\""), "\(unknown)")
        }
        let units = try run("config", "get", "units")
        #expect(units.status == 1 && units.errors.contains("line 2: units: \"leagues\" is not allowed"), "\(units)")
        #expect(!units.errors.contains("is not set"), "\(units)")
        let wrong = try run("config", "list", with: ["TRIPWATCH_ENDPOINT": "x:y"])
        #expect(wrong.status == 0 && wrong.lines.isEmpty && wrong.errors.contains("TRIPWATCH_ENDPOINT: \"x:y\" is not allowed"), "\(wrong)")
        let flagged = try run("config", "get", "endpoint", "--local", with: ["TRIPWATCH_ENDPOINT": "b.example:2"])
        #expect(flagged.lines == ["127.0.0.1:50051"])
        try write("[keys]\ntheme = \"T\"\n[[hooks]]\nurl = \"https://a.example/b\"\nwhen = \"here=off\"\n[[hooks]]\ncommand = \"say hi\"\n")
        let hooks = #"[{ url = "https://a.example/b", when = "here=off" }, { command = "say hi" }]"#
        #expect(try run("config", "get", "hooks").lines == [hooks])
        #expect(try run("config", "get", "keys").lines == [#"{ theme = "T" }"#])
        #expect(try run("config", "set", "alerts", "[]").status == 0)
        #expect(try run("config", "get", "alerts").lines == ["[]"])
    }

    @Test("edit opens the file in the user's editor, and checks it afterwards")
    func edit() throws {
        let editor = folder.appending(path: "an editor")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("#!/bin/sh\necho 'units = \"'$1'\"' > \"$2\"\n".utf8).write(to: editor)
        chmod(editor.path, 0o700)
        let good = try run("config", "edit", with: ["VISUAL": "'\(editor.path)' us", "EDITOR": "false"])
        #expect(try good.status == 0 && text == "units = \"us\"\n", "\(good.errors)")
        let wrong = try run("config", "edit", with: ["EDITOR": "'\(editor.path)' leagues"])
        #expect(wrong.status == 1 && wrong.lines.first?.contains("units") == true)
        #expect(try run("config", "edit", with: ["EDITOR": "false"]).errors.contains("ended with an error"))
    }

    @Test("a variable overrides the file, an option overrides both, and a profile that a variable names must exist")
    func variables() throws {
        try write("endpoint = \"127.0.0.1:1\"\nplaintext = true\n")
        let ask = ["status", "providers/p/trips/t"]
        // The first failure is reported immediately, and the report names the server.
        func endpoint(_ arguments: [String] = [], _ variables: [String: String] = [:]) throws -> String {
            let asking = try Program().start(ask + arguments, setting: ["XDG_CONFIG_HOME": folder.path].merging(variables) { $1 })
            defer { asking.stop() }
            return asking.errorLine() ?? ""
        }
        #expect(try endpoint().contains("127.0.0.1:1"))
        #expect(try endpoint([], ["TRIPWATCH_ENDPOINT": "127.0.0.1:2"]).contains("127.0.0.1:2"))
        #expect(try endpoint(["--endpoint", "127.0.0.1:3"], ["TRIPWATCH_ENDPOINT": "127.0.0.1:2"]).contains("127.0.0.1:3"))
        let missing = try Program().run(ask, setting: ["XDG_CONFIG_HOME": folder.path, "TRIPWATCH_PROFILE": "lab"])
        #expect(
            missing.status == 64 && missing.errors.hasPrefix("tripwatch: TRIPWATCH_PROFILE: there is no profile \"lab\""),
            "\(missing.errors)")
    }

    @Test("server, provider and token source come from the file; the environment overrides it, and options override both")
    func connection() throws {
        let server = try Program().start(["serve", "--grpc-port", "0", "--http-port", "0"])
        defer { server.stop() }
        let words = try #require(server.line()).split(separator: " ")
        let grpc = try #require(words.first { $0.hasPrefix("grpc=") }).dropFirst(5)
        let http = try #require(words.first { $0.hasPrefix("http=") }).dropFirst(5)
        try write(
            """
            profile = "lab"
            provider = "nobody"
            [profiles.lab]
            endpoint = "\(grpc)"
            plaintext = true
            provider = "demo"
            provider_url = "http://\(http)"
            token_file = "no-such-token"
            """)
        let trip = try #require(try run("book", "--from", "-33.8650,151.2050", "--to", "-33.8660,151.2060").lines.first)
        let id = try #require(trip.split(separator: "/").last.map(String.init))
        let token = ["TRIPWATCH_TOKEN": "made-up"]
        #expect(try run("status", id, with: token).lines == ["◦ looking for a car"])
        #expect(try run("status", id).status == 4)
        #expect(try run("status", id, "--provider", "other", with: token).status == 3)
        #expect(try run("status", id, "--profile", "", "--endpoint", String(grpc), "--plaintext", with: token).status == 3)
        #expect(try run("token", "inspect").errors.contains("no-such-token"))
        #expect(try run("cancel", id).lines == ["cancelled \(id)"])
    }
}
