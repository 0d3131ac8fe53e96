import Glibc

/// A file of a few kilobytes that is read whole, and again and again.
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
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable }
            if count == 0 { return Array(bytes.prefix(filled)) }
            filled += count
        }
        throw .tooLarge
    }
}
