import Files
import Glibc
import Synchronization
import TripWatchWords

/// A recording that is written, each line whole and at once. A line that cannot be written whole is not in it, unless the program is killed
/// meanwhile.
package final class RecordingFile: Sendable {
    package let path: String
    private let name: String
    private let descriptor: Int32
    /// Nothing is written behind a line that could not be written whole.
    private let isBroken = Mutex(false)
    private let tell: Mutex<@Sendable (String) -> Void>

    /// - Parameters:
    ///   - path: a new file, made with mode 0600.
    ///   - option: which asks for it; empty where none does.
    /// - Throws: `Failure` for a file that exists, and for one that cannot be written.
    package init(_ path: String, option: String = "--record", in surroundings: Surroundings) throws(Failure) {
        self.path = path
        name = option.isEmpty ? printable(path) : "\(option) \(printable(path))"
        tell = Mutex({ [streams = surroundings.streams] in streams.say("tripwatch: \($0)") })
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "it is there already" : SystemError.last.phrase
            throw Failure(message: "\(name) cannot be written: \(reason).", exitCode: ExitCodes.failed)
        }
        // Whoever makes room for other rides sees that this one is not over. Where a file system knows no locks it is not seen.
        _ = try? Files.lock(descriptor)
    }

    /// Whether a program is still writing, or showing, the recording of this name.
    package static func isInUse(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return (try? Files.lock(descriptor, .shared)) == false
    }

    deinit { close(descriptor) }

    /// That nothing more can be written is told there, once.
    package func onTrouble(_ tell: @escaping @Sendable (String) -> Void) { self.tell.withLock { $0 = tell } }

    /// - Parameter line: without its line break.
    /// - Returns: whether it stands in the file.
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
            tell("\(name) ends here: \(trouble.phrase).")
        }
        return isWritten
    }
}
