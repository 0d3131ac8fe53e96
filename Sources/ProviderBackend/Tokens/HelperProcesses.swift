package import Glibc
import Synchronization

/// The running token commands and hooks. Each command leads its own process group. If a signal kills this program, the groups continue to
/// run unless the program stops them first.
public enum HelperProcesses {
    private struct Running {
        var groups: Set<pid_t> = []
        /// Number of commands that are being started and whose process groups are not known yet.
        var startCount = 0
        var isEnding = false
    }

    private static let running = Mutex(Running())
    private static let patienceMicroseconds: UInt32 = 500_000
    private static let stepMicroseconds: UInt32 = 10_000

    /// Records that a command is about to start. A call to ``note(_:)`` or ``forget(_:)`` follows.
    package static func noteStart() { running.withLock { $0.startCount += 1 } }

    /// Records a running command by its process group.
    package static func note(_ group: pid_t) {
        let isEnding = running.withLock { running in
            running.startCount -= 1
            running.groups.insert(group)
            return running.isEnding
        }
        if isEnding { kill(-group, SIGKILL) }
    }

    /// Records that a command has ended, or, if `group` is nil, that a command could not be started.
    package static func forget(_ group: pid_t?) {
        running.withLock { running in
            if let group { running.groups.remove(group) } else { running.startCount -= 1 }
        }
    }

    /// Stops all commands within half a second: sends TERM, then KILL to those that are still running. Call it just before the process
    /// ends.
    public static func endAll() {
        running.withLock { $0.isEnding = true }
        var waited: UInt32 = 0
        func wait(while isOpen: () -> Bool) {
            while waited < patienceMicroseconds, isOpen() {
                usleep(stepMicroseconds)
                waited += stepMicroseconds
            }
        }
        wait { running.withLock { $0.startCount > 0 } }
        let groups = running.withLock { $0.groups }
        for group in groups { kill(-group, SIGTERM) }
        wait { groups.contains { kill(-$0, 0) == 0 } }
        for group in groups { kill(-group, SIGKILL) }
    }
}
