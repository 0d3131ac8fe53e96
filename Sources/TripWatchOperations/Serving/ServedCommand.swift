import Glibc
import HTTPServing
import Subprocess
import Synchronization
import SystemPackage

/// A command that runs while the servers run. The servers end when the command ends, and the program exits with the command's exit code.
struct ServedCommand: Sendable {
    /// The command line, which `/bin/sh -c` runs.
    let command: String
    let security: ServerSecurity
    let signals: PassedSignals

    /// Runs the command in a process group of its own. The command uses this program's output, but cannot read from the terminal.
    ///
    /// - Returns: the exit code; 128 + n if signal n ended the command, as in shells.
    func run(_ addresses: LocalServers.Addresses) async throws -> Int32 {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(2))]
        // The system would stop a background process group that reads from the terminal.
        let input = isatty(STDIN_FILENO) == 1 ? try FileDescriptor.open("/dev/null", .readOnly) : .standardInput
        let result = try await Subprocess.run(
            .path("/bin/sh"), arguments: ["-c", command], environment: .inherit.updating(environment(addresses)), platformOptions: options,
            input: .fileDescriptor(input, closeAfterSpawningProcess: input != .standardInput), output: .currentStandardOutput,
            error: .currentStandardError
        ) { signals.begin(for: $0.processIdentifier.value) }
        signals.end()
        return switch result.terminationStatus {
        case .exited(let code): code
        case .signaled(let number): 128 + number
        }
    }

    /// Returns the environment of the command. The command runs on this machine, so a wildcard address becomes the loopback address.
    private func environment(_ addresses: LocalServers.Addresses) -> [Environment.Key: String?] {
        let (grpc, http) = (Self.reachable(addresses.grpc), Self.reachable(addresses.http))
        let isPlain = security == .plaintext
        return [
            "FLEETENGINE_EMULATOR_HOST": grpc, "TRIPWATCH_ENDPOINT": grpc, "TRIPWATCH_PLAINTEXT": isPlain ? "1" : nil,
            "TRIPWATCH_PROVIDER_URL": "\(isPlain ? "http" : "https")://\(http)",
        ]
    }

    static func reachable(_ address: ServerAddress) -> String {
        switch address.host {
        case "0.0.0.0": "127.0.0.1:\(address.port)"
        case "::": "[::1]:\(address.port)"
        default: address.description
        }
    }
}

/// Passes signals on to a process group, including signals that arrive before the group exists.
final class PassedSignals: Sendable {
    private struct State {
        var group: pid_t?
        var early: [Int32] = []
    }

    private let state = Mutex(State())

    func pass(_ number: Int32) {
        state.withLock { state in
            if let group = state.group { kill(-group, number) } else { state.early.append(number) }
        }
    }

    func begin(for group: pid_t) {
        state.withLock { state in
            state.group = group
            for number in state.early { kill(-group, number) }
        }
    }

    /// Stops the remaining processes of the group. Called after the first process of the group has ended.
    func end() {
        state.withLock { state in
            if let group = state.group { kill(-group, SIGTERM) }
            state.group = nil
        }
    }
}
