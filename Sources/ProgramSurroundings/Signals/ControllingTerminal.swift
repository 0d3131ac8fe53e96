import Glibc

/// The terminal from which the program was started. The program ends when this terminal is closed.
package enum ControllingTerminal {
    /// Whether the process has a controlling terminal now. When the terminal is closed, this becomes false before the process receives the
    /// signal HUP.
    package static var isThere: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
