import FleetEngine
import FoundationEssentials
import HTTPCalls
import NIOHTTP1
import NIOSSL
import VectorTiles

/// The reason why a request has no answer that a map can use.
struct WebFailure: Error, Hashable, Sendable {
    let kind: TileTrouble.Kind
    /// The reason as a clause about the server, such as `it answered with HTTP 500`.
    let words: String
    /// The pause that the server asks for, in seconds.
    var askedSeconds: Double?

    init(_ kind: TileTrouble.Kind, _ words: String, askedSeconds: Double? = nil) {
        self.kind = kind
        self.words = words
        self.askedSeconds = askedSeconds
    }
}

/// An answer with a status that is not a failure.
struct WebAnswer: Sendable {
    /// HTTP status: 200, 204, 206, 304, 404 or 410.
    let status: Int
    let headers: HTTPHeaders
    /// The body as transmitted. It may be compressed.
    let body: [UInt8]
    let isHTTP2: Bool
}

/// Sends a request for a tile or another part of a map, and reads the answer. Follows redirects, and enforces the limits of size and time.
struct WebExchange: Sendable {
    let url: WebURL
    /// The requested bytes of a file; nil requests the whole file.
    var range: Range<UInt64>?
    var headers: [(name: String, value: String)] = []
    let limits: OnlineLimits
    var tls: TLSConfiguration?
    let transport: HTTPCall.Transport

    static let policy = HTTPPolicy(
        connectSeconds: 10, requestsPerConnection: OnlineLimits().requestsPerConnection,
        connectionsPerHost: OnlineLimits().connectionsPerHost, allowsHTTP2: true,
        receivedBytesPerConnection: OnlineLimits().receivedBytesPerConnection)

    /// - Throws: `WebFailure`, or `CancellationError`.
    func send(_ time: any TimeSource) async throws -> WebAnswer {
        do {
            return try await withTimeLimit(limits.wholeSeconds, time) { try await follow(time) }
        } catch is TimeLimitReached {
            throw WebFailure(.offline, "its answer did not end within \(Int(limits.wholeSeconds.rounded(.up))) s")
        } catch let failure as WebFailure {
            throw failure
        } catch {
            guard !Task.isCancelled else { throw CancellationError() }
            throw Self.reading(HTTPFailure(error))
        }
    }

    private static func reading(_ failure: HTTPFailure) -> WebFailure {
        switch failure.kind {
        case .tooLarge: WebFailure(.notATileServer, "its answer is too large")
        case .broken where failure.words == "it does not speak HTTP": WebFailure(.notATileServer, failure.words)
        case .certificate: WebFailure(.certificate, failure.words)
        case .notConnected, .broken, .late, .invalid, .otherType, .cancelled: WebFailure(.offline, failure.words)
        }
    }

    private func follow(_ time: any TimeSource) async throws -> WebAnswer {
        var url = url
        for _ in 0...limits.redirectCount {
            let response = try await head(url, time)
            guard (300..<400).contains(response.status), response.status != 304 else { return try await read(response, time) }
            guard let location = response.headers.first(name: "location"), let next = url.redirected(to: location) else {
                throw WebFailure(.notATileServer, "it redirects to a missing, invalid or unencrypted address (HTTP \(response.status))")
            }
            url = next
        }
        throw WebFailure(.notATileServer, "it redirects too many times")
    }

    private func head(_ url: WebURL, _ time: any TimeSource) async throws -> HTTPCall.Response {
        var fields = HTTPHeaders()
        for header in headers { fields.replaceOrAdd(name: header.name, value: header.value) }
        fields.replaceOrAdd(name: "accept-encoding", value: range == nil ? "gzip" : "identity")
        if let range { fields.add(name: "range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)") }
        let (call, limit) = (HTTPCall(url: url.text, headers: fields, policy: Self.policy, tls: tls), limits.firstByteSeconds)
        do {
            return try await withTimeLimit(limit, time) { [transport] in try await transport(call) }
        } catch is TimeLimitReached {
            throw WebFailure(.offline, "no answer within \(Int(limit.rounded(.up))) s")
        }
    }

    private func read(_ response: HTTPCall.Response, _ time: any TimeSource) async throws -> WebAnswer {
        let status = response.status
        if let failure = Self.failure(status, response.headers, now: time.now()) { throw failure }
        // If the server sends the whole file instead of the requested part, the answer is not read.
        if range != nil, status == 200 { throw WebFailure(.noRanges, "it does not return parts of a file") }
        let hasBody = status == 200 || status == 206
        let body = hasBody ? try await response.body(upTo: limits.bodyByteCount) : []
        return WebAnswer(status: status, headers: response.headers, body: body, isHTTP2: response.isHTTP2)
    }

    /// Returns the failure for an HTTP status; nil for a status that a map can use.
    private static func failure(_ status: Int, _ headers: HTTPHeaders, now: Date) -> WebFailure? {
        let words = "it answered with HTTP \(status)"
        let asked = headers.first(name: "retry-after").flatMap { HTTPDate.seconds(untilRetryAfter: $0, now: now) }
        switch status {
        case 200, 204, 206, 304, 404, 410: return nil
        case 429, 503: return WebFailure(.busy(status), words, askedSeconds: asked)
        case 400..<500: return WebFailure(.refused(status), words, askedSeconds: asked)
        case 500...: return WebFailure(.failed(status), words, askedSeconds: asked)
        default: return WebFailure(.notATileServer, words)
        }
    }
}
