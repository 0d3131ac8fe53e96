import Glibc

/// A write that could not be finished.
package struct UnfinishedWrite: Error, Hashable, Sendable {
    /// The number of this write's bytes that are now in the file.
    package let count: Int
    package let reason: SystemError

    package init(count: Int, reason: SystemError) {
        self.count = count
        self.reason = reason
    }
}

extension Files {
    /// Writes all bytes, even if the system takes them in pieces.
    /// - Parameter offset: the position in the file at which to write, in bytes; nil for the descriptor's own position.
    package static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int? = nil) throws(UnfinishedWrite) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { rest in
                guard let offset else { return Glibc.write(descriptor, rest.baseAddress, rest.count) }
                return pwrite(descriptor, rest.baseAddress, rest.count, offset + written)
            }
            if count > 0 {
                written += count
            } else if count == 0 {
                throw UnfinishedWrite(count: written, reason: SystemError(EIO))
            } else if errno != EINTR {
                throw UnfinishedWrite(count: written, reason: .last)
            }
        }
    }

    /// Appends all bytes or no bytes. If the system writes only some of them, the file is truncated to its old length.
    /// - Parameter descriptor: must be open with `O_APPEND`.
    /// - Throws: `UnfinishedWrite`. Its count is above 0 if the file could not be truncated, for example because it is a pipe.
    package static func append(_ bytes: [UInt8], to descriptor: Int32) throws(UnfinishedWrite) {
        do throws(UnfinishedWrite) { try write(bytes, to: descriptor) } catch {
            guard error.count > 0, let end = size(of: descriptor), end >= error.count, ftruncate(descriptor, end - error.count) == 0 else {
                throw error
            }
            throw UnfinishedWrite(count: 0, reason: error.reason)
        }
    }
}
