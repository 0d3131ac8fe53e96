import Glibc
import Subprocess
import SystemPackage
import TripWatchWords

/// The user's text editor: `$VISUAL`, or else `$EDITOR`, or else vi.
package struct Editor: Sendable {
    /// The command line that starts the editor in a shell.
    private let command: String

    package init(environment: [String: String]) {
        command = [environment["VISUAL"], environment["EDITOR"]].compactMap { $0 }.first { !$0.isEmpty } ?? "vi"
    }

    /// Opens a file and waits until the editor has exited.
    /// - Throws: `Failure` if the editor cannot be run or exits with an error.
    package func open(_ path: String) async throws(Failure) {
        let status: TerminationStatus
        do {
            status = try await Subprocess.run(
                .path("/bin/sh"), arguments: ["-c", "\(command) \"$1\"", "editor", path],
                input: .fileDescriptor(.standardInput, closeAfterSpawningProcess: false), output: .currentStandardOutput,
                error: .currentStandardError
            ) { _ in }.terminationStatus
        } catch {
            throw Failure(
                message: "the editor \(printable(command)) cannot be run: set VISUAL to another editor.", exitCode: ExitCodes.failed)
        }
        guard status == .exited(0) else {
            throw Failure(
                message: "the editor \(printable(command)) ended with an error: run 'tripwatch config edit' again, "
                    + "or set VISUAL to another editor.",
                exitCode: ExitCodes.failed)
        }
    }
}
