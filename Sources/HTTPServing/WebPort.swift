import Hummingbird
import HummingbirdCore
import NIOCore

/// A port on which another part of the program answers HTTP, behind the same door and within the same limits as the provider's desk.
package struct WebPort: Sendable {
    private let port: ServerPort
    private let limits: PortLimits
    private let certificate: PortCertificate?
    /// How long browsers that came over TLS come without it no more: no longer than the host is likely to serve what it serves now.
    private static let secureSeconds = 86_400

    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address, or `localhost`.
    ///   - port: 0 takes any free one.
    ///   - refused: counts the connections that are turned away.
    /// - Throws: `ListenError` when host or port cannot be one, or the certificate cannot be used.
    package init(
        host: String, port: Int, security: ServerSecurity, limits: PortLimits, refused: RefusedConnections
    ) throws(ListenError) {
        self.limits = limits
        self.port = try ServerPort(host: host, port: port, limits: limits, refused: refused)
        certificate = try PortCertificate(security, protocols: ["http/1.1"])
    }

    /// Answers until `endNow` was called, or until the task is cancelled. Once only.
    /// - Parameter onListening: told the bound address.
    /// - Throws: `ListenError` when the address cannot be bound.
    package func serve(
        onListening: @Sendable (ServerAddress) -> Void, answer: @escaping @Sendable (WebRequest) async -> WebAnswer
    ) async throws {
        try await HTTPConnections(port: port, limits: limits, certificate: certificate) { request, channel in
            let asked = WebRequest(request, channel)
            var response = await answer(asked).response(to: request)
            // Browsers keep it for every port of a host: on this machine's own name it would lock out servers without TLS.
            if certificate != nil, asked.host != "localhost" {
                response.headers[.strictTransportSecurity] = "max-age=\(Self.secureSeconds)"
            }
            return response
        }.serve(onListening: onListening)
    }

    /// Takes the certificate's files as they are now, for connections from now on; what cannot be used changes nothing.
    /// - Throws: `ListenError` with the file and what is wrong with it.
    package func readCertificateAgain() throws(ListenError) { try certificate?.readAgain() }

    /// Takes no new connections, and lets `serve` return when the answers under way are sent.
    package func beginClosing() { port.door.beginClosing() }

    /// Cuts off everybody, so that `serve` returns.
    package func endNow() { port.door.closeNow() }
}

/// A request as it came, but for its body, which nobody reads.
package struct WebRequest: Sendable {
    private let request: Request
    /// Who asks.
    package let connection: WebConnection

    init(_ request: Request, _ channel: any Channel) { (self.request, connection) = (request, WebConnection(channel: channel)) }

    /// In capitals.
    package var method: String { request.method.rawValue }
    /// As it was sent, without the query.
    package var path: String { request.uri.path }
    /// As it was sent; nil without one.
    package var query: String? { request.uri.query }
    /// Host and port as the client names this server; nil where it does not.
    package var authority: String? { request.head.authority }
    /// The host without its port, in small letters; nil where there is none.
    package var host: String? { authority.flatMap(WebOrigin.host(ofAuthority:)) }

    /// - Parameter name: in any case.
    package func header(_ name: String) -> String? { HTTPFields.Element.Name(name).flatMap { request.headers[$0] } }
}

/// The connection on which a request came.
package struct WebConnection: Sendable {
    private let channel: any Channel

    init(channel: any Channel) { self.channel = channel }

    /// Cuts it off, whatever is under way.
    package func close() { channel.close(promise: nil) }

    /// Calls `work` once it is closed.
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
        /// Each part is asked for when the one before is on its way.
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
