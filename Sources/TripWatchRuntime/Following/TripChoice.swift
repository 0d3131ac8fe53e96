import Dispatch
import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import Glibc
package import ProgramSurroundings
import Synchronization
package import TripWatchWords

/// Chooses the trip or shipment if `follow` is called without a name.
package enum TripChoice {
    /// Returns the newest unfinished trip or shipment; nil if there is no such trip or shipment. If the user has set no server, a trip
    /// or shipment whose server answers is preferred.
    /// - Parameters:
    ///   - endpoint: the server whose trips are considered; nil for all known servers.
    ///   - isSameServer: returns whether two addresses name the same server.
    ///   - withShipments: whether shipments are included.
    package static func newest(
        at endpoint: String?, isSameServer: (String, String) -> Bool, withShipments: Bool, in surroundings: Surroundings
    ) -> KnownTrips.Subject? {
        let all = surroundings.stateFile?.trips(now: surroundings.clock(1).now()).underWay(withShipments: withShipments) ?? []
        let known = all.filter { subject in endpoint.map { isSameServer(subject.server.endpoint, $0) } ?? true }
        guard let newest = known.first else { return nil }
        let chosen = endpoint == nil ? firstHeard(known) ?? newest : newest
        if chosen.name != newest.name {
            surroundings.streams.note(
                "tripwatch: \(printable(newest.server.endpoint)) does not answer, so \(printable(newest.name)) is not followed.")
        }
        surroundings.streams.note(
            "tripwatch: following \(printable(chosen.name)) at \(printable(endpoint ?? chosen.server.endpoint)).")
        return chosen
    }

    /// The maximum number of servers to try to connect to.
    private static let mostServers = 8
    /// The longest time to wait for connections, in seconds. Resolving a name has no time limit of its own.
    private static let longestSearchSeconds = 4.0

    /// Returns the first trip or shipment in the list whose server accepts a connection. Tries the first `mostServers` servers, all at
    /// once. Returns nil if none of them accepts a connection in time, or if there is only one server.
    private static func firstHeard(_ known: [KnownTrips.Subject]) -> KnownTrips.Subject? {
        var servers: [String] = []
        for subject in known where !servers.contains(subject.server.endpoint) { servers.append(subject.server.endpoint) }
        guard servers.count > 1, let server = firstAccepting(Array(servers.prefix(mostServers))) else { return nil }
        return known.first { $0.server.endpoint == server }
    }

    private static func firstAccepting(_ servers: [String]) -> String? {
        let limit = DispatchTime.now() + longestSearchSeconds
        let tries = servers.map { server in
            let result = ConnectionResult()
            DispatchQueue(label: "try").async { result.set(accepts(server)) }
            return (server: server, result: result)
        }
        return tries.first { $0.result.wait(until: limit) }?.server
    }

    /// The time limit for connecting to an address of a server, in milliseconds.
    private static let patienceMilliseconds: Int32 = 1_000

    /// Whether a server accepts a connection. Nothing is sent to it.
    private static func accepts(_ endpoint: String) -> Bool {
        guard let place = try? ServerEndpoint(endpoint, security: .plaintext) else { return false }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(place.host, "\(place.port)", &hints, &found) == 0 else { return false }
        defer { freeaddrinfo(found) }
        var next = found
        while let address = next?.pointee {
            if connects(to: address) { return true }
            next = address.ai_next
        }
        return false
    }

    private static func connects(to address: addrinfo) -> Bool {
        let descriptor = socket(address.ai_family, address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return true }
        guard errno == EINPROGRESS else { return false }
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&wanted, 1, patienceMilliseconds) == 1 else { return false }
        var trouble: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &trouble, &size) == 0 && trouble == 0
    }
}

/// Passes the result of a connection attempt from one thread to another.
private final class ConnectionResult: Sendable {
    private let isAccepted = Mutex(false)
    private let isKnown = DispatchSemaphore(value: 0)

    func set(_ isNow: Bool) {
        isAccepted.withLock { $0 = isNow }
        isKnown.signal()
    }

    /// Waits for the result.
    /// - Returns: false if the connection failed, or if the result is not known in time.
    func wait(until limit: DispatchTime) -> Bool { isKnown.wait(timeout: limit) == .success && isAccepted.withLock { $0 } }
}
