import NIOCore
import NIOPosix
import Synchronization

/// An HTTP server on loopback. A test supplies the server's answers byte for byte. The server can stand in for a provider backend or a
/// token source.
public final class ScriptedHTTPServer: Sendable {
    /// A request to the server. If a client starts TLS, which this server does not support, the method of the request is `TLS`.
    public struct Request: Hashable, Sendable {
        /// The method as the client sent it.
        public let method: String
        /// The path with its query, as the client sent them.
        public let path: String
        /// The headers, with their names in lower case.
        public let headers: [String: String]
        /// The body as text.
        public let body: String
    }

    /// The server's answer to a request.
    public enum Answer: Sendable {
        /// A complete answer with a status, headers, and text as the body.
        case reply(Int, type: String? = "application/json", headers: [(String, String)] = [], _ body: String)
        /// A complete answer like `reply`, but with any bytes as the body.
        case data(Int, headers: [(String, String)] = [], _ body: [UInt8])
        /// These bytes, and then this number of zero bytes, rounded down to a multiple of 65,536. Then the connection ends.
        case flood(String, zeros: Int)
        /// The first text, and then `again` over and over, until the client closes the connection.
        case endless(String, again: String)
        /// These bytes, and then one more byte each second, without end.
        case drip(String)
        /// These bytes. Then the connection ends.
        case bytes(String)
        /// These bytes. Then nothing more is sent, and the connection stays open.
        case stall(String)
        /// These texts, with this pause between them. Then nothing more is sent, and the connection stays open.
        case paced([String], seconds: Double)
        /// The connection ends without an answer.
        case hangUp
    }

    /// The port that the server listens on.
    public let port: Int
    private let log = Mutex<[Request]>([])
    private let connections = Mutex((open: 0, most: 0))
    private let answer: @Sendable (Request, Int) -> Answer

    private init(port: Int, answer: @escaping @Sendable (Request, Int) -> Answer) {
        self.port = port
        self.answer = answer
    }

    /// The requests so far.
    public var requests: [Request] { log.withLock { $0 } }

    /// The largest number of connections that have been open at the same time.
    public var mostConnections: Int { connections.withLock { $0.most } }

    /// The address of the server: `http://127.0.0.1:PORT`.
    public var address: String { "http://127.0.0.1:\(port)" }

    /// Waits until `count` requests have arrived, or the waiting task is cancelled.
    public func waitForRequests(_ count: Int = 1) async {
        while requests.count < count, !Task.isCancelled { await Task.yield() }
    }

    /// Listens on a free port while `body` runs.
    ///
    /// - Parameter answer: returns the answer to a request. Its arguments are the request and the number of earlier requests.
    public static func with<Value>(
        _ answer: @escaping @Sendable (Request, Int) -> Answer, _ body: (ScriptedHTTPServer) async throws -> Value
    ) async throws -> Value {
        // The listener creates plain channels, which have no writer yet. A connection that arrives just before the server stops is
        // dropped. If its channel already had a writer, the process would crash.
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0) { channel in channel.eventLoop.makeSucceededFuture(channel) }
        let server = ScriptedHTTPServer(port: channel.channel.localAddress?.port ?? 0, answer: answer)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await channel.executeThenClose { connections in
                    try await withThrowingDiscardingTaskGroup { group in
                        for try await connection in connections { group.addTask { try? await server.serve(connection) } }
                    }
                }
            }
            defer { group.cancelAll() }
            return try await body(server)
        }
    }

    private func serve(_ channel: any Channel) async throws {
        guard let connection = try await Self.wrap(channel) else { return }
        connections.withLock { $0 = ($0.open + 1, max($0.most, $0.open + 1)) }
        defer { connections.withLock { $0.open -= 1 } }
        try await connection.executeThenClose { inbound, outbound in
            var bytes: [UInt8] = []
            for try await buffer in inbound {
                bytes += buffer.readableBytesView
                guard let request = Self.parse(bytes) else { continue }
                bytes = []
                let count = log.withLock { log in
                    log.append(request)
                    return log.count - 1
                }
                guard try await Self.send(answer(request, count), to: outbound) else { return }
            }
        }
    }

    /// Creates the reader and the writer of a connection. Returns nil if the client has reset the connection. The reset must be
    /// noticed before the writer exists, because the process crashes if an unused writer is dropped.
    private static func wrap(_ channel: any Channel) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer>? {
        try await channel.eventLoop.submit { () -> NIOAsyncChannel<ByteBuffer, ByteBuffer>? in
            guard channel.isActive else { return nil }
            let connection = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            try? channel.syncOptions?.setOption(.autoRead, value: true)
            return connection
        }.get()
    }

    /// Sends an answer.
    /// - Returns: whether the connection can be used for another request.
    private static func send(_ answer: Answer, to outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws -> Bool {
        switch answer {
        case .hangUp: return false
        case .flood(let text, let count):
            try await outbound.write(ByteBuffer(string: text))
            let zeros = ByteBuffer(repeating: 0, count: 1 << 16)
            for _ in 0..<count >> 16 { try await outbound.write(zeros) }
            return false
        case .endless(let text, let part):
            try await outbound.write(ByteBuffer(string: text))
            let parts = ByteBuffer(string: String(repeating: part, count: (1 << 16) / max(1, part.utf8.count) + 1))
            while true {
                try Task.checkCancellation()
                try await outbound.write(parts)
            }
        case .drip(let text):
            try await outbound.write(ByteBuffer(string: text))
            while true {
                try await Task.sleep(for: .seconds(1))
                try await outbound.write(ByteBuffer(string: "0"))
            }
        case .paced(let texts, let seconds):
            try await send(texts, secondsApart: seconds, to: outbound)
            return true
        case .data(let status, let headers, let body):
            let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
            let head = "HTTP/1.1 \(status) X\r\ncontent-length: \(body.count)\r\n\(lines)\r\n"
            try await outbound.write(ByteBuffer(bytes: Array(head.utf8) + body))
            return true
        case .bytes(let text):
            try await outbound.write(ByteBuffer(string: text))
            return false
        case .stall(let text):
            try await outbound.write(ByteBuffer(string: text))
            return true
        case .reply(let status, let type, let headers, let body):
            var head = "HTTP/1.1 \(status) X\r\ncontent-length: \(body.utf8.count)\r\n"
            for (name, value) in headers + (type.map { [("content-type", $0)] } ?? []) { head += "\(name): \(value)\r\n" }
            try await outbound.write(ByteBuffer(string: head + "\r\n" + body))
            return true
        }
    }

    private static func send(
        _ texts: [String], secondsApart seconds: Double, to outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        for (index, text) in texts.enumerated() {
            if index > 0 { try await Task.sleep(for: .seconds(seconds)) }
            try await outbound.write(ByteBuffer(string: text))
        }
    }

    /// Parses a request. Returns nil if the request is not complete.
    private static func parse(_ bytes: [UInt8]) -> Request? {
        let text = String(decoding: bytes, as: UTF8.self)
        // 0x16 is the first byte of a TLS connection.
        if bytes.first == 0x16 { return Request(method: "TLS", path: "", headers: [:], body: "") }
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts.first?.lowercased() ?? ""] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        let body = String(text[end.upperBound...])
        guard words.count == 3, body.utf8.count >= headers["content-length"].flatMap(Int.init) ?? 0 else { return nil }
        return Request(method: String(words[0]), path: String(words[1]), headers: headers, body: body)
    }
}
