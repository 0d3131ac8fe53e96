import FleetEngine
import FleetEngineCore
import Hummingbird
import Testing
import TripTesting

@testable import LocalFleetEngine

@Suite("Refusals of the provider API")
struct ProviderRefusalTests {
    @Test("a refusal with a time until the next attempt states it in Retry-After, in whole seconds")
    func retryAfter() async throws {
        let time = ManualTimeSource()
        let desk = ProviderDesk(provider: "plain", engine: LocalFleetEngine(time: time), time: time) { "t1" }
        let server = try ProviderServer(desk: desk, port: 0)
        let refusal = FleetEngineError(code: .resourceExhausted, message: "busy", details: [.retryInfo(delaySeconds: 6.2)])
        let response = try await server.answer { () throws(FleetEngineError) -> String in throw refusal }
        #expect(response.status == .tooManyRequests && response.headers[.retryAfter] == "7")
    }
}
