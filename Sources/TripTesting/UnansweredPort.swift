import Glibc

/// A port on 127.0.0.1 on which no program listens, so connections to it are refused. The port is reserved for as long as this value
/// exists.
public final class UnansweredPort: Sendable {
    /// The error that is thrown if the system has no free port.
    public struct Failure: Error {
        /// The error number of the C library (`errno`).
        public let errorNumber: Int32
    }

    /// The number of the port.
    public let number: Int
    private let descriptor: Int32

    /// - Parameter isShared: whether another socket of this process may listen on the port while this value exists.
    /// - Throws: `Failure` if the system has no free port.
    public init(isShared: Bool = false) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var shares: Int32 = isShared ? 1 : 0
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &shares, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                bind(descriptor, pointer.baseAddress, length) == 0 && getsockname(descriptor, pointer.baseAddress, &length) == 0
            }
        }
        guard isBound else {
            defer { close(descriptor) }
            throw Failure(errorNumber: errno)
        }
        self.descriptor = descriptor
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }
}
