import Foundation
import Glibc
import TerminalHarness
import Testing
import TripTesting

@testable import ProgramHarness

/// The recipes for ssh in docs/sharing.md. Each raw value is a text that occurs only in its recipe.
enum DoorRecipe: String, CaseIterable, Sendable {
    case key = "restrict,pty,command="
    case user = "Match User"

    /// Returns the text of the recipe, with the user's own values in place of its placeholders.
    func text(trip: String, key: String) throws -> String {
        let page = try String(contentsOf: Program.package.appending(path: "docs/sharing.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```").filter { $0.hasPrefix("text\n") && $0.contains(rawValue) }
        try #require(blocks.count == 1)
        let text = blocks[0].dropFirst(5).replacing("providers/PROVIDER/trips/TRIP", with: trip)
        return String(text).replacing("ssh-ed25519 AAAA… anna", with: key).replacing("Match User trip", with: "Match User \(NSUserName())")
    }
}

/// An sshd on a port of this machine, with its keys and its configuration in a folder of its own. Each login shows a trip without a car.
private final class Door {
    private static let daemonPath = "/usr/sbin/sshd"
    /// The path of `timeout`, which stops its child program after a time limit, or when `timeout` itself is stopped.
    private static let timeoutPath = "/usr/bin/timeout"
    /// Whether the programs that this test needs are installed. As root, sshd also needs a folder that its service creates.
    static let isThere =
        [daemonPath, timeoutPath, "/usr/bin/ssh", "/usr/bin/ssh-keygen"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
        && (geteuid() != 0 || FileManager.default.fileExists(atPath: "/run/sshd"))

    let server: LocalServer
    let trip: String
    let folder: URL
    private var daemon = Process()
    private var port = 0

    init(_ recipe: DoorRecipe) throws {
        server = try LocalServer(speed: 1)
        trip = try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
        folder = FileManager.default.temporaryDirectory.appending(path: "door-\(UUID().uuidString.prefix(8))")
        let mode = [FileAttributeKey.posixPermissions: 0o700]
        let configuration = folder.appending(path: "tripwatch")
        try FileManager.default.createDirectory(at: configuration, withIntermediateDirectories: true, attributes: mode)
        let profile = """
            [profiles.shared]
            endpoint = "\(server.connection[1])"
            plaintext = true
            provider_url = "\(server.desk)"
            interval = 1
            """
        try Data(profile.utf8).write(to: configuration.appending(path: "config.toml"))
        for name in ["host", "anna"] { try Self.run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path(name)]) }
        let key = try String(contentsOfFile: path("anna.pub"), encoding: .utf8).trimmingCharacters(in: .newlines)
        let text = try recipe.text(trip: trip, key: key)
        try Data((recipe == .key ? text : key + "\n").utf8).write(to: folder.appending(path: "authorized_keys"))
        try listen(more: recipe == .user ? text : "")
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    /// `ASAN_OPTIONS` must be set in the configuration, because sshd does not pass on the test's own environment.
    private func listen(more: String) throws {
        let programs = URL(filePath: Program.path).deletingLastPathComponent().path
        for _ in 0..<5 {
            // Another process may take the free port before sshd uses it, so several ports are tried.
            port = try UnansweredPort().number
            let text = """
                ListenAddress 127.0.0.1
                Port \(port)
                HostKey \(path("host"))
                AuthorizedKeysFile \(path("authorized_keys"))
                PasswordAuthentication no
                PidFile none
                StrictModes no
                Subsystem sftp internal-sftp
                SetEnv "PATH=\(programs):/usr/bin:/bin" "XDG_CONFIG_HOME=\(folder.path)" LC_ALL=C.UTF-8 TZ=UTC ASAN_OPTIONS=detect_leaks=0

                """
            try Data((text + more).utf8).write(to: folder.appending(path: "sshd_config"))
            let key = try String(contentsOfFile: path("host.pub"), encoding: .utf8)
            try Data("[127.0.0.1]:\(port) \(key)".utf8).write(to: folder.appending(path: "known_hosts"))
            let errors = Pipe()
            daemon = Process()
            // `Process` takes the closing of a descriptor as the end of its program, and sshd closes the descriptor early. The thread that
            // all instances of `Process` share would then wait for sshd, and would not report the end of other programs. `timeout` runs
            // sshd as its child, and keeps the descriptor open.
            daemon.executableURL = URL(filePath: Self.timeoutPath)
            daemon.arguments = ["--kill-after", "5", "170", Self.daemonPath, "-D", "-e", "-f", path("sshd_config")]
            (daemon.standardInput, daemon.standardError) = (FileHandle.nullDevice, errors)
            try Self.withSignals { try daemon.run() }
            let watch = LineWatch(errors)
            if watch.line(with: "Server listening", within: 20) != nil { return }
            daemon.terminate()
            daemon.waitUntilExit()
        }
        throw HarnessError("no sshd")
    }

    /// The options of ssh, sftp and scp for the connection. They send an environment variable, which sshd must ignore.
    var options: [String] {
        let settings = [
            "Port=\(port)", "IdentityFile=\(path("anna"))", "IdentitiesOnly=yes", "IdentityAgent=none", "BatchMode=yes", "LogLevel=ERROR",
            "UserKnownHostsFile=\(path("known_hosts"))", "StrictHostKeyChecking=yes", "SetEnv=TRIPWATCH_ENDPOINT=127.0.0.1:1",
        ]
        return ["-F", "none"] + settings.flatMap { ["-o", $0] }
    }

    var host: String { "\(NSUserName())@127.0.0.1" }

    /// Runs `ssh -t` in a shell, because ssh closes the descriptor through which the test detects a program's end.
    func screen(type: String = "xterm-256color") throws -> ProgramOnTerminal {
        try ProgramOnTerminal(["-c", "\"$0\" \"$@\"; exit $?", "/usr/bin/ssh"] + options + ["-t", host], type: type, program: "/bin/sh")
    }

    /// Runs a local program until it ends. Kills it if it takes too long.
    @discardableResult
    static func run(_ path: String, _ arguments: [String]) throws -> Int32 {
        // sftp and scp leave an ssh process behind, which would keep a pipe open.
        let process = try start(path, arguments, output: FileHandle.nullDevice)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// - Parameter output: the standard output of the program: a pipe or a file handle.
    static func start(_ path: String, _ arguments: [String], output: Any) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: timeoutPath)
        process.arguments = ["--kill-after", "5", "30", path] + arguments
        process.environment = Program().environment
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, output)
        try withSignals { try process.run() }
        return process
    }

    /// Runs `work` with no signals blocked. sshd inherits blocked signals, and does not unblock them itself.
    private static func withSignals(_ work: () throws -> Void) rethrows {
        var none = sigset_t(), before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try work()
    }

    /// Whether a program that sshd has started shows the trip.
    var isShown: Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { name in
            guard Int(name) != nil, let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else { return false }
            return String(decoding: words, as: UTF8.self).contains("\(trip)\0--read-only")
        }
    }

    /// Waits up to half a minute until ``isShown`` is false. Returns false if it stays true.
    func isLeft() -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while isShown, ContinuousClock.now < deadline { sched_yield() }
        return !isShown
    }

    func stop() {
        daemon.terminate()
        daemon.waitUntilExit()
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}

@Suite("ssh access to a trip", .timeLimit(.minutes(3)), .enabled(if: Door.isThere, "needs sshd and ssh"))
struct SSHTests {
    @Test(
        "a recipe shows the screen in a window of any size; it changes and copies nothing, and ends with the connection",
        arguments: DoorRecipe.allCases)
    func screen(recipe: DoorRecipe) throws {
        let door = try Door(recipe)
        defer { door.stop() }
        let screen = try door.screen()
        try screen.wait(for: "LOOKING FOR A CAR")
        screen.press("sx")
        try screen.wait(for: "This screen is read-only.")
        screen.press("La")
        try screen.wait(for: "Trips and shipments cannot be added here.")
        screen.terminal.resize(columns: 100, rows: 30)
        try screen.wait(for: "the larger screen") { text in
            let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
            return rows.contains { $0.count == 100 } && rows[29].contains("q quit")
        }
        #expect(!screen.terminal.outputText.contains("\u{1b}]52") && !screen.text.contains("Copied"))
        #expect(door.isShown)
        screen.terminal.hangUp()
        #expect(door.isLeft())

        let second = try door.screen()
        try second.wait(for: "LOOKING FOR A CAR")
        second.press("q")
        #expect(try second.end() == 0)
        #expect(second.terminal.settings == second.settings)
        let status = try door.server.program.run(["status", door.trip] + door.server.connection)
        #expect(status.lines == ["◦ looking for a car"])
    }

    @Test(
        "the terminal's type is passed on, and with it the number of colours",
        .enabled(if: PseudoTerminal.isInstalled("xterm-direct")))
    func colors() throws {
        let door = try Door(.key)
        defer { door.stop() }
        let colors = try ["xterm-direct", "xterm-256color", "vt100"].map { type in
            let screen = try door.screen(type: type)
            try screen.wait(for: "LOOKING FOR A CAR")
            screen.press("q")
            #expect(try screen.end() == 0)
            #expect(screen.terminal.settings == screen.settings)
            let text = screen.terminal.outputText
            return [/38[;:]2[;:]/, /38[;:]5[;:]/].map { !text.ranges(of: $0).isEmpty }
        }
        #expect(colors == [[true, false], [false, true], [false, false]], "\(colors)")
    }

    @Test("any other request gets only the trip: no shell, no file, no forwarding", arguments: DoorRecipe.allCases)
    func nothingElse(recipe: DoorRecipe) throws {
        let door = try Door(recipe)
        defer { door.stop() }
        let output = Pipe()
        let ssh = try Door.start("/usr/bin/ssh", door.options + [door.host, "cat", "/etc/passwd"], output: output)
        let lines = LineWatch(output)
        #expect(lines.line(with: "looking for a car") != nil, "\(lines.all)")
        #expect(door.isShown)
        ssh.terminate()
        ssh.waitUntilExit()
        #expect(door.isLeft() && !lines.all.contains { $0.contains("root:") })

        let (file, batch) = (door.folder.appending(path: "got").path, door.folder.appending(path: "batch"))
        try Data("get /etc/passwd \(file)\n".utf8).write(to: batch)
        #expect(try Door.run("/usr/bin/sftp", door.options + ["-b", batch.path, door.host]) == 255)
        #expect(try Door.run("/usr/bin/scp", ["-O"] + door.options + [door.host + ":/etc/passwd", file]) == 1)
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try Door.run("/usr/bin/ssh", door.options + ["-W", door.server.connection[1], door.host]) == 255)
        let back = ["-N", "-R", "0:\(door.server.connection[1])", "-o", "ExitOnForwardFailure=yes", door.host]
        #expect(try Door.run("/usr/bin/ssh", door.options + back) == 255)
        // When the trip ends, all screens must end.
        #expect(try door.server.program.run(["cancel", door.trip, "--provider-url", door.server.desk]).status == 0)
        #expect(door.isLeft())
    }
}
