import Glibc

/// The terminal that a program was started from, and which takes the program with it when it is closed.
package enum ControllingTerminal {
    /// Whether there is one now. It is gone before the signal comes that tells of it.
    package static var isThere: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
