import Glibc

/// The probe program running on a pseudo-terminal, as leader of a session of its own.
final class Probe {
    enum End: Equatable {
        case exited(Int32)
        case killed(Int32)
    }

    let process: pid_t
    private let terminal: PseudoTerminal
    private let reports: Int32
    private var unread = ""
    /// The lines it reported so far.
    private(set) var lines: [String] = []
    private var isAtEnd = false

    /// Built beside the test program.
    static var executable: String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/TerminalScreenProbe"
    }

    static var isBuilt: Bool { access(executable, X_OK) == 0 }

    /// - Parameter ignored: signals that the program finds ignored.
    init(
        _ arguments: [String] = [], on terminal: PseudoTerminal, type: String? = "xterm-256color", environment: [String] = [],
        ignored: [Int32] = [],
        isConnected: Bool = true
    ) throws {
        self.terminal = terminal
        var ends: [Int32] = [0, 0]
        // Not a pipe: other programs started at the same time must not inherit it and keep it open.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw HarnessError("no socket") }
        reports = ends[0]
        _ = fcntl(reports, F_SETFL, O_NONBLOCK)
        // Of two values for a variable the first counts.
        let variables =
            environment + ["LANG=C.UTF-8", "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"] + (type.map { ["TERM=\($0)"] } ?? [])
        let spawn = Spawn(path: isConnected ? terminal.path : "/dev/null", reports: ends[1], ignored: ignored)
        process = spawn.start([Probe.executable] + arguments, environment: variables)
        close(ends[1])
        guard process > 0 else { throw HarnessError("cannot start \(Probe.executable): error \(-process)") }
    }

    deinit {
        close(reports)
        // Never a process id that is not one: kill(2) takes −1 for all processes there are.
        if !isAtEnd, process > 0 {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }

    private func readReports() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(reports, &buffer, buffer.count)
            if count == 0 { isClosed = true }
            guard count > 0 else { break }
            unread += String(decoding: buffer[..<count], as: UTF8.self)
        }
        let parts = unread.split(separator: "\n", omittingEmptySubsequences: false)
        lines += parts.dropLast().map(String.init)
        unread = parts.last.map(String.init) ?? ""
    }

    private var isClosed = false

    /// Waits for a line that begins so, and returns it. Each line is found once.
    @discardableResult
    func wait(for prefix: String) throws -> String {
        var found: String?
        try terminal.wait(for: "report “\(prefix)” after \(lines)", or: reports) {
            readReports()
            if let index = lines.firstIndex(where: { $0.hasPrefix(prefix) }) { found = lines.remove(at: index) }
            return found != nil || isClosed
        }
        guard let found else { throw HarnessError("ended before “\(prefix)”: \(terminal.visibleOutput.suffix(600))") }
        return found
    }

    /// The program that the probe started as a launcher.
    func childProcess() throws -> pid_t {
        guard let child = pid_t(try wait(for: "process ").dropFirst(8)), child > 0 else { throw HarnessError("no child process") }
        return child
    }

    /// Waits for the process to end.
    func end() throws -> End {
        try terminal.wait(for: "the end after \(lines)", or: reports) {
            readReports()
            return isClosed
        }
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { throw HarnessError("no child") }
        isAtEnd = true
        terminal.drain()
        let signal = status & 0x7f
        return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal)
    }

    /// How often the screen's thread woke in a time in which nothing was asked of it.
    func wakeUps(milliseconds: Int32) throws -> Int {
        let before = try switches()
        // There is nothing to wait for: this is the time itself.
        poll(nil, 0, milliseconds)
        return try switches() - before
    }

    /// Voluntary context switches of the screen's thread, as Linux counts them.
    private func switches() throws -> Int {
        let tasks = "/proc/\(process)/task"
        guard let directory = opendir(tasks) else { throw HarnessError("no \(tasks)") }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard Int(name) != nil, try text(of: "\(tasks)/\(name)/comm") == "screen\n" else { continue }
            let line = try text(of: "\(tasks)/\(name)/status").split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            if let count = line?.split(separator: "\t").last.flatMap({ Int($0) }) { return count }
        }
        throw HarnessError("no thread named screen")
    }

    private func text(of path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HarnessError("cannot read \(path)") }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 8_192)
        let count = read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    func signal(_ number: Int32) {
        guard process > 0 else { return }
        kill(process, number)
    }
}

/// posix_spawn with what the probe needs.
private struct Spawn {
    let path: String
    let reports: Int32
    let ignored: [Int32]

    func start(_ arguments: [String], environment: [String]) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Opened by the leader of a session, it becomes the controlling terminal.
        posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        posix_spawn_file_actions_adddup2(&actions, reports, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        // The header keeps the name of this one for GNU sources.
        let newSession: Int32 = 0x80
        posix_spawnattr_setflags(&attributes, Int16(newSession | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var standard = sigset_t()
        sigfillset(&standard)
        for number in ignored { sigdelset(&standard, number) }
        posix_spawnattr_setsigdefault(&attributes, &standard)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var child: pid_t = 0
        let old = ignored.map { Glibc.signal($0, SIG_IGN) }
        let result = posix_spawn(&child, arguments[0], &actions, &attributes, &words, &variables)
        for (number, handler) in zip(ignored, old) { _ = Glibc.signal(number, handler) }
        return result == 0 ? child : -result
    }
}
