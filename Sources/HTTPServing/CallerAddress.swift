package import NIOCore

/// Where a connection comes from, as far as one caller has it to himself.
package enum CallerAddress: Hashable, Sendable {
    /// This machine, and what a proxy on it passes on.
    case loopback
    case v4(UInt32)
    /// A caller with IPv6 has a whole network of addresses: the first half of each is the same.
    case v6(network: UInt64)

    /// Nil for what has no IP address.
    package init?(_ address: SocketAddress?) {
        guard let address else { return nil }
        let bytes = address.withSockAddr { Array(UnsafeRawBufferPointer(start: $0, count: $1)) }
        // Before an address of IPv4 stand its family and the port, before one of IPv6 the flow too: two bytes, two, and four.
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
        // An IPv4 address as a socket of both kinds tells it.
        if bytes.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
            self.init(v4: Array(bytes.dropFirst(12)))
        } else if bytes.last == 1, bytes.dropLast().allSatisfy({ $0 == 0 }) {
            self = .loopback
        } else {
            self = .v6(network: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        }
    }
}

extension PortLimits {
    /// Connections that one port serves of an address; nil for as many as the port serves.
    func connections(of address: CallerAddress) -> Int? {
        if let connectionsPerAddress { return connectionsPerAddress }
        // A proxy on this machine brings the callers of the whole world.
        return address == .loopback ? nil : max(1, connections / 4)
    }
}
