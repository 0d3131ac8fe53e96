import Glibc

/// Why the system refused a call.
package struct SystemError: Error, Hashable, Sendable {
    /// The number that `errno` had.
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// The error of the last call on this thread that failed. Any other call may change it.
    package static var last: SystemError { SystemError(errno) }

    /// The system's words, such as `No space left on device`.
    package var words: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

    /// The system's words to continue a sentence, such as `no space left on device`.
    package var phrase: String { words.lowercased() }
}
