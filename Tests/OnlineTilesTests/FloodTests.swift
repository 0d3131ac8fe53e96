import Foundation
import HTTPCalls
import NIOCore
import NIOPosix
import NIOSSL
import ServerHarness
import Testing

@testable import OnlineTiles

@Suite("A map server that floods its connection", .enabled(if: TestCertificate.isPossible), .timeLimit(.minutes(1)))
struct FloodTests {
    private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
    /// A frame of an unknown type with 16 KiB of contents. Clients ignore such frames.
    private static let frame = [0, 0x40, 0, 0xBB, 0, 0, 0, 0, 0] + [UInt8](repeating: 7, count: 1 << 14)
    /// The second half of the frame, and the first half of the next one.
    private static let halves = ByteBuffer(bytes: frame[8000...] + frame[..<8000])

    @Test("The connection is closed after 64 MiB, although no answer is too large")
    func closed() async throws {
        let certificate = try TestCertificate()
        defer { certificate.remove() }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(certificate.certificateFile)
        let sent = try await Self.flood(upTo: 160 << 20, certificate) { [tls] port in
            let call = HTTPCall(url: "https://127.0.0.1:\(port)/1/0/0", policy: WebExchange.policy, tls: tls)
            await #expect(throws: (any Error).self) { try await call.send() }
        }
        // The 64 MiB include the bytes that TLS adds, so `sent` can be smaller. They do not include bytes that are still in the buffers of
        // both sides, so `sent` can also be larger.
        #expect((60 << 20...96 << 20).contains(sent), "\(sent)")
    }

    /// Floods the first connection to a server, while `body` runs with the server's port.
    /// - Returns: the number of bytes that were sent until the connection ended or `mostBytes` was reached.
    private static func flood(
        upTo mostBytes: Int, _ certificate: TestCertificate, _ body: (Int) async throws -> Void
    ) async throws -> Int {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate.certificateFile).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: certificate.keyFile, format: .pem)))
        configuration.applicationProtocols = ["h2"]
        let tls = try NIOSSLContext(configuration: configuration)
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let port = try #require(server.channel.localAddress?.port)
        return try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                try await server.executeThenClose { connections in
                    for try await connection in connections { return await send(upTo: mostBytes, to: connection) }
                    return 0
                }
            }
            try await body(port)
            return try await group.next() ?? 0
        }
    }

    private static func send(upTo mostBytes: Int, to connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async -> Int {
        var sent = 0
        try? await connection.executeThenClose { inbound, _ in
            // The first bytes show that the handshake is complete. Before that, the TLS handler would buffer everything that is written.
            for try await _ in inbound { break }
            // Each write waits until the socket has taken its bytes. The connection's own writer would run far ahead of the socket.
            try await connection.channel.writeAndFlush(ByteBuffer(bytes: settings + frame[..<8000]))
            while sent < mostBytes {
                try await connection.channel.writeAndFlush(halves)
                sent += halves.readableBytes
            }
        }
        return sent
    }
}
