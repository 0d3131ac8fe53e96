import Testing

@testable import TripWatchSettings

@Suite("The nearest word")
struct NearestTests {
    @Test(
        "Distances count letters missing, additional, wrong and swapped",
        arguments: [
            ("", "", 0), ("a", "", 1), ("map", "map", 0), ("map", "mpa", 1), ("route", "rout", 1), ("route", "rooute", 1),
            ("kitten", "sitting", 3),
            ("ca", "abc", 3), ("vehicle", "veichle", 2), ("ähre", "ahre", 1),
        ])
    func distances(left: String, right: String, distance: Int) {
        #expect(Nearest.distance(Array(left), Array(right)) == distance)
        #expect(Nearest.distance(Array(right), Array(left)) == distance)
    }

    @Test("A word that is far from every candidate has no nearest one")
    func far() {
        let names = ThemeScope.allCases.map(\.rawValue)
        #expect(Nearest.match("map.raod.primary", among: names) == "map.road.primary")
        #expect(Nearest.match("route.ahaed", among: names) == "route.ahead")
        #expect(Nearest.match("VEHICLE", among: names) == "vehicle")
        #expect(Nearest.match("xyzzy", among: names) == nil)
        #expect(Nearest.match("", among: names) == nil)
        #expect(Nearest.match("fg", among: ["bold"]) == nil)
        #expect(Nearest.match(String(repeating: "a", count: 100_000), among: names) == nil)
        #expect(Nearest.match("a", among: [String(repeating: "a", count: 100_000), ""]) == nil)
    }
}
