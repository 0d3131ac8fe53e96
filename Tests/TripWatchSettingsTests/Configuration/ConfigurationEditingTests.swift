import Testing

@testable import TripWatchSettings

@Suite("Changing the configuration file")
struct ConfigurationEditingTests {
    /// Returns the edited text, or the error message in braces.
    private func set(_ key: String, _ value: String, in text: String) -> String {
        do throws(ConfigurationMessage) {
            return String(decoding: try Configuration.setting(key, to: value, in: Array(text.utf8)), as: UTF8.self)
        } catch { return "{\(error.description)}" }
    }

    private func unset(_ key: String, in text: String) -> String {
        do throws(ConfigurationMessage) {
            return String(decoding: try Configuration.unsetting(key, in: Array(text.utf8)), as: UTF8.self)
        } catch { return "{\(error.description)}" }
    }

    @Test(
        "The value of a set key is replaced, and everything around it stays",
        arguments: [
            ("interval = 5", "interval = 7"),
            ("\tinterval\t=  5.0   # five\r\nmouse = true\r\n", "\tinterval\t=  7   # five\r\nmouse = true\r\n"),
            ("\u{feff}interval=5#\n", "\u{feff}interval=7#\n"), ("\"inter\\u0076al\" = \"x\"\n", "\"inter\\u0076al\" = 7\n"),
            ("interval = [\n 5,\n 6 ] # list\n\n", "interval = 7 # list\n\n"), ("interval = '''\n#\n''' # text", "interval = 7 # text"),
            ("#interval = 5\ninterval = 6\n#interval = 8", "#interval = 5\ninterval = 7\n#interval = 8"),
            ("a = 1\ninterval = nonsense", "{config.toml: line 2, column "),
        ])
    func replaced(before: String, after: String) {
        let result = set("interval", "7", in: before)
        #expect(after.hasPrefix("{") ? result.hasPrefix(after) : result == after)
    }

    @Test(
        "A key that is commented out is restored there, preferably on the line with its default",
        arguments: [
            ("#interval = 5\n", "interval = 7\n"),
            ("  #interval = 5 # five\r\n#mouse = false\r\n", "  interval = 7 # five\r\n#mouse = false\r\n"),
            ("#interval = 9\n#interval = 5\n", "#interval = 9\ninterval = 7\n"),
            ("#interval = 9\n#interval = 8\n", "interval = 7\n#interval = 8\n"),
            ("# interval = 5\n", "# interval = 5\ninterval = 7\n"), ("#interval = five\n", "#interval = five\ninterval = 7\n"),
            ("#interval is what counts = 5", "#interval is what counts = 5\ninterval = 7\n"),
            ("##interval = 5\n", "##interval = 5\ninterval = 7\n"), ("#[a]\n#interval = 5\n", "#[a]\n#interval = 5\ninterval = 7\n"),
            ("[profiles.a]\n#interval = 5\n", "interval = 7\n[profiles.a]\n#interval = 5\n"),
            ("note = '''\n#interval = 5\n'''", "note = '''\n#interval = 5\n'''\ninterval = 7\n"),
        ])
    func uncommented(before: String, after: String) {
        #expect(set("interval", "7", in: before) == after)
    }

    @Test(
        "Otherwise a line is added before the first table and its comment",
        arguments: [
            ("", "theme = \"mono\"\n"), ("\u{feff}", "\u{feff}theme = \"mono\"\n"), ("\n\n", "theme = \"mono\"\n\n\n"),
            ("mouse = true", "mouse = true\ntheme = \"mono\"\n"), ("mouse = true\r\n", "mouse = true\r\ntheme = \"mono\"\r\n"),
            ("\u{feff}[profiles.a]\n", "\u{feff}theme = \"mono\"\n[profiles.a]\n"),
            ("# mine\n\n# work\n[profiles.a]\n", "# mine\ntheme = \"mono\"\n\n# work\n[profiles.a]\n"),
            ("# work\r\n[profiles.a]\r\ntheme = \"a\"", "theme = \"mono\"\r\n# work\r\n[profiles.a]\r\ntheme = \"a\""),
            ("mouse = true\n\n\n[profiles.a]\n", "mouse = true\ntheme = \"mono\"\n\n\n[profiles.a]\n"),
            ("mouse = true\n# end", "mouse = true\n# end\ntheme = \"mono\"\n"),
            ("profiles.a.theme = \"a\"\n", "profiles.a.theme = \"a\"\ntheme = \"mono\"\n"),
        ])
    func inserted(before: String, after: String) {
        #expect(set("theme", "mono", in: before) == after)
    }

    @Test(
        "Values are written in the form of their kind",
        arguments: [
            ("mouse", "true", "mouse = true"), ("interval", "2.50", "interval = 2.5"), ("interval", "1e1", "interval = 10"),
            ("colors", "256", "colors = \"256\""), ("language", "de", "language = \"de\""),
            ("language", "de, en,fr", "language = [\"de\", \"en\", \"fr\"]"),
            ("language", "", "language = \"\""), ("here", "-36.005,-19.99", "here = \"-36.005,-19.99\""),
            ("ca", "a\"b\\c # ü/東.pem", "ca = \"a\\\"b\\\\c # ü/東.pem\""), ("token_command", "a\n\tb", "token_command = \"a\\n\\tb\""),
            ("provider_url", "http://127.0.0.1:8080", "provider_url = \"http://127.0.0.1:8080\""),
            ("basemap", "none", "basemap = \"none\""),
        ])
    func literals(key: String, value: String, line: String) {
        #expect(set(key, value, in: "") == line + "\n")
        #expect(configuration(set(key, value, in: "")).messages == [])
    }

    @Test(
        "An impossible change is refused with a message",
        arguments: [
            ("interval", "0", "", "interval: 0 is not allowed; use a number of seconds from 1 to 3600"),
            ("interval", "nan", "", "interval: nan is not allowed"), ("interval", "5 s", "", "interval: \"5 s\" is not allowed"),
            ("mouse", "yes", "", "mouse: \"yes\" is not allowed; use true or false"),
            ("painter", "brailel", "", "painter: \"brailel\" is not allowed (did you mean \"braille\"?)"),
            ("language", "de,,en", "", "language: \"\" in the list is not allowed; use a code"),
            ("ca", "a\u{0}b", "", "ca: \"ab\" is not allowed"),
            ("theem", "mono", "", "theem: there is no such key; did you mean \"theme\"?"),
            ("token", "hunter2", "", "token: this file must not hold secrets"),
            ("profiles.a.theme", "mono", "", "profiles.a.theme: this command does not change profiles"),
            ("profiles", "a", "", "profiles: this command does not change profiles"),
            ("\u{1b}[31m", "a", "", "[31m: there is no such key"),
            ("language", "de", "\nlanguage = [\n  'en', # for now\n]", "line 2: language: its value contains comments"),
            ("theme", "mono", "[theme]\nx = 1", "theme: it is a table here; change it by hand"),
            ("theme", "mono", "theme.x = 1", "theme: it is a table here; change it by hand"),
            ("theme", "mono", "[[theme]]", "theme: it is a table here; change it by hand"),
            ("theme", "mono", "theme = \"a\"\ntheme = \"b\"", "line 2, column "),
            (
                "token_file", "a", "token_command = 'b'",
                "token_file: only one of token_file, token_command and token_url can be set; run 'tripwatch config unset token_command' first"
            ),
            ("plaintext", "true", "ca = 'b'", "plaintext: only one of plaintext and ca can be set; run 'tripwatch config unset ca' first"),
            (
                "profile", "hmoe", "[profiles.home]",
                "profile: there is no profile \"hmoe\" (did you mean \"home\"?); the profiles are \"home\""
            ),
            ("profile", "a", "", "profile: there is no profile \"a\"; the only profile is \"local\""),
            ("theme", "mono", "mouse = true\u{0}", "the file contains a NUL character"),
            ("theme", "mono", "x = nan", "theme: this change would also affect other settings; edit the file by hand"),
            (
                "theme", "mono", String(repeating: "#", count: 65_530),
                "theme: with this value, the file could no longer be read: the file is larger than 64 KiB"
            ),
        ])
    func refused(key: String, value: String, text: String, sentence: String) {
        let result = set(key, value, in: text)
        #expect(result.hasPrefix("{config.toml: " + sentence), "\(result)")
        #expect(!result.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test("Compatible keys are not refused")
    func together() {
        #expect(set("plaintext", "false", in: "ca = 'b'") == "ca = 'b'\nplaintext = false\n")
        #expect(set("token_file", "", in: "token_url = 'b'") == "token_url = 'b'\ntoken_file = \"\"\n")
        #expect(
            set("token_file", "a", in: "token_url = ''\n[profiles.a]\ntoken_url = 'https://a'").hasPrefix(
                "token_url = ''\ntoken_file = \"a\"\n"))
        #expect(set("profile", "a", in: "[profiles.a]") == "profile = \"a\"\n[profiles.a]")
        #expect(set("profile", "", in: "profile = 'a'") == "profile = \"\"")
    }

    @Test(
        "A key is removed by commenting its line out, which then shows the default",
        arguments: [
            ("interval = 7", "#interval = 5"), ("  interval = 7 # mine\r\n", "  #interval = 5 # mine\r\n"),
            ("#interval = 7\n", "#interval = 7\n"),
            ("\u{feff}'interval' = [\n1 ]\nmouse = true", "\u{feff}#'interval' = 5\nmouse = true"), ("", ""),
            ("[profiles.a]\ninterval = 7", "[profiles.a]\ninterval = 7"),
            ("interval = [ # a\n1 ]", "{config.toml: line 1: interval: its value contains comments"),
            ("[interval]", "{config.toml: interval: it is a table here"), ("interval = = 7", "{config.toml: line 1, column "),
        ])
    func unset(before: String, after: String) {
        let result = unset("interval", in: before)
        #expect(after.hasPrefix("{") ? result.hasPrefix(after) : result == after)
    }

    @Test("Removing an unknown key is refused too")
    func unsetUnknown() {
        #expect(unset("intervall", in: "").hasPrefix("{config.toml: intervall: there is no such key; did you mean \"interval\"?"))
        #expect(unset("profiles.a", in: "").hasPrefix("{config.toml: profiles.a: this command does not change profiles"))
    }

    @Test(
        "In the commented default, every key can be set on its line and removed again without a trace",
        arguments: ConfigurationKey.all.map(\.name))
    func roundTrip(name: String) throws {
        let key = try #require(ConfigurationKey.named(name))
        let value = try #require(ValidValues.typed[name]?.first)
        let text = name == "profile" ? Configuration.defaultText + "[profiles.\(value)]\n" : Configuration.defaultText
        let changed = set(name, value, in: text)
        let (before, after) = (text.split(separator: "\n"), changed.split(separator: "\n"))
        #expect(before.count == after.count)
        #expect(zip(before, after).count { $0 != $1 } == 1)
        #expect(before.firstIndex(of: "#\(name) = \(key.standardLiteral)") == after.firstIndex { $0.hasPrefix(name + " = ") })
        #expect(configuration(changed).messages == [])
        #expect(configuration(changed).configuration != Configuration())
        #expect(unset(name, in: changed) == text)
    }
}

/// Valid values for each key.
enum ValidValues {
    /// Values as a user types them.
    static let typed: [String: [String]] = [
        "endpoint": ["127.0.0.1:50051", "rides.example:443"], "plaintext": ["true", "false"], "ca": ["~/a b.pem", "/etc/#.pem", ""],
        "provider": ["demo", "Möwe 東", ""], "provider_url": ["http://127.0.0.1:8080", ""], "interval": ["7", "1.25", "3600"],
        "provider_header_file": ["headers", "~/.headers", ""], "token_header_file": ["headers", "~/.headers", ""],
        "token_file": ["token", "~/.token", ""], "token_command": ["pass 'a' \"b\" # c", "x\ty\nz", ""],
        "token_url": ["https://a.example/{tripID}", ""],
        "cache_size": ["1", "1048576"],
        "basemap": ["none", "town", "demo", "osm", "https://a.example/{z}/{x}/{y}.pbf?key=1", "./\\maps/[a].mbtiles", ""],
        "language": ["de", "de,en", "zh-Hant,de,en", ""],
        "painter": ["ascii", "half", ""],
        "here": ["48.5,9.1", "-36,-20.5", ""], "theme": ["mono", "my_own", ""], "colors": ["none", "256", "auto"],
        "units": ["us", "uk", ""], "trip_kind": ["order", "ride"], "ask_terminal": ["auto", "on", "off"],
        "mouse": ["true", "false"], "clipboard": ["true", "false"], "window_title": ["true", "false"],
        "profile": ["home", "night shift", ""],
        "keep_rides": ["0", "1000"],
        "keys": ["theme=T", "theme=Ctrl-X,units=", "share=é"],
        "alerts": ["here", "assigned,5min,2 min,delay", "[]"], "alert_by": ["notice", "bell,progress"],
        "hooks": ["https://a.example/b", "http://localhost:1,https://a.example/?b={c}"],
        "share_listen": ["192.0.2.7", "::1", "localhost"], "share_port": ["0", "65535"], "share_url": ["https://rides.example/a", ""],
        "share_plaintext": ["true", "false"],
        "arrival_radius": ["1", "62.5", "10000"], "manual": ["true", "false"], "database": [":memory:", "~/rides #1.db"],
    ]

    /// Values as they may appear in a file.
    static let written: [String: [String]] = [
        "endpoint": ["\"127.0.0.1:50051\"", "'[::1]:1'"], "plaintext": ["false"], "ca": ["\"\"", "'/a#b'"], "provider": ["'demo'"],
        "provider_url": ["\"https://a.example/b\"", "''"], "interval": ["5", "0x1_0", "2.5e1"], "token_file": ["\"\"", "''''''"],
        "token_command": ["\"\"\"pass \\\n  show\"\"\"", "'''\n# no comment\ninterval = 3\n'''", "\"a \\\"b\\\" # c\""],
        "provider_header_file": ["'/a#b'"], "token_header_file": ["\"\""],
        "token_url": ["''"],
        "cache_size": ["0x40", "1_000"], "basemap": ["'demo'", "\"~/a\\\\b\""],
        "language": ["\"de\"", "[]", "[\"de\",\n\t'en' ,\n]", "[ 'de' ]", "['de', # first\n 'en']"],
        "painter": ["'ascii'"], "here": ["\"48.5, 9.1\""], "theme": ["\"m\\u006fno\"", "\"\""], "colors": ["16", "'auto'"],
        "units": ["'metric'"], "trip_kind": ["'order'"], "ask_terminal": ["'on'"],
        "mouse": ["true", "false"], "clipboard": ["false"], "window_title": ["false"], "profile": ["\"home\"", "''"],
        "keep_rides": ["0x14"],
        "keys": ["{}", "{ theme = 'T' }", "['theme=T']"],
        "alerts": ["[]", "['here', # first\n \"90min\"]"], "alert_by": ["[]", "'progress'"],
        "hooks": ["[]", "[{url='http://a'}]", "[{command='say hi', when='here=off'}, 'https://b']"],
        "share_listen": ["'[::1]'"], "share_port": ["0x1F90"], "share_url": ["''"], "share_plaintext": ["true"],
        "arrival_radius": ["5e1", "0x40"], "manual": ["true"], "database": ["':memory:'", "\"rides.db\""],
    ]
}
