import FleetEngine
import FoundationEssentials
import ProviderBackend
import Testing
import TripTesting

@testable import LocalFleetEngine

@Suite("The clock of a phone", .timeLimit(.minutes(1)))
struct PhoneClockTests {
    private struct Car: Decodable { let key: String }

    private func newKey(_ desk: ProviderHarness, _ id: String = "car-7") async throws -> String {
        let answer = try await desk.ask("POST", "/car/new", #"{"vehicleId":"\#(id)"}"#)
        return try JSONDecoder().decode(Car.self, from: Data(answer.text.utf8)).key
    }

    /// Reports a position whose time is `ahead` seconds in the future.
    private func report(_ desk: ProviderHarness, _ key: String, ahead: Double) async throws {
        let time = Int64(desk.time.now().timeIntervalSince1970 + ahead)
        #expect(try await desk.ask("GET", "/car/\(key)/osmand?lat=48.5&lon=9.1&timestamp=\(time)").status == 200)
    }

    @Test("a clock that is ahead or behind is reported with the vehicle and in the metrics, until a fix has a plausible time")
    func told() async throws {
        try await ProviderHarness.with { desk in
            let key = try await newKey(desk)
            let client = try desk.client()
            func figures() async throws -> [Substring] {
                let text = try await desk.ask("GET", "/metrics").text
                return text.split(separator: "\n").filter { $0.hasPrefix("tripwatch_phone_clock") }
            }
            #expect(try await figures() == ["tripwatch_phone_clock_errors_total 0"])
            for ahead in [95.0, -1_500_000_000] {
                try await report(desk, key, ahead: ahead)
                #expect(try await client.carReport("car-7") == CarReport(position: nil, clockAheadSeconds: Int(ahead)))
            }
            let label = #"tripwatch_phone_clock_ahead_seconds{vehicle="car-7"} -1500000000"#
            #expect(try await figures() == ["tripwatch_phone_clock_errors_total 2", label[...]])
            #expect(try await desk.ask("GET", "/car/\(key)/osmand?id=7").status == 200)
            #expect(try await client.carReport("car-7").clockAheadSeconds == -1_500_000_000)
            try await report(desk, key, ahead: -1)
            let report = try await client.carReport("car-7")
            #expect(report.clockAheadSeconds == nil && report.position?.time == desk.time.now().addingTimeInterval(-1))
            #expect(try await figures() == ["tripwatch_phone_clock_errors_total 2"])
            #expect(try await client.carReport("nobody") == CarReport())
        }
    }

    @Test("a new key forgets the previous phone's clock, and a strange id stays one label")
    func newPhone() async throws {
        try await ProviderHarness.with { desk in
            let key = try await newKey(desk, #"a\"b\\c"#)
            try await report(desk, key, ahead: 3_600)
            let label = #"tripwatch_phone_clock_ahead_seconds{vehicle="a\"b\\c"} 3600"#
            #expect(try await desk.ask("GET", "/metrics").text.contains("\n\(label)\n"))
            _ = try await newKey(desk, #"a\"b\\c"#)
            #expect(try await !desk.ask("GET", "/metrics").text.contains(label))
        }
    }
}
