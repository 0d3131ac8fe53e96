import Geo
import JourneySharing
import TerminalCanvas
import Testing

@testable import TripWatchSettings

/// Reads the settings in a configuration file, as if the file were in a made-up directory.
func configuration(
    _ text: String, profile: String? = nil
) -> (configuration: Configuration, messages: [ConfigurationMessage]) {
    Configuration.read(utf8: Array(text.utf8), home: "/home/nobody", directory: "/home/nobody/.config/tripwatch", profile: profile)
}

/// Returns whether a message can be printed to a terminal unchanged.
func isPrintable(_ message: ConfigurationMessage) -> Bool {
    let text = message.description
    return text == sanitised(text, maximumLength: 4_000) && text.count < 1_000
}

@Suite("Reading the configuration file")
struct ConfigurationReadingTests {
    private func read(_ text: String) -> Configuration {
        let read = configuration(text)
        #expect(read.messages == [])
        return read.configuration
    }

    @Test("Every key arrives with its type")
    func everyKey() {
        let all = read(
            """
            endpoint = "127.0.0.1:50051"
            ca = "certificates/root.pem"
            provider = "demo"
            provider_url = "http://127.0.0.1:8080/rides"
            token_command = "pass show rides | head -1"
            interval = 2.5
            basemap = "~/maps/town.pmtiles"
            language = ["de", "zh-Hant"]
            theme = "harbour-light"
            painter = "half"
            colors = 256
            units = "uk"
            mouse = true
            clipboard = false
            window_title = false
            here = "-36.005, -19.99"
            profile = ""
            """)
        #expect(all.endpoint == "127.0.0.1:50051")
        #expect(all.security == .tls(certificates: "/home/nobody/.config/tripwatch/certificates/root.pem"))
        #expect(all.provider == "demo")
        #expect(all.providerURL == "http://127.0.0.1:8080/rides")
        #expect(all.tokenSource == .command("pass show rides | head -1"))
        #expect(all.intervalSeconds == 2.5)
        #expect(all.baseMap == .file("/home/nobody/maps/town.pmtiles"))
        #expect(all.languages == ["de", "zh-Hant"])
        #expect(all.theme == "harbour-light")
        #expect(all.painter == .halfBlock)
        #expect(all.colors == .palette && all.colors?.depth == .palette256)
        #expect(all.measurementSystem == .uk)
        #expect(all.usesMouse == true)
        #expect(all.usesClipboard == false)
        #expect(all.setsWindowTitle == false)
        #expect(all.here == .place(Coordinate(latitude: -36.005, longitude: -19.99)))
        #expect(all.profile == nil)
    }

    @Test("An empty file sets nothing, and neither do comments")
    func empty() {
        #expect(read("") == Configuration())
        #expect(read("# theme = 3\n\r\n\t\n") == Configuration())
        #expect(read("\u{feff}theme = \"mono\"").theme == "mono")
    }

    @Test(
        "A path is relative to the home directory or to the file's",
        arguments: [
            ("/etc/ride.pem", "/etc/ride.pem"), ("~/ride.pem", "/home/nobody/ride.pem"),
            ("ride.pem", "/home/nobody/.config/tripwatch/ride.pem"), ("./~ride.pem", "/home/nobody/.config/tripwatch/./~ride.pem"),
            ("../a/ride.pem", "/home/nobody/.config/tripwatch/../a/ride.pem"), ("a/~/b", "/home/nobody/.config/tripwatch/a/~/b"),
        ])
    func paths(written: String, path: String) {
        #expect(read("ca = '\(written)'").security == .tls(certificates: path))
        #expect(read("token_file = '\(written)'").tokenSource == .file(path))
        #expect(read("basemap = '\(written)'").baseMap == .file(path))
    }

    @Test("Directories may end with a slash, and without a home there is no ~/")
    func directories() {
        func baseMap(_ text: String, home: String, directory: String) -> Configuration.BaseMap? {
            Configuration.read(utf8: Array("basemap = '\(text)'".utf8), home: home, directory: directory, profile: nil).configuration
                .baseMap
        }
        #expect(baseMap("~/a", home: "/", directory: "/x") == .file("/a"))
        #expect(baseMap("a", home: "/", directory: "/x/") == .file("/x/a"))
        #expect(baseMap("a", home: "", directory: "") == .file("a"))
        #expect(baseMap("~/a", home: "", directory: "/x") == nil)
        #expect(baseMap("~other/a", home: "/home/nobody", directory: "/x") == nil)
    }

    @Test(
        "A base map can also be a word",
        arguments: [
            ("none", Configuration.BaseMap.none), ("town", .town), ("demo", .town), ("osm", .osm),
            ("https://a.example/{z}/{x}/{y}?k=1", .address("https://a.example/{z}/{x}/{y}?k=1")),
            ("./none", .file("/home/nobody/.config/tripwatch/./none")),
        ])
    func baseMaps(written: String, baseMap: Configuration.BaseMap) {
        #expect(read("basemap = \"\(written)\"").baseMap == baseMap)
    }

    @Test("Colours are words or numbers", arguments: Configuration.Colors.allCases)
    func colors(colors: Configuration.Colors) {
        #expect(read("colors = \"\(colors.rawValue)\"").colors == colors)
        if Int(colors.rawValue) != nil { #expect(read("colors = \(colors.rawValue)").colors == colors) }
    }

    @Test("Each word for colours has its colour depth")
    func depths() {
        #expect(Configuration.Colors.allCases.map(\.depth) == [nil, ColorDepth.none, .ansi8, .ansi16, .palette256, .direct])
    }

    @Test("A language may be a single text")
    func language() {
        #expect(read("language = \"de\"").languages == ["de"])
        #expect(read("language = []").languages == [])
        #expect(read("language = [\n  \"de\", # first\n  'en',\n]").languages == ["de", "en"])
    }

    @Test("Intervals are from one second to one hour", arguments: ["1", "1.0", "3600", "3600.0", "5", "1e3", "0x10"])
    func intervals(text: String) {
        #expect(read("interval = \(text)").intervalSeconds.map { (1...3_600).contains($0) } == true)
    }

    @Test(
        "Servers are accepted in every form",
        arguments: ["127.0.0.1:50051", "rides.example", "[::1]:50051", "::1", "[2001:db8::1]", "fleetengine.googleapis.com:443", "a:65535"])
    func endpoints(text: String) {
        #expect(read("endpoint = \"\(text)\"").endpoint == text)
    }

    @Test(
        "Token addresses are accepted where a token may travel",
        arguments: [
            "https://rides.example/token/{tripID}", "https://rides.example:8443/t?trip={tripID}&vehicle={vehicleID}",
            "http://127.0.0.1:8080/token", "http://localhost/token/{vehicleID}", "http://[::1]:1/",
        ])
    func tokenAddresses(text: String) {
        #expect(read("token_url = \"\(text)\"").tokenSource == .address(text))
    }

    @Test("An empty text sets nothing for keys without a single default")
    func emptyTexts() {
        for key in ConfigurationKey.all where key.standardLiteral == ConfigurationKey.emptyLiteral {
            var expected = Configuration()
            if key.name == "ca" { expected.security = nil }
            #expect(read("\(key.name) = \"\"") == expected, "\(key.name)")
        }
    }

    @Test("Quoted keys and all kinds of texts have the same meaning")
    func spellings() {
        #expect(read("\"the\\u006de\" = '''mono'''").theme == "mono")
        #expect(read("'theme' = \"\"\"\\\n   mono\"\"\"").theme == "mono")
        #expect(read("\ttheme\t=\t\"mono\"\t# why not\r\n").theme == "mono")
    }
}
