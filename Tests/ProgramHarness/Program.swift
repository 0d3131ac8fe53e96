import Foundation
import Testing

/// The built program, which is in the same folder as the test bundle.
struct Program {
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static var path: String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "tripwatch").path
    }

    /// The path of a folder that does not exist and cannot be created.
    static let absent = "/proc/absent"
    /// The time after which a program is killed, in seconds, so that no reader of its output waits forever.
    private static let longestLifeSeconds = 660.0
    /// The maximum time, in seconds, that a program may run if a test waits for its end.
    private static let longestRunSeconds = 120.0

    /// The outcome of a command.
    struct Outcome {
        let status: Int32
        let lines: [String]
        let errors: String
    }

    /// The variables that the program gets from the tests' own environment. `.ci/sanitize` sets the last two.
    private static let inherited = ["PATH", "TSAN_OPTIONS", "ASAN_OPTIONS"]

    /// Whether a sanitizer observes the tests. It needs memory of its own.
    static let isSanitized = inherited.dropFirst().contains { ProcessInfo.processInfo.environment[$0] != nil }

    /// The environment variables of the program. It gets no others, so that a user's settings have no effect.
    var environment = ["LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin"]
        .merging(ProcessInfo.processInfo.environment.filter { inherited.contains($0.key) }) { $1 }

    /// Runs a command until it ends.
    func run(_ arguments: [String], setting: [String: String] = [:]) throws -> Outcome {
        let running = try start(arguments, setting: setting, longestSeconds: Self.longestRunSeconds)
        let text = running.output.fileHandleForReading.readDataToEndOfFile()
        let errors = running.errors.fileHandleForReading.readDataToEndOfFile()
        running.waitForEnd()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        return Outcome(status: running.process.terminationStatus, lines: lines, errors: String(decoding: errors, as: UTF8.self))
    }

    struct Running {
        let process: Process
        let output: Pipe
        let errors: Pipe
        /// A dispatch group that the program leaves when it ends.
        fileprivate let life = DispatchGroup()

        /// The largest amount of memory that the program has used so far, in MiB; nil after its end.
        var peakMiB: Int? {
            guard let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
                let found = status.firstMatch(of: #/VmHWM:\s+(\d+) kB/#), let peakKiB = Int(found.1)
            else { return nil }
            return peakKiB / 1_024
        }

        /// Returns the next line of the program's standard output; nil at the end of the output.
        func line() -> String? { Self.line(output) }

        /// Returns the next line of the program's standard error; nil at the end of the output.
        func errorLine() -> String? { Self.line(errors) }

        private static func line(_ pipe: Pipe) -> String? {
            var bytes: [UInt8] = []
            while let byte = pipe.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }

        func stop() {
            process.terminate()
            waitForEnd()
        }

        /// Waits until the program ends. `Process.waitUntilExit()` would keep a processor fully busy if another thread has started the
        /// program.
        func waitForEnd() { life.wait() }

        /// - Returns: false if the program does not end in time.
        func waitForEnd(until limit: DispatchTime) -> Bool { life.wait(timeout: limit) == .success }
    }

    /// Starts a command and does not wait for its end. A command that still runs after `longestSeconds` is killed.
    /// - Parameters:
    ///   - descriptors: the maximum number of files and connections that the program may have open.
    ///   - fileBlocks: the maximum size of a file that the program may write, in blocks of 512 bytes. A test can raise this limit later.
    ///   - account: the user ID under which the program runs; nil for the test's own user. Only root can set another user ID.
    ///   - input: the standard input of the program; nil for an empty input.
    func start(
        _ arguments: [String], setting: [String: String] = [:], descriptors: Int? = nil, fileBlocks: Int? = nil, account: UInt32? = nil,
        input: Pipe? = nil, longestSeconds: Double = Self.longestLifeSeconds
    ) throws -> Running {
        let path = Self.path
        try #require(FileManager.default.isExecutableFile(atPath: path), "no program at \(path)")
        let running = Running(process: Process(), output: Pipe(), errors: Pipe())
        let limits = [descriptors.map { "ulimit -n \($0)" }, fileBlocks.map { "ulimit -S -f \($0)" }].compactMap { $0 }
        let other = account.map { "setpriv --reuid \($0) --regid \($0) --clear-groups " } ?? ""
        let needsShell = !limits.isEmpty || account != nil
        running.process.executableURL = URL(filePath: needsShell ? "/bin/sh" : path)
        let limited = ["-c", (limits + ["exec \(other)\"$0\" \"$@\""]).joined(separator: " && "), path]
        running.process.arguments = (needsShell ? limited : []) + arguments
        running.process.environment = environment.merging(setting) { $1 }
        running.process.standardInput = input ?? FileHandle.nullDevice
        running.process.standardOutput = running.output
        running.process.standardError = running.errors
        running.life.enter()
        running.process.terminationHandler = { [life = running.life] _ in life.leave() }
        do { try running.process.run() } catch {
            running.life.leave()
            throw error
        }
        let process = running.process
        DispatchQueue.global().asyncAfter(deadline: .now() + longestSeconds) {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
        return running
    }
}
