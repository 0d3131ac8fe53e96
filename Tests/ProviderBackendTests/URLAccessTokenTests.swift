import FleetEngine
import FoundationEssentials
import ProviderBackend
import Testing
import TripTesting

@Suite("Tokens from a URL", .timeLimit(.minutes(1)))
struct URLAccessTokenTests {
    private let time = ManualTimeSource()
    private let trip = AuthorizationContext(tripID: "t1")
    private static let good = #"{"jwt":"s3cret","expirationTimestamp":3600}"#

    private func source(_ url: String, headers: [(name: String, value: String)] = []) throws -> URLAccessToken {
        URLAccessToken(try TokenURL(url), headers: headers, time: time)
    }

    private func failure(_ source: URLAccessToken, _ context: AuthorizationContext? = nil) async -> AccessTokenError? {
        do throws(AccessTokenError) {
            _ = try await source.fetchToken(context ?? trip)
            return nil
        } catch { return error }
    }

    private func failure(_ answer: ScriptedHTTPServer.Answer) async throws -> AccessTokenError? {
        try await ScriptedHTTPServer.with { _, _ in
            answer
        } _: { server in
            let failure = await failure(try source("\(server.address)/token/{tripID}?key=k3y"))
            for secret in ["k3y", "s3cret"] { #expect(failure?.description.contains(secret) != true) }
            return failure
        }
    }

    @Test("the ids are escaped in the URL, and the headers are sent")
    func asks() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, Self.good)
        } _: { server in
            let source = try source("\(server.address)/a/{tripID}/b?v={vehicleID}", headers: [("x-api-key", "k1")])
            let token = try await source.fetchToken(AuthorizationContext(tripID: "a/../ü?&#", vehicleID: "v 1"))
            #expect(token.secret == "s3cret")
            #expect(token.expiresAt == time.now().addingTimeInterval(3_600))
            let request = try #require(server.requests.first)
            #expect(request.method == "GET" && request.path == "/a/a%2F..%2F%C3%BC%3F%26%23/b?v=v%201")
            #expect(request.headers["x-api-key"] == "k1")
        }
    }

    @Test("a token for a shipment is requested with its tracking id; a URL that has only a trip's placeholder gives none")
    func shipment() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, Self.good)
        } _: { server in
            let shipment = AuthorizationContext(trackingID: "P 1")
            _ = try await source("\(server.address)/token/{trackingID}").fetchToken(shipment)
            #expect(server.requests.map(\.path) == ["/token/P%201"])
            let tripSource = try source("\(server.address)/token/{tripID}")
            #expect(await failure(tripSource, shipment) == .missingAuthorizationContext)
        }
    }

    @Test("a URL with placeholders for a trip and a shipment serves both: the other placeholder stays empty")
    func tripsAndShipments() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, Self.good)
        } _: { server in
            let both = try source("\(server.address)/token?trip={tripID}&tracking={trackingID}")
            _ = try await both.fetchToken(AuthorizationContext(trackingID: "P 1"))
            _ = try await both.fetchToken(AuthorizationContext(tripID: "t1"))
            #expect(server.requests.map(\.path) == ["/token?trip=&tracking=P%201", "/token?trip=t1&tracking="])
        }
    }

    @Test("an id that the URL needs, but that is not given, is missing context", arguments: ["{tripID}", "{trackingID}", "{vehicleID}"])
    func missingContext(place: String) async throws {
        let source = try source("http://127.0.0.1:9/\(place)")
        #expect(await failure(source, AuthorizationContext()) == .missingAuthorizationContext)
        let empty = AuthorizationContext(tripID: "", vehicleID: "", trackingID: "")
        #expect(await failure(source, empty) == .missingAuthorizationContext)
    }

    @Test(
        "every answer without a token has its own message",
        arguments: [
            (401, "needs credentials (HTTP 401): check --token-header"), (403, "refuses to give out this token (HTTP 403)"),
            (404, "was not found (HTTP 404): check the URL and the id"), (400, "refused the request (HTTP 400)"),
            (204, "provided no token"),
        ])
    func refused(status: Int, words: String) async throws {
        let found = try await failure(.reply(status, status == 204 ? "" : "<html>s3cret"))
        let failure = try #require(found)
        #expect(failure.description.hasSuffix("/token/{tripID} " + words), "\(failure)")
        #expect(!failure.isRetryable)
        #expect(failure.fleetEngineError.errorClass() == .actionRequired(.checkTokenSource))
    }

    @Test(
        "a source that fails or is busy is asked again",
        arguments: [(500, "failed"), (503, "failed"), (429, "is busy")])
    func failing(status: Int, words: String) async throws {
        let found = try await failure(.reply(status, "<html>s3cret"))
        let failure = try #require(found)
        #expect(failure.description.hasSuffix("\(words) (HTTP \(status))"))
        #expect(failure.fleetEngineError.errorClass() == .retryable)
    }

    @Test("a content type that is neither JSON nor text is stated; JSON is read under any type")
    func types() async throws {
        let page = try await failure(.reply(200, type: "text/html; charset=utf-8", "<!doctype html>s3cret"))
        #expect(page?.description.hasSuffix("provided HTML or XML instead of a token") == true)
        let unlabelled = try await failure(.reply(200, type: nil, "<html>s3cret"))
        #expect(unlabelled?.description.hasSuffix("provided HTML or XML instead of a token") == true)
        let picture = try await failure(.reply(200, type: "image/png", "s3cret"))
        #expect(picture?.description.hasSuffix("provided image/png instead of JSON or text") == true)
        for type in ["text/html", "application/problem+json", nil] { #expect(try await failure(.reply(200, type: type, Self.good)) == nil) }
        for type in ["text/plain", "application/jwt", nil] { #expect(try await failure(.reply(200, type: type, "s3cret\n")) == nil) }
        let keys = try await failure(.reply(200, #"{"token":"s3cret"}"#))
        #expect(keys?.description.hasSuffix("provided JSON without \"jwt\"; the JSON has token") == true)
    }

    @Test("an answer that is cut off, too long or not HTTP is a failure")
    func broken() async throws {
        let cut = try await failure(.bytes("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{\"jwt\":"))
        #expect(cut?.isRetryable == true)
        #expect(try await failure(.hangUp)?.description.hasSuffix("gave no usable answer: it closed the connection") == true)
        let noise = try await failure(.bytes("SSH-2.0-x\r\n\r\n"))
        #expect(noise?.description.hasSuffix("gave no usable answer: it does not speak HTTP") == true)
        let long = try await failure(.reply(200, type: "text/plain", String(repeating: "x", count: 65_537)))
        #expect(long == .missingData(long?.description ?? "") && long?.description.contains("more than 65536 bytes") == true)
    }

    @Test("failures: no server listens, or the name is unknown")
    func unreachable() async throws {
        let port = try UnansweredPort()
        for host in ["127.0.0.1", "localhost"] {
            let refused = await failure(try source("http://\(host):\(port.number)/x"))
            #expect(refused == .transport("the token URL http://\(host):\(port.number)/x does not answer: connection refused"))
        }
        let address = "https://no-such-host.invalid/x"
        let unknown = await failure(try source(address))
        let words = "the token URL \(address) does not answer: the name no-such-host.invalid cannot be resolved"
        #expect(unknown == .transport(words))
    }

    @Test(
        "a truncated answer is not reported as something other than HTTP",
        arguments: ["HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{", "HTTP/1.1 200 OK\r\ncontent-le", "HTTP/1.1 2"])
    func cut(start: String) async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .bytes(start)
        } _: { server in
            let failure = await failure(try source(server.address))
            let words = "gave no usable answer: it closed the connection"
            #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
        }
    }

    @Test("https to a server without TLS is a transport failure, which can pass; only a refused certificate needs an action")
    func noTLS() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .bytes("HTTP/1.1 400 Bad Request\r\n\r\n")
        } _: { server in
            let failure = await failure(try source("https://localhost:\(server.port)/x"))
            #expect(
                failure == .transport("the token URL https://localhost:\(server.port)/x does not answer: it does not answer with TLS"))
        }
    }

    @Test(
        "a slow source is given up at the limit, whether it is silent or stops in the middle",
        arguments: ["", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"])
    func slow(start: String) async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .stall(start)
        } _: { server in
            let source = try source("\(server.address)/x")
            async let failure = failure(source)
            await server.waitForRequests()
            await time.waitForSleepers()
            #expect(time.deadlines == [time.now().addingTimeInterval(15)])
            time.advance(by: 15)
            #expect(await failure == .transport("the token URL \(server.address)/x gave no answer within 15 s"))
        }
    }

    @Test("redirects within the server are followed, three at most", arguments: [301, 302, 303, 307, 308])
    func redirects(status: Int) async throws {
        try await ScriptedHTTPServer.with { request, count in
            count < 3 ? .reply(status, headers: [("location", "/step\(count)")], "") : .reply(200, Self.good)
        } _: { server in
            let token = try await source("\(server.address)/x", headers: [("x-api-key", "k1")]).fetchToken(trip)
            #expect(token.secret == "s3cret")
            #expect(server.requests.map(\.path) == ["/x", "/step0", "/step1", "/step2"])
            #expect(server.requests.allSatisfy { $0.headers["x-api-key"] == "k1" })
        }
        let endless = try await failure(.reply(status, headers: [("location", "/again")], ""))
        #expect(endless?.description.hasSuffix("redirects too many times") == true)
    }

    @Test("a redirect to another server is not followed, and its target is reported without the path")
    func foreignRedirect() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, Self.good)
        } _: { other in
            let failure = try await failure(.reply(302, headers: [("location", "\(other.address)/steal?key=k3y")], ""))
            #expect(
                failure?.description.hasSuffix("redirects to another server, \(other.address); the redirect is not followed (HTTP 302)")
                    == true)
            #expect(other.requests.isEmpty)
        }
        for target in ["ftp://127.0.0.1/x", "//example.com/x", "http://example.com", "javascript:1", "http://[", ""] {
            let failure = try await failure(.reply(302, headers: [("location", target)], ""))
            #expect(failure?.isRetryable == false, "\(target)")
        }
        #expect(try await failure(.reply(302, ""))?.description.contains("without a usable address") == true)
    }

    @Test("a cancelled fetch ends at once")
    func cancelled() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .stall("")
        } _: { server in
            let source = try source("\(server.address)/x")
            let task = Task { await failure(source) }
            await server.waitForRequests()
            task.cancel()
            #expect(await task.value?.isRetryable == true)
        }
    }
}

@Suite("Token URLs")
struct TokenURLTests {
    @Test(
        "the part of a URL that may be shown",
        arguments: [
            ("https://example.com/token/{tripID}?key=k3y#f", "https://example.com/token/{tripID}"),
            ("https://example.com:8443", "https://example.com:8443"), ("http://localhost:8080/t", "http://localhost:8080/t"),
            ("http://[::1]:8080/t/{vehicleID}", "http://[::1]:8080/t/{vehicleID}"), ("HTTPS://Example.COM:443/", "https://example.com/"),
            ("https://example.com/AIzaSyA1234567890abcdefghijk/t", "https://example.com/…/t"),
        ])
    func description(text: String, shown: String) throws {
        #expect(try TokenURL(text).description == shown)
    }

    @Test(
        "an invalid token URL is refused with a message",
        arguments: [
            ("", "not an http or https address"), ("example.com/t", "not an http or https address"),
            ("ftp://example.com/t", "not an http or https address"), ("https://", "not an http or https address"),
            ("http://example.com/t", "in plaintext"), ("http://127.0.0.1.example.com/t", "in plaintext"),
            ("https://user:pw@example.com/t", "name or password"),
            ("https://{tripID}.example.com/t", "the host in the token URL cannot contain {tripID}"),
            ("https://example.com/{trip_id}", "can have only {tripID}"), ("https://example.com/a b", "no spaces"),
            ("https://example.com/\u{1B}[2J", "no spaces"), ("https://example.com:99999/t", "not an http or https address"),
        ])
    func refused(text: String, words: String) {
        let error = #expect(throws: TokenURLError.self) { try TokenURL(text) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(error?.description.contains("pw") == false)
    }
}
