import Glibc

/// An error of a system call.
package struct SystemError: Error, Hashable, Sendable {
    /// The value of `errno`.
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// The error of the last failed call on this thread. Any other call may change it.
    package static var last: SystemError { SystemError(errno) }

    /// The system's text for the error, such as `No space left on device`.
    package var words: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

    /// The system's text in lower case, to continue a sentence: `no space left on device`.
    package var phrase: String { words.lowercased() }
}
