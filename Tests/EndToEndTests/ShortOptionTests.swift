import Foundation
import Testing

@testable import ProgramHarness

@Suite("Options that other programs have too", .timeLimit(.minutes(2)))
struct ShortOptionTests {
    @Test("-V prints the version as --version does")
    func version() throws {
        let short = try Program().run(["-V"])
        #expect(short.status == 0 && short.errors.isEmpty)
        let long = try Program().run(["--version"])
        #expect(short.lines.count == 1 && short.lines == long.lines)
    }

    @Test("-q omits messages on stderr that are not errors, and keeps errors")
    func quiet() throws {
        let home = try Folder()
        defer { withExtendedLifetime(home) {} }
        let said = try Program().run(["list"], setting: ["HOME": home.path])
        #expect(said.status == 0 && !said.errors.isEmpty)
        for option in ["-q", "--quiet"] {
            let quiet = try Program().run(["list", option], setting: ["HOME": home.path])
            #expect(quiet.status == 0 && quiet.errors.isEmpty && quiet.lines == said.lines, "\(quiet.errors)")
        }
        let wrong = try Program().run(["replay", home.path + "/nosuch.trip", "-q"])
        #expect(wrong.status == 1 && wrong.errors.hasPrefix("tripwatch: "), "\(wrong.errors)")
    }

    @Test("-v writes the log to stderr as --log - does")
    func verbose() throws {
        let home = try Folder()
        defer { withExtendedLifetime(home) {} }
        for options in [["-v"], ["--verbose"], ["--log", "-"]] {
            let outcome = try Program().run(["list"] + options, setting: ["HOME": home.path])
            #expect(outcome.status == 0 && outcome.errors.contains("command=list"), "\(outcome.errors)")
        }
    }

    @Test("-p chooses a profile as --profile does, for every command that reads the configuration")
    func profile() throws {
        let home = try Folder()
        defer { withExtendedLifetime(home) {} }
        for option in ["-p", "--profile"] {
            let outcome = try Program().run(["config", "check", option, "nosuch"], setting: ["HOME": home.path])
            #expect(outcome.status != 0 && outcome.errors.contains("nosuch"), "\(outcome.errors)")
        }
    }

    @Test(
        "contradictory options are a usage error",
        arguments: [["list", "-q", "-v"], ["list", "-v", "--log", "x.log"]])
    func opposite(arguments: [String]) throws {
        let outcome = try Program().run(arguments)
        #expect(outcome.status == 64 && outcome.errors.hasPrefix("tripwatch: give only one of --"), "\(outcome.errors)")
    }
}
