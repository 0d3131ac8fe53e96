@testable import ProgramHarness

extension FaultRow {
    /// The memory growth that a first error may cause, in KiB.
    private static let flatKiB = 8_192

    /// Starts a second program after the fault has ended, and compares the first program with it. The first program had the fault from its
    /// start, so it has no figures from before the fault. The second program supplies the normal figures instead. A fixed limit would not
    /// work, because the number of descriptors depends on the number of processors.
    func checkAgainstSecond(_ program: any WatchedProgram, _ news: String, _ scene: FaultScene, _ outcome: inout FaultOutcome) throws {
        var row = self
        row.fileBlocks = nil
        let scene = try scene.elsewhere()
        let second = try row.start(in: scene)
        // The folder must exist until the program has ended.
        defer { withExtendedLifetime(scene) { _ = second.leave() } }
        guard second.sees(calm ?? news, within: Self.longestSilenceSeconds) != nil else {
            outcome.problem = "a program that starts after the fault shows no news: \(second.output)"
            return
        }
        Self.checkFigures(program.process, against: second.process, &outcome)
    }

    /// Checks the use of descriptors and memory. The number of descriptors must not be higher than without the fault, and memory must have
    /// hardly grown.
    /// - Parameter second: a program without the fault; nil to compare with the figures before the fault.
    static func checkFigures(_ process: Int32, against second: Int32? = nil, _ outcome: inout FaultOutcome) {
        let deadline = ContinuousClock.now + .seconds(20)
        repeat {
            if let second { outcome.before = ProcessFigures(second) }
            // A command that exits after it has printed its news has already ended, so it has no figures.
            guard let figures = ProcessFigures(process) else { return }
            outcome.after = figures
        } while hasMoreDescriptors(outcome) && ContinuousClock.now < deadline
        guard let before = outcome.before, let after = outcome.after else { return }
        if hasMoreDescriptors(outcome) {
            outcome.problem = """
                descriptors grew from \(before.descriptors) to \(after.descriptors), from \(before.open) to \(after.open)
                """
        } else if after.memoryKiB > before.memoryKiB + flatKiB, !Program.isSanitized {
            outcome.problem = "memory grew from \(before.memoryKiB) KiB to \(after.memoryKiB) KiB"
        }
    }

    private static func hasMoreDescriptors(_ outcome: FaultOutcome) -> Bool {
        guard let before = outcome.before, let after = outcome.after else { return false }
        return after.hasMoreDescriptors(than: before)
    }
}
