import FoundationEssentials
import Geo
import Navigation
import Testing

@Suite("Suggested lighting by the sun")
struct LightingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let place: Coordinate
        let rises: String
        let sets: String
        var testDescription: String { "\(place.latitude),\(place.longitude) \(rises)" }
    }

    private static func row(_ latitude: Double, _ longitude: Double, _ rises: String, _ sets: String) -> Row {
        Row(place: Coordinate(latitude: latitude, longitude: longitude), rises: rises, sets: sets)
    }

    /// Times of sunrise and sunset, from NOAA's equations. PyEphem's times differ by at most 5.5 s.
    private static let rows = [
        row(52.52, 13.405, "2026-03-20T05:09:14Z", "2026-03-20T17:19:27Z"),
        row(52.52, 13.405, "2026-06-21T02:43:05Z", "2026-06-21T19:33:18Z"),
        row(52.52, 13.405, "2026-12-21T07:14:54Z", "2026-12-21T14:53:57Z"),
        row(37.7749, -122.4194, "2026-06-21T12:48:05Z", "2026-06-22T03:35:03Z"),
        row(-0.1807, -78.4678, "2026-09-23T11:02:56Z", "2026-09-23T23:09:25Z"),
        row(-33.8688, 151.2093, "2026-12-20T18:40:38Z", "2026-12-21T09:05:25Z"),
        row(64.1466, -21.9426, "2026-06-21T02:55:08Z", "2026-06-22T00:04:01Z"),
        row(69.6492, 18.9553, "2026-11-21T09:06:15Z", "2026-11-21T11:52:52Z"),
        row(43.7384, 7.4246, "2026-11-21T06:32:03Z", "2026-11-21T15:59:49Z"),
    ]

    private func isDark(_ place: Coordinate, _ date: Date) -> Bool {
        var navigator = NavigatorState()
        _ = navigator.apply(LocationFix(coordinate: place, time: date, accuracyMeters: 5), at: date)
        _ = navigator.apply(.tick(date))
        return navigator.suggestedLightingMode == .lowLight
    }

    /// Returns the time within half an hour of `date` at which it becomes light or dark.
    private func change(at place: Coordinate, near date: Date) -> Date {
        var (low, high) = (date - 1_800, date + 1_800)
        let before = isDark(place, low)
        while high.timeIntervalSince(low) > 0.5 {
            let middle = low + high.timeIntervalSince(low) / 2
            if isDark(place, middle) == before { low = middle } else { high = middle }
        }
        return low
    }

    private func check(_ place: Coordinate, _ text: String, isDarkBefore: Bool) throws {
        let date = try Date(text, strategy: .iso8601)
        #expect(isDark(place, date - 1_800) == isDarkBefore, "\(text)")
        #expect(isDark(place, date + 1_800) != isDarkBefore, "\(text)")
        #expect(abs(change(at: place, near: date).timeIntervalSince(date)) <= 10, "\(text)")
    }

    @Test("Dark ends at sunrise and begins at sunset, within 10 s", arguments: rows)
    func table(row: Row) throws {
        try check(row.place, row.rises, isDarkBefore: true)
        try check(row.place, row.sets, isDarkBefore: false)
    }

    @Test("Above the polar circle a day may have no night, and another one no light")
    func polar() throws {
        let tromso = Coordinate(latitude: 69.6492, longitude: 18.9553)
        let (june, december) = (try Date("2026-06-21T00:00:00Z", strategy: .iso8601), try Date("2026-12-21T00:00:00Z", strategy: .iso8601))
        for hour in 0..<24 {
            #expect(!isDark(tromso, june + Double(hour) * 3_600))
            #expect(isDark(tromso, december + Double(hour) * 3_600))
        }
    }

    private struct Vector: Decodable {
        let place: String
        let lat: Double
        let lon: Double
        let date: String
        let sunrise: String
        let sunset: String
        let sunriseEphem: String
        let sunsetEphem: String
        enum CodingKeys: String, CodingKey {
            case place, lat, lon, date, sunrise, sunset
            case sunriseEphem = "sunrise_ephem"
            case sunsetEphem = "sunset_ephem"
        }
    }

    @Test("PyEphem's sunrises and sunsets over eight cities agree within 10 s", .enabled(if: SharedData.has("sun_vectors.json")))
    func oracle() throws {
        let text = try SharedData.text("sun_vectors.json")
        let vectors = try JSONDecoder().decode([Vector].self, from: Data(text.utf8))
        var compared = 0
        for vector in vectors {
            let place = Coordinate(latitude: vector.lat, longitude: vector.lon)
            for (known, other, isRise) in [(vector.sunrise, vector.sunriseEphem, true), (vector.sunset, vector.sunsetEphem, false)] {
                guard let date = try? Date(known, strategy: .iso8601), let ephem = try? Date(other, strategy: .iso8601) else { continue }
                // PyEphem counts days by the sun, so some of its times are a day earlier or later.
                guard abs(ephem.timeIntervalSince(date)) < 3_600 else { continue }
                try check(place, other, isDarkBefore: isRise)
                compared += 1
            }
        }
        #expect(compared >= 50)
    }

    @Test("Nightfall during a drive is reported once, and so is the morning, however often time advances")
    func night() throws {
        let berlin = Coordinate(latitude: 52.52, longitude: 13.405)
        let noon = try Date("2026-03-20T11:00:00Z", strategy: .iso8601)
        var navigator = NavigatorState()
        var told: [(LightingMode, Date)] = []
        for second in stride(from: 0.0, to: 86_400, by: 7) {
            let now = noon + second
            if second.truncatingRemainder(dividingBy: 70) == 0 {
                _ = navigator.apply(LocationFix(coordinate: berlin, time: now, accuracyMeters: 5), at: now)
            }
            for case .didChangeSuggestedLightingMode(let mode) in navigator.apply(.tick(now)) { told.append((mode, now)) }
        }
        #expect(told.map(\.0) == [.lowLight, .normal])
        let sunset = try Date("2026-03-20T17:19:27Z", strategy: .iso8601)
        #expect(try #require(told.first).1.timeIntervalSince(sunset) > -11)
        #expect(try #require(told.first).1.timeIntervalSince(sunset) < 71)
    }

    @Test("Nothing is reported for a start by day, nor without a position; a start at night is reported")
    func start() throws {
        let noon = try Date("2026-03-20T11:00:00Z", strategy: .iso8601)
        var navigator = NavigatorState()
        #expect(navigator.apply(.tick(noon + 43_200)).isEmpty)
        let berlin = Coordinate(latitude: 52.52, longitude: 13.405)
        _ = navigator.apply(LocationFix(coordinate: berlin, time: noon, accuracyMeters: 5), at: noon)
        #expect(navigator.apply(.tick(noon)).isEmpty)
        var other = NavigatorState()
        _ = other.apply(LocationFix(coordinate: berlin, time: noon + 43_200, accuracyMeters: 5), at: noon + 43_200)
        #expect(other.apply(.tick(noon + 43_200)) == [.didChangeSuggestedLightingMode(.lowLight)])
    }
}
