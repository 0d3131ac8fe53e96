import Geo
import Testing

@testable import TripWatchSettings

@Suite("The configuration in the environment")
struct ConfigurationEnvironmentTests {
    private func read(
        _ environment: [String: String], file: String = "", profile: String? = nil
    ) -> (configuration: Configuration, messages: [ConfigurationMessage]) {
        Configuration.read(
            utf8: Array(file.utf8), environment: environment, home: "/home/you", directory: "/home/you/.config/tripwatch", profile: profile)
    }

    @Test("every key is a variable, and sets what the file sets")
    func everyKey() throws {
        let values: [(key: String, typed: String, toml: String)] = [
            ("endpoint", "127.0.0.1:50051", "\"127.0.0.1:50051\""), ("plaintext", "true", "true"),
            ("ca", "/etc/lab.pem", "\"/etc/lab.pem\""),
            ("provider", "lab", "\"lab\""), ("provider_url", "http://127.0.0.1:8080", "\"http://127.0.0.1:8080\""),
            ("provider_header_file", "~/headers", "\"~/headers\""), ("interval", "2.5", "2.5"),
            ("token_file", "/run/token", "\"/run/token\""),
            ("token_command", "pass rides", "\"pass rides\""),
            ("token_url", "https://rides.example/{tripID}", "\"https://rides.example/{tripID}\""),
            ("token_header_file", "/run/headers", "\"/run/headers\""), ("basemap", "none", "\"none\""),
            ("cache_size", "64", "64"),
            ("language", "de,fr", "[\"de\", \"fr\"]"),
            ("painter", "half", "\"half\""), ("here", "-33.86,151.2", "\"-33.86,151.2\""), ("theme", "mono", "\"mono\""),
            ("colors", "256", "\"256\""), ("units", "us", "\"us\""), ("trip_kind", "order", "\"order\""),
            ("ask_terminal", "off", "\"off\""),
            ("mouse", "true", "true"), ("clipboard", "false", "false"), ("window_title", "false", "false"), ("keep_rides", "7", "7"),
            ("keys", "theme=T,theme=F5", "{ theme = [\"T\", \"F5\"] }"),
            ("alerts", "5min,here", "[\"5min\", \"here\"]"), ("alert_by", "notice", "[\"notice\"]"),
            ("hooks", "https://a.example/b?c=1", "[{ url = \"https://a.example/b?c=1\" }]"),
            ("share_listen", "192.0.2.7", "\"192.0.2.7\""), ("share_port", "0", "0"),
            ("share_url", "https://rides.example/a", "\"https://rides.example/a\""), ("share_plaintext", "true", "true"),
            ("arrival_radius", "80", "80"), ("manual", "true", "true"), ("database", "/srv/rides.db", "\"/srv/rides.db\""),
        ]
        #expect(Set(values.map(\.key)) == Set(ConfigurationKey.all.map(\.name)).subtracting(["profile"]))
        for value in values {
            let fromVariable = read(["TRIPWATCH_" + value.key.uppercased(): value.typed])
            let fromFile = read([:], file: "\(value.key) = \(value.toml)\n")
            #expect(fromVariable.messages.isEmpty, "\(fromVariable.messages)")
            #expect(fromVariable.configuration == fromFile.configuration && fromFile.configuration != Configuration(), "\(value.key)")
        }
    }

    @Test("a variable overrides the file and its profile, and an empty text counts as not set")
    func precedence() {
        let file = "endpoint = \"a.example:1\"\nprofile = \"lab\"\n[profiles.lab]\nendpoint = \"b.example:2\"\ntheme = \"mono\"\n"
        let read = read(["TRIPWATCH_ENDPOINT": "c.example:3", "TRIPWATCH_THEME": ""], file: file)
        #expect(read.configuration.endpoint == "c.example:3")
        #expect(read.configuration.theme == "mono")
        #expect(self.read([:], file: file).configuration.endpoint == "b.example:2")
    }

    @Test("requested settings are the environment and the chosen profile, without the keys above it")
    func asked() {
        let file = "endpoint = \"a.example:1\"\nprovider = \"rides\"\nprofile = \"lab\"\n[profiles.lab]\nendpoint = \"b.example:2\"\n"
        func asked(_ environment: [String: String], profile: String) -> Configuration {
            Configuration.read(
                utf8: Array(file.utf8), environment: environment, home: "", directory: "/", profile: profile, isAskedOnly: true
            ).configuration
        }
        #expect(asked([:], profile: "") == Configuration())
        #expect(asked([:], profile: "lab").endpoint == "b.example:2" && asked([:], profile: "lab").provider == nil)
        #expect(asked(["TRIPWATCH_PROVIDER": "p"], profile: "").provider == "p")
    }

    @Test("a token source in the environment replaces the file's; of two in the environment, one is used and the other reported")
    func groups() {
        let one = read(["TRIPWATCH_TOKEN_URL": "https://rides.example/{tripID}"], file: "token_command = \"pass rides\"\n")
        #expect(one.configuration.tokenSource == .address("https://rides.example/{tripID}"))
        #expect(one.messages.isEmpty)
        let two = read(["TRIPWATCH_TOKEN_URL": "https://rides.example/{tripID}", "TRIPWATCH_TOKEN_FILE": "/run/token"])
        #expect(two.configuration.tokenSource == .file("/run/token"))
        #expect(two.messages.map(\.key) == ["TRIPWATCH_TOKEN_URL"])
    }

    @Test("a variable chooses a profile, and a flag overrides it")
    func profile() {
        let file = "[profiles.lab]\ntheme = \"mono\"\n[profiles.home]\ntheme = \"high-contrast\"\n"
        #expect(read(["TRIPWATCH_PROFILE": "lab"], file: file).configuration.theme == "mono")
        #expect(read(["TRIPWATCH_PROFILE": "lab"], file: file, profile: "home").configuration.theme == "high-contrast")
    }

    @Test("the keys of a profile that a flag selects override the variables, and so does \"\" in a profile; other profiles do not")
    func flaggedProfile() {
        let file = "[profiles.lab]\nendpoint = \"b.example:2\"\ntoken_file = \"/t\"\n"
        let variables = ["TRIPWATCH_ENDPOINT": "c.example:3", "TRIPWATCH_TOKEN_COMMAND": "pass", "TRIPWATCH_THEME": "mono"]
        let lab = read(variables, file: file, profile: "lab").configuration
        #expect(lab.endpoint == "b.example:2" && lab.tokenSource == .file("/t") && lab.theme == "mono")
        let other = read(variables.merging(["TRIPWATCH_PROFILE": "lab"]) { $1 }, file: file).configuration
        #expect(other.profile == "lab" && other.endpoint == "c.example:3" && other.tokenSource == .command("pass"))
        let local = read(variables.merging(["TRIPWATCH_CA": "/a"]) { $1 }, profile: "local").configuration
        #expect(local.endpoint == "127.0.0.1:50051" && local.security == .plaintext && local.tokenSource == nil)
        let google = read(variables, file: "[profiles.google]\nendpoint = \"\"\n", profile: "google").configuration
        #expect(google.endpoint == nil && google.tokenSource == nil)
        let wrong = read(["TRIPWATCH_ENDPOINT": "x:y"], profile: "local")
        #expect(wrong.messages.isEmpty && wrong.configuration.endpoint == "127.0.0.1:50051", "\(wrong.messages)")
    }

    @Test("variables with a token, a certificate or headers for a server that a flag's profile replaces are left out, others are used")
    func companions() {
        let file = "[profiles.lab]\nendpoint = \"b.example:2\"\nprovider_url = \"https://b.example\"\n"
        let own = ["TRIPWATCH_CA": "/a", "TRIPWATCH_TOKEN_FILE": "/t", "TRIPWATCH_PROVIDER_HEADER_FILE": "/h"]
        func lab(_ more: [String: String]) -> Configuration { read(own.merging(more) { $1 }, file: file, profile: "lab").configuration }
        let same = ["TRIPWATCH_ENDPOINT": "b.example:2", "TRIPWATCH_PROVIDER_URL": "https://b.example"]
        for used in [lab([:]), lab(same)] {
            #expect(used.security == .tls(certificates: "/a") && used.tokenSource == .file("/t") && used.providerHeaderFile == "/h")
        }
        let other = lab(["TRIPWATCH_ENDPOINT": "c.example:3", "TRIPWATCH_PROVIDER_URL": "https://c.example"])
        #expect(other.endpoint == "b.example:2" && other.security == nil && other.tokenSource == nil)
        #expect(other.providerURL == "https://b.example" && other.providerHeaderFile == nil)
        let headers = ["TRIPWATCH_TOKEN_URL": "https://c.example", "TRIPWATCH_TOKEN_HEADER_FILE": "/h"]
        let token = read(headers, file: "[profiles.lab]\ntoken_url = \"https://b.example\"\n", profile: "lab").configuration
        #expect(token.tokenSource == .address("https://b.example") && token.tokenHeaderFile == nil)
    }

    @Test("headers of the file are not for an address that a variable sets, unless it is the same; 'config list' agrees")
    func fileHeaders() throws {
        let file =
            "provider_url = \"https://a.example\"\nprovider_header_file = \"/p\"\n"
            + "token_url = \"https://a.example\"\ntoken_header_file = \"/t\"\n"
        let rows: [(variables: [String: String], provider: String?, token: String?)] = [
            ([:], "/p", "/t"), (["TRIPWATCH_PROVIDER_URL": "https://b.example"], nil, "/t"),
            (["TRIPWATCH_TOKEN_URL": "https://b.example"], "/p", nil), (["TRIPWATCH_TOKEN_FILE": "/f"], "/p", nil),
            (["TRIPWATCH_PROVIDER_URL": "https://a.example", "TRIPWATCH_TOKEN_URL": "https://a.example"], "/p", "/t"),
            (["TRIPWATCH_PROVIDER_URL": "https://b.example", "TRIPWATCH_PROVIDER_HEADER_FILE": "/b"], "/b", "/t"),
        ]
        for row in rows {
            let configuration = read(row.variables, file: file).configuration
            #expect(configuration.providerHeaderFile == row.provider && configuration.tokenHeaderFile == row.token, "\(row)")
            let settings = try Configuration.settings(utf8: Array(file.utf8), environment: row.variables, profile: nil)
            #expect(settings.first { $0.name == "provider_header_file" }?.text == row.provider, "\(row)")
            #expect(settings.first { $0.name == "token_header_file" }?.text == row.token, "\(row)")
        }
    }

    @Test("a token source of the file is for the server of the file; one in a variable is for any server")
    func tokenServer() {
        let file = "endpoint = \"a.example:1\"\ntoken_file = \"/t\"\n[profiles.lab]\nendpoint = \"b.example:2\"\n"
        #expect(read([:], file: file).configuration.tokenServer == "a.example:1")
        #expect(read(["TRIPWATCH_ENDPOINT": "c.example:3"], file: file).configuration.tokenServer == "a.example:1")
        #expect(read(["TRIPWATCH_PROFILE": "lab"], file: file).configuration.tokenServer == "b.example:2")
        #expect(read(["TRIPWATCH_TOKEN_FILE": "/u"], file: file).configuration.tokenServer == nil)
        #expect(read(["TRIPWATCH_ENDPOINT": "c.example:3"], file: "token_file = \"/t\"\n").configuration.tokenServer == nil)
    }

    @Test("[] is an empty list, also in a variable")
    func emptyList() {
        let read = read(["TRIPWATCH_ALERTS": "[]"], file: "alerts = [\"here\"]\n")
        #expect(read.messages.isEmpty && read.configuration.alertWords == [], "\(read.messages)")
    }

    @Test("an unknown profile is reported with the variable or the flag that names it")
    func unknownProfile() {
        let sentence = "there is no profile \"nope\"; the only profile is \"local\""
        #expect(read(["TRIPWATCH_PROFILE": "nope"]).messages.map(\.description) == ["TRIPWATCH_PROFILE: \(sentence)"])
        #expect(read(["TRIPWATCH_PROFILE": "lab"], profile: "nope").messages.map(\.description) == ["--profile: \(sentence)"])
    }

    @Test("an unknown kind of trip is reported with the allowed ones, and ignored")
    func wrongKind() {
        let wrong = read(["TRIPWATCH_TRIP_KIND": "parcel"], file: "theme = \"mono\"\n")
        #expect(
            wrong.messages.map { "\($0)" }.joined().contains("TRIPWATCH_TRIP_KIND: \"parcel\" is not allowed; use ride or order"))
        #expect(wrong.configuration.tripKind == nil && wrong.configuration.theme == "mono")
    }

    @Test("a wrong value is reported with its variable, without a file, and ignored; no secret is repeated")
    func wrong() {
        let read = read(["TRIPWATCH_INTERVAL": "soon", "TRIPWATCH_UNITS": "metrics", "TRIPWATCH_TOKEN_URL": "secret://k3y"])
        #expect(read.configuration == Configuration())
        #expect(read.messages.map(\.key) == ["TRIPWATCH_INTERVAL", "TRIPWATCH_TOKEN_URL", "TRIPWATCH_UNITS"])
        let text = read.messages.map { "\($0)" }.joined(separator: "\n")
        #expect(text.contains("TRIPWATCH_INTERVAL: \"soon\" is not allowed; use a number of seconds from 1 to 3600"))
        #expect(text.contains("did you mean \"metric\"?"))
        #expect(!text.contains("k3y") && !text.contains("config.toml"))
    }

    @Test("a mistake in a variable's name is reported; the token and other programs' variables are not")
    func unknown() {
        let read = read([
            "TRIPWATCH_ENDPIONT": "a.example:1", "TRIPWATCH_TOKEN": "abc", "TRIPWATCH_TRIP_ID": "t", "TRIPWATCH_CI_JOB_NUMBER": "7",
            "TRIPWATCH_BOGUS": "1",
        ])
        #expect(read.messages.map { "\($0)" } == ["TRIPWATCH_ENDPIONT: there is no such variable; did you mean TRIPWATCH_ENDPOINT?"])
    }
}
