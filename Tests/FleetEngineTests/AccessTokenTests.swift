import FleetEngine
import FoundationEssentials
import Testing
import TripTesting

/// A source that a test drives: it counts, waits for a signal when told to, and answers what it was given.
private actor Source: AccessTokenProvider {
    private(set) var count = 0
    private var answers: [Result<AccessToken, AccessTokenError>]
    private var gate: [CheckedContinuation<Void, Never>] = []
    private var isGated: Bool
    nonisolated var canRenew: Bool { true }

    init(_ answers: [Result<AccessToken, AccessTokenError>], gated: Bool = false) {
        self.answers = answers
        isGated = gated
    }

    func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        count += 1
        if isGated { await withCheckedContinuation { gate.append($0) } }
        return try (answers.count > 1 ? answers.removeFirst() : answers[0]).get()
    }

    func open() {
        isGated = false
        for waiting in gate { waiting.resume() }
        gate = []
    }

    var waiting: Int { gate.count }
}

@Suite("Access tokens")
struct AccessTokenTests {
    private let context = AuthorizationContext(tripID: "t1")

    @Test("text around a token is dropped, what no token has is refused")
    func checking() throws {
        #expect(try AccessToken.checked("  abc.def\n", origin: "test").secret == "abc.def")
        for bad in ["", " \n", "a b", "a\nb", "ä", String(repeating: "x", count: AccessToken.maximumBytes + 1)] {
            #expect(throws: AccessTokenError.self) { try AccessToken.checked(bad, origin: "test") }
        }
    }

    @Test("a token's text is in no description")
    func secrecy() {
        let token = AccessToken(secret: "s3cret")
        for text in ["\(token)", String(reflecting: token), "\(Mirror(reflecting: token).children.map { "\($0)" })", "\([token])"] {
            #expect(!text.contains("s3cret"))
        }
    }

    @Test("a JSON Web Token tells its expiry; anything else does not trap", arguments: ["", "a.b", "a.b.c", "..", "a.e30.c", "x.\u{0}.y"])
    func claims(text: String) {
        // {"exp":1935756000,"iat":1935752400,"authorization":{"tripid":"t1"}}
        let body = "eyJleHAiOjE5MzU3NTYwMDAsImlhdCI6MTkzNTc1MjQwMCwiYXV0aG9yaXphdGlvbiI6eyJ0cmlwaWQiOiJ0MSJ9fQ"
        let claims = JSONWebTokenClaims(token: "h.\(body).s")
        #expect(claims?.expiresAt == Date(timeIntervalSince1970: 1_935_756_000))
        #expect(claims?.tripID == "t1")
        #expect(JSONWebTokenClaims(token: text)?.expiresAt == nil)
    }

    @Test("the environment's token")
    func environment() throws {
        #expect(try FixedAccessToken(environment: [:]) == nil)
        #expect(try FixedAccessToken(environment: ["TRIPWATCH_TOKEN": ""]) == nil)
        #expect(try FixedAccessToken(environment: ["TRIPWATCH_TOKEN": "abc"]) != nil)
        #expect(throws: AccessTokenError.self) { try FixedAccessToken(environment: ["TRIPWATCH_TOKEN": "a b"]) }
    }

    @Test("however many ask, one request is in flight for each context")
    func singleFlight() async throws {
        let source = Source([.success(AccessToken(secret: "a"))], gated: true)
        let cache = AccessTokenCache(provider: source, time: ManualTimeSource())
        async let all = withTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { try? await cache.token(for: context).secret } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        while await source.waiting == 0 { await Task.yield() }
        await source.open()
        #expect(await all == Array(repeating: "a", count: 50))
        #expect(await source.count == 1)
        _ = try await cache.token(for: AuthorizationContext(tripID: "t2"))
        #expect(await source.count == 2)
    }

    @Test("a token is renewed at its expiry minus the smaller of 60 s and a fifth of its life")
    func renewal() async throws {
        for (life, renewAt) in [(3_600.0, 3_540.0), (100, 80)] {
            let time = ManualTimeSource()
            let start = time.now()
            let source = Source([
                .success(AccessToken(secret: "a", expiresAt: start.addingTimeInterval(life))), .success(AccessToken(secret: "b")),
            ])
            let cache = AccessTokenCache(provider: source, time: time)
            #expect(try await cache.token(for: context).secret == "a")
            time.advance(to: start.addingTimeInterval(renewAt - 1))
            #expect(try await cache.token(for: context).secret == "a")
            time.advance(to: start.addingTimeInterval(renewAt))
            #expect(try await cache.token(for: context).secret == "b")
        }
    }

    @Test("a source that is down does not stop a token that is still good, and is asked once a second at most")
    func sourceDown() async throws {
        let time = ManualTimeSource()
        let start = time.now()
        let source = Source([
            .success(AccessToken(secret: "a", expiresAt: start.addingTimeInterval(100))), .failure(.transport("down")),
        ])
        let cache = AccessTokenCache(provider: source, time: time)
        _ = try await cache.token(for: context)
        time.advance(by: 90)
        for _ in 0..<5 { #expect(try await cache.token(for: context).secret == "a") }
        #expect(await source.count == 2)
        time.advance(by: 11)
        for _ in 0..<5 { await #expect(throws: AccessTokenError.transport("down")) { try await cache.token(for: context) } }
        #expect(await source.count == 3)
    }

    @Test("a dropped token is fetched anew")
    func drop() async throws {
        let source = Source([.success(AccessToken(secret: "a")), .success(AccessToken(secret: "b"))])
        let cache = AccessTokenCache(provider: source, time: ManualTimeSource())
        _ = try await cache.token(for: context)
        #expect(await cache.drop(context))
        #expect(try await cache.token(for: context).secret == "b")
    }
}
