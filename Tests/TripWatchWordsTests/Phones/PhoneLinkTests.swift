import Foundation
import Testing
import TripWatchWords

@Suite("The links that set a phone up")
struct PhoneLinkTests {
    private let links = PhoneLinks(base: "https://rides.example", vehicle: "car 7", key: "KEY")

    @Test("OwnTracks gets its whole configuration in one link")
    func ownTracks() throws {
        let parts = links.link(.owntracks).split(separator: "=", maxSplits: 1)
        #expect(parts.first == "owntracks:///config?inline")
        let base64 = try #require(parts.last?.removingPercentEncoding)
        let data = try #require(Data(base64Encoded: base64))
        let told = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(told["_type"] as? String == "configuration" && told["mode"] as? Int == 3 && told["auth"] as? Bool == true)
        #expect(told["url"] as? String == "https://rides.example/pub")
        #expect(told["username"] as? String == "car 7" && told["password"] as? String == "KEY" && told["deviceId"] as? String == "car 7")
        #expect(told["monitoring"] as? Int == 2 && told["locatorInterval"] as? Int == 10)
        #expect(told["ignoreInaccurateLocations"] as? Int == 200)
    }

    @Test("the other addresses have the key and the placeholders that their apps fill in")
    func others() throws {
        let query = "id=car%207&interval=10&distance=0&accuracy=highest&buffer=true&stop_detection=false"
        #expect(links.link(.traccar) == "https://rides.example/car/KEY/traccar?" + query)
        #expect(links.osmand.hasPrefix("https://rides.example/car/KEY/osmand?lat={0}&lon={1}&timestamp={2}"))
        #expect(links.osmand.hasSuffix("&eta={7}&eta_next={8}&left_m={9}&left_next_m={10}"))
        #expect(links.gpslogger.hasPrefix("https://rides.example/car/KEY/gpslogger?lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&speed=%SPD"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(links.json.utf8)) as? [String: Any])
        #expect(object["vehicle"] as? String == "car 7" && object["key"] as? String == "KEY")
        let apps = try #require(object["links"] as? [String: String])
        #expect(Set(apps.keys) == ["owntracks", "traccar", "osmand", "gpslogger", "overland", "forward"])
        #expect(apps["overland"] == "https://rides.example/car/KEY/overland")
    }
}

@Suite("QR codes")
struct QRCodeTests {
    /// The smallest code has 21 modules on a side, and a quiet zone of four modules on each side.
    @Test("black on white in half blocks, with its quiet zone; the corners are the marks that a camera looks for")
    func drawn() throws {
        let code = try #require(QRCode("tripwatch"))
        #expect(code.columns == 29 && code.rows == 15)
        let lines = code.lines(inColour: true)
        #expect(lines.count == 15 && lines.allSatisfy { $0.hasPrefix("\u{1b}[30;107m") && $0.hasSuffix("\u{1b}[0m") })
        let text = lines.map { $0.dropFirst("\u{1b}[30;107m".count).dropLast("\u{1b}[0m".count) }
        #expect(text.allSatisfy { $0.count == 29 && $0.hasPrefix("    ") && $0.hasSuffix("    ") })
        #expect(text[0].allSatisfy { $0 == " " } && text[1].allSatisfy { $0 == " " })
        #expect(text[2].dropFirst(4).hasPrefix("█▀▀▀▀▀█ ") && text[2].dropLast(4).hasSuffix(" █▀▀▀▀▀█"))
        #expect(text[3].dropFirst(4).hasPrefix("█ ███ █ "))
        let bare = code.lines(inColour: false)
        #expect(bare[0] == String(repeating: "█", count: 29) && bare[2].hasPrefix("████ ▄▄▄▄▄ █"))
    }

    @Test("a text that is too long for every code has none")
    func limits() throws {
        #expect(QRCode("") == nil && QRCode("a\u{0}b") == nil)
        #expect(QRCode(String(repeating: "x", count: 2_954)) == nil)
        #expect(try #require(QRCode(String(repeating: "x", count: 2_953))).columns == 177 + 8)
    }
}
