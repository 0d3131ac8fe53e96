package import NIOCore

/// The bytes of an IP address that identify a caller.
package enum CallerAddress: Hashable, Sendable {
    /// This machine, or a caller behind a proxy on this machine.
    case loopback
    case v4(UInt32)
    /// The first half of an IPv6 address. The second half is left out, because one caller can use all addresses of its network.
    case v6(network: UInt64)

    /// Creates the address of a caller; nil for a socket without an IP address.
    package init?(_ address: SocketAddress?) {
        guard let address else { return nil }
        let bytes = address.withSockAddr { Array(UnsafeRawBufferPointer(start: $0, count: $1)) }
        // A socket address begins with the family and the port, two bytes each. An IPv4 address follows directly. Before an IPv6 address,
        // there are four bytes of flow information.
        switch address {
        case .v4: self.init(v4: Array(bytes.dropFirst(4).prefix(4)))
        case .v6: self.init(v6: Array(bytes.dropFirst(8).prefix(16)))
        case .unixDomainSocket: return nil
        }
    }

    private init(v4 bytes: [UInt8]) {
        self = bytes.first == 127 ? .loopback : .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }

    private init(v6 bytes: [UInt8]) {
        // A socket for both IPv4 and IPv6 reports the address 192.0.2.1 as ::ffff:192.0.2.1.
        if bytes.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
            self.init(v4: Array(bytes.dropFirst(12)))
        } else if bytes.last == 1, bytes.dropLast().allSatisfy({ $0 == 0 }) {
            self = .loopback
        } else {
            self = .v6(network: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        }
    }
}

extension SocketAddress {
    /// The IP address as it is written in logs; nil if there is no IP address.
    package var plainIP: String? {
        guard let text = ipAddress else { return nil }
        // A dual-stack socket reports an IPv4 address in IPv6 notation.
        let mapped = "::ffff:"
        return text.hasPrefix(mapped) && text.contains(".") ? String(text.dropFirst(mapped.count)) : text
    }
}

extension PortLimits {
    /// Returns the maximum number of connections from one address to a port; nil if only the port's own limit applies.
    func connections(of address: CallerAddress) -> Int? {
        if let connectionsPerAddress { return connectionsPerAddress }
        // A proxy on this machine forwards connections from many callers.
        return address == .loopback ? nil : max(1, connections / 4)
    }
}
