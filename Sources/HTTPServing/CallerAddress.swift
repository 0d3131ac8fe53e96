package import NIOCore

/// The part of an IP address that identifies a caller.
package enum CallerAddress: Hashable, Sendable {
    /// This machine, and callers behind a proxy on it.
    case loopback
    case v4(UInt32)
    /// The first half of an IPv6 address, because one caller has a whole network of addresses.
    case v6(network: UInt64)

    /// Creates the address of a caller; nil for a socket without an IP address.
    package init?(_ address: SocketAddress?) {
        guard let address else { return nil }
        let bytes = address.withSockAddr { Array(UnsafeRawBufferPointer(start: $0, count: $1)) }
        // An IPv4 address follows family and port (two bytes each). An IPv6 address also follows the flow (four bytes).
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
        // A socket for both families reports an IPv4 address in this form.
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
    /// IP address in the notation of the logs; nil without one.
    package var plainIP: String? {
        guard let text = ipAddress else { return nil }
        // A dual-stack socket reports an IPv4 address in IPv6 notation.
        let mapped = "::ffff:"
        return text.hasPrefix(mapped) && text.contains(".") ? String(text.dropFirst(mapped.count)) : text
    }
}

extension PortLimits {
    /// Maximum number of connections of one address to a port; nil if only the port's own limit applies.
    func connections(of address: CallerAddress) -> Int? {
        if let connectionsPerAddress { return connectionsPerAddress }
        // A proxy on this machine forwards callers from everywhere.
        return address == .loopback ? nil : max(1, connections / 4)
    }
}
