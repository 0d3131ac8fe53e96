import AsyncHTTPClient
import FleetEngine
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// The reason why an HTTP request has no usable answer. `words` state the cause, such as "connection refused". A message can add them in
/// brackets: "the provider at … does not answer (connection refused)".
package struct HTTPFailure: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// No connection was made, so the server never saw the request.
        case notConnected
        /// The connection broke, or its bytes were not HTTP. The server may have seen the request.
        case broken
        /// The time limit passed. The server may have seen the request.
        case late
        /// The certificate of the other side was not accepted. No request was sent.
        case certificate
        /// The answer is larger than the caller's limit.
        case tooLarge
        /// The answer does not have the requested media type. Probably another server answered, for example a captive portal with its
        /// sign-in page.
        case otherType
        /// The request cannot be sent in this form.
        case invalid
        case cancelled
    }

    package let kind: Kind
    package let words: String

    /// The predicate of a sentence about the server, to which `words` add the cause: "gave no usable answer (it does not speak HTTP)".
    package var predicate: String {
        switch kind {
        case .broken, .tooLarge, .otherType: "gave no usable answer"
        case .certificate, .invalid: "cannot be reached"
        case .notConnected, .late, .cancelled: "does not answer"
        }
    }

    /// Whether it is certain that the request was not sent.
    package var isUnsent: Bool { kind == .notConnected || kind == .certificate || kind == .invalid }

    package init(_ kind: Kind, _ words: String) {
        self.kind = kind
        self.words = words
    }

    package init(_ error: any Error) {
        switch error {
        case let failure as HTTPFailure: self = failure
        case let error as HTTPClientError: self = Self.reading(error)
        case let error as NIOConnectionError: self = Self.reading(error)
        case let error as IOError: self = Self.reading(error)
        case is NIOTooManyBytesError: self.init(.tooLarge, "the answer is too large")
        case is CancellationError: self.init(.cancelled, "cancelled")
        case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection:
            self.init(.broken, "it closed the connection before the end of its answer")
        case is HTTPParserError: self.init(.broken, "it does not speak HTTP")
        case ChannelError.connectTimeout: self.init(.notConnected, "the connection timed out")
        default: self = Self.readingTLS(error) ?? HTTPFailure(.broken, "the connection failed")
        }
    }

    private static func reading(_ error: HTTPClientError) -> HTTPFailure {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout: HTTPFailure(.notConnected, "the connection timed out")
        case .tlsHandshakeTimeout: HTTPFailure(.notConnected, "it does not answer with TLS")
        case .deadlineExceeded, .readTimeout, .writeTimeout: HTTPFailure(.late, "no answer in time")
        case .remoteConnectionClosed: HTTPFailure(.broken, "it closed the connection")
        case .cancelled, .requestStreamCancelled: HTTPFailure(.cancelled, "cancelled")
        case .invalidURL, .emptyHost, .emptyScheme: HTTPFailure(.invalid, "its URL cannot be used")
        default: HTTPFailure(.broken, "the connection failed")
        }
    }

    private static func reading(_ error: NIOConnectionError) -> HTTPFailure {
        guard let first = error.connectionErrors.first else {
            return HTTPFailure(.notConnected, "the name \(ForeignText.line(error.host, limit: 100)) cannot be resolved")
        }
        let inner = HTTPFailure(first.error)
        return HTTPFailure(.notConnected, inner.kind == .broken && inner.words == "the connection failed" ? "no connection" : inner.words)
    }

    private static func reading(_ error: IOError) -> HTTPFailure {
        switch error.errnoCode {
        case ECONNREFUSED: HTTPFailure(.notConnected, "connection refused")
        case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL: HTTPFailure(.notConnected, "no network route to it")
        case ECONNRESET, EPIPE: HTTPFailure(.broken, "it closed the connection")
        default: HTTPFailure(.broken, "the connection failed")
        }
    }

    private static func readingTLS(_ error: any Error) -> HTTPFailure? {
        switch TLSTrouble(error) {
        case .untrustedCertificate: HTTPFailure(.certificate, "its certificate is not accepted")
        case .foreignCertificate: HTTPFailure(.certificate, "its certificate is for another host")
        case .noHandshake: HTTPFailure(.notConnected, "it does not answer with TLS")
        case .brokenConnection: HTTPFailure(.broken, "it closed the connection")
        case nil: nil
        }
    }
}
