import Files
import Glibc
import Synchronization

/// A file that contains a JSON array, with one element per line. The array is complete after each element, so other programs
/// can read the file at any time. An element that cannot be written is left out, and the first such element is reported.
final class JSONListFile: Sendable {
    private struct State {
        var descriptor: Int32
        /// The offset of the line break before the array's closing bracket, in bytes; 0 for an empty file. The next element is written at
        /// this offset.
        var end: Int
        var hasGaps = false
    }

    private static let ending = Array("\n]\n".utf8)

    private let path: String
    private let option: String
    private let tell: @Sendable (_ reason: String) -> Void
    private let state: Mutex<State>

    /// Opens the file and locks it.
    /// - Parameters:
    ///   - path: the path of the file. A new file gets mode 0600. An existing file must be empty or contain a JSON array, to which elements
    ///     are added.
    ///   - option: the option that gave the path, for error messages.
    /// - Throws: `Failure` if the file cannot be opened, is locked by another server, or has contents other than a JSON array.
    init(_ path: String, option: String, say: @escaping @Sendable (String) -> Void) throws(Failure) {
        self.path = path
        self.option = option
        state = Mutex(try Self.open(path, option: option))
        tell = LogFile.gapTeller(path, option: option, say: say)
    }

    private static func open(_ path: String, option: String) throws(Failure) -> State {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw LogFile.refusal(path, option: option, SystemError.last.phrase) }
        if let reason = obstacle(to: descriptor) {
            close(descriptor)
            throw LogFile.refusal(path, option: option, reason)
        }
        guard let end = end(of: descriptor) else {
            close(descriptor)
            throw LogFile.refusal(path, option: option, "the file exists, but is not a JSON array with one element per line")
        }
        return State(descriptor: descriptor, end: end)
    }

    /// Locks a file.
    /// - Returns: the reason why the file cannot be locked; nil if it is locked now.
    private static func obstacle(to descriptor: Int32) -> String? {
        do throws(SystemError) { return try Files.lock(descriptor) ? nil : "another server is writing to it" } catch { return error.phrase }
    }

    deinit { close(state.withLock { $0.descriptor }) }

    /// Switches to the file that is at the path now. Creates the file if it does not exist.
    /// - Throws: `Failure` if that file cannot be opened, is locked by another server, or has contents other than a JSON array. In this
    ///   case, the old file stays in use.
    func reopen() throws(Failure) {
        // If the path still names the open file, nothing is reopened: this process holds the lock, so a second lock would fail.
        guard !state.withLock({ Self.isNamed(path, $0.descriptor) }) else { return }
        let opened = try Self.open(path, option: option)
        let former = state.withLock { state in
            let former = state.descriptor
            state = opened
            return former
        }
        close(former)
    }

    private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
        var named = stat()
        var opened = stat()
        guard stat(path, &named) == 0, fstat(descriptor, &opened) == 0 else { return false }
        return named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
    }

    /// Writes an element.
    /// - Parameter element: JSON on one line.
    func write(_ element: String) {
        let reason: String? = state.withLock { state in
            let descriptor = state.descriptor
            // Another program may have copied the file and then emptied it. In this case, a new array begins.
            if Self.end(of: descriptor) == 0 { state.end = 0 }
            let line = Array(((state.end == 0 ? "[\n" : ",\n") + element).utf8)
            do throws(UnfinishedWrite) {
                try Files.write(line + Self.ending, to: descriptor, at: state.end)
                state.end += line.count
                return nil
            } catch {
                // Writes the end of the array again. It was there before, so the disk has room for it.
                if state.end > 0 { try? Files.write(Self.ending, to: descriptor, at: state.end) }
                _ = ftruncate(descriptor, state.end == 0 ? 0 : state.end + Self.ending.count)
                defer { state.hasGaps = true }
                return state.hasGaps ? nil : error.reason.phrase
            }
        }
        if let reason { tell(reason) }
    }

    /// Returns the offset of the end of the array, in bytes; 0 for an empty file; nil if the contents do not end like an array.
    private static func end(of descriptor: Int32) -> Int? {
        guard let size = Files.size(of: descriptor) else { return nil }
        guard size > 0 else { return 0 }
        let end = size - ending.count
        var last = [UInt8](repeating: 0, count: ending.count)
        guard end > 0, pread(descriptor, &last, last.count, end) == last.count, last == ending else { return nil }
        return end
    }
}
