package import FleetEngine
package import FoundationEssentials
package import NIOHTTP1
package import NIOSSL

/// One HTTP request and its answer, limited in size and time. Redirects are not followed; that is left to the caller.
package struct HTTPExchange: Sendable {
    package struct Answer: Sendable {
        package let status: Int
        package let headers: HTTPHeaders
        package let body: [UInt8]

        package func header(_ name: String) -> String? { headers.first(name: name) }

        /// The media type without its parameters, in lower case; nil if the answer does not have a media type.
        package var mediaType: String? {
            guard let text = header("content-type") else { return nil }
            let type = text.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
            return type.isEmpty ? nil : type
        }

        /// Returns the seconds that the server asks the client to wait before the next request; nil if it does not ask the client to wait.
        package func retryAfterSeconds(now: Date) -> Double? {
            header("retry-after").flatMap { HTTPDate.seconds(untilRetryAfter: $0, now: now) }
        }
    }

    /// An HTTP method, in capitals.
    package var method: String
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]?
    /// Maximum size of an answer, in bytes.
    package var largestAnswer: Int
    /// Time limit for the whole exchange, until the last byte of the answer, in seconds.
    package var limitSeconds: Double
    /// Path of a PEM file with certificates that are trusted in addition to the system's.
    package var caFile: String?
    /// The rules for opening, sharing and closing connections.
    package var policy: HTTPPolicy

    package init(
        method: String = "GET", url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil, largestAnswer: Int,
        limitSeconds: Double, caFile: String? = nil, policy: HTTPPolicy = .once
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.largestAnswer = largestAnswer
        self.limitSeconds = limitSeconds
        self.caFile = caFile
        self.policy = policy
    }

    package func send(_ time: any TimeSource) async throws(HTTPFailure) -> Answer {
        guard headers.allSatisfy({ Self.isAllowed($0.name, $0.value) }) else {
            throw HTTPFailure(.invalid, "a header has a name or value that HTTP does not allow")
        }
        do {
            return try await withTimeLimit(limitSeconds, time) { try await exchange() }
        } catch is TimeLimitReached {
            throw HTTPFailure(.late, "no answer within \(Int(exactly: limitSeconds.rounded()) ?? 0) s")
        } catch {
            throw Task.isCancelled ? HTTPFailure(.cancelled, "cancelled") : HTTPFailure(error)
        }
    }

    /// Whether the name and the value of a header are valid according to RFC 9110, sections 5.1 and 5.5.
    private static func isAllowed(_ name: String, _ value: String) -> Bool {
        let marks = "!#$%&'*+-.^_`|~".utf8
        return !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || marks.contains(byte)
            } && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private func exchange() async throws -> Answer {
        let call = HTTPCall(
            method: method, url: url, headers: HTTPHeaders(headers.map { ($0.name, $0.value) }), body: body,
            policy: policy, tls: try caFile.map(Self.trusting))
        let response = try await call.send()
        return Answer(status: response.status, headers: response.headers, body: try await response.body(upTo: largestAnswer))
    }

    /// Creates a configuration for clients that trust the certificates of a PEM file in addition to the system's.
    package static func trusting(caFile: String) throws(HTTPFailure) -> TLSConfiguration {
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(caFile), !certificates.isEmpty else {
            throw HTTPFailure(.invalid, "no certificates can be read from the CA file \(ForeignText.line(caFile, limit: 200))")
        }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.additionalTrustRoots = [.certificates(certificates)]
        return configuration
    }
}

/// The error that `withTimeLimit` throws when the time is up.
package struct TimeLimitReached: Error {}

/// Runs `work` and cancels it when `seconds` have passed on the clock `time`.
/// - Throws: `TimeLimitReached`, or the error that `work` throws.
package func withTimeLimit<Value: Sendable>(
    _ seconds: Double, _ time: any TimeSource, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: work)
        group.addTask {
            try await time.sleep(seconds: seconds)
            throw TimeLimitReached()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
