import Testing

@testable import TripWatchSettings

@Suite("Hooks and alerts in the configuration file")
struct ConfigurationTellingTests {
    @Test("hooks are tables, with rules and a key")
    func hooks() throws {
        let read = configuration(
            """
            [[hooks]]
            url = "https://ntfy.example/topic"
            when = "time_left=5min,here=off"
            key_file = "hook.key"
            [[hooks]]
            command = "say 'it comes'"
            [[profiles.quiet.hooks]]
            url = "http://127.0.0.1:1"
            """)
        #expect(read.messages == [])
        let hooks = try #require(read.configuration.hooks)
        #expect(hooks.map(\.target) == [.address("https://ntfy.example/topic"), .command(try #require(CommandWords("say 'it comes'")))])
        #expect(hooks.first?.rules.timesLeft == [300] && hooks.first?.rules.events.contains(.here) == false)
        #expect(hooks.first?.keyFile?.hasSuffix("/hook.key") == true && hooks.last?.keyFile == nil)
    }

    @Test(
        "an invalid hook is reported, without any of its contents",
        arguments: [
            "url = \"secret\"", "command = \"'secret\"", "url = \"http://a\"\ncommand = \"secret\"", "when = \"here=off\"",
            "url = \"http://a/secret\"\nwhen = \"soon\"", "url = \"http://a/secret\"\nmethod = \"GET\"", "url = 1",
        ])
    func badHooks(lines: String) {
        let read = configuration("[[hooks]]\n" + lines)
        #expect(read.configuration == Configuration())
        #expect(read.messages.count == 1)
        #expect(read.messages.allSatisfy { $0.description.contains("hooks: ") && !$0.description.contains("secret") }, "\(read.messages)")
    }

    @Test("alerts are words, also with any number of minutes; an empty list switches them off")
    func alerts() {
        let read = configuration("alerts = [\"assigned\", \"90min\", \"5 min\", \"lost\"]\nalert_by = [\"notice\", \"progress\"]")
        #expect(read.messages == [])
        #expect(read.configuration.alerts == Alerts(words: [.assigned, .minutes(90), .minutes(5), .lost], ways: [.notice, .progress]))
        #expect(configuration("alerts = []").configuration.alerts.isLoud == false)
        #expect(configuration("").configuration.alerts == Alerts())
        #expect(Alerts().rules.timesLeft == [120])
    }

    @Test("wrong words are reported, with the nearest valid one", arguments: ["[\"hear\"]", "[\"0min\"]", "[\"5sec\"]", "[1]", "true"])
    func badAlerts(value: String) {
        let read = configuration("alerts = \(value)")
        #expect(read.configuration == Configuration() && read.messages.count == 1)
        #expect(read.messages.allSatisfy { $0.description.contains("use a list of \"assigned\"") }, "\(read.messages)")
    }
}
