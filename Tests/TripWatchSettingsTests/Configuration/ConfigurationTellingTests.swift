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

    @Test("the message about an invalid hook has the line of its key or table, and says what is wrong")
    func hookLines() {
        let first = "[[hooks]]\nurl = \"https://a.example/b\"\n\n[[hooks]]\ncommand = \"say hi\"\n"
        let rows: [(text: String, message: String)] = [
            (first + "when = \"bad\"\n", "line 6: hooks: when: \"bad\" must have the form EVENT=THRESHOLD, such as time_left=2min"),
            (first + "key_file = \"~root/k\"\n", "line 6: hooks: key_file: use the path of a file (~/ is your home)"),
            (first + "urll = \"x\"\n", "line 6: hooks: urll: there is no such key; the keys are url, command, when, key_file"),
            (first + "url = \"https://c\"\n", "line 4: hooks: a hook needs either 'url' or 'command'"),
            ("theme = \"mono\"\nhooks = [\"https://a\", 1]\n", "line 2: hooks: a whole number is not allowed; use a table or an address"),
            (
                "[[profiles.a.hooks]]\nwhen = 1\n",
                "line 2: profiles.a.hooks: when: a whole number is not allowed; use text in quotation marks"
            ),
            (String(repeating: "[[hooks]]\nurl = \"https://a\"\n", count: 21), "line 1: hooks: there are 21 hooks; use at most 20"),
        ]
        for row in rows {
            #expect(configuration(row.text).messages.map(\.description) == ["config.toml: " + row.message])
        }
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
