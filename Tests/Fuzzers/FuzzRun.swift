import FoundationEssentials
import Glibc

/// A run of one target in a separate process, because a trap ends the process.
struct FuzzRun {
    /// Limit on processor time for one input, seconds.
    private static let limitSeconds = 5
    /// Limit on real time for one input, seconds. It ends an input that waits forever.
    private static let waitSeconds: UInt32 = 60
    /// Limit on memory beyond that of a new process, bytes.
    private static let memoryBytes = 300 << 20

    let target: FuzzTarget
    /// The file that holds the input while it is tried.
    let path: String
    private let descriptor: Int32

    init(_ target: FuzzTarget, path: String) throws {
        self.target = target
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FuzzFault(rule: "\(path) cannot be written") }
    }

    /// Mutates valid input until the time or the number of inputs is reached.
    /// - Returns: number of inputs, and number of refused inputs.
    /// - Throws: `FuzzFault` for an input that breaks a rule, and if all valid input is refused.
    func run(_ mutator: Mutator, seconds: Double, executions: Int) async throws(FuzzFault) -> (count: Int, refused: Int) {
        var mutator = mutator
        var (count, refused) = (0, 0)
        let end = ContinuousClock.now + .seconds(seconds)
        while count < executions, ContinuousClock.now < end {
            if try await !feed(mutator.next(count)) { refused += 1 }
            count += 1
            if count == mutator.seedCount, refused == count { throw FuzzFault(rule: "all right input is refused") }
        }
        return (count, refused)
    }

    /// Tries one input.
    /// - Returns: false for a refused input.
    /// - Throws: `FuzzFault` for an accepted input that breaks a rule.
    func feed(_ input: [UInt8]) async throws(FuzzFault) -> Bool {
        keep(input)
        Self.limitTime(seconds: Self.limitSeconds)
        defer { Self.limitTime(seconds: 0) }
        do {
            try await target.feed(input, path)
            return true
        } catch let fault as FuzzFault {
            throw fault
        } catch {
            return false
        }
    }

    /// Writes the input to its file, so that it exists after a trap.
    private func keep(_ input: [UInt8]) {
        ftruncate(descriptor, 0)
        pwrite(descriptor, input, input.count, 0)
    }

    /// Ends the process with a signal after this processor time, or after `waitSeconds` of real time. Zero removes both limits.
    private static func limitTime(seconds: Int) {
        var timer = itimerval()
        timer.it_value.tv_sec = seconds
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
        alarm(seconds > 0 ? waitSeconds : 0)
    }

    /// Limits the memory of this process.
    static func limitMemory() {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").dropFirst(5).first
        let present = (pages.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
        let bytes = rlim_t(present + memoryBytes)
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }
}
