import Glibc

/// Reads a whole file.
package enum SmallFile {
    package enum Trouble: Error, Hashable {
        case missing
        case unreadable
        /// A directory, a pipe or a device.
        case notAFile
        case tooLarge

        /// Returns the reason as a phrase to put after the file's name.
        package func words(limitKiB: Int) -> String {
            switch self {
            case .missing: "does not exist"
            case .unreadable: "cannot be read"
            case .notAFile: "is not a regular file"
            case .tooLarge: "is larger than \(limitKiB.isMultiple(of: 1_024) ? "\(limitKiB / 1_024) MiB" : "\(limitKiB) KiB")"
            }
        }
    }

    /// Reads the file's bytes.
    /// - Throws: `Trouble`. It is `.tooLarge` if the file has more than `limit` bytes.
    package static func bytes(path: String, limit: Int) throws(Trouble) -> [UInt8] {
        let descriptor: Int32
        do throws(Files.OpenError) { descriptor = try Files.openRegular(path) } catch {
            switch error {
            case .system(let reason): throw reason.code == ENOENT ? .missing : .unreadable
            case .directory, .notAFile: throw .notAFile
            }
        }
        defer { close(descriptor) }
        let bytes: [UInt8]
        // The limit is checked by reading, because some system files, such as those in `/proc`, report a size of 0 although they contain
        // bytes.
        do throws(SystemError) { bytes = try Files.bytes(of: descriptor, limit: limit + 1) } catch { throw .unreadable }
        guard bytes.count <= limit else { throw .tooLarge }
        return bytes
    }
}
