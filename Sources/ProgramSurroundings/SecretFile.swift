package import Files
import TripWatchWords

/// A file that only its owner can read. It never replaces another file.
package enum SecretFile {
    /// Writes a new file. Its name appears only when it is complete.
    ///
    /// - Returns: false if a file has that name, which then stays unchanged.
    /// - Throws: `Failure` if the file cannot be written.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(Failure) -> Bool {
        do throws(SystemError) { return try Files.create(path, bytes) } catch { throw failure(path, error) }
    }

    package static func failure(_ path: String, _ reason: SystemError) -> Failure {
        Failure(message: "\(printable(path)) cannot be written: \(reason.words).", exitCode: ExitCodes.failed)
    }
}
