public import FleetEngine
public import FoundationEssentials
import Synchronization

/// Decides which callers are admitted. It knows the accounts and the keys of the provider API, checks tokens, and remembers checked tokens.
///
/// All times are real times; the engine's own clock does not affect them.
public final class AccessGate: Sendable {
    private struct State {
        var accounts: AccountRing
        /// The keys of the provider API. The key with all rights comes first.
        var deskKeys: [DeskKey]
        /// A number that increases with every change of the accounts.
        var generation = 0
        /// The rights of checked tokens. The keys are `authorization` headers.
        var verified: [String: AccessGrant] = [:]
    }

    /// The maximum number of remembered tokens.
    static let remembered = 10_000
    /// The maximum size of an `authorization` header whose token is remembered, in bytes. It is enough for a driver's token that names 150
    /// tasks.
    static let rememberedBytes = 8 << 10
    private let state: Mutex<State>
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - deskKey: the key with all rights for the provider API; must not be empty.
    ///   - limitedKeys: the keys with only some rights for the provider API.
    ///   - now: returns the real time.
    public init(
        accounts: AccountRing, deskKey: String, limitedKeys: [DeskKey] = [], now: @escaping @Sendable () -> Date = { Date() }
    ) {
        state = Mutex(State(accounts: accounts, deskKeys: Self.keys(deskKey, limitedKeys)))
        self.now = now
    }

    /// Replaces the accounts and the keys. After a change of the accounts, every token is checked again.
    public func replace(accounts: AccountRing, deskKey: String, limitedKeys: [DeskKey] = []) {
        state.withLock { state in
            state.deskKeys = Self.keys(deskKey, limitedKeys)
            guard state.accounts != accounts else { return }
            state.accounts = accounts
            state.generation += 1
            state.verified = [:]
        }
    }

    /// Checks the token of a call, and returns the rights that it gives.
    ///
    /// - Parameter authorization: the `authorization` header; nil if it is missing.
    /// - Throws: UNAUTHENTICATED with the fault of the token; PERMISSION_DENIED for a valid token that gives no rights.
    public func grant(authorization: String?) async throws(FleetEngineError) -> AccessGrant {
        let seconds = now().timeIntervalSince1970
        // Most calls reuse a recent token, so checked tokens are found by the whole header.
        if let authorization, let known = state.withLock({ $0.verified[authorization] }) {
            guard seconds < known.expiry else {
                state.withLock { $0.verified[authorization] = nil }
                throw .expiredToken
            }
            return known
        }
        guard let authorization, let token = Self.bearer(authorization) else {
            throw .refusedToken(
                .unauthenticated, "the call has no token; send the header 'authorization: Bearer TOKEN'", reason: "CREDENTIALS_MISSING")
        }
        let (accounts, generation) = state.withLock { ($0.accounts, $0.generation) }
        let grant = try await TokenCheck.grant(token, accounts, now: seconds)
        remember(grant, authorization, generation, seconds)
        return grant
    }

    /// Returns the rights of a token that was checked before and has not expired; nil for all other tokens. The signature is not checked
    /// again.
    ///
    /// - Parameter authorization: the `authorization` header; nil if it is missing.
    public func rememberedGrant(authorization: String?) -> AccessGrant? {
        guard let authorization, let known = state.withLock({ $0.verified[authorization] }),
            now().timeIntervalSince1970 < known.expiry
        else { return nil }
        return known
    }

    /// Whether a header contains a token that no account of this server has signed.
    ///
    /// - Parameter authorization: the `authorization` header; nil if it is missing.
    public func isForged(authorization: String?) async -> Bool {
        guard let token = authorization.flatMap(Self.bearer) else { return false }
        return await !TokenCheck.isSigned(token, by: state.withLock { $0.accounts })
    }

    private func remember(_ grant: AccessGrant, _ authorization: String, _ generation: Int, _ seconds: Double) {
        guard authorization.utf8.count <= Self.rememberedBytes else { return }
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.verified.count >= Self.remembered { state.verified = state.verified.filter { seconds < $0.value.expiry } }
            if state.verified.count >= Self.remembered { state.verified = [:] }
            state.verified[authorization] = grant
        }
    }

    /// Returns the provider API key in a request's header; nil if the header contains no valid key.
    ///
    /// - Parameter authorization: the `authorization` header; nil if it is missing.
    public func deskKey(authorization: String?) -> DeskKey? {
        guard let given = authorization.flatMap(Self.bearer).map({ Array($0.utf8) }) else { return nil }
        // All keys are compared, so that the time taken does not reveal which key matches.
        return state.withLock { $0.deskKeys }.filter { $0.admits(given) }.first
    }

    private static func keys(_ full: String, _ limited: [DeskKey]) -> [DeskKey] {
        [DeskKey(name: DeskKey.fullName, secret: full, rights: Set(DeskRight.allCases))] + limited
    }

    /// Signs a token that is valid for an hour.
    /// - Throws: `AccountError` if the role has no account, or if the private key of the signing account is not known.
    public func mint(
        _ role: AccountRole, tripID: String?, vehicleID: String?, deliveries: DeliveryClaims = DeliveryClaims(), isReadOnly: Bool = false
    ) async throws(AccountError) -> MintedToken {
        let account = try state.withLock { $0.accounts }.signer(role)
        return try await MintedToken(
            account, tripID: tripID, vehicleID: vehicleID, deliveries: deliveries, isReadOnly: isReadOnly,
            lifeSeconds: Int64(TokenInspection.longestLifeSeconds), now: now())
    }

    private static func bearer(_ header: String) -> String? {
        guard let space = header.firstIndex(of: " "), header[..<space].lowercased() == "bearer" else { return nil }
        let token = header[space...].drop { $0 == " " }
        return token.isEmpty ? nil : String(token)
    }
}
