import Foundation
import Testing

@testable import ProgramHarness

@Suite("Installing from the sources", .timeLimit(.minutes(2)))
struct InstallTests {
    private static let script = Program.package.appending(path: "packaging/install").path

    private func install(_ arguments: [String], path: String = "/usr/bin:/bin", home: Folder) throws -> Program.Outcome {
        try Self.run("/bin/sh", [Self.script] + arguments, ["PATH": path, "HOME": home.path])
    }

    private static func run(_ program: String, _ arguments: [String], _ environment: [String: String]) throws -> Program.Outcome {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(separator: "\n")
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Program.Outcome(status: process.terminationStatus, lines: lines.map(String.init), errors: said)
    }

    @Test("a program is installed with its manual, completions and themes, and runs; a second installation replaces the first")
    func installed() throws {
        let home = try Folder()
        defer { withExtendedLifetime(home) {} }
        let prefix = home.path + "/new/prefix"
        let arguments = ["--program", Program.path, "--prefix", prefix]
        let outcome = try install(arguments, home: home)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.lines.suffix(2) == ["  export PATH=\"\(prefix)/bin:$PATH\"", "  tripwatch demo"])
        let files = [
            "bin/tripwatch", "share/man/man1/tripwatch.1.gz", "share/man/man1/tripwatch-follow.1.gz", "share/man/man5/tripwatch.toml.5.gz",
            "share/bash-completion/completions/tripwatch", "share/zsh/site-functions/_tripwatch",
            "share/fish/vendor_completions.d/tripwatch.fish", "share/tripwatch/themes/harbour-dark.toml",
        ]
        for file in files { #expect(FileManager.default.fileExists(atPath: prefix + "/" + file), "\(file)") }
        let version = try Self.run(prefix + "/bin/tripwatch", ["--version"], [:])
        #expect(version.lines == (try Program().run(["--version"]).lines))
        // If the shell already finds the program, only one command is printed: the next one to try.
        let again = try install(arguments, path: prefix + "/bin:/usr/bin:/bin", home: home)
        #expect(again.status == 0 && again.lines.last == "tripwatch: Done. Try it: tripwatch demo", "\(again.errors)")
    }

    @Test("without Swift, or with a version that is too old, nothing is built: the message states the version and the address")
    func noSwift() throws {
        let home = try Folder()
        defer { withExtendedLifetime(home) {} }
        let advice = "Get version 6.2 or newer from https://www.swift.org/install, then run this again.\n"
        try FileManager.default.createDirectory(atPath: home.path + "/bin", withIntermediateDirectories: true)
        let tools = ["dirname", "head", "id", "printf", "realpath", "sed", "sort"]
        for tool in tools {
            try FileManager.default.createSymbolicLink(atPath: home.path + "/bin/" + tool, withDestinationPath: "/usr/bin/" + tool)
        }
        let arguments = ["--prefix", home.path + "/prefix"]
        let none = try install(arguments, path: home.path + "/bin", home: home)
        #expect(none.status == 1 && none.errors == "tripwatch: Swift is not installed. \(advice)")
        let swift = home.path + "/bin/swift"
        try Data("#!/bin/sh\necho 'Swift version 5.10.1 (swift-5.10.1-RELEASE)'\n".utf8).write(to: URL(filePath: swift))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift)
        let old = try install(arguments, path: home.path + "/bin", home: home)
        #expect(old.status == 1 && old.errors == "tripwatch: Swift 5.10.1 is too old. \(advice)")
        #expect(!FileManager.default.fileExists(atPath: home.path + "/prefix"))
    }

    @Test(
        "a wrong option is a usage error, a missing program is a failure",
        arguments: [
            (["--nosuch"], 64, "packaging/install has no option '--nosuch'."), (["--prefix"], 64, "--prefix needs a value."),
            (["--program", "/nosuch/program"], 1, "/nosuch/program is not an executable file."),
        ] as [([String], Int32, String)])
    func wrong(arguments: [String], status: Int32, sentence: String) throws {
        let outcome = try install(arguments, home: try Folder())
        #expect(outcome.status == status && outcome.errors.hasPrefix("tripwatch: \(sentence)"), "\(outcome.errors)")
    }

    @Test("the help lists every option of the script")
    func help() throws {
        let text = try install(["--help"], home: try Folder()).lines.joined(separator: "\n")
        for option in ["--prefix DIR", "--debug", "--program FILE", "--packages", "--help"] { #expect(text.contains(option)) }
    }

    @Test("the packages for a build are listed only once: the script and .ci/run read the same file")
    func packages() throws {
        for script in ["packaging/install", ".ci/run"] {
            let text = try String(contentsOf: Program.package.appending(path: script), encoding: .utf8)
            #expect(text.contains("sed '/^#/d' packaging/packages") && !text.contains("libncurses-dev"), "\(script)")
        }
    }

    @Test("the installation scripts are plain POSIX shell", arguments: ["install", "files"])
    func posix(name: String) throws {
        let path = Program.package.appending(path: "packaging/\(name)").path
        let checked = try Self.run("/bin/sh", ["-n", path], [:])
        #expect(checked.status == 0, "\(checked.errors)")
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/shellcheck") else { return }
        let found = try Self.run("/usr/bin/shellcheck", ["--shell", "sh", path], [:])
        #expect(found.status == 0, "\(found.lines.joined(separator: "\n"))")
    }
}
