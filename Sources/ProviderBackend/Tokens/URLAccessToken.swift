public import FleetEngine
import FoundationEssentials
import HTTPCalls

/// A source that requests tokens from a URL, in the format of the sample provider.
///
/// Redirects are followed at most three times, only within the same server, and never from https to http, because the request's headers may
/// be credentials.
public struct URLAccessToken: AccessTokenProvider {
    /// Size limit of an answer, in bytes.
    static let largestAnswer = 64 * 1024
    private static let largestRedirectCount = 3

    private let url: TokenURL
    private let headers: [(name: String, value: String)]
    private let headerFile: HeaderFile?
    private let caFile: String?
    private let reader: TokenAnswerReader
    private let limitSeconds: Double
    private let time: any TimeSource

    /// Creates a source of tokens.
    /// - Parameters:
    ///   - headers: headers that are sent with every request, for the source's own authentication.
    ///   - headerFile: a file with more headers. A header in the file is ignored if `headers` has one with the same name.
    ///   - caFile: PEM certificates that are trusted in addition to the system's.
    ///   - limitSeconds: time limit of the whole answer, 1 ... 120.
    ///   - time: the clock for the time limit, and for expiries that are given as seconds from now. Only tests replace it.
    public init(
        _ url: TokenURL, headers: [(name: String, value: String)] = [], headerFile: HeaderFile? = nil, caFile: String? = nil,
        format: TokenAnswerFormat = TokenAnswerFormat(), limitSeconds: Double = 15, time: any TimeSource = SystemTimeSource()
    ) {
        self.url = url
        self.headers = headers
        self.headerFile = headerFile
        self.caFile = caFile
        reader = TokenAnswerReader(format: format, origin: "token URL \(url)")
        self.limitSeconds = limitSeconds.isFinite ? min(max(limitSeconds, 1), 120) : 15
        self.time = time
    }

    /// True, because each request may return a different token.
    public var canRenew: Bool { true }

    /// Requests the URL, follows redirects and reads the token from the answer.
    /// - Throws: `AccessTokenError` for a server that does not answer in time, refuses, or answers without a token.
    public func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        let asked = time.now()
        let headers = try ownHeaders()
        var next = try url.url(context)
        let deadline = asked.addingTimeInterval(limitSeconds)
        for _ in 0...Self.largestRedirectCount {
            let answer = try await get(next, headers, limitSeconds: max(0, deadline.timeIntervalSince(time.now())))
            guard (300..<400).contains(answer.status) else { return try token(answer, asked: asked) }
            next = try redirect(answer, from: next)
        }
        throw .refused("the \(reader.origin) redirects too many times")
    }

    private func ownHeaders() throws(AccessTokenError) -> [(name: String, value: String)] {
        guard let headerFile else { return headers }
        do throws(HeaderFileError) {
            return try headerFile.lines(under: headers)
        } catch {
            throw .missingData("no request was sent to the \(reader.origin): \(error)")
        }
    }

    private func get(
        _ url: String, _ headers: [(name: String, value: String)], limitSeconds seconds: Double
    ) async throws(AccessTokenError) -> HTTPExchange.Answer {
        let exchange = HTTPExchange(
            url: url, headers: [("accept", "application/json, text/plain;q=0.5")] + headers, largestAnswer: Self.largestAnswer,
            limitSeconds: seconds, caFile: caFile)
        do throws(HTTPFailure) {
            return try await exchange.send(time)
        } catch {
            switch error.kind {
            case .late: throw .transport("the \(reader.origin) gave no answer within \(Int(limitSeconds)) s")
            case .certificate: throw .refused("the connection to the \(reader.origin) is not safe: \(error.words)")
            case .tooLarge: throw .missingData("the \(reader.origin) provided more than \(Self.largestAnswer) bytes: that is not a token")
            case .otherType: throw .missingData("the \(reader.origin) provided no token: \(error.words)")
            case .invalid: throw .refused("no request was sent to the \(reader.origin): \(error.words)")
            case .notConnected, .broken, .cancelled: throw .transport("the \(reader.origin) \(error.predicate): \(error.words)")
            }
        }
    }

    private func redirect(_ answer: HTTPExchange.Answer, from text: String) throws(AccessTokenError) -> String {
        guard let base = URL(string: text), let origin = HTTPOrigin(base), let location = answer.header("location"),
            let target = URL(string: location, relativeTo: base)?.absoluteURL, let targetOrigin = HTTPOrigin(target)
        else { throw .refused("the \(reader.origin) redirects without a usable address (HTTP \(answer.status))") }
        guard origin.mayRedirect(to: targetOrigin) else {
            throw .refused(
                "the \(reader.origin) redirects to another server, \(targetOrigin); the redirect is not followed (HTTP \(answer.status))")
        }
        return target.absoluteString
    }

    private func token(_ answer: HTTPExchange.Answer, asked: Date) throws(AccessTokenError) -> AccessToken {
        guard (200..<300).contains(answer.status) else { throw failure(answer.status) }
        let text = String(decoding: answer.body, as: UTF8.self)
        // Servers label JSON with many media types, so a body that looks like JSON is read as JSON.
        if let type = answer.mediaType, !Self.isReadable(type), !text.drop(while: \.isWhitespace).hasPrefix("{") {
            if type.hasSuffix("html") { throw .missingData("the \(reader.origin) provided HTML or XML instead of a token") }
            throw .missingData("the \(reader.origin) provided \(ForeignText.line(type, limit: 60)) instead of JSON or text")
        }
        return try reader.token(text, now: asked)
    }

    private static func isReadable(_ type: String) -> Bool {
        ["application/json", "text/json", "text/plain", "application/jwt", "application/octet-stream"].contains(type)
            || type.hasSuffix("+json")
    }

    private func failure(_ status: Int) -> AccessTokenError {
        switch status {
        case 401: .refused("the \(reader.origin) needs credentials (HTTP 401): check --token-header")
        case 403: .refused("the \(reader.origin) refuses to give out this token (HTTP 403)")
        case 404, 410: .refused("the \(reader.origin) was not found (HTTP \(status)): check the URL and the id")
        case 408, 429: .transport("the \(reader.origin) is busy (HTTP \(status))")
        case 500...: .transport("the \(reader.origin) failed (HTTP \(status))")
        default: .refused("the \(reader.origin) refused the request (HTTP \(status))")
        }
    }
}
