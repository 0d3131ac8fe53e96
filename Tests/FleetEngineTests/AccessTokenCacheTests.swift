import FleetEngine
import FoundationEssentials
import Synchronization
import Testing
import TripTesting

/// A token source with answers that the test sets. It counts its calls. If it is gated, each call waits for a signal.
private actor Source: AccessTokenProvider {
    private(set) var count = 0
    private(set) var cancelled = 0
    private var answers: [Result<AccessToken, AccessTokenError>]
    private var gate: [CheckedContinuation<Void, Never>] = []
    private var isGated: Bool
    private let isStubborn: Bool
    private nonisolated let change = Mutex<Int?>(nil)
    nonisolated var canRenew: Bool { true }
    nonisolated var revision: Int? { change.withLock { $0 } }

    init(_ answers: [Result<AccessToken, AccessTokenError>], gated: Bool = false, stubborn: Bool = false) {
        self.answers = answers
        isStubborn = stubborn
        isGated = gated
    }

    func fetchToken(_ context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        count += 1
        let answer = answers.count > 1 ? answers.removeFirst() : answers[0]
        if isGated {
            await withTaskCancellationHandler {
                await withCheckedContinuation { gate.append($0) }
            } onCancel: {
                Task { await self.cancelAll() }
            }
        }
        return try answer.get()
    }

    func close() { isGated = true }

    func openFirst() { gate.removeFirst().resume() }

    func open() {
        isGated = false
        for waiting in gate { waiting.resume() }
        gate = []
    }

    nonisolated func changes() { change.withLock { $0 = ($0 ?? 0) + 1 } }

    private func cancelAll() {
        cancelled += 1
        guard !isStubborn else { return }
        for waiting in gate { waiting.resume() }
        gate = []
    }

    var waiting: Int { gate.count }
}

@Suite("The token cache", .timeLimit(.minutes(1)))
struct AccessTokenCacheTests {
    private let context = AuthorizationContext(tripID: "t1")
    private let time = ManualTimeSource()

    private func token(_ secret: String, lives seconds: Double? = nil) -> Result<AccessToken, AccessTokenError> {
        .success(AccessToken(secret: secret, expiresAt: seconds.map { time.now().addingTimeInterval($0) }))
    }

    private func cache(_ source: Source) -> AccessTokenCache { AccessTokenCache(provider: source, time: time) }

    private func settle(_ condition: () async -> Bool) async {
        while await !condition(), !Task.isCancelled { await Task.yield() }
    }

    /// Requests tokens until one differs from `old`.
    private func successor(_ cache: AccessTokenCache, of old: String) async throws -> String {
        while true {
            let secret = try await cache.token(for: context).secret
            if secret != old { return secret }
            await Task.yield()
        }
    }

    @Test("for each context, only one request is in flight, however many callers wait")
    func singleFlight() async throws {
        let source = Source([token("a")], gated: true)
        let cache = cache(source)
        async let all = withTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { try? await cache.token(for: context).secret } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await settle { await source.waiting > 0 }
        await source.open()
        #expect(await all == Array(repeating: "a", count: 50))
        #expect(await source.count == 1)
        _ = try await cache.token(for: AuthorizationContext(tripID: "t2"))
        #expect(await source.count == 2)
    }

    @Test("several trips do not evict each other")
    func severalTrips() async throws {
        let source = Source([token("a")])
        let cache = cache(source)
        for _ in 0..<3 {
            for id in ["t1", "t2", "t3"] { _ = try await cache.token(for: AuthorizationContext(tripID: id)) }
            _ = try await cache.token(for: AuthorizationContext(vehicleID: "t1"))
        }
        #expect(await source.count == 4)
    }

    @Test(
        "a token is renewed before its expiry by 60 s or a fifth of its life, whichever is shorter",
        arguments: [(3_600.0, 3_540.0), (100, 80)])
    func renewal(life: Double, renewAt: Double) async throws {
        let start = time.now()
        let source = Source([token("a", lives: life), token("b")])
        let cache = cache(source)
        #expect(try await cache.token(for: context).secret == "a")
        time.advance(to: start.addingTimeInterval(renewAt - 1))
        for _ in 0..<5 { #expect(try await cache.token(for: context).secret == "a") }
        #expect(await source.count == 1)
        time.advance(to: start.addingTimeInterval(renewAt))
        #expect(try await successor(cache, of: "a") == "b")
        #expect(await source.count == 2)
    }

    @Test("while a slow source makes the next token, a valid one is handed out, but not one that is about to expire")
    func slowSource() async throws {
        let start = time.now()
        let source = Source([token("a", lives: 100), token("b")])
        let cache = cache(source)
        _ = try await cache.token(for: context)
        await source.close()
        time.advance(to: start.addingTimeInterval(90))
        for _ in 0..<5 { #expect(try await cache.token(for: context).secret == "a") }
        time.advance(to: start.addingTimeInterval(96))
        async let last = cache.token(for: context).secret
        await settle { await source.waiting > 0 }
        await source.open()
        #expect(try await last == "b")
        #expect(await source.count == 2)
    }

    @Test("a failing source does not affect a valid token, and is asked at most once a second")
    func sourceDown() async throws {
        let source = Source([token("a", lives: 100), .failure(.transport("down"))])
        let cache = cache(source)
        _ = try await cache.token(for: context)
        time.advance(by: 90)
        for _ in 0..<5 { #expect(try await cache.token(for: context).secret == "a") }
        await cache.settle(context)
        #expect(await source.count == 2)
        time.advance(by: 7)
        for _ in 0..<5 { #expect(try await cache.token(for: context).secret == "a") }
        #expect(await source.count == 3)
        time.advance(by: 4)
        for _ in 0..<5 { await #expect(throws: AccessTokenError.transport("down")) { try await cache.token(for: context) } }
        #expect(await source.count == 4)
        time.advance(by: 1)
        await #expect(throws: AccessTokenError.transport("down")) { try await cache.token(for: context) }
        #expect(await source.count == 5)
    }

    @Test("a token that has already expired is passed on, and its source is asked at most once a second")
    func expiredOnArrival() async throws {
        let source = Source([token("a", lives: -5)])
        let cache = cache(source)
        for second in 1...3 {
            #expect(try await cache.token(for: context).secret == "a")
            #expect(await source.count == second)
            time.advance(by: 1)
        }
    }

    @Test("a source that has something new is asked at once")
    func changedSource() async throws {
        let source = Source([token("a", lives: 3_600), token("b", lives: 3_600)])
        let cache = cache(source)
        source.changes()
        #expect(try await cache.token(for: context).secret == "a")
        #expect(try await cache.token(for: context).secret == "a")
        time.advance(by: 2)
        source.changes()
        #expect(try await cache.token(for: context).secret == "b")
        #expect(await source.count == 2)
    }

    @Test("a dropped token is fetched again if the source can provide another one")
    func drop() async throws {
        let source = Source([token("a"), token("b")])
        let cache = cache(source)
        _ = try await cache.token(for: context)
        #expect(await cache.drop(context))
        #expect(try await cache.token(for: context).secret == "b")
        let fixed = AccessTokenCache(provider: try FixedAccessToken(secret: "a", origin: "test"), time: time)
        #expect(await !fixed.drop(context))
    }

    @Test("after a context is forgotten, its old request has no effect")
    func forget() async throws {
        let source = Source([token("old"), token("new")], gated: true)
        let cache = cache(source)
        async let first = try? cache.token(for: context).secret
        await settle { await source.waiting == 1 }
        await cache.forget(context)
        await settle { await source.cancelled == 1 }
        _ = await first
        await source.open()
        #expect(try await cache.token(for: context).secret == "new")
        #expect(await source.count == 2)
    }

    @Test("a request that outlives its context does not affect the next one")
    func lateAnswer() async throws {
        let source = Source([token("old"), token("new")], gated: true, stubborn: true)
        let cache = cache(source)
        async let first = try? cache.token(for: context).secret
        await settle { await source.waiting == 1 }
        await cache.forget(context)
        async let second = try? cache.token(for: context).secret
        await settle { await source.waiting == 2 }
        await source.openFirst()
        _ = await first
        async let third = try? cache.token(for: context).secret
        for _ in 0..<100 { await Task.yield() }
        await source.open()
        #expect(await second == "new")
        #expect(await third == "new")
        #expect(await source.count == 2)
    }

    @Test("a request is cancelled when its last waiting caller is cancelled, not before")
    func cancellation() async throws {
        let source = Source([token("a")], gated: true)
        let cache = cache(source)
        let first = Task { try? await cache.token(for: context).secret }
        let second = Task { try? await cache.token(for: context).secret }
        await settle { await source.waiting == 1 }
        first.cancel()
        for _ in 0..<100 { await Task.yield() }
        #expect(await source.cancelled == 0)
        second.cancel()
        await settle { await source.cancelled == 1 }
        _ = await (first.value, second.value)
        await source.open()
        #expect(try await cache.token(for: context).secret == "a")
    }
}
