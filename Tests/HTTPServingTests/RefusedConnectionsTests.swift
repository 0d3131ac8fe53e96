import Glibc
import NIOCore
import ServerHarness
import Testing

@testable import HTTPServing

@Suite("Connections that are refused at a port", .timeLimit(.minutes(1)))
struct RefusedConnectionsTests {
    @Test("one address, or one IPv6 network, may have a quarter of the connections, and this machine may have all")
    func addresses() throws {
        func found(_ text: String) throws -> CallerAddress { try #require(CallerAddress(SocketAddress(ipAddress: text, port: 1))) }
        var limits = PortLimits()
        for own in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(try found(own) == .loopback)
            #expect(try limits.connections(of: found(own)) == nil)
        }
        for text in ["192.0.2.1", "2001:db8::1", "::2"] { #expect(try limits.connections(of: found(text)) == 250) }
        #expect(try found("::ffff:192.0.2.1") == found("192.0.2.1") && found("192.0.2.1") != found("192.0.2.2"))
        #expect(try found("2001:db8:1:2::1") == found("2001:db8:1:2:ffff::2") && found("2001:db8:1:2::1") != found("2001:db8:1:3::1"))
        limits.connections = 3
        #expect(try limits.connections(of: found("192.0.2.1")) == 1)
        limits.connectionsPerAddress = 9
        for text in ["192.0.2.1", "::1"] { #expect(try limits.connections(of: found(text)) == 9) }
    }

    @Test("for each reason, one line reports all connections that were refused for it")
    func line() {
        let refused = RefusedConnections()
        for _ in 1...12 { refused.add(.full(limit: 1_000)) }
        refused.add(.noDescriptors(limit: 256))
        #expect(refused.nextLine() == "refused 12 connections: limit 1000; refused 1 connection: limit of 256 file descriptors")
    }

    @Test("the first line comes soon after a refusal, and the next one only after the interval")
    func pace() async throws {
        let refused = RefusedConnections()
        let (lines, line) = AsyncStream.makeStream(of: (String, ContinuousClock.Instant).self)
        let telling = Task { await refused.report(gatherSeconds: 0.05, intervalSeconds: 1) { line.yield(($0, .now)) } }
        defer { telling.cancel() }
        var told = lines.makeAsyncIterator()
        refused.add(.full(limit: 5))
        let first = try #require(await told.next())
        #expect(first.0 == "refused 1 connection: limit 5")
        for _ in 1...3 { refused.add(.full(limit: 5)) }
        let second = try #require(await told.next())
        #expect(second.0 == "refused 3 connections: limit 5" && second.1 - first.1 >= .seconds(1))
    }

    @Test("the reserve descriptor refuses one caller at a time, and none from an empty queue")
    func reserve() async throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        defer { close(listening) }
        // The address 127.0.0.1 with any port, as the bytes of a sockaddr_in. The structure itself is not used, because
        // different builds import it from different C modules.
        var address: [UInt8] = [UInt8(AF_INET), 0, 0, 0, 127, 0, 0, 1] + Array(repeating: 0, count: 8)
        var length = socklen_t(address.count)
        address.withUnsafeMutableBytes { bytes in
            _ = bytes.withMemoryRebound(to: sockaddr.self) {
                (bind(listening, $0.baseAddress, length), listen(listening, 8), getsockname(listening, $0.baseAddress, &length))
            }
        }
        let port = Int(address[2]) << 8 | Int(address[3])
        var reserve = ReserveDescriptor()
        #expect(reserve.turnAway(at: listening) == .nobodyThere)
        let callers = [try await RawConnection(port: port), try await RawConnection(port: port)]
        for caller in callers {
            #expect(reserve.turnAway(at: listening) == .turnedAway)
            #expect(try await caller.waitForEnd() == "")
        }
        #expect(reserve.turnAway(at: listening) == .nobodyThere)
    }
}
