import Testing

@testable import ProgramHarness

@Suite("Mistyped words and options", .timeLimit(.minutes(2)))
struct MistypedTests {
    @Test(
        "an unknown command is reported in one sentence, with a suggestion",
        arguments: [
            (["folow", "t1", "--provider", "demo"], "there is no command 'folow': did you mean 'follow'?"),
            (["help", "token", "mnit"], "there is no command 'token mnit': did you mean 'token mint'?"),
            (
                ["providers/demo/trips/t1"],
                "there is no command 'providers/demo/trips/t1': did you mean 'tripwatch follow providers/demo/trips/t1'?"
            ),
        ])
    func command(words: [String], sentence: String) throws {
        let outcome = try Program().run(words)
        #expect(outcome.status == 64 && outcome.lines.isEmpty)
        #expect(outcome.errors == "tripwatch: \(sentence)\n")
    }

    @Test(
        "an unknown option or word is reported before a missing one, with a suggestion",
        arguments: [
            (["follow", "--theem", "dark", "t1"], "Unknown option '--theem'. Did you mean '--theme'?", "Usage: tripwatch follow "),
            (["book", "48.8,2.3"], "Unexpected argument '48.8,2.3'", "Usage: tripwatch book "),
            (
                ["--theem", "dark", "follow"],
                "Unknown option '--theem' before a command. Did you mean 'tripwatch follow --theme'?", "Usage: tripwatch "
            ),
        ])
    func option(words: [String], sentence: String, usage: String) throws {
        let outcome = try Program().run(words)
        let lines = outcome.errors.split(separator: "\n")
        #expect(outcome.status == 64 && outcome.lines.isEmpty)
        #expect(lines.first == "tripwatch: \(sentence)" && lines.dropFirst().first?.hasPrefix(usage) == true, "\(outcome.errors)")
        #expect(lines.count == 3)
    }

    @Test(
        "other mistakes are reported as before: values are not options, and neither are words after --",
        arguments: [
            (["drive", "--provider", "demo"], "Missing expected argument '--vehicle <id>'"),
            (["map", "--", "--seed"], "'map' has no option '--seed': 'tripwatch map --help' lists its options."),
            (["follow", "--interval=0.5", "t1"], "--interval must be a number of seconds from 1 to 3600."),
            (["wait", "t1", "--until", "here", "--interval", "1e9"], "--interval must be a number of seconds from 1 to 3600."),
            (
                ["book", "--from", "1,2", "--to", "3,4", "--via", "5,6", "--shared"],
                "give only one of --via and --shared: a shared trip cannot have its own stops on the way."
            ),
            (["--generate-completion-script", "foo"], "--generate-completion-script takes bash, zsh or fish."),
            (["follow", "--colors", "nine", "t1"], "The value 'nine' is invalid for '--colors <colours>'"),
        ])
    func other(words: [String], start: String) throws {
        let outcome = try Program().run(words)
        #expect(outcome.status == 64 && outcome.errors.contains("tripwatch: \(start)"), "\(outcome.errors)")
    }
}
