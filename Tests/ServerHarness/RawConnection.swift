import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A TCP connection of a client. Tests send and receive arbitrary bytes on it.
public struct RawConnection: Sendable {
    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let bytes = Mutex<[UInt8]>([])
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            bytes.withLock { $0 += buffer.readableBytesView }
            arrival.yield()
        }

        func channelInactive(context: ChannelHandlerContext) {
            arrival.finish()
            context.fireChannelInactive()
        }

        // If the server resets the connection, this counts as a normal end.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private let channel: any Channel
    private let collector: Collector

    /// - Parameter trusting: the path of the certificate to trust. If a path is given, the connection uses TLS; if nil, the connection is
    ///   not encrypted.
    public init(port: Int, trusting certificate: String? = nil) async throws {
        let collector = Collector()
        self.collector = collector
        let tls: NIOSSLContext? = try certificate.map { file in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .file(file)
            return try NIOSSLContext(configuration: configuration)
        }
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil)) }
                    try channel.pipeline.syncOperations.addHandler(collector)
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    public func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

    /// Waits until the server, which runs on this machine, has read all bytes that were sent.
    public func waitUntilRead() async throws {
        let ports = [channel.remoteAddress, channel.localAddress].compactMap { $0?.port }
        let ends = ports.map { ":" + String(String(0x10000 + $0, radix: 16, uppercase: true).dropFirst()) }
        while true {
            // The columns of the table: number, both addresses, state, and the numbers of bytes that wait to be sent and to be read.
            let table = try ["tcp", "tcp6"].map(Self.kernelTable).joined(separator: "\n")
            let connections = table.split(separator: "\n").map { $0.split(separator: " ") }
            let theirs = connections.first {
                $0.count > 4 && ends.count == 2 && $0[1].hasSuffix(ends[0]) && $0[2].hasSuffix(ends[1])
            }
            // If the table changes while it is read, a row may be missing.
            if let theirs, theirs[4].hasSuffix(":00000000") { return }
            await Task.yield()
        }
    }

    /// Returns one of the kernel's tables of connections. The kernel returns a table in several pieces.
    private static func kernelTable(_ name: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/\(name)"))
        defer { try? file.close() }
        var bytes = Data()
        while let page = try file.read(upToCount: 1 << 16), !page.isEmpty { bytes += page }
        return String(decoding: bytes, as: UTF8.self)
    }

    public func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    /// Sends one byte again and again until the other side closes the connection.
    public func drip(_ byte: UInt8, every milliseconds: Int64) {
        let channel = channel
        channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(milliseconds)) { task in
            guard channel.isActive else { return task.cancel() }
            channel.writeAndFlush(ByteBuffer(bytes: [byte]), promise: nil)
        }
    }

    /// The text received so far.
    public var received: String { String(decoding: collector.bytes.withLock { $0 }, as: UTF8.self) }

    public var receivedBytes: [UInt8] { collector.bytes.withLock { $0 } }

    /// Waits until `text` has arrived `times` times.
    /// - Returns: false if the connection ends first.
    public func wait(for text: String, times: Int = 1) async -> Bool {
        await wait { String(decoding: $0, as: UTF8.self).split(separator: text, omittingEmptySubsequences: false).count > times }
    }

    /// Waits until enough bytes have arrived.
    /// - Returns: false if the connection ends first.
    public func wait(until isEnough: ([UInt8]) -> Bool) async -> Bool {
        if isEnough(receivedBytes) { return true }
        for await _ in collector.arrivals where isEnough(receivedBytes) { return true }
        return isEnough(receivedBytes)
    }

    /// Waits for the end of the connection, and returns all received text.
    @discardableResult
    public func waitForEnd() async throws -> String {
        try await channel.closeFuture.get()
        return received
    }

    public func close() async { try? await channel.close() }
}
