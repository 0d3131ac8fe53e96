import Glibc

/// A program that runs on a pseudo-terminal, as the leader of a new session.
///
/// The program may report lines on descriptor 3. The tests consider the program ended when it and the programs that it started have closed
/// this descriptor.
public final class TerminalProgram {
    /// The way in which a program ended.
    public enum End: Equatable, Sendable {
        case exited(Int32)
        case killed(Int32)
    }

    /// The id of the program's process.
    public let process: Int32
    public let terminal: PseudoTerminal
    private let reports: Int32
    private var unread = ""
    /// The reported lines for which no test has waited yet.
    public private(set) var lines: [String] = []
    private var isClosed = false
    private var isAtEnd = false

    /// - Parameters:
    ///   - environment: the whole environment, as NAME=VALUE. If a variable occurs twice, the first value is used.
    ///   - ignored: signals that are ignored when the program starts.
    ///   - isConnected: whether the program has a terminal.
    public init(
        _ executable: String, _ arguments: [String] = [], on terminal: PseudoTerminal, environment: [String], ignored: [Int32] = [],
        isConnected: Bool = true
    ) throws {
        self.terminal = terminal
        var ends: [Int32] = [0, 0]
        // Programs that start at the same time must not inherit the connection, so it is a socket with CLOEXEC, not a pipe.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw HarnessError("no socket") }
        reports = ends[0]
        _ = fcntl(reports, F_SETFL, O_NONBLOCK)
        let spawn = Spawn(path: isConnected ? terminal.path : "/dev/null", reports: ends[1], ignored: ignored)
        process = spawn.start([executable] + arguments, environment: environment)
        close(ends[1])
        guard process > 0 else { throw HarnessError("cannot start \(executable): error \(-process)") }
    }

    deinit {
        close(reports)
        // Only a valid process id may be used, because kill(2) with −1 signals all processes.
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

    /// Waits for a reported line with this prefix and returns it. Each line is returned only once.
    @discardableResult
    public func wait(forReport prefix: String) throws -> String {
        var found: String?
        try terminal.wait(for: "report “\(prefix)” after \(lines)", or: reports) {
            readReports()
            if let index = lines.firstIndex(where: { $0.hasPrefix(prefix) }) { found = lines.remove(at: index) }
            return found != nil || isClosed
        }
        guard let found else { throw HarnessError("ended before “\(prefix)”: \(terminal.visibleOutput.suffix(600))") }
        return found
    }

    /// Waits until the screen fulfils a condition. Throws if the program ends first.
    public func wait(for what: String, until isDone: (VirtualTerminal) -> Bool) throws {
        var isSeen = false
        try terminal.wait(for: what, or: isClosed ? -1 : reports) {
            readReports()
            isSeen = isDone(terminal.virtual)
            return isSeen || isClosed
        }
        // The last bytes may arrive after the screen was checked.
        if !isSeen { terminal.drainWhole() }
        guard isSeen || isDone(terminal.virtual) else { throw HarnessError("ended before \(what): \(terminal.visibleOutput.suffix(600))") }
    }

    /// Waits for the process to end.
    ///
    /// - Parameter seconds: maximum time to wait, in seconds.
    public func end(seconds: Double = 60) throws -> End {
        try terminal.wait(for: "the end after \(lines)", or: reports, seconds: seconds) {
            readReports()
            return isClosed
        }
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { throw HarnessError("no child") }
        isAtEnd = true
        terminal.drainWhole()
        let signal = status & 0x7f
        return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal)
    }

    /// Sends the program a signal.
    public func signal(_ number: Int32) {
        guard process > 0, !isAtEnd else { return }
        kill(process, number)
    }
}

/// A call of posix_spawn with the settings that a program on a terminal needs.
private struct Spawn {
    let path: String
    let reports: Int32
    let ignored: [Int32]

    func start(_ arguments: [String], environment: [String]) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens becomes its controlling terminal.
        posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        posix_spawn_file_actions_adddup2(&actions, reports, 3)
        // The program must not keep this process's listening sockets open. Closing an unused descriptor is not an error.
        for descriptor in Int32(4)..<4_096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        // The value of POSIX_SPAWN_SETSID. The header defines this name only for GNU sources.
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
