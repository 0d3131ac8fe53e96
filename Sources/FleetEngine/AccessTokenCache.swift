import FoundationEssentials

/// The one cache in front of every token source: an entry for each context, one request in flight for each however many ask,
/// renewal shortly before expiry and never more than once a second.
public actor AccessTokenCache {
    private struct Entry {
        var token: AccessToken?
        var fetchedAt: Date = .distantPast
        var request: Task<Result<AccessToken, AccessTokenError>, Never>?
        var failure: AccessTokenError?
        var failedAt: Date = .distantPast
    }

    /// At most one request to the source in this time, seconds.
    public static let minimumRequestGapSeconds = 1.0

    private let provider: any AccessTokenProvider
    private let time: any TimeSource
    private var entries: [AuthorizationContext: Entry] = [:]

    public init(provider: any AccessTokenProvider, time: any TimeSource) {
        self.provider = provider
        self.time = time
    }

    /// A token that is good now.
    /// - Throws: the source's own error. A failure that is less than a second old is thrown again without asking.
    public func token(for context: AuthorizationContext) async throws(AccessTokenError) -> AccessToken {
        let now = time.now()
        let entry = entries[context] ?? Entry()
        if let token = entry.token, !Self.isDue(token, fetchedAt: entry.fetchedAt, now: now) { return token }
        if let request = entry.request { return try await request.value.get() }
        if let token = Self.usable(entry.token, now), Self.isWithinGap(max(entry.fetchedAt, entry.failedAt), now) { return token }
        if let failure = entry.failure, Self.isWithinGap(entry.failedAt, now) { throw failure }
        let fetched = await fetch(context)
        switch fetched {
        case .success(let token): return token
        case .failure(let failure):
            // A source that is down must not stop a token that is still good.
            if let token = Self.usable(entries[context]?.token, time.now()) { return token }
            throw failure
        }
    }

    /// Forgets the token of `context`; the next call asks the source.
    /// - Returns: whether the source can give another one.
    @discardableResult
    public func drop(_ context: AuthorizationContext) -> Bool {
        entries[context]?.token = nil
        return provider.canRenew
    }

    /// Forgets everything about `context`: its last subscriber has gone.
    public func forget(_ context: AuthorizationContext) { entries[context] = nil }

    private func fetch(_ context: AuthorizationContext) async -> Result<AccessToken, AccessTokenError> {
        let provider = provider
        let request = Task { () -> Result<AccessToken, AccessTokenError> in
            do throws(AccessTokenError) { return .success(try await provider.fetchToken(context)) } catch { return .failure(error) }
        }
        entries[context, default: Entry()].request = request
        let result = await request.value
        guard entries[context] != nil else { return result }
        entries[context]?.request = nil
        switch result {
        case .success(let token):
            entries[context]?.token = token
            entries[context]?.fetchedAt = time.now()
            entries[context]?.failure = nil
        case .failure(let failure):
            entries[context]?.failure = failure
            entries[context]?.failedAt = time.now()
        }
        return result
    }

    /// Renewal is due at expiry minus the smaller of 60 s and a fifth of the token's life.
    private static func isDue(_ token: AccessToken, fetchedAt: Date, now: Date) -> Bool {
        guard let expiry = token.expiresAt else { return false }
        let life = max(0, expiry.timeIntervalSince(fetchedAt))
        return now >= expiry.addingTimeInterval(-min(60, 0.2 * life))
    }

    private static func usable(_ token: AccessToken?, _ now: Date) -> AccessToken? {
        guard let token, token.expiresAt.map({ $0 > now }) ?? true else { return nil }
        return token
    }

    private static func isWithinGap(_ moment: Date, _ now: Date) -> Bool {
        let age = now.timeIntervalSince(moment)
        return age >= 0 && age < minimumRequestGapSeconds
    }
}
