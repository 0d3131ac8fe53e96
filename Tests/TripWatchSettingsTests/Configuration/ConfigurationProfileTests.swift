import Testing

@testable import TripWatchSettings

@Suite("Profiles of the configuration file")
struct ConfigurationProfileTests {
    private static let text = """
        endpoint = "rides.example:443"
        provider = "rides"
        ca = "rides.pem"
        token_command = "rides token"
        theme = "mono"

        [profiles.laptop]
        endpoint = "127.0.0.1:50051"
        plaintext = true
        token_file = "token"

        [profiles."night shift"]
        theme = "harbour-dark"
        ca = ""
        token_command = ""
        provider = ""

        [profiles.bare]
        """

    @Test("Without a profile, the keys above the profiles are used")
    func none() {
        let read = configuration(Self.text)
        #expect(read.messages == [])
        #expect(read.configuration.profile == nil)
        #expect(read.configuration.endpoint == "rides.example:443")
        #expect(read.configuration.theme == "mono")
        #expect(read.configuration == configuration(Self.text, profile: "").configuration)
    }

    @Test("The profile local is built in, uses no token of another server, and a table of that name overrides it")
    func local() {
        let plain = configuration(Self.text, profile: "local")
        #expect(plain.messages == [])
        #expect(plain.configuration.endpoint == "127.0.0.1:50051" && plain.configuration.security == .plaintext)
        #expect(plain.configuration.provider == "demo" && plain.configuration.providerURL == "http://127.0.0.1:8080")
        #expect(plain.configuration.tokenSource == nil && plain.configuration.theme == "mono")
        let own = configuration(Self.text + "\n[profiles.local]\nendpoint = \"127.0.0.1:7\"\ntoken_file = \"token\"\n", profile: "local")
        #expect(own.configuration.endpoint == "127.0.0.1:7" && own.configuration.provider == "demo")
        #expect(own.configuration.tokenSource == .file("/home/nobody/.config/tripwatch/token"))
        #expect(configuration("profile = \"local\"\n").configuration.profile == "local")
    }

    @Test("A profile's keys override the others, and keys that exclude each other are replaced together")
    func chosen() {
        let laptop = configuration(Self.text, profile: "laptop")
        #expect(laptop.messages == [])
        #expect(laptop.configuration.profile == "laptop")
        #expect(laptop.configuration.endpoint == "127.0.0.1:50051")
        #expect(laptop.configuration.security == .plaintext)
        #expect(laptop.configuration.tokenSource == .file("/home/nobody/.config/tripwatch/token"))
        #expect(laptop.configuration.provider == "rides")
        #expect(laptop.configuration.theme == "mono")
    }

    @Test("An empty text in a profile clears the value of the keys above")
    func takenBack() {
        let night = configuration(Self.text, profile: "night shift").configuration
        #expect(night.profile == "night shift")
        #expect(night.endpoint == "rides.example:443")
        #expect(night.theme == "harbour-dark")
        #expect(night.provider == nil)
        #expect(night.tokenSource == nil)
        #expect(night.security == .tls(certificates: nil))
    }

    @Test("An empty text clears only its own key")
    func takenBackOnlyItself() {
        let text = "token_command = \"a\"\n[profiles.a]\ntoken_file = \"\"\ntoken_url = \"\"\nplaintext = false"
        #expect(configuration(text, profile: "a").configuration.tokenSource == .command("a"))
        let secured = "ca = \"/a\"\n[profiles.a]\nplaintext = false\n[profiles.b]\nplaintext = true\n[profiles.c]\nca = '/c'"
        #expect(configuration(secured, profile: "a").configuration.security == .tls(certificates: "/a"))
        #expect(configuration(secured, profile: "b").configuration.security == .plaintext)
        #expect(
            configuration("plaintext = true\n" + secured.dropFirst(10), profile: "c").configuration.security == .tls(certificates: "/c"))
        #expect(
            configuration("plaintext = true\n[profiles.a]\nplaintext = false", profile: "a").configuration.security
                == .tls(certificates: nil))
    }

    @Test("The file can choose a profile, and a flag another one or none")
    func order() {
        let text = "profile = \"laptop\"\n" + Self.text
        #expect(configuration(text).configuration.profile == "laptop")
        #expect(configuration(text, profile: "bare").configuration.profile == "bare")
        #expect(configuration(text, profile: "bare").configuration.endpoint == "rides.example:443")
        #expect(configuration(text, profile: "").configuration.profile == nil)
        #expect(configuration(text).messages == [])
    }

    @Test("An unknown profile is reported with the nearest one, and the keys above are used")
    func missing() {
        let flag = configuration(Self.text, profile: "latpop")
        #expect(flag.configuration == configuration(Self.text).configuration)
        #expect(
            flag.messages.map(\.description) == [
                "--profile: there is no profile \"latpop\" (did you mean \"laptop\"?); the profiles are \"bare\", \"laptop\", \"night shift\""
            ])
        #expect(flag.messages.map(\.severity) == [.error])
        let key = configuration("\nprofile = \"x\"")
        let sentence = "there is no profile \"x\"; the only profile is \"local\""
        #expect(key.messages.map(\.description) == ["config.toml: line 2: profile: \(sentence)"])
        #expect(configuration("", profile: "x").messages.map(\.line) == [nil])
    }

    @Test("Profiles can be written in every way that TOML has")
    func spellings() {
        for text in [
            "[profiles.a]\ntheme = \"mono\"", "[ profiles . 'a' ]\ntheme = \"mono\"", "profiles.a.theme = \"mono\"",
            "profiles = { a = { theme = \"mono\" } }", "[profiles]\na = { theme = \"mono\" }", "[profiles]\na.theme = \"mono\"",
        ] {
            let read = configuration(text, profile: "a")
            #expect(read.messages == [], "\(text)")
            #expect(read.configuration.theme == "mono", "\(text)")
        }
    }

    @Test(
        "A mistake in a profile is reported with its line, whether the profile is used or not",
        arguments: [
            ("[profiles.a]\n\ntheem = 1", 3, "profiles.a.theem: there is no such key; did you mean \"theme\"?"),
            ("[profiles.a]\ninterval = 0", 2, "profiles.a.interval: 0 is not allowed; use a number of seconds from 1 to 3600"),
            (
                "[profiles.a]\nprofile = \"a\"", 2,
                "profiles.a.profile: a profile cannot choose or hold another profile; remove this key"
            ),
            (
                "[profiles.a.profiles.b]\ntheme = 1", 1,
                "profiles.a.profiles: a profile cannot choose or hold another profile; remove this key"
            ),
            ("[profiles.a]\n[profiles.a.theme]\nx = 1", 2, "profiles.a.theme: a table is not allowed; use the name of a theme"),
            ("profiles = { a = {\ninterval = 0 } }", 1, ""),
            ("[profiles.a]\ntoken = \"s\"", 2, "profiles.a.token: this file must not hold secrets; use token_file or token_command"),
            ("[profiles]\na = 1", 2, "profiles.a: 1 is not allowed; use a table [profiles.NAME] of keys and values"),
            ("[[profiles.a]]\ntheme = \"mono\"", 1, "profiles.a: a list is not allowed; use a table"),
            ("\nprofiles = 1", 2, "profiles: 1 is not allowed; use tables [profiles.NAME]"),
            ("[profile.a]\ntheme = \"mono\"", 1, "profile: write the table of a profile as [profiles.NAME]"),
        ])
    func wrong(text: String, line: Int, beginning: String) {
        for profile in [nil, ""] {
            let messages = configuration(text, profile: profile).messages
            #expect(messages.count == 1)
            #expect(messages.first?.line == line)
            if !beginning.isEmpty {
                #expect(messages.first?.description.hasPrefix("config.toml: line \(line): " + beginning) == true, "\(messages)")
            }
        }
    }
}
