import Geo
import Testing

@Suite("Places as text")
struct PlaceTextTests {
    private func close(_ text: String, _ latitude: Double, _ longitude: Double) -> Bool {
        guard let place = PlaceText(text)?.coordinate else { return false }
        return abs(place.latitude - latitude) < 1e-6 && abs(place.longitude - longitude) < 1e-6
    }

    @Test(
        "a place is read in the forms that people write and copy",
        arguments: [
            "48.5,9.1", "48.50, 9.10", " 48.5 , 9.1 ", "(48.5, 9.1)", "[48.5,9.1]", "48.5 9.1", "48.5\t9.1", "+48.5,+9.1",
            "48.5° N, 9.1° E",
            "48.5°N 9.1°E", "48.5N9.1E", "N 48.5 E 9.1", "n48.5, e9.1", "E 9.1, N 48.5", "48°30'0\"N 9°6'0\"E", "48°30′00.0″N, 9°06′00.0″E",
            "48° 30.0' N 9° 6' E", "48°30’ 9°6’", "geo:48.5,9.1", "GEO:48.5,9.1,300;u=35", " geo:48.5,9.1?z=15",
        ])
    func forms(text: String) { #expect(close(text, 48.5, 9.1)) }

    @Test("south and west are negative, by sign or by letter")
    func sides() {
        #expect(close("-33.85, 151.2", -33.85, 151.2) && close("33.85S, 151.2E", -33.85, 151.2) && close("−33.85 −70.5", -33.85, -70.5))
        #expect(close("33°51'S 70°30'W", -33.85, -70.5) && close("-33°51' -70°30'", -33.85, -70.5) && close("0,1e-05", 0, 0.00001))
    }

    @Test(
        "text without a place gives no place",
        arguments: [
            "", " ", ",", "48.5", "48.5,", "91,9", "48.5,181", "48,5 9,1", "48,5; 9,1", "48,5 9", "48.5.1 9", "48.5N 9.1N", "48.5E 9.1E",
            "-48.5S 9.1E",
            "48°61'N 9°6'E", "48°30'60\"N 9°6'E", "nan,9", "inf 9", "48.5,9.1,300", "Main Street 5", "5th Ave", "48.5 9.1 x", "geo:91,9",
            "geo:",
            "geo:0,0?q=Town+Hall",
        ])
    func others(text: String) { #expect(PlaceText(text) == nil) }

    @Test(
        "in Android's link, the marked place is preferred to 0,0",
        arguments: [
            "geo:0,0?q=48.5,9.1(Home)", "geo:0,0?q=48.5%2C9.1%28Home%29", "geo:0,0?z=15&q=48.5,%209.1+(Home)", "geo:1,2?q=48.5,9.1",
            "geo:48.5,9.1?q=Home",
        ])
    func marked(text: String) { #expect(close(text, 48.5, 9.1)) }

    @Test("a link may contain a zoom, or only a name")
    func links() {
        #expect(GeoLink("geo:0,0?z=15&q=48.5,9.1")?.zoom == 15 && GeoLink("geo:48.5,9.1")?.zoom == nil)
        #expect(GeoLink.name(in: "geo:0,0?q=Town+Hall%2C%20A") == "Town Hall, A")
        #expect(GeoLink.name(in: "geo:0,0") == nil && GeoLink.name(in: "geo:48.5,9.1?q=Home") == nil && GeoLink.name(in: "Home") == nil)
        #expect(GeoLink("geo:0,0")?.coordinate == Coordinate(latitude: 0, longitude: 0))
    }

    @Test("long and strange texts give no place")
    func hostile() {
        for text in [
            String(repeating: "9", count: 100_000), String(repeating: "(", count: 5_000), "%", "geo:0,0?q=%", "geo:0,0?q=%zz(", "°'\"",
        ] {
            #expect(PlaceText(text) == nil, "\(text.prefix(20))")
        }
    }
}
