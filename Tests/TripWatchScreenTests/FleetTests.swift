import ConsumerMap
import FleetEngine
import FoundationEssentials
import Geo
import TerminalCanvas
import Testing
import TripWatchWords

@testable import TripWatchScreen
@testable import TripWatchSettings

@Suite("Vehicles without a trip on the map")
struct FleetTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let theme = ThemeCatalog().load("harbour-dark", depth: .palette256).theme

    private static func vehicle(_ id: String, _ longitude: Double?, ageSeconds: Double = 2, state: VehicleState = .online) throws -> Vehicle
    {
        let location = longitude.map {
            VehicleLocation(
                coordinate: Coordinate(latitude: -36, longitude: $0), headingDegrees: 90, updateTime: now.addingTimeInterval(-ageSeconds))
        }
        return Vehicle(name: try VehicleName(provider: "p", vehicle: id), state: state, lastLocation: location)
    }

    private static func state(fits: Bool = true) -> AppState {
        let options = Scenario.options {
            $0.mode = .map
            ($0.showsFleet, $0.fitsFleet) = (true, fits)
            $0.center = Coordinate(latitude: -36, longitude: -20)
        }
        return AppState(trips: [], options: options, size: Size(columns: 80, rows: 24), now: now)
    }

    private static func text(_ state: AppState) -> String { AppView().canvas(state, theme: theme).text() }

    @Test("vehicles are counted, drawn at their positions, and selected by keys; those a day old, or without a position, are not drawn")
    func drawn() throws {
        var state = Self.state()
        #expect(Self.text(state).contains("tripwatch   asking the server"))
        let told = try [
            Self.vehicle("blue", -20), Self.vehicle("amber", -19.9), Self.vehicle("old", -19.95, ageSeconds: 90_000),
            Self.vehicle("quiet", -19.8, ageSeconds: 600), Self.vehicle("parked", nil, state: .offline),
        ]
        _ = state.update(.fleet(.vehicles(told, isComplete: true), for: nil))
        let text = Self.text(state)
        for part in ["5 vehicles, 4 online", "▸ amber", "▸ blue", "quiet"] { #expect(text.contains(part), "\(part): \(text)") }
        #expect(!text.contains("old") && !text.contains("parked") && !text.contains("▸ quiet"))
        // The area of the map contains all vehicles.
        #expect(state.window.contains(Coordinate(latitude: -36, longitude: -20)))
        #expect(state.window.contains(Coordinate(latitude: -36, longitude: -19.8)))
        _ = state.update(.key(.character("n")))
        #expect(Self.text(state).contains("amber ∙ online ∙ free ∙ 2 s ago"))
        // Some vehicles disappear and others appear. The selected vehicle must stay selected.
        let more = try [Self.vehicle("aaa", -19.99), Self.vehicle("amber", -19.91), Self.vehicle("blue", -20)]
        _ = state.update(.fleet(.vehicles(more, isComplete: false), for: nil))
        #expect(state.map.selectedMarker.flatMap(state.otherVehicleWords)?.hasPrefix("amber") == true)
        #expect(Self.text(state).contains("the first 3 vehicles, 3 online"))
        _ = state.update(.key(.character("r")))
        #expect(state.update(.key(.character("r"))).contains(.askFleet))
    }

    @Test("a failure is reported once, with the number of failures; a requested place stays in view")
    func failure() throws {
        var state = Self.state(fits: false)
        let camera = state.map.camera
        _ = state.update(.fleet(.vehicles([try Self.vehicle("car", 20)], isComplete: true), for: nil))
        #expect(state.map.camera == camera)
        _ = state.update(.fleet(.failure(FleetEngineError(code: .unavailable, message: "refused", origin: .network)), for: nil))
        #expect(Self.text(state).contains("1 vehicle at ") && Self.text(state).contains("; no connection"))
        #expect(Self.text(state).contains("cannot be reached (refused)"))
        _ = state.update(.fleet(.vehicles([], isComplete: true), for: nil))
        #expect(Self.text(state).contains("no vehicles") && Self.text(state).contains("The server is answering again."))
        let refusal = FleetEngineError(code: .permissionDenied, message: "not\u{1b}[31m you", origin: .server)
        _ = state.update(.fleet(.failure(refusal), for: nil))
        #expect(
            Self.text(state).contains("You are not allowed to see these vehicles (PERMISSION_DENIED: not"), "\(Self.text(state))")
        #expect(!Self.text(state).contains("\u{1b}") && Self.text(state).contains("; updates stopped"))
    }

    @Test("near a waiting rider, the other vehicles disappear when a car is assigned")
    func nearby() throws {
        var scenario = try #require(Scenario.named("looking", size: Size(columns: 80, rows: 24)))
        let (trip, place) = try #require(scenario.state.waitingPlace)
        let car = Vehicle(
            name: try VehicleName(provider: "p", vehicle: "near-7"), state: .online,
            lastLocation: VehicleLocation(coordinate: place, updateTime: scenario.state.now))
        scenario.send(.fleet(.vehicles([car], isComplete: true), for: trip))
        #expect(Self.text(scenario.state).contains("near-7"))
        scenario.send(.fleet(.ended, for: trip))
        #expect(!Self.text(scenario.state).contains("near-7"))
    }
}
