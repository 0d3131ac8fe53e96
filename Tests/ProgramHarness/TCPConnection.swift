import Foundation
import Glibc
import Testing

/// A TCP connection to a port of this machine. It uses only system calls, so that tests can violate any protocol.
final class TCPConnection {
    struct Failure: Error { let reason: Int32 }

    private let descriptor: Int32
    private let port: Int

    /// - Throws: `Failure` if no program listens on the port.
    init(port: Int) throws {
        self.port = port
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // All properties are set, so an error runs deinit, which closes the descriptor.
        guard result == 0 else { throw Failure(reason: errno) }
    }

    deinit { close(descriptor) }

    /// Sets how long a read waits for new bytes before it ends.
    func limitSilence(seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends a text, which is lost if the other side has closed the connection.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Waits until the other side has read all that was sent, according to the system's table of connections.
    func waitUntilRead() {
        var own = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &own) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        let ends = String(format: " 0100007F:%04X 0100007F:%04X ", port, Int(UInt16(bigEndian: own.sin_port)))
        while let table = try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8),
            let row = table.split(separator: "\n").first(where: { $0.contains(ends) }),
            let waiting = row.split(separator: " ").dropFirst(4).first?.split(separator: ":").last, Int(waiting, radix: 16) != 0
        {}
    }

    /// Reads until the connection ends, or until the received text contains `text`.
    func read(until text: String? = nil) -> String {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received += buffer.prefix(count)
            if let text, String(decoding: received, as: UTF8.self).contains(text) { break }
        }
        return String(decoding: received, as: UTF8.self)
    }
}

/// Finds free ports on this machine, and their addresses.
enum LoopbackPort {
    /// Runs `body` with the socket address of a port.
    static func with<Value>(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// Returns a free port. Its number is below the ports that the system chooses by itself, so it stays free.
    static func free(_ kind: __socket_type) throws -> Int {
        let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
        defer { close(descriptor) }
        for _ in 0..<100 {
            let port = Int.random(in: 20_000..<32_000)
            if with(port: port, { bind(descriptor, $0, $1) }) == 0 { return port }
        }
        throw TCPConnection.Failure(reason: EADDRINUSE)
    }
}
