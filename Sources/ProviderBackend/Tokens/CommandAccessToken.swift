public import FleetEngine
import FoundationEssentials
import Glibc
import HTTPCalls
import Subprocess
import SystemPackage

/// A source of tokens that runs a command, like the credential helpers of git and kubectl.
///
/// `/bin/sh -c` runs the command line. The output is either JSON or text whose last line is the token. The ids are in the environment
/// variables `TRIPWATCH_TRIP_ID`, `TRIPWATCH_TRACKING_ID` and `TRIPWATCH_VEHICLE_ID`. They are never in the command line, because the shell
/// would execute commands in a hostile id. The command has no input and no terminal, because the screen may be using the terminal. When the
/// time limit is reached, the command and all its children are killed.
public struct CommandAccessToken: AccessTokenProvider {
    private static let largestOutput = AccessToken.maximumBytes
    private static let keptErrorBytes = 4_096

    private let command: String
    private let reader: TokenAnswerReader
    private let limitSeconds: Double
    private let time: any TimeSource

    /// Creates a source of tokens.
    /// - Parameters:
    ///   - limitSeconds: time limit of the command, 1 ... 120.
    ///   - time: the clock for the time limit, and for expiries that are given as seconds from now. Only tests replace it.
    public init(
        _ command: String, format: TokenAnswerFormat = TokenAnswerFormat(), limitSeconds: Double = 15,
        time: any TimeSource = SystemTimeSource()
    ) {
        self.command = command
        reader = TokenAnswerReader(format: format, origin: "token command")
        self.limitSeconds = limitSeconds.isFinite ? min(max(limitSeconds, 1), 120) : 15
        self.time = time
    }

    /// True, because each run of the command may print a different token.
    public var canRenew: Bool { true }

    /// Runs the command and reads the token from its output.
    /// - Throws: `AccessTokenError` for a command that cannot be run, fails, takes too long or prints no token.
    public func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        let asked = time.now()
        let ended = try await run(context)
        let printed = String(decoding: ended.output, as: UTF8.self)
        guard ended.status == .exited(0) else { throw .refused(words(ended, printed: printed)) }
        return try reader.token(printed: printed, now: asked)
    }

    /// Outcome of a trial run of the command.
    public enum Trial: Hashable, Sendable {
        /// The command succeeded. Its output was ignored.
        case done
        /// The command failed, perhaps because it needs a trip.
        case failed(String)
        /// The command could not be run.
        case missing(String)
    }

    /// Runs the command without a trip.
    public func tryOut() async throws(AccessTokenError) -> Trial {
        let ended = try await run(AuthorizationContext(tripID: nil))
        let printed = String(decoding: ended.output, as: UTF8.self)
        switch ended.status {
        case .exited(0): return .done
        case .exited(126), .exited(127): return .missing(words(ended, printed: printed))
        default: return .failed(words(ended, printed: printed))
        }
    }

    private struct Ended: Sendable {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var status: TerminationStatus = .exited(0)
    }

    private struct TooMuchOutput: Error {}

    private func run(_ context: AuthorizationContext) async throws(AccessTokenError) -> Ended {
        guard ![command, context.tripID ?? "", context.trackingID ?? "", context.vehicleID ?? ""].contains(where: { $0.utf8.contains(0) })
        else {
            throw .missingData("the token command, or an id passed to it, contains a NUL byte")
        }
        do {
            return try await runUnchecked(context)
        } catch is TimeLimitReached {
            throw .transport("the token command did not finish within \(Int(limitSeconds)) s and was stopped")
        } catch is TooMuchOutput {
            throw .missingData("the token command printed more than \(Self.largestOutput) bytes: that is not a token")
        } catch is CancellationError {
            throw .transport("the token command was cancelled")
        } catch {
            throw .refused("the token command cannot be run by /bin/sh")
        }
    }

    private func runUnchecked(_ context: AuthorizationContext) async throws -> Ended {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .milliseconds(300))]
        let (time, limitSeconds) = (time, limitSeconds)
        var group: pid_t?
        HelperProcesses.noteStart()
        defer { HelperProcesses.forget(group) }
        let result = try await Subprocess.run(
            .path("/bin/sh"), arguments: ["-c", command],
            environment: .inherit.updating([
                "TRIPWATCH_TRIP_ID": context.tripID, "TRIPWATCH_TRACKING_ID": context.trackingID,
                "TRIPWATCH_VEHICLE_ID": context.vehicleID,
            ]),
            platformOptions: options, input: .none, output: .sequence, error: .sequence
        ) { execution in
            group = execution.processIdentifier.value
            HelperProcesses.note(execution.processIdentifier.value)
            do {
                return try await withTimeLimit(limitSeconds, time) {
                    async let output = Self.head(execution.standardOutput)
                    async let errors = Self.tail(execution.standardError)
                    return Ended(output: try await output, errors: try await errors)
                }
            } catch {
                // The shell's children are killed, too, because they hold its pipes open. A hanging child is the usual cause of a timeout.
                try? execution.send(signal: .terminate, toProcessGroup: true)
                await Task { try? await Task.sleep(for: .milliseconds(200)) }.value
                try? execution.send(signal: .kill, toProcessGroup: true)
                throw error
            }
        }
        // If the task is cancelled after the output is complete, the command is killed, but the code above throws no error.
        try Task.checkCancellation()
        var ended = result.closureResult
        ended.status = result.terminationStatus
        return ended
    }

    private static func head(_ stream: SubprocessOutputSequence) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await buffer in stream {
            guard bytes.count + buffer.count <= largestOutput else { throw TooMuchOutput() }
            buffer.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    private static func tail(_ stream: SubprocessOutputSequence) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await buffer in stream {
            buffer.withUnsafeBytes { bytes.append(contentsOf: $0) }
            if bytes.count > 2 * keptErrorBytes { bytes.removeFirst(bytes.count - keptErrorBytes) }
        }
        return bytes
    }

    /// Returns the reason why the command failed, with the command's own error message.
    private func words(_ ended: Ended, printed: String) -> String {
        let reason =
            switch ended.status {
            case .exited(127): "the token command was not found (exit 127)"
            case .exited(126): "the token command is not executable (exit 126)"
            case .exited(let code): "the token command failed (exit \(code))"
            case .signaled(let signal): "the token command was stopped by signal \(signal)"
            }
        let lines = String(decoding: ended.errors, as: UTF8.self).split(whereSeparator: \.isNewline)
        let secrets = printed.split(whereSeparator: \.isWhitespace).map(String.init)
        // The line with the reason usually begins with the program's name or a word such as `error`, then a colon. Usage text may
        // follow that line.
        let named = lines.first { $0.prefixMatch(of: #/[A-Za-z_][\w.-]*: /#) != nil }
        let said = (named ?? lines.last).map { ForeignText.redactedLine(String($0), secrets: secrets) } ?? ""
        return said.isEmpty ? reason : "\(reason): \(said)"
    }
}
