import Testing

/// Compares two ways to draw the vehicle: the program's own way, and a simpler way that is called the proposed rule. Both get the same
/// reports and lose the same polls.
@Suite("Simulated motion")
struct MotionSimulationTests {
    private static let losses = [0.0, 0.1, 0.3]
    #if DEBUG || UNOPTIMIZED
        private static let seeds: ClosedRange<UInt64> = 1...2
    #else
        private static let seeds: ClosedRange<UInt64> = 1...12
    #endif

    /// Fractions of lost polls, and times between uploads of the route. Only a release build is fast enough for all combinations.
    private static let uploads: [(loss: Double, trimSeconds: Double?)] = {
        #if DEBUG || UNOPTIMIZED
            return [(0, nil), (0.1, 60), (0.3, nil)]
        #else
            return losses.flatMap { loss in [(loss, nil), (loss, 60)] }
        #endif
    }()

    private func expectCalm(_ result: MotionSimulation.Result) {
        #expect(result.frames > 1_000)
        #expect(result.backward == 0, "\(result)")
        #expect(result.jumps.allSatisfy { $0 > 400 }, "a jump where the vehicle could glide: \(result)")
    }

    @Test(
        "on a recorded drive: never backwards, no jump below 400 m, and no more lag or lead than the proposed rule",
        .enabled(if: SharedData.exists(Drive.recordedPath)), arguments: uploads)
    func recorded(loss: Double, trimSeconds: Double?) throws {
        let simulation = MotionSimulation(drive: try Drive.recorded(), feed: .init(loss: loss, trimSeconds: trimSeconds))
        let drawn = try simulation.drawn()
        let proposed = simulation.proposed()
        expectCalm(drawn)
        #expect(drawn.jumps.count <= proposed.jumps.count, "\(drawn)")
        #expect(drawn.error95 <= proposed.error95, "\(drawn), proposed: \(proposed)")
        #expect(drawn.ahead95 <= proposed.ahead95, "\(drawn), proposed: \(proposed)")
        #expect(drawn.meanLag <= proposed.meanLag, "\(drawn), proposed: \(proposed)")
    }

    @Test(
        "the proposed rule gives the values that were measured elsewhere",
        .enabled(if: SharedData.exists(Drive.recordedPath)))
    func reference() throws {
        let proposed = MotionSimulation(drive: try Drive.recorded(), feed: .init()).proposed()
        #expect(abs(proposed.error95 - 186) < 4, "\(proposed)")
        #expect(abs(proposed.ahead95 - 29) < 2, "\(proposed)")
        #expect(abs(proposed.aheadMost - 53) < 2, "\(proposed)")
    }

    @Test("on invented drives: never backwards, no jump, about as near to the true position", arguments: seeds, losses)
    func invented(seed: UInt64, loss: Double) throws {
        let simulation = MotionSimulation(drive: .invented(seed: seed), feed: .init(loss: loss, seed: seed))
        let drawn = try simulation.drawn()
        let proposed = simulation.proposed()
        expectCalm(drawn)
        #expect(drawn.error95 <= proposed.error95 + 10, "\(drawn), proposed: \(proposed)")
        #expect(drawn.ahead95 <= proposed.ahead95 + 10, "\(drawn), proposed: \(proposed)")
    }

    /// Seeds, and fractions of lost polls. A release build, which draws frames quickly, tries all combinations.
    private static let trims: [(seed: UInt64, loss: Double)] = {
        #if DEBUG || UNOPTIMIZED
            return losses.enumerated().map { (seeds.lowerBound + UInt64($0.offset % seeds.count), $0.element) }
        #else
            return seeds.flatMap { seed in losses.map { (seed, $0) } }
        #endif
    }()

    @Test("a route that is uploaded again, cut off at the vehicle, changes nothing", arguments: trims)
    func trimmed(seed: UInt64, loss: Double) throws {
        let drive = Drive.invented(seed: seed)
        let whole = try MotionSimulation(drive: drive, feed: .init(loss: loss, seed: seed)).drawn()
        for seconds in [60.0, 20] {
            let trimmed = try MotionSimulation(drive: drive, feed: .init(loss: loss, trimSeconds: seconds, seed: seed)).drawn()
            expectCalm(trimmed)
            #expect(trimmed.jumps.count <= whole.jumps.count, "\(trimmed)")
            #expect(abs(trimmed.error95 - whole.error95) < 3, "\(trimmed), whole: \(whole)")
            #expect(abs(trimmed.aheadMost - whole.aheadMost) < 3, "\(trimmed), whole: \(whole)")
        }
    }

    @Test("out and back and twice round a block, the vehicle stays on its current pass", arguments: losses, [nil, 60.0])
    func loops(loss: Double, trimSeconds: Double?) throws {
        let drawn = try MotionSimulation(drive: .loops(), feed: .init(loss: loss, trimSeconds: trimSeconds)).drawn()
        expectCalm(drawn)
        #expect(drawn.jumps.isEmpty)
        #expect(drawn.error95 < 250, "\(drawn)")
    }

    @Test("never backwards, at any interval of reports and polls", arguments: [(5.0, 5.0), (10, 10), (60, 5), (5, 30), (1, 1)])
    func paces(report: Double, poll: Double) throws {
        let feed = MotionSimulation.Feed(reportSeconds: report, pollSeconds: poll, loss: 0.1, trimSeconds: 60)
        expectCalm(try MotionSimulation(drive: .invented(seed: 9), feed: feed).drawn())
    }
}
