import Glibc

extension Files {
    /// The kinds of locks: for one program alone, or shared by all readers.
    package enum Lock: Sendable {
        case exclusive
        case shared
    }

    /// The pause between two attempts to get a lock, in microseconds.
    private static let pauseMicroseconds: useconds_t = 5_000

    /// Locks a file or a folder for this descriptor. The lock ends when the descriptor is closed, or the process ends.
    ///
    /// - Parameter patienceSeconds: the longest wait for other programs, in seconds. The wait blocks the thread.
    /// - Returns: false if another program holds the lock.
    /// - Throws: `SystemError` if the file cannot be locked, for example on a file system without locks.
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

    /// Locks a file or a folder for this descriptor alone, and waits for other programs without a limit.
    /// - Throws: `SystemError` if the file cannot be locked.
    package static func waitForLock(_ descriptor: Int32) throws(SystemError) {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .last }
        }
    }
}
