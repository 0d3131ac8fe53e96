import Glibc

/// Reports changes of files.
package struct FileWatch: Sendable {
    /// The time between two checks of the files, in seconds.
    package static let lookSeconds = 5.0

    private struct Mark: Hashable, Sendable {
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    private var marks: [String: Mark?]

    package init(_ paths: [String]) { marks = Self.marks(paths) }

    /// Returns whether a file has changed since the last check.
    package mutating func looksNew(_ paths: [String]) -> Bool {
        let now = Self.marks(paths)
        defer { marks = now }
        return now != marks
    }

    /// Checks the files regularly and calls `onNews` after each change. Runs until the task is cancelled.
    package static func run(_ paths: [String], onNews: @Sendable () -> Void) async {
        guard !paths.isEmpty else { return }
        var watch = FileWatch(paths)
        while (try? await Task.sleep(for: .seconds(lookSeconds))) != nil {
            if watch.looksNew(paths) { onNews() }
        }
    }

    private static func marks(_ paths: [String]) -> [String: Mark?] {
        Dictionary(paths.map { ($0, mark($0)) }) { first, _ in first }
    }

    private static func mark(_ path: String) -> Mark? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Mark(
            inode: UInt(status.st_ino), size: Int(status.st_size), seconds: Int(status.st_mtim.tv_sec),
            nanoseconds: Int(status.st_mtim.tv_nsec))
    }
}
