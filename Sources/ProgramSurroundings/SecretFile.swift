package import Files
import TripWatchWords

/// Creates files that only their owner can read, and warns of keys that every user can read. A new file never replaces another file.
package enum SecretFile {
    /// Writes a new file. The file gets its name only when it is complete.
    ///
    /// - Returns: false if a file with this name exists; it stays unchanged.
    /// - Throws: `Failure` if the file cannot be written.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(Failure) -> Bool {
        do throws(SystemError) { return try Files.create(path, bytes) } catch { throw failure(path, error) }
    }

    /// Warns of key files that every user can read. Files that only a group can read are not reported, because services commonly use such
    /// files.
    package static func warn(of keys: [String], _ streams: StandardStreams) {
        if let warning = warning(of: keys) { streams.say("tripwatch: \(warning)") }
    }

    /// Returns the warning of ``warn(of:_:)``; nil if there is nothing to warn of.
    package static func warning(of keys: [String]) -> String? {
        let exposed = keys.filter { Files.isReadableByAll($0) }
        guard let first = exposed.first else { return nil }
        let words =
            exposed.count == 1
            ? "the mode of the key file \(printable(first)) lets every user of this machine read it: run 'chmod o-r' on the file."
            : "the modes of \(exposed.count) key files, such as \(printable(first)), let every user of this machine read them: "
                + "run 'chmod o-r' on the files."
        return "warning: \(words)"
    }

    package static func failure(_ path: String, _ reason: SystemError) -> Failure {
        Failure(message: "\(printable(path)) cannot be written: \(reason.words).", exitCode: ExitCodes.failed)
    }
}
