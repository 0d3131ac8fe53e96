import Glibc

/// The terminal that started the program. Closing it ends the program.
package enum ControllingTerminal {
    /// Whether the process has such a terminal now. The terminal disappears before its signal arrives.
    package static var isThere: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
