import Glibc

/// A Unix socket that receives a line and sends an answer.
package enum LocalSocket {
    private static let patienceSeconds = 2

    /// Listens at a path that only the owner can open; nil if that fails.
    package static func listen(at path: String) -> Int32? {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        // A program that connects before the mode is set is refused, because the socket does not listen yet.
        guard named(path, { bind(socket, $0, $1) }) == 0, chmod(path, 0o600) == 0, Glibc.listen(socket, 8) == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Sends a line and reads the whole answer; nil if no program listens.
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

    /// A line without its end, or all text until the other side closes; nil for more than `limit` bytes and for invalid UTF-8.
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
