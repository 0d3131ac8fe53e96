import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage

/// Gives broken input to all parts of the program that read bytes from outside.
///
///     Fuzzers [--target NAME] [--part K/N] [--seconds N] [--executions N] [--seed S] [--directory DIR] [--seeds DIR] [--input FILE] [--write]
///
/// `--seconds` and `--executions` limit each target. Each target runs in its own process. The process ends if an input causes a trap,
/// breaks a rule, waits for over a minute, or needs more than 5 s of processor time or 300 MB. In this case, the input remains in DIR. The
/// same seed creates the same inputs.
///
/// `--part` chooses every Nth target from target K on (0 to N - 1). `--input` tries one file. `--seeds` names a folder with more
/// valid input. `--write` prints each NAME, and writes valid input to DIR/NAME and the format's pieces to DIR/NAME.dict, for
/// libFuzzer.
struct Fuzzers {
    private let arguments: [String]

    static func main() async throws {
        let fuzzers = Fuzzers(arguments: Array(CommandLine.arguments.dropFirst()))
        let targets = fuzzers.targets
        guard !targets.isEmpty else {
            print("Target not found. Targets:", FuzzTarget.all.map(\.name).joined(separator: " "))
            exit(64)
        }
        try FileManager.default.createDirectory(atPath: fuzzers.directory, withIntermediateDirectories: true)
        if fuzzers.arguments.contains("--write") { return try targets.forEach(fuzzers.write) }
        if fuzzers.arguments.contains("--child") { return try await fuzzers.fuzz(targets[0]) }
        var failures = 0
        for target in targets { if try await !fuzzers.start(target) { failures += 1 } }
        print(failures == 0 ? "No input failed." : "\(failures) of \(targets.count) targets failed.")
        exit(failures == 0 ? 0 : 1)
    }

    private func value(_ name: String) -> String? {
        arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
    }

    private var seconds: Double { value("--seconds").flatMap { Double($0) } ?? 10 }
    private var seed: UInt64 { value("--seed").flatMap { UInt64($0) } ?? 1 }
    private var directory: String { value("--directory") ?? ".build/fuzz-inputs" }

    private var targets: [FuzzTarget] {
        if let name = value("--target") { return FuzzTarget.all.filter { $0.name == name } }
        guard let part = value("--part") else { return FuzzTarget.all }
        return Self.part(part, of: FuzzTarget.all)
    }

    /// Returns every Nth target for a text `K/N`, starting with the target at index K. Returns no targets if the text has another form, or
    /// if K is not in 0..<N.
    static func part(_ text: String, of targets: [FuzzTarget]) -> [FuzzTarget] {
        let numbers = text.split(separator: "/").map { Int($0) ?? -1 }
        guard numbers.count == 2, numbers[1] > 0, (0..<numbers[1]).contains(numbers[0]) else { return [] }
        return targets.enumerated().filter { $0.offset % numbers[1] == numbers[0] }.map(\.element)
    }

    private func path(of target: FuzzTarget) -> String { "\(directory)/\(target.name).input" }

    /// Runs a target in a process of its own.
    /// - Returns: true if no input failed.
    private func start(_ target: FuzzTarget) async throws -> Bool {
        let result = try await Subprocess.run(
            .path("/proc/self/exe"), arguments: Arguments(arguments + ["--child", "--target", target.name]), input: .none,
            output: .currentStandardOutput, error: .currentStandardError)
        guard result.terminationStatus != .exited(0) else {
            unlink(path(of: target))
            return true
        }
        let kept = "\(directory)/\(target.name)-\(seed).failed"
        rename(path(of: target), kept)
        print("\(target.name): \(reason(result.terminationStatus)); the input is \(kept)")
        return false
    }

    private func reason(_ status: TerminationStatus) -> String {
        switch status {
        case .signaled(SIGPROF): "an input takes more than 5 s"
        case .signaled(SIGALRM): "an input waits for more than a minute"
        case .signaled(let signal): "signal \(signal)"
        case .exited(let code): "exit code \(code)"
        }
    }

    /// Does the work of a target's process.
    private func fuzz(_ target: FuzzTarget) async throws {
        let run = try FuzzRun(target, path: path(of: target))
        do {
            if let file = value("--input") {
                let isRead = try await run.feed(Array(try Data(contentsOf: URL(filePath: file))))
                print("\(target.name): \(isRead ? "read" : "refused")")
            } else {
                try await fuzz(run)
            }
        } catch let fault as FuzzFault {
            print("\(target.name): \(fault.rule)")
            exit(1)
        }
    }

    private func fuzz(_ run: FuzzRun) async throws {
        let mutator = Mutator(inputs(for: run.target), words: run.target.words, seed: seed)
        let executions = value("--executions").flatMap { Int($0) } ?? .max
        FuzzRun.limitMemory()
        let outcome = try await run.run(mutator, seconds: seconds, executions: executions)
        print("\(run.target.name): \(outcome.count) inputs, \(outcome.refused) refused")
    }

    /// Returns the valid input for a target, which comes from code and from files.
    private func inputs(for target: FuzzTarget) -> [[UInt8]] { target.seeds() + Corpus(value("--seeds")).inputs(target.endings) }

    private func write(_ target: FuzzTarget) throws {
        let folder = "\(directory)/\(target.name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, input) in inputs(for: target).enumerated() {
            try Data(input).write(to: URL(filePath: "\(folder)/seed-\(number)"))
        }
        try Data(Self.dictionary(target.words).utf8).write(to: URL(filePath: folder + ".dict"))
        print(target.name)
    }

    /// Returns the words as a dictionary for libFuzzer. Long words are left out.
    private static func dictionary(_ words: [String]) -> String {
        func hexadecimal(_ byte: UInt8) -> String { "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return words.filter { (1...64).contains($0.utf8.count) }.map { "\"\($0.utf8.map(hexadecimal).joined())\"\n" }.joined()
    }
}

#if !LIBFUZZER
    @main
    extension Fuzzers {}
#endif
