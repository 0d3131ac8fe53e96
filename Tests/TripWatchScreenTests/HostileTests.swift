import FleetEngine
import FoundationEssentials
import Geo
import JourneySharing
import TerminalCanvas
import Testing

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("Text and numbers from a hostile server")
struct HostileTests {
    private static let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme
    private static let nasty = [
        "\u{1b}[2J\u{1b}]0;owned\u{7}", "东京駅 🚕 e\u{301}\u{302}\u{303}\u{304}", "\u{202e}drawkcab\u{2066}",
        String(repeating: "W", count: 5_000), "",
        "a\nb\tc\u{85}d", "\u{fffe}\u{feff}",
    ]

    @Test("names and plates never reach the screen with control or direction characters", arguments: 0..<7)
    func names(index: Int) throws {
        let text = Self.nasty[index]
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24)))
        scenario.answer("14:07:12") { name, time in
            var trip = MadeUpTrip.approaching(name, metersToGo: 1_804, arrival: "14:13:00", at: time)
            trip.attributes = Dictionary(uniqueKeysWithValues: MadeUpTrip.attributes.keys.map { ($0, text) })
            trip.vehicleID = text.isEmpty ? nil : text
            return trip
        }
        scenario.fail("14:07:20", FleetEngineError(code: .internal, message: text, requestID: text), retryIn: 5, attempt: 9)
        for keys in ["", "w", "w e", "e d", "d x"] {
            scenario.press(keys)
            for size in [
                Size(columns: 80, rows: 24), Size(columns: 120, rows: 40), Size(columns: 40, rows: 15), Size(columns: 20, rows: 3),
            ] {
                scenario.send(.resize(size))
                for scalar in AppView().canvas(scenario.state, theme: Self.theme).text().unicodeScalars where scalar != "\n" {
                    #expect(scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format)
                }
            }
        }
        for effect in scenario.effects {
            if case .setTitle(let title) = effect { #expect(!title.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }) }
        }
    }

    @Test("any trip can be drawn, however wrong its numbers are", arguments: 0..<30)
    func numbers(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var scenario = try #require(Scenario(size: Size(columns: 80, rows: 24)))
        let view = AppView()
        for step in 0..<12 {
            scenario.answer("14:0\(step / 2):\(step % 2 == 0 ? "05" : "35")") { name, _ in random.wildTrip(name) }
            scenario.press(random.element(of: ["w", "e", "d", "x tab", "?", "0 n n enter", "c", "esc", "f + + l", "u m"]) ?? "")
            let size = Size(columns: random.int(in: 1...140), rows: random.int(in: 1...50))
            scenario.send(.resize(size))
            #expect(view.canvas(scenario.state, theme: Self.theme).size == size)
        }
    }

    private static let mouseActions: [MouseEvent.Action] = [
        .press(.left), .press(.right), .drag(.left), .drag(.middle), .release(.left), .release(nil), .scroll(.up), .scroll(.down),
        .scroll(.left),
    ]

    @Test("any sequence of keys does no harm", arguments: 0..<30)
    func keys(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let name = random.element(of: Scenario.names) ?? "approaching"
        var scenario = try #require(Scenario.named(name, size: Size(columns: 80, rows: 24)))
        let all = KeyMap.standard.bindings.flatMap(\.entries).flatMap(\.keys)
        let view = AppView()
        for _ in 0..<200 {
            if let key = random.element(of: all) { scenario.send(.key(key)) }
            if random.chance(0.1) {
                let place = Position(column: random.int(in: -5...200), row: random.int(in: -5...90))
                scenario.send(.mouse(MouseEvent(random.element(of: Self.mouseActions) ?? .press(.left), at: place)))
            }
            if random.chance(0.05) { scenario.send(.resize(Size(columns: random.int(in: 0...120), rows: random.int(in: 0...40)))) }
            if random.chance(0.2) { scenario.tick(at: scenario.state.now.addingTimeInterval(random.double(in: -90...90))) }
        }
        #expect(view.canvas(scenario.state, theme: Self.theme).size.columns == scenario.state.size.columns)
    }

    @Test("a clock that jumps does no harm")
    func clockJump() throws {
        var scenario = try #require(Scenario.named("approaching", size: Size(columns: 80, rows: 24)))
        scenario.tick("11:00:00")
        scenario.tick("14:07:30")
        #expect(AppView().canvas(scenario.state, theme: Self.theme).text().contains("14:13"))
    }
}

extension SeededRandom {
    fileprivate mutating func wildNumber() -> Double {
        element(of: [0, -1, 1e300, -1e300, .nan, .infinity, 12, 90, 180.0001, 4e9]) ?? 0
    }

    fileprivate mutating func wildPlace() -> Coordinate {
        chance(0.6)
            ? MadeUpTrip.place(double(in: -4_000...4_000), double(in: -4_000...4_000))
            : Coordinate(latitude: wildNumber(), longitude: wildNumber())
    }

    fileprivate mutating func wildTime() -> Date? {
        chance(0.2)
            ? nil
            : chance(0.7)
                ? MadeUpTrip.time("14:\(int(in: 10...59)):00") : Date(timeIntervalSince1970: element(of: [0, -1e12, 4e12, 1]) ?? 0)
    }

    fileprivate mutating func wildTrip(_ name: TripName) -> Trip {
        var trip = MadeUpTrip.new(name)
        trip.status = element(of: TripStatus.allCases) ?? .unknown
        trip.vehicleID = chance(0.7) ? "cab-\(int(in: 1...3))" : nil
        trip.pickupPoint = chance(0.8) ? wildPlace() : nil
        trip.dropoffPoint = chance(0.8) ? wildPlace() : nil
        trip.intermediateDestinations = (0..<int(in: 0...4)).map { _ in wildPlace() }
        trip.intermediateDestinationIndex = element(of: [-3, 0, 1, 2, 2_000, .max, .min]) ?? 0
        trip.pickupTime = wildTime()
        trip.dropoffTime = wildTime()
        trip.etaToNextWaypoint = wildTime()
        trip.remainingDistanceMeters = chance(0.3) ? nil : wildNumber()
        trip.activeRoute = RouteLine(
            (0..<int(in: 0...20)).map { _ in wildPlace() },
            traffic: (0...3).map { _ in TrafficStretch(startMeters: wildNumber(), endMeters: wildNumber(), speed: .slow) })
        trip.lastLocation =
            chance(0.2)
            ? nil
            : VehicleLocation(
                coordinate: wildPlace(), headingDegrees: wildNumber(), speedMetersPerSecond: wildNumber(), accuracyMeters: wildNumber(),
                updateTime: wildTime(), serverTime: wildTime())
        trip.remainingWaypoints = (0..<int(in: 0...4)).map { _ in
            TripWaypoint(
                coordinate: wildPlace(), tripID: chance(0.3) ? "another" : name.trip,
                type: element(of: [.pickup, .intermediate, .dropoff, .unknown]) ?? .unknown,
                path: RouteLine([wildPlace(), wildPlace(), wildPlace()]),
                distanceMeters: wildNumber(), eta: wildTime())
        }
        return trip
    }
}
