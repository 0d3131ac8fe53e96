import Glibc

/// The job control of a shell. Starts a program in a new process group, which gets the terminal. Takes the terminal back when the
/// program stops. A line `fg` or `bg` on standard input continues the program in the foreground or background.
struct Launcher {
    let arguments: [String]

    func run() -> Never {
        signal(SIGTTOU, SIG_IGN)
        let child = start()
        guard child > 0 else { exit(8) }
        report("process \(child)")
        while true {
            var status: Int32 = 0
            guard waitpid(child, &status, WUNTRACED) == child else { exit(8) }
            tcsetpgrp(0, getpgrp())
            let signal = status & 0x7f
            if status & 0xff == 0x7f {
                report("stopped \(status >> 8 & 0xff)")
                proceed(child)
            } else {
                report(signal == 0 ? "exited \(status >> 8 & 0xff)" : "killed \(signal)")
                exit(0)
            }
        }
    }

    /// Reads lines until the program has the terminal again.
    private func proceed(_ child: pid_t) {
        while let line = readLine() {
            guard line == "fg" || line == "bg" else { continue }
            if line == "fg" { tcsetpgrp(0, child) }
            // `run()` has checked that this is a valid process id.
            kill(-child, SIGCONT)
            report("continued \(line)")
            if line == "fg" { return }
        }
    }

    private func start() -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let words = ["/proc/self/exe", "--foreground"] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, "/proc/self/exe", nil, &attributes, &pointers, environ)
        return result == 0 ? child : -1
    }

    /// Takes the terminal for the new process group. SIGTTOU, which would stop a background process, is ignored meanwhile.
    static func takeForeground() {
        signal(SIGTTOU, SIG_IGN)
        tcsetpgrp(0, getpgrp())
        signal(SIGTTOU, SIG_DFL)
    }
}
