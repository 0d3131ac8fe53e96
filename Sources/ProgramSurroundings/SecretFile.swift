package import Files
import TripWatchWords

/// A file that only its owner reads, and that never takes another's place.
package enum SecretFile {
    /// Writes a new file, as a whole: nobody finds half of it.
    ///
    /// - Returns: false where one of that name is there, which stays as it is.
    /// - Throws: `Failure` where it cannot be written.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(Failure) -> Bool {
        do throws(SystemError) { return try Files.create(path, bytes) } catch { throw failure(path, error) }
    }

    package static func failure(_ path: String, _ reason: SystemError) -> Failure {
        Failure(message: "\(printable(path)) cannot be written: \(reason.words).", exitCode: ExitCodes.failed)
    }
}
