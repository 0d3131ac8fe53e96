import Glibc
import HTTPServing
import Subprocess
import Synchronization
import SystemPackage

/// A command for which the servers are there: they end when it ends, and with its code.
struct ServedCommand: Sendable {
    /// For `/bin/sh -c`.
    let command: String
    let security: ServerSecurity
    let signals: PassedSignals

    /// Runs it in a process group of its own, with this program's output; it has the terminal's output and not its input.
    ///
    /// - Returns: its exit code; 128 + n where signal n ended it, as shells say it.
    func run(_ addresses: LocalServers.Addresses) async throws -> Int32 {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(2))]
        // A process group in the background that reads from the terminal would be stopped.
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

    /// What it finds in its environment. It runs on this machine, so an address that stands for all of them is this machine's own.
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

/// Passes signals on to a process group, also those that come before it is there.
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

    /// The group's leader has ended: what it left behind in the group ends too.
    func end() {
        state.withLock { state in
            if let group = state.group { kill(-group, SIGTERM) }
            state.group = nil
        }
    }
}
