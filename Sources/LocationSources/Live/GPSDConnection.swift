import Dispatch
import Files
public import FleetEngine
import FoundationEssentials
import Glibc
public import Navigation

/// A connection to a gpsd that has sent its greeting.
public final class GPSDConnection: Sendable {
    private static let patienceSeconds = 10
    private static let longestLine = 64 << 10
    private static let watch = Array(#"?WATCH={"enable":true,"json":true};"#.utf8) + [0x0A]

    private let address: GPSDAddress
    private let descriptor: Int32
    private let tell: @Sendable (String) -> Void

    private init(_ address: GPSDAddress, _ descriptor: Int32, tell: @escaping @Sendable (String) -> Void) {
        self.address = address
        self.descriptor = descriptor
        self.tell = tell
    }

    deinit { close(descriptor) }

    /// Connects to gpsd and waits for its greeting. Each attempt to connect and each read waits at most 10 s.
    ///
    /// - Parameter tell: receives later messages for the user, one sentence each.
    /// - Throws: `LocationSourceError.broken` if no server answers, or the server is not a gpsd with protocol 3.
    public static func open(
        _ address: GPSDAddress, tell: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(LocationSourceError) -> GPSDConnection {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue(label: "gpsd").async {
                continuation.resume(returning: Result { () throws(LocationSourceError) in try connect(address, tell) })
            }
        }
        return try result.get()
    }

    private static func connect(
        _ address: GPSDAddress, _ tell: @escaping @Sendable (String) -> Void
    ) throws(LocationSourceError) -> GPSDConnection {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, String(address.port), &hints, &found) == 0 else {
            throw .broken("gpsd at \(address) cannot be reached: no such host")
        }
        defer { freeaddrinfo(found) }
        var reason = ECONNREFUSED
        var candidate = found
        while let entry = candidate?.pointee {
            let descriptor = socket(entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), entry.ai_protocol)
            if descriptor >= 0 {
                setPatience(patienceSeconds, of: descriptor)
                if Glibc.connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 {
                    let connection = GPSDConnection(address, descriptor, tell: tell)
                    try connection.greet()
                    return connection
                }
                reason = errno == EINPROGRESS ? ETIMEDOUT : errno
                close(descriptor)
            }
            candidate = entry.ai_next
        }
        throw .broken("gpsd at \(address) cannot be reached: \(SystemError(reason).phrase)")
    }

    /// Sets the time limit of each attempt to connect, to read or to write on the socket; 0 for no limit.
    private static func setPatience(_ seconds: Int, of descriptor: Int32) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    private func greet() throws(LocationSourceError) {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < Self.longestLine, recv(descriptor, &byte, 1, 0) == 1, byte != 0x0A { line.append(byte) }
        var reader = GPSDReader()
        guard byte == 0x0A, case .version(let major) = reader.read(line, at: .distantPast) else {
            throw .broken("the server at \(address) is not gpsd")
        }
        guard major == 3 else { throw .broken("gpsd at \(address) speaks protocol \(major); only protocol 3 is supported") }
        guard send(descriptor, Self.watch, Self.watch.count, Int32(MSG_NOSIGNAL)) == Self.watch.count else {
            throw .broken("gpsd at \(address) closed the connection")
        }
        Self.setPatience(0, of: descriptor)
    }

    /// Creates a source of the positions. This method may be called only once.
    /// - Parameter time: the driver's clock. A fix without a time, or with a time that differs from this clock by more than an hour, gets
    ///   the time of its arrival.
    public func source(time: any TimeSource) -> LiveSource {
        let feed = FixFeed()
        DispatchQueue(label: "gpsd").async { [self] in
            feed.finish(read(into: feed, time))
        }
        // The reading closure retains this object, so the descriptor stays open while it reads.
        return LiveSource(name: "gpsd", feed: feed, time: time) { [descriptor] in shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    private func read(into feed: FixFeed, _ time: any TimeSource) -> LocationSourceError {
        var splitter = LineSplitter(longestBytes: Self.longestLine)
        var reader = GPSDReader()
        let bytes = FileBytes(descriptor: descriptor)
        while let piece = try? bytes.next() {
            for line in splitter.add(piece) {
                switch reader.read(line, at: time.now()) {
                case .fix(let fix): feed.put(StreamTiming.Outcome(entries: [.init(fix: fix, due: nil)]))
                case .devices(0): tell("gpsd at \(address) has no receiver yet.")
                default: break
                }
            }
            if reader.unreadableCount > 100 || splitter.overlongRun > 10 {
                return .broken("the server at \(address) no longer sends gpsd's messages")
            }
        }
        return .broken("gpsd at \(address) closed the connection")
    }
}
