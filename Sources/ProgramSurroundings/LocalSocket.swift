import Glibc

/// Functions for Unix sockets over which a program sends one line and gets an answer.
package enum LocalSocket {
    private static let patienceSeconds = 2

    /// Creates a socket at a path and listens on it. Only the owner can connect.
    /// - Returns: the descriptor of the socket; nil if this fails.
    package static func listen(at path: String) -> Int32? {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        // The mode is set before the socket listens. Until then, all connections are refused.
        guard named(path, { bind(socket, $0, $1) }) == 0, chmod(path, 0o600) == 0, Glibc.listen(socket, 8) == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Sends a line and returns the whole answer; nil if no program listens at the path, or if the answer is late, too long or not valid
    /// text.
    package static func ask(_ line: String, at path: String) -> String? {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        limitTime(socket)
        guard named(path, { connect(socket, $0, $1) }) == 0 else { return nil }
        send(line + "\n", to: socket)
        return text(from: socket, limit: 1 << 20, untilLine: false)
    }

    package static func limitTime(_ socket: Int32) {
        var limit = timeval(tv_sec: patienceSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    package static func send(_ text: String, to socket: Int32) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Reads one line, without its line break, if `untilLine` is true; otherwise all text until the other program closes the socket.
    /// Returns nil if reading fails, if the socket is closed before the line ends, or if the text is not UTF-8. Also returns nil if the
    /// text has more than `limit` bytes. For a line, this limit is checked only before each read of up to 4,096 bytes.
    package static func text(from socket: Int32, limit: Int, untilLine: Bool) -> String? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= limit {
            let count = read(socket, &part, part.count)
            guard count >= 0 else { return nil }
            if count == 0 { return untilLine ? nil : String(validating: bytes, as: UTF8.self) }
            bytes += part.prefix(count)
            if untilLine, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return String(validating: bytes[..<end], as: UTF8.self) }
        }
        return nil
    }

    private static func named(_ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
