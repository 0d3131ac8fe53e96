import Foundation
import TripTesting

extension FaultRow {
    /// The maximum time until a fault is reported, in seconds. The program gives up on a silent server after 15 s.
    private static let longestSilenceSeconds = 60.0
    /// The maximum pause of a program that does not announce its pauses, in seconds. It is the first pause plus its jitter.
    private static let firstPauseSeconds = 6.0
    /// A polling interval plus the delay on a busy machine, in seconds.
    private static let slackSeconds = 10.0
    /// The memory growth that a first error may cause, in KiB.
    private static let flatKiB = 8_192

    /// Plays the scenario from its start to its end. Must be called on a thread that may block.
    func play(in scene: FaultScene) throws -> FaultOutcome {
        if let plays { return try plays(scene) }
        try prepare?(scene)
        let program = try start(in: scene)
        var outcome = FaultOutcome()
        switch course {
        case .ends(let code): ends(program, code, &outcome)
        case .recovers(let news): try recovers(program, news, scene, &outcome)
        case .struck(let start, let news, let times):
            guard program.sees(start, within: Self.longestSilenceSeconds) != nil else {
                outcome.problem = "it did not start: \(program.output)"
                return outcome
            }
            outcome.before = ProcessFigures(program.process)
            for _ in 0..<times where outcome.problem == nil {
                if let strike { try strike(scene, program.process) } else { try scene.set(connection) }
                try recovers(program, news, scene, &outcome)
            }
            if outcome.problem == nil { Self.checkFigures(program.process, &outcome) }
        }
        if let word = absent.first(where: program.output.contains) { outcome.problem = "'\(word)' in: \(program.output)" }
        if outcome.exit == nil { outcome.exit = program.leave() }
        if outcome.problem == nil, let lost = try loss?(scene) { outcome.problem = "lost: \(lost)" }
        return outcome
    }

    private func start(in scene: FaultScene) throws -> any WatchedProgram {
        if isOnScreen { return try WatchedScreen(self, in: scene) }
        return try WatchedLines(self, in: scene)
    }

    private func ends(_ program: any WatchedProgram, _ code: Int32, _ outcome: inout FaultOutcome) {
        outcome.exit = program.end(within: Self.longestSilenceSeconds)
        let line = program.output.split(separator: "\n").first { $0.contains(words) }
        outcome.said = line.map(String.init) ?? ""
        if outcome.exit != code || (line == nil && !words.isEmpty) {
            outcome.problem = "exit code \(outcome.exit.map { "\($0)" } ?? "none"), not \(code), or other words: \(program.output)"
        }
    }

    private func recovers(_ program: any WatchedProgram, _ news: String, _ scene: FaultScene, _ outcome: inout FaultOutcome) throws {
        var pause = Self.firstPauseSeconds
        if !words.isEmpty {
            guard let said = program.sees(words, within: Self.longestSilenceSeconds) else {
                outcome.problem = "no word of the fault: \(program.output)"
                return
            }
            outcome.said = said
            pause = Self.announcedPause(said) ?? pause
        }
        try meanwhile?(scene)
        if let heal { try heal(scene, program.process) } else { try scene.set(.none) }
        let start = ContinuousClock.now
        let limit = pauses * pause + Self.slackSeconds
        guard news.isEmpty ? program.loses(words) : program.sees(news, within: 4 * limit) != nil else {
            outcome.problem = "no news after the fault: \(program.output)"
            return
        }
        let took = (ContinuousClock.now - start) / .seconds(1)
        outcome.recoverySeconds = took
        outcome.limitSeconds = limit
        if took > limit { outcome.problem = "news came after \(took) s, not within \(limit) s" }
    }

    /// Returns the pause, in seconds, that a line announces in words or as JSON.
    private static func announcedPause(_ line: String) -> Double? {
        let found = line.firstMatch(of: #/(?:gain in |"retry_in_s":)(\d+(?:\.\d+)?)/#)
        return found.flatMap { Double($0.1) }
    }

    /// Checks the use of descriptors and memory. The number of descriptors must not be higher than before the fault, and memory must
    /// have hardly grown.
    static func checkFigures(_ process: Int32, _ outcome: inout FaultOutcome) {
        guard let before = outcome.before else { return }
        let deadline = ContinuousClock.now + .seconds(20)
        repeat {
            // There are no figures for a command that exits after it has printed its news, because it has already ended.
            guard let figures = ProcessFigures(process) else { return }
            outcome.after = figures
        } while (outcome.after?.descriptors ?? .max) > before.descriptors && ContinuousClock.now < deadline
        guard let after = outcome.after else { return }
        if after.descriptors > before.descriptors {
            outcome.problem = "descriptors grew from \(before.descriptors) to \(after.descriptors)"
        } else if after.memoryKiB > before.memoryKiB + flatKiB {
            outcome.problem = "memory grew from \(before.memoryKiB) KiB to \(after.memoryKiB) KiB"
        }
    }
}
