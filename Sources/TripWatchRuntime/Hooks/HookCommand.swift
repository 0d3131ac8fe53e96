import FleetEngine
import FoundationEssentials
import Glibc
import ProviderBackend
import Subprocess
import SystemPackage

/// A command that receives events. It runs without a shell, and without input or output. All processes of its group are killed after a
/// time limit.
struct HookCommand: Sendable {
    /// The time limit of the command and of all processes in its group, in seconds.
    static let limitSeconds = 10.0
    private static let stepMilliseconds = 50

    /// The program and its arguments; the array is never empty.
    let words: [String]
    /// The environment of the command, without secrets.
    private let environment: [String: String]
    /// The clock for the time limit. It runs in real time.
    private let time: any TimeSource

    /// - Parameter environment: the environment of this program. Variables that may be secret are removed from it.
    init(words: [String], environment: [String: String], time: any TimeSource) {
        self.words = words
        self.time = time
        self.environment = environment.filter { !Self.mayBeSecret($0.key) && !Self.holdsSecret($0.value) }
    }

    /// Whether the name of a variable suggests a secret: one of this program's own variables, or a name with a word such as "token".
    private static func mayBeSecret(_ name: String) -> Bool {
        let name = name.uppercased()
        let signs = [
            "TOKEN", "SECRET", "PASS", "AUTHORIZATION", "BEARER", "JWT", "COOKIE", "CREDENTIAL", "APIKEY", "API_KEY", "ACCESS_KEY",
            "PRIVATE_KEY", "WEBHOOK", "CONNECTION_STRING",
        ]
        let ends = ["_PAT", "_KEY", "_KEYS", "_AUTH", "_DSN", "PWD"]
        if !["PWD", "OLDPWD"].contains(name), ends.contains(where: name.hasSuffix) { return true }
        return name.hasPrefix("TRIPWATCH_") || signs.contains { name.contains($0) }
    }

    /// Whether a value looks like a secret, regardless of the variable's name: an address with a password, a setting such as `password=…`,
    /// an authorization header, or a private key.
    private static func holdsSecret(_ value: String) -> Bool {
        let small = value.lowercased()
        if ["bearer ", "basic ", "-----begin "].contains(where: small.hasPrefix) { return true }
        if ["password=", "pwd=", "passwd="].contains(where: small.contains) { return true }
        return small.split(whereSeparator: \.isWhitespace).contains { word in
            // A password may contain any character that can appear in an address.
            guard let start = word.firstRange(of: "://")?.upperBound, let end = word[start...].firstIndex(of: "@") else { return false }
            return word[start..<end].contains(":")
        }
    }

    /// Runs the command with additional variables in its environment.
    /// - Returns: the failure, in words that follow the command's name; nil if the command succeeded.
    func run(_ variables: [String: String]) async -> String? {
        guard let program = words.first else { return nil }
        let deadline = time.now().addingTimeInterval(Self.limitSeconds)
        var group: pid_t?
        var watchdog: Task<Void, Never>?
        HelperProcesses.noteStart()
        defer { HelperProcesses.forget(group) }
        do {
            let result = try await Subprocess.run(
                program.contains("/") ? .path(FilePath(program)) : .name(program), arguments: Arguments(Array(words.dropFirst())),
                environment: .custom(surroundings(variables)), platformOptions: Self.options, input: .none, output: .discarded,
                error: .discarded
            ) { execution in
                let number = execution.processIdentifier.value
                group = number
                HelperProcesses.note(number)
                watchdog = Task { [time] in await Self.end(number, at: deadline, on: time) }
            }
            guard let group, await hasEnded(group, by: deadline) else {
                if Task.isCancelled {
                    watchdog?.cancel()
                    if let group { kill(-group, SIGKILL) }
                    return "was stopped"
                }
                await watchdog?.value
                return "took longer than \(Int(Self.limitSeconds)) s and was stopped"
            }
            watchdog?.cancel()
            return switch result.terminationStatus {
            case .exited(0): nil
            case .exited(let code): "failed (exit \(code))"
            case .signaled(let number): "was killed by signal \(number)"
            }
        } catch {
            watchdog?.cancel()
            if let group { kill(-group, SIGKILL) }
            return "cannot be run"
        }
    }

    private static var options: PlatformOptions {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .milliseconds(300))]
        return options
    }

    private func surroundings(_ variables: [String: String]) -> [Environment.Key: String] {
        let all = environment.merging(variables) { $1 }.map { (Environment.Key(stringLiteral: $0), $1) }
        return Dictionary(all) { first, _ in first }
    }

    /// Ends a process group at the given time, unless the task is cancelled earlier.
    private static func end(_ group: pid_t, at deadline: Date, on time: any TimeSource) async {
        guard (try? await time.sleep(until: deadline)) != nil else { return }
        kill(-group, SIGTERM)
        try? await Task.sleep(for: .milliseconds(300))
        kill(-group, SIGKILL)
    }

    /// Waits until the remaining processes of the command's group have ended. Returns false if the time limit comes first, or if
    /// the task is cancelled.
    private func hasEnded(_ group: pid_t, by deadline: Date) async -> Bool {
        while time.now() < deadline, !Task.isCancelled {
            guard kill(-group, 0) == 0 else { return true }
            try? await Task.sleep(for: .milliseconds(Self.stepMilliseconds))
        }
        return false
    }
}
