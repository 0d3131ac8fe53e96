import Glibc
import Synchronization

/// A file with one JSON array, an element a line, that is whole after each of them: programs that read JSON and no lines of it can read it at
/// any moment. An element that cannot be written is left out, and the first such one is reported.
final class JSONListFile: Sendable {
    private struct State {
        var descriptor: Int32
        /// Where the next element begins, bytes: what ends the array stands there.
        var end: off_t
        var hasGaps = false
    }

    private static let ending = Array("\n]\n".utf8)

    private let path: String
    private let option: String
    private let tell: @Sendable (_ reason: String) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - path: made with mode 0600 where there is none. One that is there goes on, where it ends as such a file does.
    ///   - option: which option named it, for sentences.
    /// - Throws: `Failure` for a file that cannot be read and written, or that is no such list.
    init(_ path: String, option: String, say: @escaping @Sendable (String) -> Void) throws(Failure) {
        self.path = path
        self.option = option
        state = Mutex(try Self.open(path, option: option))
        tell = LogFile.gapTeller(path, option: option, say: say)
    }

    private static func open(_ path: String, option: String) throws(Failure) -> State {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw LogFile.refusal(path, option: option, String(cString: strerror(errno)).lowercased()) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno == EWOULDBLOCK ? "another server writes it" : String(cString: strerror(errno)).lowercased()
            close(descriptor)
            throw LogFile.refusal(path, option: option, reason)
        }
        guard let end = end(of: descriptor) else {
            close(descriptor)
            throw LogFile.refusal(path, option: option, "it is there, and does not end as a JSON array of lines does")
        }
        return State(descriptor: descriptor, end: end)
    }

    deinit { close(state.withLock { $0.descriptor }) }

    /// Goes on in the file that has the name now, which is made where there is none.
    /// - Throws: `Failure` for a file that cannot be written, or that is no such list; then it goes on in the file that it has.
    func reopen() throws(Failure) {
        // Its own lock would keep it out.
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
            // Somebody has copied it and emptied it.
            if Self.end(of: descriptor) == 0 { state.end = 0 }
            let line = Array(((state.end == 0 ? "[\n" : ",\n") + element).utf8)
            if let reason = Self.write(line + Self.ending, at: state.end, descriptor) {
                // What stood there before: it had room.
                if state.end > 0 { _ = Self.write(Self.ending, at: state.end, descriptor) }
                _ = ftruncate(descriptor, state.end == 0 ? 0 : state.end + off_t(Self.ending.count))
                defer { state.hasGaps = true }
                return state.hasGaps ? nil : reason
            }
            state.end += off_t(line.count)
            return nil
        }
        if let reason { tell(reason) }
    }

    /// Where the ending of a list begins, 0 for an empty file; nil for what is neither.
    private static func end(of descriptor: Int32) -> off_t? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard status.st_size > 0 else { return 0 }
        let end = status.st_size - off_t(ending.count)
        var last = [UInt8](repeating: 0, count: ending.count)
        guard end > 0, pread(descriptor, &last, last.count, end) == last.count, last == ending else { return nil }
        return end
    }

    /// - Returns: why not all of it was written; nil when it was.
    private static func write(_ bytes: [UInt8], at offset: off_t, _ descriptor: Int32) -> String? {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset + off_t(written)) }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                return String(cString: strerror(errno)).lowercased()
            }
        }
        return nil
    }
}
