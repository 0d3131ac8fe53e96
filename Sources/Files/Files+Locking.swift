import Glibc

extension Files {
    /// How many programs may have a lock at once: one, or all that only look.
    package enum Lock: Sendable {
        case exclusive
        case shared
    }

    /// How long a program that waits for a lock leaves it alone, microseconds.
    private static let pauseMicroseconds: useconds_t = 5_000

    /// Locks a file or a folder for this descriptor. The lock ends when the descriptor is closed, or the process ends.
    ///
    /// - Parameter patienceSeconds: how long it waits for others; the thread is blocked meanwhile.
    /// - Returns: false where others have it.
    /// - Throws: `SystemError` where it cannot be locked, such as on a file system without locks.
    package static func lock(
        _ descriptor: Int32, _ lock: Lock = .exclusive, patienceSeconds: Double = 0
    ) throws(SystemError) -> Bool {
        let operation = (lock == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
        let end = ContinuousClock.now + .seconds(patienceSeconds)
        while flock(descriptor, operation) != 0 {
            let reason = SystemError.last
            if reason.code == EINTR { continue }
            guard reason.code == EWOULDBLOCK else { throw reason }
            guard .now < end else { return false }
            usleep(pauseMicroseconds)
        }
        return true
    }

    /// Locks a file or a folder for this descriptor alone, and waits for others without end.
    /// - Throws: `SystemError` where it cannot be locked.
    package static func waitForLock(_ descriptor: Int32) throws(SystemError) {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .last }
        }
    }
}
