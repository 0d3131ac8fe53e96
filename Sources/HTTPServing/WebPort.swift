import Hummingbird
import HummingbirdCore
import NIOCore

/// An HTTP port that passes its requests to a function. It has the same connection limits as the port of the provider API.
package struct WebPort: Sendable {
    private let port: ServerPort
    private let limits: PortLimits
    private let certificate: PortCertificate?
    /// The time for which browsers use only TLS for the host, in seconds. It is short, because the host may stop using TLS.
    private static let secureSeconds = 86_400

    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address, or `localhost`.
    ///   - port: 0 for any free port.
    ///   - refused: counts refused connections.
    /// - Throws: `ListenError` for an invalid host or port, and for an unusable certificate.
    package init(
        host: String, port: Int, security: ServerSecurity, limits: PortLimits, refused: RefusedConnections
    ) throws(ListenError) {
        self.limits = limits
        self.port = try ServerPort(host: host, port: port, limits: limits, refused: refused)
        certificate = try PortCertificate(security, protocols: ["http/1.1"])
    }

    /// Answers requests until the port is closed or the task is cancelled. It can be called only once.
    /// - Parameter onListening: called with the bound address.
    /// - Throws: `ListenError` if the address cannot be bound.
    package func serve(
        onListening: @Sendable (ServerAddress) -> Void, answer: @escaping @Sendable (WebRequest) async -> WebAnswer
    ) async throws {
        try await HTTPConnections(port: port, limits: limits, certificate: certificate) { request, channel in
            let asked = WebRequest(request, channel)
            var response = await answer(asked).response(to: request)
            // Browsers apply this header to every port of a host. For `localhost`, it would make servers without TLS unreachable.
            if certificate != nil, asked.host != "localhost" {
                response.headers[.strictTransportSecurity] = "max-age=\(Self.secureSeconds)"
            }
            return response
        }.serve(onListening: onListening)
    }

    /// Reads the certificate's files again, for new connections. If they cannot be used, the certificate stays the same.
    /// - Throws: a `ListenError` that names the file and the fault.
    package func readCertificateAgain() throws(ListenError) { try certificate?.readAgain() }

    /// Stops accepting connections, and lets `serve` return once the answers under way are complete.
    package func beginClosing() { port.door.beginClosing() }

    /// Closes all connections, so that `serve` returns.
    package func endNow() { port.door.closeNow() }
}

/// A request without its body, because the port never reads a body.
package struct WebRequest: Sendable {
    private let request: Request
    /// The connection of the caller.
    package let connection: WebConnection

    init(_ request: Request, _ channel: any Channel) { (self.request, connection) = (request, WebConnection(channel: channel)) }

    /// The method in capital letters.
    package var method: String { request.method.rawValue }
    /// The path as the client sent it, without the query.
    package var path: String { request.uri.path }
    /// The query as the client sent it; nil without a query.
    package var query: String? { request.uri.query }
    /// The host and port that the client uses to address this server; nil if the request has no host.
    package var authority: String? { request.head.authority }
    /// The host without its port, in lower case; nil if the request has no valid host.
    package var host: String? { authority.flatMap(WebOrigin.host(ofAuthority:)) }

    /// Returns the value of a header; nil if the request does not have it.
    /// - Parameter name: the header's name, in upper or lower case.
    package func header(_ name: String) -> String? { HTTPFields.Element.Name(name).flatMap { request.headers[$0] } }
}

/// The connection on which a request came.
package struct WebConnection: Sendable {
    private let channel: any Channel

    init(channel: any Channel) { self.channel = channel }

    /// The address of the caller, for limits; nil without an IP address.
    package var caller: CallerAddress? { CallerAddress(channel.remoteAddress) }
    /// The IP address of the caller, for logs; nil if the caller has no IP address.
    package var callerText: String? { channel.remoteAddress?.plainIP }

    /// Closes the connection, even during an answer.
    package func close() { channel.close(promise: nil) }

    /// Calls `work` after the connection has closed.
    package func onClose(_ work: @escaping @Sendable () -> Void) { channel.closeFuture.whenComplete { _ in work() } }
}

/// Bytes that many answers share.
package struct WebBytes: Sendable {
    let buffer: ByteBuffer

    package init(_ bytes: some Sequence<UInt8>) { buffer = ByteBuffer(bytes: bytes) }

    private init(_ buffer: ByteBuffer) { self.buffer = buffer }

    package static func + (first: WebBytes, second: WebBytes) -> WebBytes {
        var buffer = first.buffer
        buffer.writeImmutableBuffer(second.buffer)
        return WebBytes(buffer)
    }
}

/// An answer to a request.
package struct WebAnswer: Sendable {
    package enum Body: Sendable {
        case whole(WebBytes)
        /// A body in several pieces. The server requests each piece after it has sent the previous one.
        case parts(AsyncStream<WebBytes>)
    }

    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: Body

    package init(status: Int, headers: [(name: String, value: String)], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    fileprivate func response(to request: Request) -> Response {
        var fields = HTTPFields()
        for header in headers { if let name = HTTPFields.Element.Name(header.name) { fields[name] = header.value } }
        let content: ResponseBody =
            switch body {
            case .whole(let bytes): .init(byteBuffer: bytes.buffer)
            case .parts(let parts): .init(asyncSequence: parts.map(\.buffer))
            }
        guard request.method == .head else { return Response(status: .init(code: status), headers: fields, body: content) }
        if let length = content.contentLength { fields[.contentLength] = "\(length)" }
        return Response(status: .init(code: status), headers: fields)
    }
}
