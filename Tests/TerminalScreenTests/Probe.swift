import Glibc
import TerminalHarness

/// The probe, a small program with a screen, on a pseudo-terminal.
final class Probe {
    private let program: TerminalProgram

    /// The path of the probe, which is built into the same folder as the test program.
    static var executable: String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/TerminalScreenProbe"
    }

    static var isBuilt: Bool { access(executable, X_OK) == 0 }

    /// - Parameter ignored: the signals that the program ignores when it starts.
    init(
        _ arguments: [String] = [], on terminal: PseudoTerminal, type: String? = "xterm-256color", environment: [String] = [],
        ignored: [Int32] = [],
        isConnected: Bool = true
    ) throws {
        // Ncurses keeps some memory until the process ends. The address sanitizer would report that memory as a leak.
        let fixed = ["LANG=C.UTF-8", "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no", "ASAN_OPTIONS=detect_leaks=0"]
        let variables = environment + fixed + (type.map { ["TERM=\($0)"] } ?? [])
        program = try TerminalProgram(
            Probe.executable, arguments, on: terminal, environment: variables, ignored: ignored, isConnected: isConnected)
    }

    /// The reported lines for which no test has waited yet.
    var lines: [String] { program.lines }

    /// Waits for a line that begins with this prefix, and returns it. Each line is returned only once.
    @discardableResult
    func wait(for prefix: String) throws -> String { try program.wait(forReport: prefix) }

    /// Waits for the process to end.
    func end(seconds: Double = 60) throws -> TerminalProgram.End { try program.end(seconds: seconds) }

    func signal(_ number: Int32) { program.signal(number) }

    /// Returns the id of the process that a probe with `--launcher` has started.
    func childProcess() throws -> pid_t {
        guard let child = pid_t(try wait(for: "process ").dropFirst(8)), child > 0 else { throw HarnessError("no child process") }
        return child
    }

    /// Returns the number of times that the screen's thread wakes in a period in which it has nothing to do.
    func wakeUps(milliseconds: Int32) throws -> Int {
        let before = try switches()
        // This call only waits until the period is over.
        poll(nil, 0, milliseconds)
        return try switches() - before
    }

    /// Returns the number of voluntary context switches of the screen's thread, which Linux counts.
    private func switches() throws -> Int {
        let tasks = "/proc/\(program.process)/task"
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
}
