import Files
import Glibc
import Synchronization

/// A file with one JSON array, an element a line, that is whole after each of them: programs that read JSON and no lines of it can read it at
/// any moment. An element that cannot be written is left out, and the first such one is reported.
final class JSONListFile: Sendable {
    private struct State {
        var descriptor: Int32
        /// Where the next element begins, bytes: what ends the array stands there.
        var end: Int
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
        guard descriptor >= 0 else { throw LogFile.refusal(path, option: option, SystemError.last.phrase) }
        if let reason = obstacle(to: descriptor) {
            close(descriptor)
            throw LogFile.refusal(path, option: option, reason)
        }
        guard let end = end(of: descriptor) else {
            close(descriptor)
            throw LogFile.refusal(path, option: option, "it is there, and does not end as a JSON array of lines does")
        }
        return State(descriptor: descriptor, end: end)
    }

    /// Locks a file.
    /// - Returns: why that cannot be; nil where it is locked.
    private static func obstacle(to descriptor: Int32) -> String? {
        do throws(SystemError) { return try Files.lock(descriptor) ? nil : "another server writes it" } catch { return error.phrase }
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
            do throws(UnfinishedWrite) {
                try Files.write(line + Self.ending, to: descriptor, at: state.end)
                state.end += line.count
                return nil
            } catch {
                // What stood there before: it had room.
                if state.end > 0 { try? Files.write(Self.ending, to: descriptor, at: state.end) }
                _ = ftruncate(descriptor, state.end == 0 ? 0 : state.end + Self.ending.count)
                defer { state.hasGaps = true }
                return state.hasGaps ? nil : error.reason.phrase
            }
        }
        if let reason { tell(reason) }
    }

    /// Where the ending of a list begins, 0 for an empty file; nil for what is neither.
    private static func end(of descriptor: Int32) -> Int? {
        guard let size = Files.size(of: descriptor) else { return nil }
        guard size > 0 else { return 0 }
        let end = size - ending.count
        var last = [UInt8](repeating: 0, count: ending.count)
        guard end > 0, pread(descriptor, &last, last.count, end) == last.count, last == ending else { return nil }
        return end
    }
}
