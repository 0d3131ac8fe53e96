import Foundation
import Testing

@testable import ProgramHarness

@Suite("The manual")
struct ManualTests {
    /// Returns the names of all commands in the help text.
    private func commands() throws -> [String] {
        let help = try Program().run(["--help"]).lines
        let start = try #require(help.firstIndex { $0.hasPrefix("SUBCOMMANDS:") })
        let names = help[(start + 1)...].filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  See") }
        return names.compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test("every command has a page, and the program's own page names them all")
    func pages() throws {
        let commands = try commands()
        #expect(commands.contains("follow") && commands.contains("man"))
        let list = try Program().run(["man", "--list"]).lines
        let first = try Program().run(["man"])
        #expect(first.status == 0)
        // The page writes TRIPWATCH_*, not a placeholder such as TRIPWATCH_KEY. If a user set a variable of that name, `serve` would take it
        // for a typo and not start.
        #expect(first.lines.contains("\\fBTRIPWATCH_*\\fR"))
        for command in commands {
            #expect(list.contains { $0.hasPrefix("tripwatch-\(command) (1)  ") }, "\(command) is not in the list")
            #expect(first.lines.contains("\\fB\(command)\\fR"), "\(command) is not on the page")
        }
        for page in ["tripwatch.toml (5)", "tripwatch-theme (5)", "tripwatch-token-mint (1)"] {
            #expect(list.contains { $0.hasPrefix(page) }, "\(page)")
        }
        // The page `tripwatch.toml` is also found by the name of the file that it describes, `config.toml`.
        let configuration = try Program().run(["man", "config.toml"])
        let named = try Program().run(["man", "tripwatch.toml"])
        #expect(configuration.status == 0 && configuration.lines == named.lines)
    }

    @Test("a page contains the help of its command", arguments: [["follow"], ["token", "mint"], ["serve"]])
    func options(command: [String]) throws {
        let help = try Program().run(command + ["--help"]).lines
        let page = try Program().run(["man"] + command).lines.joined(separator: "\n")
        let words = help.filter { $0.hasPrefix("  -") }.flatMap { $0.split(separator: " ") }
        let flags = words.filter { $0.hasPrefix("--") && $0.dropFirst(2).allSatisfy { $0.isLetter || $0 == "-" } }
        #expect(flags.count > 5)
        for flag in flags { #expect(page.contains(flag.replacingOccurrences(of: "-", with: "\\-")), "\(flag)") }
    }

    @Test("a flag and its negative form are one entry, as in the help; a negative flag without a positive one has its own")
    func negativeFlags() throws {
        func entries(_ command: String) throws -> [String] {
            try Program().run(["man", command]).lines.filter { $0.hasPrefix("\\fB\\-\\-") }.map {
                $0.replacing("\\fB", with: "").replacing("\\fR", with: "").replacing("\\-", with: "-")
            }
        }
        let follow = try entries("follow")
        #expect(follow.filter { $0.contains("mouse") } == ["--mouse/--no-mouse"])
        #expect(follow.filter { $0.contains("plaintext") } == ["--plaintext/--no-plaintext"])
        #expect(try entries("share").contains("--no-route"))
    }

    @Test("groff reports no error in any page", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
    func groff() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripwatch-man-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try Program().run(["man", "--directory", folder.path]).status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files.count == (try Program().run(["man", "--list"]).lines.count))
        for file in files {
            let (text, complaints) = try rendered(folder.appending(path: file).path)
            #expect(complaints.isEmpty, "\(file): \(complaints)")
            #expect(text.contains("SEE ALSO") || text.contains("DESCRIPTION"))
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(file)")
        }
    }

    private func rendered(_ path: String) throws -> (text: String, complaints: String) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/groff")
        process.arguments = ["-man", "-Tutf8", "-ww", "-P-c", "-P-b", "-P-u", "-rLL=80n", path]
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: text, as: UTF8.self), String(decoding: complaints, as: UTF8.self))
    }

    @Test("a missing page is a usage error that says how to find others")
    func missing() throws {
        let outcome = try Program().run(["man", "nosuch"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("there is no page 'nosuch'") && outcome.errors.contains("man --list"))
    }
}
