import FleetEngine
import Geo
import Testing

@Suite("Retry pace")
struct RetryPaceTests {
    private func failure(_ code: StatusCode, _ message: String = "", _ details: [ErrorDetail] = []) -> FleetEngineError {
        FleetEngineError(code: code, message: message, details: details)
    }

    private func delays(_ error: FleetEngineError, _ count: Int) -> [Double] {
        var pace = RetryPace()
        var random = SeededRandom(seed: 5)
        return (0..<count).map { _ in pace.delaySeconds(after: error, intervalSeconds: 5, random: &random) }
    }

    @Test("Transient, client, quota and unknown-method failures have the pauses of the table")
    func table() {
        let rows: [(FleetEngineError, [Double], ClosedRange<Double>)] = [
            (failure(.unavailable), [5, 8, 12.8, 20.48, 32.768, 52.4288, 60, 60], 0.8...1.2),
            (failure(.notFound), [30, 60, 120, 300, 300], 0.8...1.2), (failure(.permissionDenied), [30, 60, 120, 300], 0.8...1.2),
            (failure(.resourceExhausted), [30, 60, 120, 240, 300, 300], 0.8...1.2), (failure(.unimplemented), [300, 300], 1...1),
        ]
        for (error, middles, spread) in rows {
            for (delay, middle) in zip(delays(error, middles.count), middles) {
                #expect(delay >= middle * spread.lowerBound && delay <= middle * spread.upperBound, "\(error) \(delay)")
            }
        }
    }

    @Test("A wait that the server requests is never shortened, and an absurd one is limited")
    func asked() {
        let pace = RetryPace()
        for code in [StatusCode.unavailable, .resourceExhausted, .unimplemented, .notFound] {
            #expect(delays(failure(code, "", [.retryInfo(delaySeconds: 280)]), 20).allSatisfy { $0 >= 280 })
            #expect(delays(failure(code, "", [.retryInfo(delaySeconds: 1e12)]), 20).allSatisfy { (300...360).contains($0) })
            #expect(pace.serverWaitSeconds(of: failure(code, "", [.retryInfo(delaySeconds: 3_600)])) == 300)
        }
        #expect(pace.longestDelaySeconds(intervalSeconds: 5) == 360 && pace.longestDelaySeconds(intervalSeconds: 600) == 720)
    }

    @Test("A pace that follows longer waits still does so after a success")
    func longer() {
        var pace = RetryPace(longestServerWaitSeconds: 3_600)
        var random = SeededRandom(seed: 5)
        pace.reset()
        let error = failure(.unavailable, "", [.retryInfo(delaySeconds: 1e12)])
        #expect(pace.delaySeconds(after: error, intervalSeconds: 5, random: &random) == 3_600)
    }

    @Test("A success resets the pace")
    func reset() {
        var pace = RetryPace()
        var random = SeededRandom(seed: 5)
        for _ in 0..<10 { _ = pace.delaySeconds(after: failure(.unavailable), intervalSeconds: 5, random: &random) }
        pace.reset()
        #expect(pace.delaySeconds(after: failure(.unavailable), intervalSeconds: 5, random: &random) <= 6)
    }
}
