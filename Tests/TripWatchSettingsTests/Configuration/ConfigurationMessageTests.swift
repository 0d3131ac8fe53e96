import JourneySharing
import TerminalCanvas
import Testing

@testable import TripWatchSettings

@Suite("Mistakes in the configuration file")
struct ConfigurationMessageTests {
    @Test(
        "Each mistake is one sentence with line, key, value and what is allowed",
        arguments: [
            ("endpoint = 1", "endpoint: 1 is not allowed; use a server as HOST:PORT, such as \"127.0.0.1:50051\""),
            ("endpoint = \"\"", "endpoint: \"\" is not allowed; use a server"),
            ("endpoint = \"a:0\"", "endpoint: \"a:0\" is not allowed"), ("endpoint = \"a:65536\"", "endpoint: \"a:65536\" is not allowed"),
            ("endpoint = \"a b\"", "endpoint: \"a b\" is not allowed"), ("endpoint = \"a:1x\"", "endpoint: \"a:1x\" is not allowed"),
            ("endpoint = \"https://a\"", "endpoint: \"https://a\" is not allowed"),
            ("endpoint = \"[::1\"", "endpoint: \"[::1\" is not allowed"),
            ("endpoint = \"a:\"", "endpoint: \"a:\" is not allowed"), ("endpoint = \":1\"", "endpoint: \":1\" is not allowed"),
            ("plaintext = \"yes\"", "plaintext: \"yes\" is not allowed; use true or false"),
            ("plaintext = 1", "plaintext: 1 is not allowed; use true or false"),
            ("ca = true", "ca: true is not allowed; use the path of a file (~/ is your home)"),
            ("ca = \"~other/a\"", "ca: \"~other/a\" is not allowed"), ("ca = \"a\\u0007b\"", "ca: \"ab\" is not allowed"),
            ("provider = \"a/b\"", "provider: \"a/b\" is not allowed; use an id of 1 to 64 characters without any of / : ? , #"),
            ("provider_url = \"ftp://a\"", "provider_url: this text is not allowed; use an http or https address"),
            ("provider_url = \"http://a?b\"", "provider_url: this text is not allowed"),
            ("provider_url = \"http://me:pw@a\"", "provider_url: this text is not allowed"),
            ("provider_url = 7", "provider_url: a whole number is not allowed"),
            ("token_file = 5", "token_file: 5 is not allowed; use the path of a file"),
            ("token_command = \" \"", "token_command: this text is not allowed; use a command line"),
            ("token_url = \"http://rides.example/{tripID}\"", "token_url: this text is not allowed; use an https address"),
            ("token_url = \"https://{tripID}.example/\"", "token_url: this text is not allowed"),
            ("token_url = \"https://a/{tripId}\"", "token_url: this text is not allowed"),
            ("token_url = \"https://key@a/\"", "token_url: this text is not allowed"),
            ("interval = 0", "interval: 0 is not allowed; use a number of seconds from 1 to 3600"),
            ("interval = 3600.1", "interval: 3600.1 is not allowed"), ("interval = nan", "interval: nan is not allowed"),
            ("interval = inf", "interval: inf is not allowed"), ("interval = -5", "interval: -5 is not allowed"),
            ("interval = 9223372036854775807", "interval: 9223372036854775807 is not allowed"),
            ("interval = \"5\"", "interval: \"5\" is not allowed"), ("interval = 14:07:12", "interval: a time is not allowed"),
            (
                "basemap = false",
                "basemap: false is not allowed; use \"none\", \"town\", \"osm\", an http or https address, or the path of a file"
            ),
            ("here = \"10\"", "here: \"10\" is not allowed; use LAT,LNG in degrees"),
            ("here = \"gpsd:\"", "here: \"gpsd:\" is not allowed"), ("here = \"gpsd:a b\"", "here: \"gpsd:a b\" is not allowed"),
            ("cache_size = 0", "cache_size: 0 is not allowed; use a whole number of megabytes from 1 to 1048576"),
            ("cache_size = 1.5", "cache_size: 1.5 is not allowed"),
            ("basemap = \"https://me:geheim@a/{z}/{x}/{y}\"", "basemap: this text is not allowed"),
            (
                "language = \"German, please\"",
                "language: \"German, please\" is not allowed; use a code such as \"de\" or \"zh-Hant\""
            ),
            ("language = [\"de\", 1]", "language: 1 in the list is not allowed"),
            ("language = [[\"de\"]]", "language: a list is not allowed"),
            ("theme = \"../mono\"", "theme: \"../mono\" is not allowed; use the name of a theme: letters, digits"),
            (
                "painter = \"braile\"",
                "painter: \"braile\" is not allowed (did you mean \"braille\"?); use braille, sextant, half or ascii"
            ),
            ("colors = 88", "colors: 88 is not allowed; use auto, none, 8, 16, 256 or direct"),
            ("colors = 256.0", "colors: 256.0 is not allowed"),
            ("units = \"imperial\"", "units: \"imperial\" is not allowed; use metric, us or uk"),
            ("mouse = \"true\"", "mouse: \"true\" is not allowed; use true or false"),
            ("here = \"91,0\"", "here: \"91,0\" is not allowed; use LAT,LNG in degrees (such as \"51.5,-0.12\")"),
            ("here = [51.5, -0.12]", "here: a list is not allowed"), ("here = \"nan,0\"", "here: \"nan,0\" is not allowed"),
            ("here = \"1,2,3\"", "here: \"1,2,3\" is not allowed"),
            ("profile = 1", "profile: 1 is not allowed; use the name of a profile"),
            ("[theme]\nname = \"mono\"", "theme: a table is not allowed"), ("theme.name = 1", "theme: a table is not allowed"),
            ("[[theme]]", "theme: a list is not allowed"), ("theme = { }", "theme: a table is not allowed"),
            ("token-file = \"a\"", "token-file: there is no such key; did you mean \"token_file\"?"),
            ("Interval = 1", "Interval: there is no such key; did you mean \"interval\"?"),
            ("color = \"auto\"", "color: there is no such key; did you mean \"colors\"?"),
            ("zebra = 1", "zebra: there is no such key; the keys are endpoint, plaintext, ca, "),
            ("[profile_work]\ntheme = 1", "profile_work: there is no such key; the keys are endpoint"),
            ("token = \"hunter2\"", "token: this file must not hold secrets; use token_file or token_command, or set TRIPWATCH_TOKEN"),
            (
                "provider_header = \"Key: 1\"",
                "provider_header: a header can hold a secret, and this file must not hold secrets; use token_header_file or provider_header_file"
            ),
            ("\"bad\\u001b[31m\\u202ekey\" = 1", "bad[31mkey: there is no such key"),
        ])
    func sentences(text: String, beginning: String) {
        let read = configuration("\n" + text)
        #expect(read.messages.count == 1)
        #expect(read.messages.first?.description.hasPrefix("config.toml: line 2: " + beginning) == true, "\(read.messages)")
        #expect(read.messages.allSatisfy { isPrintable($0) && [.warning, .connection].contains($0.severity) })
        #expect(read.configuration == Configuration())
    }

    @Test("A text that could be a secret is not repeated")
    func secrets() {
        let texts = [
            "token = \"hunter2\"", "password = 'hunter2'", "token_url = \"https://hunter2@a\"", "token_command = \"\\u0007hunter2\"",
            "provider_url = \"https://a?key=hunter2\"", "token_header = \"Key: hunter2\"", "key = \"hunter2\"",
            "[profiles.a]\ntoken = 'hunter2'",
        ]
        for text in texts {
            let messages = configuration(text).messages
            #expect(messages.count == 1, "\(text)")
            #expect(!messages.contains { $0.description.contains("hunter2") }, "\(text)")
        }
        for text in [
            "token = hunter2", "token = \"hunter2", "token = thunter2", "token = fhunter2", "token = 0hunter2", "token = 'hunter2'x",
        ] {
            let messages = configuration(text).messages
            #expect(messages.map(\.severity) == [.error] && !messages.contains { $0.description.contains("unter2") }, "\(messages)")
        }
        do throws(ConfigurationMessage) {
            _ = try Configuration.setting("token_url", to: "https://hunter2@a", in: [])
            Issue.record("an address with a name was written")
        } catch { #expect(!error.description.contains("hunter2")) }
    }

    @Test("Of keys that exclude each other, the first is used")
    func groups() {
        let tokens = configuration("token_url = \"https://a/\"\ntoken_file = \"a\"\ntoken_command = \"\"\n")
        #expect(tokens.configuration.tokenSource == .address("https://a/"))
        #expect(
            tokens.messages.map(\.description) == [
                "config.toml: line 2: token_file: only one of token_file, token_command and token_url can be used; token_url is used, because it comes first"
            ])
        let wrongFirst = configuration("token_url = 1\ntoken_file = \"/a\"")
        #expect(wrongFirst.configuration.tokenSource == .file("/a"))
        #expect(wrongFirst.messages.map(\.key) == ["token_url"])
        let security = configuration("ca = \"/a\"\nplaintext = true")
        #expect(security.configuration.security == .tls(certificates: "/a"))
        #expect(security.messages.map(\.key) == ["plaintext"])
        #expect(configuration("ca = \"/a\"\nplaintext = false").messages == [])
        #expect(configuration("plaintext = false\nca = \"/a\"").configuration.security == .tls(certificates: "/a"))
        #expect(configuration("token_file = '/a'\n[profiles.a]\ntoken_command = 'b'", profile: "a").messages == [])
    }

    @Test("If a part of a file is wrong, the rest is used; the messages are in the order of the lines")
    func partial() {
        let read = configuration("units = \"us\"\ntheme = 1\n\nmous = true\ninterval = 7\ncolors = 3\n[profiles.a]\nx = 1")
        #expect(read.configuration.measurementSystem == .us)
        #expect(read.configuration.intervalSeconds == 7)
        #expect(read.messages.map(\.line) == [2, 4, 6, 8])
        #expect(read.messages.map(\.key) == ["theme", "mous", "colors", "profiles.a.x"])
    }

    @Test("Invalid TOML gives one sentence with its position, and no settings")
    func syntax() {
        let read = configuration("theme = \"mono\"\nunits = = 1")
        #expect(read.configuration == Configuration())
        #expect(read.messages.count == 1)
        #expect(read.messages.first?.description.hasPrefix("config.toml: line 2, column ") == true)
        #expect(read.messages.first?.severity == .error)
        #expect(configuration("theme = \"mono\"\ntheme = \"mono\"").messages.map(\.line) == [2])
        #expect(configuration("theme = \"mono\"\n[profiles.a]\n[profiles.a]\n").messages.map(\.line) == [3])
        #expect(configuration("here = 2031-05-04").messages.first?.sentence.hasPrefix("dates are not supported") == true)
    }

    @Test("Hostile files give one sentence each")
    func hostile() {
        let files: [[UInt8]] = [
            [UInt8](repeating: 0x23, count: 10_000_000), [0x61, 0x3d, 0x22, 0xe4, 0x22], Array("theme = \"mono\"\u{0}".utf8),
            Array(("theme = " + String(repeating: "[", count: 50_000)).utf8),
            Array((String(repeating: "a.", count: 30_000) + "b = 1").utf8),
            (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }, Array("[profiles.\u{202e}]".utf8), Array("theme = \"mono".utf8),
        ]
        for file in files {
            let read = Configuration.read(utf8: file, home: "/", directory: "/", profile: nil)
            #expect(read.configuration == Configuration())
            #expect(read.messages.count == 1 && read.messages.allSatisfy { isPrintable($0) && $0.severity == .error })
        }
    }

    @Test("Huge values are refused, and shown in part")
    func huge() {
        let long = String(repeating: "é", count: 20_000)
        for key in ConfigurationKey.all {
            let read = configuration("\(key.name) = \"\(long)\"")
            #expect(read.messages.allSatisfy(isPrintable))
            if !["token_command", "profile"].contains(key.name) { #expect(read.configuration == Configuration(), "\(key.name)") }
        }
        #expect(configuration("token_command = \"\(long)\"").messages.count == 1)
        let names = (0..<2_000).map { "[profiles.p\($0)-with-a-long-name]" }.joined(separator: "\n")
        #expect(configuration(names, profile: long).messages.allSatisfy(isPrintable))
        #expect(configuration("\"\(long)\" = 1").messages.allSatisfy(isPrintable))
        #expect(configuration("[profiles.\"\(long)\"]\n\"\(long.prefix(9_000))\" = 1").messages.allSatisfy(isPrintable))
    }

    @Test("Thousands of mistakes give twenty sentences and the number of the others")
    func many() {
        let wrong = (0..<4_000).map { "k\($0) = 1" }.joined(separator: "\n")
        let messages = configuration(wrong, profile: "x").messages
        #expect(messages.count == 22)
        #expect(messages.first?.key == "--profile")
        #expect(messages.dropFirst().prefix(20).map(\.line) == Array(1...20))
        #expect(messages.last?.description == "config.toml: too many errors; 3980 not shown")
    }
}
