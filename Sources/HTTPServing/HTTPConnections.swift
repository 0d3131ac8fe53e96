import FleetEngine
import FoundationEssentials
package import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// Answers the HTTP requests at a port, within the port's connection limits.
package struct HTTPConnections: Sendable {
    private let port: ServerPort
    private let limits: PortLimits
    /// The certificate of the port; nil without TLS.
    private let certificate: PortCertificate?
    private let respond: @Sendable (Request, any Channel) async throws -> Response

    /// - Parameters:
    ///   - certificate: the certificate of the port; nil without TLS.
    ///   - respond: returns the answer to a request that came from a channel.
    package init(
        port: ServerPort, limits: PortLimits, certificate: PortCertificate?,
        respond: @escaping @Sendable (Request, any Channel) async throws -> Response
    ) {
        self.port = port
        self.limits = limits
        self.certificate = certificate
        self.respond = respond
    }

    /// Listens and answers. It returns when the port is closed and the last request is answered, or when the task is cancelled.
    /// - Throws: `ListenError` if the address cannot be bound.
    package func serve(onListening: @Sendable (ServerAddress) -> Void) async throws {
        let (http, log) = (channels(), Self.silent)
        let listening = try await port.listen(halfClosure: true) { channel in
            channel.eventLoop.makeCompletedFuture {
                if let certificate { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context)) }
            }.flatMap {
                http.setup(channel: channel, logger: log)
            }.flatMapThrowing { connection in
                try HeaderLimit.add(to: channel, limitBytes: limits.headerBytes)
                let limit = try channel.pipeline.syncOperations.handler(type: HeaderLimit.self)
                try channel.pipeline.syncOperations.addHandler(ClientDialect(), position: .after(limit))
                return connection
            }
        }
        onListening(port.bound(listening.channel))
        let cut = Cut()
        // The task that accepts connections is not cancelled. Cancelling it could drop a connection during its setup, and that would end
        // the process.
        try await withTaskCancellationHandler {
            try await Task {
                try await withThrowingDiscardingTaskGroup { group in
                    try await listening.executeThenClose { inbound in
                        for try await connection in inbound {
                            group.addTask { await http.handle(value: connection, logger: log) }
                        }
                    }
                    if cut.isMade.load(ordering: .sequentiallyConsistent) { group.cancelAll() }
                }
            }.value
        } onCancel: {
            cut.isMade.store(true, ordering: .sequentiallyConsistent)
            port.door.closeNow()
        }
    }

    /// Records whether the task was cancelled.
    private final class Cut: Sendable {
        let isMade = Atomic(false)
    }

    /// A logger that drops Hummingbird's own messages.
    package static let silent: Logger = {
        var logger = Logger(label: "http")
        logger.logLevel = .critical
        return logger
    }()

    private func channels() -> HTTP1Channel {
        HTTP1Channel(
            responder: { (request, writer: consuming ResponseWriter, channel) in
                let response = try await answer(to: request, channel)
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: .init(
                idleTimeout: TimeAmount(seconds: limits.headerSeconds),
                httpDecoderConfiguration: .init(maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes)))
    }

    private func answer(to request: Request, _ channel: any Channel) async throws -> Response {
        var response: Response
        do {
            // Hummingbird removes the first `Host` from the fields, so a remaining `Host` is a second one. A proxy may have checked
            // only one of the two (RFC 9112, section 3.2).
            let hasTwoHosts = request.head.headerFields.contains { $0.name.canonicalName == "host" }
            response = hasTwoHosts ? Self.refusal("a request must name exactly one host", .badRequest) : try await respond(request, channel)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            response = Self.refusal("an internal error in the server ended the request", .internalServerError)
        }
        // An answer to HEAD has no body, even if the answer is a refusal.
        if request.method == .head { response = response.createHeadResponse() }
        response.headers[.server] = "tripwatch"
        response.headers[.date] = HTTPDate.text(Date())
        return response
    }

    /// Returns a refusal in the JSON form of the provider API.
    private static func refusal(_ message: String, _ status: HTTPResponse.Status) -> Response {
        let body = #"{"message":"\#(message)","status":\#(status.code)}"#
        return Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"], body: .init(byteBuffer: ByteBuffer(string: body)))
    }
}
