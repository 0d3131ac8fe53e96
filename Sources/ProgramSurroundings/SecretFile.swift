import Glibc
import TripWatchWords

/// A file that only its owner reads, and that never takes another's place.
package enum SecretFile {
    /// Writes a new file, as a whole: nobody finds half of it.
    ///
    /// - Returns: false where one of that name is there, which stays as it is.
    /// - Throws: `Failure` where it cannot be written.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(Failure) -> Bool {
        Drafts.clear(for: path)
        let draft = Drafts.path(for: path)
        guard write(bytes, toNew: draft) else { throw failure(path) }
        defer { unlink(draft) }
        if link(draft, path) == 0 { return true }
        guard errno == EEXIST else { throw failure(path) }
        return false
    }

    /// Writes a file that is not there yet.
    /// - Parameter isSynchronized: waits until it is on the disk.
    /// - Returns: false where it cannot be written, with the reason in `errno`; then nothing is left of it.
    package static func write(_ bytes: [UInt8], toNew path: String, isSynchronized: Bool = true) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { written += count } else if errno != EINTR { break }
        }
        let isWritten = written == bytes.count && (!isSynchronized || fsync(descriptor) == 0)
        let reason = errno
        close(descriptor)
        if !isWritten { unlink(path) }
        errno = reason
        return isWritten
    }

    /// In the words of `errno`.
    package static func failure(_ path: String) -> Failure {
        let reason = strerror(errno).map { String(cString: $0) } ?? "unknown"
        return Failure(message: "\(printable(path)) cannot be written: \(reason).", exitCode: ExitCodes.failed)
    }
}
