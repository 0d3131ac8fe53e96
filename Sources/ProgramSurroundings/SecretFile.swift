package import Files
import TripWatchWords

/// Creates files that only their owner can read. A new file never replaces another file.
package enum SecretFile {
    /// Writes a new file. The file gets its name only when it is complete.
    ///
    /// - Returns: false if a file with this name exists; it stays unchanged.
    /// - Throws: `Failure` if the file cannot be written.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(Failure) -> Bool {
        do throws(SystemError) { return try Files.create(path, bytes) } catch { throw failure(path, error) }
    }

    package static func failure(_ path: String, _ reason: SystemError) -> Failure {
        Failure(message: "\(printable(path)) cannot be written: \(reason.words).", exitCode: ExitCodes.failed)
    }
}
