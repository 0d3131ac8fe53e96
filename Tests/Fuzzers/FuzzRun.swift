import FoundationEssentials
import Glibc

/// A run of one target. It has a process of its own, because a trap ends the process.
struct FuzzRun {
    /// The limit on the processor time for one input, in seconds.
    private static let limitSeconds = 5
    /// The limit on the real time for one input, in seconds. It ends a target that waits forever.
    private static let waitSeconds: UInt32 = 60
    /// The memory that the process may use in addition to its memory at the start, in bytes.
    private static let memoryBytes = 300 << 20

    let target: FuzzTarget
    /// The path of the file with the current input.
    let path: String
    private let descriptor: Int32

    init(_ target: FuzzTarget, path: String) throws {
        self.target = target
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FuzzFault(rule: "\(path) cannot be written") }
    }

    /// Changes valid input and tries it, until the time is up or the number of inputs is reached.
    /// - Returns: the number of inputs, and the number of refused inputs.
    /// - Throws: `FuzzFault` if an input breaks a rule, or if the target refuses all valid input.
    func run(_ mutator: Mutator, seconds: Double, executions: Int) async throws(FuzzFault) -> (count: Int, refused: Int) {
        var mutator = mutator
        var (count, refused) = (0, 0)
        let end = ContinuousClock.now + .seconds(seconds)
        while count < executions, ContinuousClock.now < end {
            if try await !feed(mutator.next(count)) { refused += 1 }
            count += 1
            if count == mutator.seedCount, refused == count { throw FuzzFault(rule: "all valid input is refused") }
        }
        return (count, refused)
    }

    /// Tries one input.
    /// - Returns: false if the target refuses the input.
    /// - Throws: `FuzzFault` if the target accepts the input but breaks a rule.
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

    /// Writes the input to its file, so that it can be read after a trap.
    private func keep(_ input: [UInt8]) {
        ftruncate(descriptor, 0)
        pwrite(descriptor, input, input.count, 0)
    }

    /// Limits the next input to `seconds` of processor time, and to `waitSeconds` of real time. At a limit, a signal ends the
    /// process. If `seconds` is 0, both limits are removed.
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
