import Glibc

/// A file that is read whole.
package enum SmallFile {
    package enum Trouble: Error, Hashable {
        case missing
        case unreadable
        /// A directory, a pipe or a device.
        case notAFile
        case tooLarge

        /// With a limit in KiB, in words that follow the file.
        package func words(limitKiB: Int) -> String {
            switch self {
            case .missing: "is not there"
            case .unreadable: "cannot be read"
            case .notAFile: "is not a file that can be read again and again"
            case .tooLarge: "is larger than \(limitKiB) KiB"
            }
        }
    }

    /// The file's bytes, at most `limit` of them.
    package static func bytes(path: String, limit: Int) throws(Trouble) -> [UInt8] {
        // Without O_NONBLOCK a pipe without a writer would block the program here.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        // Some of the system's own files say that they are empty, and are not.
        var bytes = [UInt8](repeating: 0, count: min(max(Int(status.st_size), 4_096), limit) + 1)
        var filled = 0
        while true {
            if filled == bytes.count {
                guard filled <= limit else { throw .tooLarge }
                bytes += [UInt8](repeating: 0, count: min(filled, limit + 1 - filled))
            }
            let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable }
            if count == 0 { return Array(bytes.prefix(filled)) }
            filled += count
        }
    }
}
