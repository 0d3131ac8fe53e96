import Glibc

/// Tells when one of some files has become another.
struct FileWatch {
    private struct Mark: Hashable {
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    private var marks: [String: Mark?] = [:]

    /// Whether anything is different from what it was at the last look. The first look sees nothing new.
    mutating func looksNew(_ paths: [String]) -> Bool {
        let now = Dictionary(paths.map { ($0, Self.mark($0)) }) { first, _ in first }
        defer { marks = now }
        return !marks.isEmpty && now != marks
    }

    private static func mark(_ path: String) -> Mark? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Mark(
            inode: UInt(status.st_ino), size: Int(status.st_size), seconds: Int(status.st_mtim.tv_sec),
            nanoseconds: Int(status.st_mtim.tv_nsec))
    }
}
