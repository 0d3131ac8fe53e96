import Files
import Glibc
import Synchronization

/// A file with one JSON array, one element per line. The array is complete after each element, so other programs can read it at any moment.
/// An element that cannot be written is left out, and the first such element is reported.
final class JSONListFile: Sendable {
    private struct State {
        var descriptor: Int32
        /// The offset of the next element, bytes. The array's end is at this offset now.
        var end: Int
        var hasGaps = false
    }

    private static let ending = Array("\n]\n".utf8)

    private let path: String
    private let option: String
    private let tell: @Sendable (_ reason: String) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - path: a new file gets mode 0600. A file that ends like such an array is continued.
    ///   - option: the option that named the file, for messages.
    /// - Throws: `Failure` if the file cannot be read and written, or does not hold such an array.
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
            throw LogFile.refusal(path, option: option, "the file exists and is not a JSON array with one element per line")
        }
        return State(descriptor: descriptor, end: end)
    }

    /// Locks a file.
    /// - Returns: the reason why it cannot be locked; nil if it is locked.
    private static func obstacle(to descriptor: Int32) -> String? {
        do throws(SystemError) { return try Files.lock(descriptor) ? nil : "another server is writing to it" } catch { return error.phrase }
    }

    deinit { close(state.withLock { $0.descriptor }) }

    /// Continues in the file that now has the name, and makes it if needed.
    /// - Throws: `Failure` if that file cannot be written or does not hold such an array. Then the old file stays in use.
    func reopen() throws(Failure) {
        // The same file must not be opened again: this process's own lock would refuse it.
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

    /// Writes an element, which is JSON on one line.
    func write(_ element: String) {
        let reason: String? = state.withLock { state in
            let descriptor = state.descriptor
            // If another program has copied the file and emptied it, a new array begins.
            if Self.end(of: descriptor) == 0 { state.end = 0 }
            let line = Array(((state.end == 0 ? "[\n" : ",\n") + element).utf8)
            do throws(UnfinishedWrite) {
                try Files.write(line + Self.ending, to: descriptor, at: state.end)
                state.end += line.count
                return nil
            } catch {
                // Restores the end of the array, for which there was room before.
                if state.end > 0 { try? Files.write(Self.ending, to: descriptor, at: state.end) }
                _ = ftruncate(descriptor, state.end == 0 ? 0 : state.end + Self.ending.count)
                defer { state.hasGaps = true }
                return state.hasGaps ? nil : error.reason.phrase
            }
        }
        if let reason { tell(reason) }
    }

    /// The offset of the array's end, bytes, or 0 for an empty file. Nil if the file holds something else.
    private static func end(of descriptor: Int32) -> Int? {
        guard let size = Files.size(of: descriptor) else { return nil }
        guard size > 0 else { return 0 }
        let end = size - ending.count
        var last = [UInt8](repeating: 0, count: ending.count)
        guard end > 0, pread(descriptor, &last, last.count, end) == last.count, last == ending else { return nil }
        return end
    }
}
