import Foundation
import Glibc
import TripTesting

extension FaultRow {
    /// The maximum time until a fault is reported, in seconds. The program gives up on a silent server after 15 s.
    static let longestSilenceSeconds = 60.0
    /// The maximum pause of a program that does not announce its pauses, in seconds. It is the first pause plus its jitter.
    private static let firstPauseSeconds = 6.0
    /// A polling interval plus the delay on a busy machine, in seconds.
    private static let slackSeconds = 10.0

    /// Plays the scenario from its start to its end. Must be called on a thread that may block.
    func play(in scene: FaultScene) throws -> FaultOutcome {
        if let plays { return try plays(scene) }
        try prepare?(scene)
        let program = try start(in: scene)
        var outcome = FaultOutcome()
        switch course {
        case .ends(let code): ends(program, code, &outcome)
        case .recovers(let news):
            try recovers(program, news, scene, &outcome)
            if outcome.problem == nil, case .asked = departure { try checkAgainstSecond(program, news, scene, &outcome) }
        case .stays: isTold(of: program, &outcome)
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
        if let word = once.first(where: { program.output.ranges(of: $0).count > 1 }) {
            outcome.problem = "'\(word)' twice in: \(program.output)"
        }
        depart(program, &outcome)
        if outcome.problem == nil, let lost = try loss?(scene) { outcome.problem = "lost: \(lost)" }
        return outcome
    }

    func start(in scene: FaultScene) throws -> any WatchedProgram {
        if isOnScreen { return try WatchedScreen(self, in: scene) }
        return try WatchedLines(self, in: scene)
    }

    /// Ends the program if it is still running, and checks its exit code.
    private func depart(_ program: any WatchedProgram, _ outcome: inout FaultOutcome) {
        let code: Int32
        switch (course, departure) {
        case (.ends, _):
            // The exit code has already been checked.
            if outcome.exit == nil { outcome.exit = program.leave() }
            return
        case (_, .asked(let other)):
            outcome.exit = program.leave()
            code = other ?? (isOnScreen ? 0 : 128 + SIGTERM)
        case (_, .alone(let own)):
            outcome.exit = outcome.problem == nil ? program.end(within: Self.longestSilenceSeconds) : program.leave()
            code = own
        }
        if outcome.problem == nil, outcome.exit != code {
            outcome.problem = "exit code \(outcome.exit.map { "\($0)" } ?? "none"), not \(code): \(program.output)"
        }
    }

    private func ends(_ program: any WatchedProgram, _ code: Int32, _ outcome: inout FaultOutcome) {
        outcome.exit = program.end(within: Self.longestSilenceSeconds)
        let line = program.output.split(separator: "\n").first { $0.contains(words) }
        outcome.said = line.map(String.init) ?? ""
        if outcome.exit != code || (line == nil && !words.isEmpty) {
            outcome.problem = "exit code \(outcome.exit.map { "\($0)" } ?? "none"), not \(code), or other words: \(program.output)"
        }
    }

    /// Waits for the message about the fault, if there should be one.
    private func isTold(of program: any WatchedProgram, _ outcome: inout FaultOutcome) {
        guard !words.isEmpty else { return }
        guard let said = program.sees(words, within: Self.longestSilenceSeconds) else {
            outcome.problem = "no word of the fault: \(program.output)"
            return
        }
        outcome.said = said
    }

    private func recovers(_ program: any WatchedProgram, _ news: String, _ scene: FaultScene, _ outcome: inout FaultOutcome) throws {
        isTold(of: program, &outcome)
        guard outcome.problem == nil else { return }
        let pause = Self.announcedPause(outcome.said) ?? Self.firstPauseSeconds
        // The program may have printed `during` at the same time as the message about the fault, but on its other output, so the search
        // also covers earlier lines.
        if let during, !program.showsOrHasShown(during, within: Self.longestSilenceSeconds) {
            outcome.problem = "no '\(during)' during the fault: \(program.output)"
            return
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
}
