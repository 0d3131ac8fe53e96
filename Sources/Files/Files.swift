import Glibc

/// Wrappers for the system calls on files. A call that a signal interrupts is repeated.
package enum Files {
    /// Number of bytes in one read.
    private static let pieceBytes = 64 << 10

    /// Returns the size of a regular file in bytes; nil for a folder, a pipe, a device or a closed descriptor.
    package static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// The size of a file, and the time of its last change.
    package struct Facts: Hashable, Sendable {
        /// Size of the file, in bytes.
        package let size: Int
        /// The time at which the contents last changed, in seconds since 1970.
        package let changedAt: Double
    }

    /// Returns the size of the file at a path and the time of its last change, following symbolic links; nil if the file does not exist or
    /// cannot be reached.
    package static func facts(of path: String) -> Facts? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Facts(size: Int(status.st_size), changedAt: Double(status.st_mtim.tv_sec))
    }

    /// Whether a path is a regular file or does not exist.
    package static func isReplaceable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether an open file is a named or unnamed pipe.
    package static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// The reason why a path cannot be opened as a regular file.
    package enum OpenError: Error, Hashable {
        case system(SystemError)
        case directory
        /// A pipe, a device or a socket.
        case notAFile
    }

    /// Opens a regular file for reading. The caller closes the descriptor.
    package static func openRegular(_ path: String) throws(OpenError) -> Int32 {
        // Without O_NONBLOCK a pipe without a writer would block the program here.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(.last) }
        var status = stat()
        let error: OpenError? =
            if fstat(descriptor, &status) != 0 {
                .system(.last)
            } else {
                switch status.st_mode & S_IFMT {
                case S_IFREG: nil
                case S_IFDIR: .directory
                default: .notAFile
                }
            }
        guard let error else { return descriptor }
        close(descriptor)
        throw error
    }

    /// Reads the next bytes of a file or a pipe. Returns no bytes at the end. The call waits while a pipe has no bytes.
    /// - Parameter limit: the maximum number of bytes to read, at least 1.
    package static func piece(of descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        while true {
            let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            bytes.removeLast(bytes.count - count)
            return bytes
        }
    }

    /// Reads all bytes of a file or a pipe, or the first `limit` bytes.
    package static func bytes(of descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(size(of: descriptor) ?? 0, limit))
        while bytes.count < limit {
            let piece = try piece(of: descriptor, limit: min(pieceBytes, limit - bytes.count))
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Returns the path with symbolic links resolved; the same path if no file is there.
    package static func resolved(_ path: String) -> String {
        guard let pointer = realpath(path, nil) else { return path }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// Returns the folder of a file, with a slash at its end.
    package static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }
}
