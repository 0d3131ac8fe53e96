import FoundationEssentials
import Glibc

/// Texts on their way into a file's place, which are written beside it first: `FILE.PID.draft`.
enum Drafts {
    private static let suffix = ".draft"

    /// The draft of this process.
    static func path(for file: String) -> String { "\(file).\(getpid())\(suffix)" }

    /// Removes what was left behind by processes that ended while they wrote, one with this one's number among them.
    static func clear(for file: String) {
        guard let slash = file.lastIndex(of: "/") else { return }
        let folder = file[...slash]
        let prefix = file[file.index(after: slash)...] + "."
        for name in (try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? [] {
            guard name.hasPrefix(prefix), name.hasSuffix(suffix), let process = pid_t(name.dropFirst(prefix.count).dropLast(suffix.count)),
                process > 0, process == getpid() || kill(process, 0) != 0 && errno == ESRCH
            else { continue }
            unlink(folder + name)
        }
    }
}
