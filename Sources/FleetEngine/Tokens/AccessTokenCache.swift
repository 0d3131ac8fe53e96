import FoundationEssentials

/// A cache of the tokens of a token source. Each context has one entry and at most one request in flight, for any number of callers. A
/// token is renewed at most a minute before its expiry, and never more than once a second. A dropped token is fetched again at once.
///
/// While a new token is being fetched, callers get the old one if it is valid for more than 5 s. They do not wait for a slow source. If the
/// source's revision has changed, they wait for the new token.
public actor AccessTokenCache {
    private typealias Outcome = Result<AccessToken, AccessTokenError>

    private struct Request {
        let id: Int
        let task: Task<Outcome, Never>
        /// The number of callers that are waiting for the result; 0 for a request in the background.
        var waiting = 0
    }

    private struct Entry {
        var token: AccessToken?
        /// The time at which `token` was requested.
        var askedAt: Date = .distantPast
        /// The source's revision at the time of the request.
        var revision: Int?
        var request: Request?
        var failure: AccessTokenError?
        var failedAt: Date = .distantPast
    }

    /// Shortest time between two requests for a context, in seconds, unless its token was dropped.
    private static let minimumRequestGapSeconds = 1.0
    /// While a new token is being fetched, the old one is returned only if it is valid for more than this number of seconds.
    private static let shortestRestSeconds = 5.0

    private let provider: any AccessTokenProvider
    private let time: any TimeSource
    private var entries: [AuthorizationContext: Entry] = [:]
    private var nextRequestID = 0

    /// Creates a cache for the tokens of `provider`.
    /// - Parameter time: the clock by which tokens expire.
    public init(provider: any AccessTokenProvider, time: any TimeSource) {
        self.provider = provider
        self.time = time
    }

    /// Returns a token that is valid now.
    /// - Throws: the source's own error. A failure that is less than a second old is thrown again without another request.
    public func token(for context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        let now = time.now()
        let entry = entries[context] ?? Entry()
        if let token = entry.token, entry.revision == provider.revision, !Self.isDue(token, askedAt: entry.askedAt, now: now) {
            return token
        }
        let usable = entry.revision == provider.revision ? Self.usable(entry.token, now) : nil
        if entry.request == nil {
            if Self.isWithinGap(max(entry.token == nil ? .distantPast : entry.askedAt, entry.failedAt), now) {
                if let token = Self.usable(entry.token, now) { return token }
                if let failure = entry.failure { throw failure }
            }
            start(context, now)
        }
        if let usable, Self.rest(usable, now) > Self.shortestRestSeconds { return usable }
        switch await outcome(context) {
        case .success(let token): return token
        case .failure(let failure):
            // A source that is down must not make a valid token unusable.
            if let token = Self.usable(entries[context]?.token, time.now()) { return token }
            throw failure
        }
    }

    /// Forgets the token of `context`, so that the next call asks the source.
    /// - Returns: whether the source can give another token.
    @discardableResult
    public func drop(_ context: AuthorizationContext) -> Bool {
        entries[context]?.token = nil
        return provider.canRenew
    }

    /// Forgets a token that the server refused, unless another token has already taken its place.
    /// - Returns: whether the source can give another token.
    public func drop(_ token: AccessToken, of context: AuthorizationContext) -> Bool {
        if entries[context]?.token?.secret == token.secret { entries[context]?.token = nil }
        return provider.canRenew
    }

    /// Waits until no request for `context` is in flight.
    package func settle(_ context: AuthorizationContext) async { _ = await entries[context]?.request?.task.value }

    /// Forgets everything about `context`. Called after the last user of the context has gone.
    public func forget(_ context: AuthorizationContext) {
        entries[context]?.request?.task.cancel()
        entries[context] = nil
    }
}

// MARK: - The request in flight

extension AccessTokenCache {
    private func start(_ context: AuthorizationContext, _ now: Date) {
        let (provider, revision) = (provider, provider.revision)
        nextRequestID += 1
        let id = nextRequestID
        let task = Task { () -> Outcome in
            let outcome: Outcome
            do throws(AccessTokenError) { outcome = .success(try await provider.fetchToken(context)) } catch { outcome = .failure(error) }
            self.finish(context, id, outcome, askedAt: now, revision: revision)
            return outcome
        }
        entries[context, default: Entry()].request = Request(id: id, task: task)
    }

    /// Stores the result of a request, unless the request was cancelled or replaced in the meantime.
    private func finish(_ context: AuthorizationContext, _ id: Int, _ outcome: Outcome, askedAt: Date, revision: Int?) {
        guard entries[context]?.request?.id == id else { return }
        entries[context]?.request = nil
        switch outcome {
        case .success(let token):
            entries[context]?.token = token
            entries[context]?.askedAt = askedAt
            entries[context]?.revision = revision
            entries[context]?.failure = nil
        case .failure(let failure):
            entries[context]?.failure = failure
            entries[context]?.failedAt = time.now()
        }
    }

    /// Returns the result of the request for `context`. When the last caller that waits for it is cancelled, the request is cancelled too.
    private func outcome(_ context: AuthorizationContext) async -> Outcome {
        guard let request = entries[context]?.request else { return .failure(.transport("no request was sent to the token source")) }
        entries[context]?.request?.waiting += 1
        return await withTaskCancellationHandler {
            await request.task.value
        } onCancel: {
            Task { await self.leave(context, request.id) }
        }
    }

    private func leave(_ context: AuthorizationContext, _ id: Int) {
        guard let request = entries[context]?.request, request.id == id else { return }
        if request.waiting > 1 {
            entries[context]?.request?.waiting -= 1
        } else {
            entries[context]?.request = nil
            request.task.cancel()
        }
    }
}

// MARK: - Expiry and renewal

extension AccessTokenCache {
    /// Whether a token is so close to its expiry that it must be renewed. The margin is 60 s, or a fifth of the token's lifetime if that is
    /// shorter.
    private static func isDue(_ token: AccessToken, askedAt: Date, now: Date) -> Bool {
        guard let expiry = token.expiresAt else { return false }
        let life = max(0, expiry.timeIntervalSince(askedAt))
        return now >= expiry.addingTimeInterval(-min(60, 0.2 * life))
    }

    private static func usable(_ token: AccessToken?, _ now: Date) -> AccessToken? {
        guard let token, rest(token, now) > 0 else { return nil }
        return token
    }

    /// Returns the seconds until the token expires; infinite for a token without a known expiry.
    private static func rest(_ token: AccessToken, _ now: Date) -> Double { token.expiresAt?.timeIntervalSince(now) ?? .infinity }

    private static func isWithinGap(_ moment: Date, _ now: Date) -> Bool {
        let age = now.timeIntervalSince(moment)
        return age >= 0 && age < minimumRequestGapSeconds
    }
}
