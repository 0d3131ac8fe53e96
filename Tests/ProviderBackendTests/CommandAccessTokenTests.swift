import FleetEngine
import FoundationEssentials
import Glibc
import ProviderBackend
import Testing
import TripTesting

@Suite("Tokens from a command", .timeLimit(.minutes(1)))
struct CommandAccessTokenTests {
    private let time = ManualTimeSource()

    private func fetch(
        _ command: String, _ context: AuthorizationContext = AuthorizationContext(tripID: "t1"), time: (any TimeSource)? = nil
    ) async -> Result<AccessToken, AccessTokenError> {
        do throws(AccessTokenError) {
            return .success(try await CommandAccessToken(command, time: time ?? self.time).fetchToken(context))
        } catch { return .failure(error) }
    }

    private func secret(_ command: String, _ context: AuthorizationContext = AuthorizationContext(tripID: "t1")) async throws -> String {
        try await fetch(command, context).get().secret
    }

    private func failure(_ command: String) async -> AccessTokenError? {
        if case .failure(let error) = await fetch(command) { error } else { nil }
    }

    @Test("the token is the last line of the output, or in its JSON")
    func output() async throws {
        #expect(try await secret("echo asking; echo s3cret") == "s3cret")
        let json = try await fetch(#"echo note >&2; printf '{"jwt":"s3cret",\n"expirationTimestamp":"60"}'"#).get()
        #expect(json.secret == "s3cret")
        #expect(json.expiresAt == time.now().addingTimeInterval(60))
    }

    @Test("the command gets the ids in its environment, unchanged, and only those that are known")
    func environment() async throws {
        let hostile = "a'b\"c $(exit 3) `exit 4`; exit 5 \\ % ü\n*"
        let hex = #"printf %s "$TRIPWATCH_TRIP_ID" | od -An -v -tx1 | tr -d ' \n'"#
        #expect(
            try await secret(hex, AuthorizationContext(tripID: hostile))
                == hostile.utf8.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined())
        let both = #"echo "${TRIPWATCH_TRIP_ID-none}/${TRIPWATCH_VEHICLE_ID-none}""#
        #expect(try await secret(both, AuthorizationContext(vehicleID: "v1")) == "none/v1")
        #expect(try await secret(both, AuthorizationContext(tripID: "t1")) == "t1/none")
        let tracking = #"echo "${TRIPWATCH_TRIP_ID-none}/${TRIPWATCH_TRACKING_ID-none}""#
        #expect(try await secret(tracking, AuthorizationContext(trackingID: "P-1")) == "none/P-1")
        #expect(try await secret(#"test -n "$PATH" && echo inherited"#) == "inherited")
    }

    @Test("the command has no input and no terminal: it runs in its own session")
    func noTerminal() async throws {
        #expect(try await secret("if read line; then echo input; else echo none; fi") == "none")
        #expect(try await secret("read pid name state parent group session rest </proc/$$/stat; echo $((session - $$))") == "0")
        #expect(try await secret("if (: </dev/tty) 2>/dev/null; then echo terminal; else echo none; fi") == "none")
    }

    @Test("the reason is the line with the name of the program or of the error, not the usage after it")
    func reason() async throws {
        let usage = "echo 'tripwatch: a token needs --trip.' >&2; echo 'Usage: tripwatch token' >&2; echo '  See help.' >&2; exit 64"
        #expect(await failure(usage) == .refused("the token command failed (exit 64): tripwatch: a token needs --trip."))
        let trace = "printf 'Traceback (most recent call last):\n  File x\nValueError: no login\n' >&2; exit 1"
        #expect(await failure(trace) == .refused("the token command failed (exit 1): ValueError: no login"))
    }

    @Test("a failure is reported with the last line that the command printed about it")
    func failing() async throws {
        #expect(
            await failure("echo working >&2; printf 'log in \\033[1mfirst\\n\\n' >&2; exit 3")
                == .refused("the token command failed (exit 3): log in [1mfirst"))
        #expect(await failure("exit 1") == .refused("the token command failed (exit 1)"))
        #expect(await failure("kill -9 $$") == .refused("the token command was stopped by signal 9"))
        let missing = await failure("no-such-token-helper --get")
        #expect(missing?.description.hasPrefix("the token command was not found (exit 127): ") == true)
        #expect(missing?.fleetEngineError.errorClass() == .actionRequired(.checkTokenSource))
        #expect(await failure("true") == .missingData("the token command printed nothing"))
    }

    @Test(
        "a token is not shown, even if the command fails and prints it",
        arguments: [
            "echo s3cret; echo 'bad token s3cret' >&2; exit 1", "echo 'bad token eyJhbGciOiJub25lIn0.e30.s3cret' >&2; exit 1",
            "echo 'Authorization: Bearer s3cret' >&2; exit 1", "echo two s3cret words",
        ])
    func secrecy(command: String) async throws {
        let failure = try #require(await failure(command))
        #expect(!failure.description.contains("s3cret"), "\(failure)")
    }

    @Test("endless output is stopped; as much on standard error is not a fault")
    func endless() async throws {
        #expect(await failure("yes")?.description.contains("more than 65536 bytes") == true)
        #expect(try await secret("head -c 300000 /dev/zero | tr '\\0' x >&2; echo s3cret") == "s3cret")
        let said = await failure("head -c 300000 /dev/zero | tr '\\0' 'a ' >&2; exit 1")
        #expect((said?.description.count ?? 0) < 300)
    }

    @Test("a command that leaves an agent behind is done when it exits itself")
    func agent() async throws {
        let file = temporaryFile()
        defer { unlink(file) }
        #expect(try await secret("sleep 60 & echo $! >'\(file)'; echo s3cret") == "s3cret")
        let agent = try await pid(in: file)
        #expect(Self.isRunning(agent))
        kill(agent, SIGKILL)
    }

    @Test("at its time limit, the command is killed with its children, even if they ignore TERM")
    func limit() async throws {
        let file = temporaryFile()
        defer { unlink(file) }
        let command = "(trap '' TERM; exec sleep 60) & echo $! >'\(file).new'; mv '\(file).new' '\(file)'; wait"
        async let result = fetch(command)
        await time.waitForSleepers()
        let child = try await pid(in: file)
        #expect(Self.isRunning(child))
        #expect(time.deadlines == [time.now().addingTimeInterval(15)])
        time.advance(by: 15)
        guard case .failure(let error) = await result else { throw CancellationError() }
        #expect(error == .transport("the token command did not finish within 15 s and was stopped"))
        try await waitForEnd(of: child)
    }

    @Test("a cancelled fetch kills the command")
    func cancelled() async throws {
        let file = temporaryFile()
        defer { unlink(file) }
        let task = Task { await fetch("sleep 60 & echo $! >'\(file).new'; mv '\(file).new' '\(file)'; wait") }
        let child = try await pid(in: file)
        task.cancel()
        guard case .failure(let error) = await task.value else { throw CancellationError() }
        #expect(error.isRetryable)
        try await waitForEnd(of: child)
    }

    @Test("zero bytes are refused, not cut off")
    func zeroBytes() async {
        #expect(await failure("echo a\0b")?.isRetryable == false)
        guard case .failure(.missingData) = await fetch("echo a", AuthorizationContext(tripID: "a\0b")) else {
            Issue.record("taken")
            return
        }
    }

    private func temporaryFile() -> String {
        FileManager.default.temporaryDirectory.appending(path: "tripwatch-test-\(UUID().uuidString)").path
    }

    private func waitForEnd(of pid: pid_t) async throws {
        while Self.isRunning(pid) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    private func pid(in file: String) async throws -> pid_t {
        while access(file, F_OK) != 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        return try #require(pid_t(text.split(whereSeparator: \.isNewline).first ?? ""))
    }

    /// Returns whether a process exists and is not a zombie.
    private static func isRunning(_ pid: pid_t) -> Bool {
        guard let text = try? String(contentsOf: URL(filePath: "/proc/\(pid)/stat"), encoding: .utf8) else { return false }
        let state = text.split(separator: ")").last?.split(separator: " ").first
        return state != "Z" && state != "X"
    }
}
