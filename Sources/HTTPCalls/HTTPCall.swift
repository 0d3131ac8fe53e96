import AsyncHTTPClient
import NIOCore
package import NIOHTTP1
package import NIOSSL

/// One HTTP request. The caller sets the time limits.
package struct HTTPCall: Sendable {
    /// Sends a call, and returns the response once its headers have arrived.
    package typealias Transport = @Sendable (HTTPCall) async throws -> Response

    /// A response whose body has not been read yet.
    package struct Response: Sendable {
        package let status: Int
        package let headers: HTTPHeaders
        package let isHTTP2: Bool
        let parts: HTTPClientResponse.Body

        /// Reads the body. Throws an error if the body has more than `byteCount` bytes.
        package func body(upTo byteCount: Int) async throws -> [UInt8] {
            Array(try await parts.collect(upTo: byteCount).readableBytesView)
        }
    }

    /// An HTTP method, in capitals.
    package var method: String
    package var url: String
    package var headers: HTTPHeaders
    package var body: [UInt8]?
    package var policy: HTTPPolicy
    /// The certificates to trust; nil for the certificates of the system.
    package var tls: TLSConfiguration?

    package init(
        method: String = "GET", url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil, policy: HTTPPolicy,
        tls: TLSConfiguration? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.policy = policy
        self.tls = tls
    }

    /// Sends the request and waits for the headers of its answer.
    ///
    /// - Parameter seconds: time limit for the headers, not for the body. It applies if the caller sets no shorter limit of its own.
    /// - Throws: an error that ``HTTPFailure/init(_:)`` can describe.
    package func send(within seconds: Int64 = 300) async throws -> Response {
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: method)
        request.headers = headers
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        request.tlsConfiguration = tls
        let response = try await policy.client.execute(request, timeout: .seconds(seconds))
        return Response(
            status: Int(response.status.code), headers: response.headers, isHTTP2: response.version.major == 2, parts: response.body)
    }
}

extension HTTPCall.Response {
    /// Creates a response that is already complete, for a transport without a network.
    package init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
        self.init(status: status, headers: headers, isHTTP2: false, parts: .bytes(ByteBuffer(bytes: body)))
    }
}
