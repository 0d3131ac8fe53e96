import Files
import Glibc
import Synchronization
import TripWatchWords

/// A recording that is being written. Each line is written at once. A line that can be written only in part is removed again, unless the
/// program is killed meanwhile.
package final class RecordingFile: Sendable {
    package let path: String
    private let name: String
    private let descriptor: Int32
    /// Whether a line could not be written in full. Nothing is written after it.
    private let isBroken = Mutex(false)
    private let tell: Mutex<@Sendable (String) -> Void>

    /// - Parameters:
    ///   - path: a new file, made with mode 0600.
    ///   - option: the option that asks for the recording; empty without one.
    /// - Throws: `Failure` if the file exists or cannot be written.
    package init(_ path: String, option: String = "--record", in surroundings: Surroundings) throws(Failure) {
        self.path = path
        name = option.isEmpty ? printable(path) : "\(option) \(printable(path))"
        tell = Mutex({ [streams = surroundings.streams] in streams.say("tripwatch: \($0)") })
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "the file already exists" : SystemError.last.phrase
            throw Failure(message: "\(name) cannot be written: \(reason).", exitCode: ExitCodes.failed)
        }
        // The lock shows other programs that the ride still runs, so that they keep the file. A failure is ignored, because some file
        // systems have no locks.
        _ = try? Files.lock(descriptor)
    }

    /// Whether a program still writes or shows the recording at this path.
    package static func isInUse(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return (try? Files.lock(descriptor, .shared)) == false
    }

    deinit { close(descriptor) }

    /// Sets the function that is called once when no more lines can be written.
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
            tell("\(name) cannot be continued: \(trouble.phrase).")
        }
        return isWritten
    }
}
