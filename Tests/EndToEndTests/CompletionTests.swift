import FleetEngineAPI
import Foundation
import SwiftProtobuf
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("Completions of shells", .timeLimit(.minutes(2)))
struct CompletionTests {
    /// Runs a script in a shell that finds the program by its name alone.
    private func run(_ shell: String, _ script: String, home: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/" + shell)
        process.arguments = (shell == "zsh" ? ["-f"] : shell == "bash" ? ["--norc"] : ["--no-config"]) + ["-c", script]
        let folder = URL(filePath: Program.path).deletingLastPathComponent().path
        process.environment = Program().environment.merging(["PATH": folder + ":/usr/bin:/bin", "HOME": home]) { $1 }
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    /// Asks bash for the completions of several inputs. Returns one line for each input.
    /// - Parameter beginning: a command that runs first.
    private func bash(_ questions: [String], home: String, after beginning: String = ":") throws -> [String] {
        let asking = """
            \(beginning)
            source <(tripwatch completion bash)
            offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=(); COMP_TYPE=9
                _tripwatch "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"; echo "${COMPREPLY[*]}"; }

            """
        let script = asking + questions.map { "offer tripwatch \($0)" }.joined(separator: "\n")
        return try run("bash", script, home: home).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("bash offers commands, options and themes")
    func bash() throws {
        let home = try Folder()
        let lines = try bash(["fol", "map --pain", "map --theme harbour-l"], home: home.path)
        #expect(lines.first?.contains("follow") == true, "\(lines)")
        #expect(lines.dropFirst().first?.contains("--painter") == true, "\(lines)")
        #expect(lines.dropFirst(2).first?.contains("harbour-light") == true, "\(lines)")
    }

    @Test("bash offers the values of arguments: themes, files, keys and their values, pages of the manual")
    func values() throws {
        let home = try Folder()
        try Data().write(to: URL(filePath: home.path + "/mine.toml"))
        try FileManager.default.createDirectory(atPath: home.path + "/.config/tripwatch", withIntermediateDirectories: true)
        _ = try home.write(".config/tripwatch/config.toml", "[profiles.laptop]\ninterval = 7\n")
        let questions = [
            "themes show harbour-l", "themes check \(home.path)/mi", "config set the", "config set theme harbour-l",
            "config set plaintext t",
            "config unset alert_", "man tok", "man token mi", "help fol", "help k", "config use lap", "config use ''",
            "serve --tls-cert \(home.path)/mi", "serve --keys \(home.path)/.con", "follow --log \(home.path)/mi",
            "serve restore \(home.path)/mi", "serve backup --database \(home.path)/mi", "serve rest",
        ]
        let lines = try bash(questions, home: home.path)
        let wanted = [
            "harbour-light", home.path + "/mine.toml", "theme", "harbour-light", "true", "alert_by", "token", "mint", "follow", "keys",
            "laptop", "local", home.path + "/mine.toml", home.path + "/.config", home.path + "/mine.toml", home.path + "/mine.toml",
            home.path + "/mine.toml", "restore",
        ]
        #expect(lines.prefix(questions.count).count == wanted.count)
        for (index, (line, word)) in zip(lines, wanted).enumerated() {
            #expect(line.split(separator: " ").contains(Substring(word)), "\(questions[index]): \(line)")
        }
    }

    @Test("after serve restore, bash and fish offer files instead of subcommands; after share end, bash offers no trips")
    func subcommands() throws {
        let home = try Folder()
        try keep(["t"], in: home)
        let asked = try bash(["serve restore ''", "share ''", "share end ''"], home: home.path)
        #expect(asked.first?.contains("backup") == false && asked.dropFirst().first == "providers/p/trips/t", "\(asked)")
        #expect(asked.dropFirst(2).first?.contains("providers/") == false, "\(asked)")
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/fish") else { return }
        _ = try home.write("copy.db", "")
        let script = "cd $HOME; tripwatch completion fish | source; complete -C 'tripwatch serve restore cop'"
        #expect(try run("fish", script, home: home.path).contains("copy.db"))
    }

    /// Writes a list of known trips with these ids.
    private func keep(_ ids: [String], in home: Folder) throws {
        try FileManager.default.createDirectory(atPath: home.path + "/.local/state/tripwatch", withIntermediateDirectories: true)
        let seen = Date().timeIntervalSince1970
        let trips = ids.map { id in
            #"{"name":"providers/p/trips/\#(id)","status":"NEW","opened":\#(seen),"seen":\#(seen),"#
                + #""endpoint":"127.0.0.1:1","plaintext":true}"#
        }
        _ = try home.write(".local/state/tripwatch/trips.json", "[\(trips.joined(separator: ","))]")
    }

    @Test("bash offers a name that looks like a command as it is, and does not run it")
    func commandsAsNames() throws {
        let home = try Folder()
        let names = ["$(touch pwned)", "it's $HOME & co"].map { "providers/p/trips/" + $0 }
        try keep(["$(touch pwned)", "it's $HOME & co", "`touch pwned`"], in: home)
        let asked = try bash(["follow ''", "share ''"], home: home.path, after: "cd $HOME")
        #expect(asked.count > 2)
        // A name with a backtick is not offered, because bash would put it on the command line without quotes.
        for line in asked.prefix(2) { #expect(names.allSatisfy { line.contains($0) } && !line.contains("`"), "\(line)") }
        #expect(!FileManager.default.fileExists(atPath: home.path + "/pwned"))
    }

    @Test(
        "help for an unknown command is a usage error, for a known one it is the help",
        arguments: [
            (["nope"], "'tripwatch --help' lists the commands."),
            (["token", "nope"], "'tripwatch token --help' lists the commands."),
            (["token", "mnit"], "did you mean 'token mint'?"),
            (["follow", "x"], "'tripwatch follow --help' lists the options of 'follow'."),
        ])
    func help(words: [String], advice: String) throws {
        let outcome = try Program().run(["help"] + words)
        #expect(outcome.status == 64 && outcome.lines.isEmpty)
        #expect(outcome.errors == "tripwatch: there is no command '\(words.joined(separator: " "))': \(advice)\n")
        let known = try Program().run(["help", "token", "mint"])
        #expect(known.status == 0 && known.lines.contains { $0.hasPrefix("USAGE: tripwatch token mint") })
    }

    @Test("fish offers commands and options", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish")))
    func fish() throws {
        let home = try Folder()
        let script = """
            tripwatch completion fish | source; complete -C 'tripwatch fol'; complete -C 'tripwatch map --pain'; \
            complete -C 'tripwatch help dri'
            """
        let text = try run("fish", script, home: home.path)
        #expect(text.contains("follow") && text.contains("--painter") && text.contains("drive"), "\(text)")
    }

    @Test("completion prints the same as the parser's own option", arguments: ["bash", "zsh", "fish"])
    func command(shell: String) throws {
        let script = try Program().run(["completion", shell])
        #expect(script.status == 0 && script.lines.count > 100, "\(script.errors)")
        #expect(script.lines == (try Program().run(["--generate-completion-script", shell]).lines))
    }

    @Test("an unknown shell is a usage error that lists the known ones")
    func unknownShell() throws {
        let outcome = try Program().run(["completion", "csh"])
        #expect(outcome.status == 64 && outcome.lines.isEmpty)
        for shell in ["csh", "bash", "zsh", "fish"] { #expect(outcome.errors.contains(shell), "\(outcome.errors)") }
    }

    @Test("the script for fish contains nothing that fish 3.3 cannot read")
    func oldFish() throws {
        let script = try Program().run(["completion", "fish"])
        let text = script.lines.joined(separator: "\n")
        #expect(script.status == 0 && text.hasPrefix("function ") && !text.contains("$("), "\(text.prefix(200))")
    }

    @Test("zsh accepts the script", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh")))
    func zsh() throws {
        let home = try Folder()
        let script = """
            mkdir $HOME/f; tripwatch completion zsh > $HOME/f/_tripwatch; fpath=($HOME/f $fpath)
            autoload -U compinit && compinit -u -d $HOME/dump; whence -w _tripwatch; autoload +X _tripwatch && echo loaded
            """
        let text = try run("zsh", script, home: home.path)
        #expect(text.contains("_tripwatch: function") && text.contains("loaded"), "\(text)")
    }

    @Test("bash offers the trips that were followed on this machine")
    func trips() async throws {
        let home = try Folder()
        let path = home.path
        defer { withExtendedLifetime(home) {} }
        let name = "providers/demo/trips/ride-1"
        let engine = ScriptedFleetEngine { _, _, _ in
            .with {
                $0.name = name
                $0.tripStatus = .complete
            }
        }
        try await engine.serve { port in
            try await background {
                let follow = ["follow", name, "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--output", "json"]
                let followed = try Program().run(follow, setting: ["HOME": path])
                #expect(followed.status == 0)
                let offered = try bash(["status providers/", "follow ''"], home: path)
                #expect(offered.prefix(2) == [name, name], "\(offered)")
            }
        }
    }

    @Test("bash offers the vehicles of the server on the line, or else in the configuration, and none if the server is down")
    func vehicles() throws {
        let home = try Folder()
        let seed = """
            {"version":1,"trips":[],"vehicles":[\(["car-2", "car-1"].map { id in
                """
                {"name":"providers/demo/vehicles/\(id)","vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],
                "maximumCapacity":4,"vehicleType":{"category":"AUTO"}}
                """
            }.joined(separator: ","))]}
            """
        let file = home.path + "/seed.json"
        try Data(seed.utf8).write(to: URL(filePath: file))
        let server = try LocalServer(options: ["--seed", file])
        let line = server.connection.joined(separator: " ")
        let asked = try bash(["drive \(line) --vehicle ''", "phone ''"], home: home.path)
        #expect(asked.prefix(2) == ["car-1 car-2", ""], "\(asked)")
        let folder = home.path + "/.config/tripwatch"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let configuration = "endpoint = \"\(server.connection[1])\"\nplaintext = true\nprovider = \"demo\"\n"
        try Data(configuration.utf8).write(to: URL(filePath: folder + "/config.toml"))
        let configured = try bash(["phone ''", "token mint --vehicle ''"], home: home.path)
        #expect(configured.prefix(2) == ["car-1 car-2", "car-1 car-2"], "\(configured)")
        server.stop()
        let away = try bash(["phone ''"], home: home.path)
        #expect(away.first == "", "\(away)")
    }
}
