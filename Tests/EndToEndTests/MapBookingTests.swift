import Foundation
import TerminalHarness
import Testing

@testable import ProgramHarness

@Suite("A ride that is booked on the map, in the program", SharedEngine(), .timeLimit(.minutes(3)))
struct MapBookingTests {
    @Test("B, Enter, pan, Enter, Enter: the trip is booked at the crosshair, and followed; Esc goes back one step")
    func booked() throws {
        try SharedEngine.with { _, http in
            let map = try ProgramOnTerminal(["map", "--provider-url", "http://\(http)", "--interval", "1"])
            try map.wait(for: "B book a ride")
            map.press("B")
            try map.wait(for: "crosshair is on the pickup")
            map.press("\r")
            try map.wait(for: "crosshair is on the drop-off")
            map.press("l")
            map.press("\r")
            try map.wait(for: "Book this ride?")
            map.press("\u{1b}")
            try map.wait(for: "crosshair is on the drop-off")
            map.press("\u{1b}")
            try map.wait(for: "crosshair is on the pickup")
            map.press("\r")
            try map.wait(for: "crosshair is on the drop-off")
            map.press("jj")
            map.press("\r")
            try map.wait(for: "both places") { $0.contains("Book this ride?") && $0.contains("Pickup: ") && $0.contains("Drop-off: ") }
            let shown = map.text
            map.press("\r")
            try map.wait(for: "LOOKING FOR A CAR")
            map.press("q")
            #expect(try map.end() == 0)
            let name = try #require(map.terminal.visibleOutput.firstMatch(of: #/providers/demo/trips/trip-[0-9a-f-]{36}/#)).output
            let answer = try WebClient.get("http://\(http)/v1/\(name)")
            let trip = try JSONDecoder().decode(Trip.self, from: Data(answer.body.utf8))
            for (kind, place) in [("Pickup", trip.pickupPoint.point), ("Drop-off", trip.dropoffPoint.point)] {
                let numbers = try Self.numbers(of: kind, in: shown)
                #expect(abs(numbers.0 - place.latitude) < 0.00001 && abs(numbers.1 - place.longitude) < 0.00001, "\(kind): \(shown)")
            }
        }
    }

    @Test("a pickup that was found by its name is booked with the name")
    func named() throws {
        try SharedEngine.with { _, http in
            let map = try ProgramOnTerminal(["map", "--basemap", "town", "--provider-url", "http://\(http)", "--interval", "1"])
            try map.wait(for: "B book a ride")
            map.press("B")
            try map.wait(for: "crosshair is on the pickup")
            map.press("/Minstergate Station")
            try map.wait(for: "station or stop")
            map.press("\r")
            try map.wait(for: "Minstergate Station ∙")
            map.press("\r")
            try map.wait(for: "Pickup: Minstergate Station")
            map.press("l")
            map.press("\r")
            try map.wait(for: "Book this ride?")
            map.press("\r")
            try map.wait(for: "LOOKING FOR A CAR")
            map.press("q")
            #expect(try map.end() == 0)
            let name = try #require(map.terminal.visibleOutput.firstMatch(of: #/providers/demo/trips/trip-[0-9a-f-]{36}/#)).output
            let trip = try WebClient.get("http://\(http)/v1/\(name)").body
            #expect(trip.contains("pickup_name") && trip.contains("Minstergate Station"), "\(trip)")
        }
    }

    private struct Trip: Decodable {
        struct Stop: Decodable {
            struct Point: Decodable {
                let latitude: Double
                let longitude: Double
            }

            let point: Point
        }

        let pickupPoint: Stop
        let dropoffPoint: Stop
    }

    /// Returns the latitude and longitude that the screen shows for a place of this kind.
    private static func numbers(of kind: String, in text: String) throws -> (Double, Double) {
        let row = try #require(text.split(separator: "\n").first { $0.contains("\(kind): ") })
        let match = try #require(row.firstMatch(of: #/(-?[0-9]+(?:\.[0-9]+)?), (-?[0-9]+(?:\.[0-9]+)?)/#))
        return (try #require(Double(match.output.1)), try #require(Double(match.output.2)))
    }

    @Test("after a refused booking the screen states the reason, and the user can try again")
    func refused() throws {
        try SharedEngine.with { _, http in
            let map = try ProgramOnTerminal(["map", "--provider-url", "http://\(http)/nowhere"])
            try map.wait(for: "B book a ride")
            map.press("B")
            map.press("\r")
            map.press("l")
            map.press("\r")
            try map.wait(for: "Book this ride?")
            for _ in 1...2 {
                map.press("\r")
                try map.wait(for: "why not") { $0.contains("Not booked: the provider at") && $0.contains("Book this ride?") }
                map.press("\u{1b}")
                try map.wait(for: "crosshair is on the drop-off")
                map.press("\r")
                try map.wait(for: "the question alone") { $0.contains("Book this ride?") && !$0.contains("Not booked") }
            }
            map.press("q")
            #expect(try map.end() == 0)
        }
    }

    @Test("without a provider B says what to set; options for a server require an option that uses one")
    func noProvider() throws {
        let map = try ProgramOnTerminal(["map"])
        try map.wait(for: "? help")
        map.press("B")
        try map.wait(for: "Set --provider-url, or provider_url in the configuration, to book a ride.")
        map.press("q")
        #expect(try map.end() == 0)
        let outcome = try Program().run(["map", "--dump", "--endpoint", "127.0.0.1:1"])
        #expect(outcome.status == 64 && outcome.errors.contains("--endpoint works only with --fleet, --vehicle or --provider-url."))
    }

    @Test("the address can come from the environment")
    func environment() throws {
        try SharedEngine.with { _, http in
            let map = try ProgramOnTerminal(["map"], setting: ["TRIPWATCH_PROVIDER_URL": "http://\(http)"])
            try map.wait(for: "B book a ride")
            map.press("q")
            #expect(try map.end() == 0)
        }
    }
}
