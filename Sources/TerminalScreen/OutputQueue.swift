import CTerminal
import Glibc

/// Bytes that are to be written to the terminal. Bytes that the terminal does not accept yet stay in the queue.
struct OutputQueue {
    enum Outcome {
        case empty
        /// The terminal does not accept more bytes for now.
        case waiting
        /// The terminal is gone.
        case failed
    }

    private var bytes: [UInt8] = []
    private var start = 0
    /// The number of bytes that the terminal has accepted so far.
    private(set) var written = 0

    var isEmpty: Bool { start == bytes.count }

    var count: Int { bytes.count - start }

    mutating func append(_ more: [UInt8]) {
        if isEmpty, !bytes.isEmpty {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        }
        bytes += more
    }

    /// Drops the remaining bytes. The terminal may then be in the middle of a sequence.
    mutating func removeAll() {
        bytes = []
        start = 0
    }

    mutating func flush(to terminal: Int32) -> Outcome {
        while !isEmpty {
            let count = bytes[start...].withUnsafeBytes { cterminal_write(terminal, $0.baseAddress, $0.count) }
            if count > 0 {
                start += count
                written += count
            } else if count < 0, errno == EAGAIN {
                return .waiting
            } else if count == 0 || errno != EINTR {
                return .failed
            }
        }
        return .empty
    }
}
