import Files
import Glibc
import Synchronization
import TripWatchWords

/// A file to which a recording is written. Each line is written at once. If a line can be written only in part, that part is removed.
package final class RecordingFile: Sendable {
    package let path: String
    private let name: String
    private let descriptor: Int32
    /// Whether a line could not be written in full. After such a failure, nothing more is written.
    private let isBroken = Mutex(false)
    private let tell: Mutex<@Sendable (String) -> Void>

    /// Creates the file.
    /// - Parameters:
    ///   - path: the path of a new file, which gets mode 0600.
    ///   - option: the option that asked for the recording, for messages; empty if no option did.
    /// - Throws: `Failure` if the file exists or cannot be written.
    package init(_ path: String, option: String = "--record", in surroundings: Surroundings) throws(Failure) {
        self.path = path
        name = option.isEmpty ? printable(path) : "\(option) \(printable(path))"
        tell = Mutex({ [streams = surroundings.streams] in streams.say("tripwatch: \($0)") })
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "the file already exists" : SystemError.last.phrase
            // A message without an option is for the screen, where a long path may not fit. The reason therefore comes first.
            let message = option.isEmpty ? "\(reason): \(name)" : "\(name) cannot be written: \(reason)."
            throw Failure(message: message, exitCode: ExitCodes.failed)
        }
        // The lock shows other programs that the ride is still being recorded, so that they do not delete the file. A failure
        // is ignored, because some file systems have no locks.
        _ = try? Files.lock(descriptor)
    }

    /// Returns whether a program is still writing or showing the recording at this path.
    package static func isInUse(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return (try? Files.lock(descriptor, .shared)) == false
    }

    deinit { close(descriptor) }

    /// Sets a function that is called the first time that a line cannot be written.
    package func onTrouble(_ tell: @escaping @Sendable (String) -> Void) { self.tell.withLock { $0 = tell } }

    /// Writes a line.
    /// - Parameter line: the line without its line break.
    /// - Returns: whether the line is in the file.
    @discardableResult
    package func write(_ line: String) -> Bool {
        let bytes = Array((line + "\n").utf8)
        let (isWritten, trouble): (Bool, SystemError?) = isBroken.withLock { isBroken in
            guard !isBroken else { return (false, nil) }
            do throws(UnfinishedWrite) {
                try Files.append(bytes, to: descriptor)
                return (true, nil)
            } catch {
                isBroken = true
                return (false, error.reason)
            }
        }
        if let trouble {
            let tell = tell.withLock { $0 }
            tell("\(name) cannot be written any more: \(trouble.phrase). The rest is not recorded.")
        }
        return isWritten
    }
}
